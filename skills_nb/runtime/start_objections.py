"""What stands against starting a playbook: an invalid skill, or facts that grew old.

Room: work. The account is not asked; what is found is an event on the thread.
Spec: Events > Validation events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from skills_nb.engine.pauses import STALENESS_OPTIONS
from skills_nb.model import events as ev
from skills_nb.model.circles import circles_of
from skills_nb.model.diagnostics import Severity
from skills_nb.model.library import Library
from skills_nb.model.skills import Playbook
from skills_nb.ports import Ports
from skills_nb.reading import is_from_files, skill_problems
from skills_nb.sql.playbook_safety import ALWAYS, dangers_of


def objections(
    playbook: Playbook, thread_id: str, library: Library, ports: Ports
) -> Iterator[ev.Event]:
    """Yield what keeps a playbook from starting: nothing, or one event.

    A warning that the thread holds already was answered, so it is not given again.
    """
    invalid = _invalid(playbook, library)
    if invalid is not None:
        yield invalid
        return
    reviews = _reviews(playbook, library)
    if not reviews:
        return
    warning = _warning(reviews, library.meta.staleness_threshold_days, ports.clock.now()[:10])
    if warning is not None and not _was_given(warning, thread_id, ports):
        yield warning


def _invalid(playbook: Playbook, library: Library) -> ev.ValidationError | None:
    problems = skill_problems(library, playbook.ref)
    errors = [each for each in problems if each.severity is Severity.ERROR]
    if errors:
        first, *others = errors
        more = f" (and {len(others)} more)" if others else ""
        return ev.ValidationError(
            check=first.code,
            message=f"{first.span}: {first.message}{more}",
            resolution=first.hint or f"explain {first.code}",
        )
    missing = [name for name in playbook.depends_on if name not in library.primitives]
    if missing:
        return ev.ValidationError(
            check="missing_reference",
            message=f"'{playbook.ref}' builds on '{missing[0]}', which is not there",
            resolution=f"Write 'primitives/{missing[0]}', or drop it from depends_on.",
        )
    danger = _danger(playbook, library)
    if danger is not None:
        return danger
    circle = next(iter(circles_of(library.meta.domains)), None)
    if circle is None:
        return None
    return ev.ValidationError(
        check="domain_cycle", message=circle.message, resolution=circle.resolution
    )


def _danger(playbook: Playbook, library: Library) -> ev.ValidationError | None:
    """Return what forbids to begin a playbook; a plan is the guardrails' business."""
    if playbook.is_plan:
        return None
    found = [
        danger
        for danger in dangers_of(playbook, library.meta.guided_prohibited_actions)
        # How a program asks and stops is its own affair; what is sent unasked never is.
        if danger.code in ALWAYS or is_from_files(library)
    ]
    if not found:
        return None
    first, *others = found
    more = f" (and {len(others)} more)" if others else ""
    return ev.ValidationError(
        check=first.code,
        message=f"playbook '{playbook.name}' is refused before anything is sent: "
        f"{first.message}{more}",
        resolution=f"{first.hint} `lint` names every place.",
    )


def _reviews(playbook: Playbook, library: Library) -> dict[str, str]:
    """Return when each primitive that says so was last reviewed."""
    found = {name: library.primitives[name].last_reviewed for name in playbook.depends_on}
    return {name: reviewed for name, reviewed in found.items() if reviewed is not None}


def _warning(reviews: Mapping[str, str], threshold: int, today: str) -> ev.StalenessWarning | None:
    """Return the warning about the primitive that was reviewed longest ago, if that is too long."""
    stale = sorted(
        (-days, name, reviewed)
        for name, reviewed in reviews.items()
        if (days := _days(reviewed, today)) is not None and days > threshold
    )
    if not stale:
        return None
    (negative, name, reviewed), *others = stale
    also = f" Also older: {', '.join(each[1] for each in others)}." if others else ""
    return ev.StalenessWarning(
        primitive=name,
        last_reviewed=reviewed,
        days_stale=-negative,
        message=f"primitives/{name} was last reviewed {-negative} days ago, on {reviewed}; "
        f"{threshold} are allowed. Snowflake may have changed since.{also}",
        options=list(STALENESS_OPTIONS),
    )


def _days(reviewed: str, today: str) -> int | None:
    """Return the days between two ISO dates; None where one is none, which the linter reports."""
    try:
        return (date.fromisoformat(today) - date.fromisoformat(reviewed)).days
    except ValueError:
        return None


def _was_given(warning: ev.StalenessWarning, thread_id: str, ports: Ports) -> bool:
    return any(
        isinstance(event, ev.StalenessWarning) and event.primitive == warning.primitive
        for event in ports.store.load(thread_id)
    )
