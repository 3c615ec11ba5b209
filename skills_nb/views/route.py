"""What an intent resolves to, why, and what to type next.

Room: laws (views).
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from skills_nb.views.not_covered import not_covered_notices
from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import percent, sentence

if TYPE_CHECKING:
    from skills_nb.model.routes import Route, RouteMode

_MODES: dict[RouteMode, str] = {
    "playbook": "a playbook does this from start to end",
    "guided": "no playbook is needed: you get a plan to approve, made from reference material",
    "reference": "this is a question of fact: the reference answers it, and nothing is run",
    "chain": "several domains, one after the other",
    "clarify": "I am not sure which of these you mean",
}


@dataclass(frozen=True, slots=True)
class RouteCard:
    """The answer of `route`."""

    mode: RouteMode
    """How the intent would be answered."""
    phases: tuple[tuple[str, str], ...]
    """(domain, target) in the order of execution; the target is empty where it is left open."""
    confidence: float
    """From 0 to 1."""
    alternatives: tuple[tuple[str, str, float], ...]
    """(target, mode, confidence), best first."""
    options: tuple[tuple[str, str], ...]
    """(id or target, description) to choose from when the words are unclear."""
    why: tuple[str, ...]
    """What decided, one sentence each."""
    suggest_dry_run: str
    """Why a dry run is worth it first; empty where nothing says so."""
    shows_why: bool
    """Whether the reasons are open from the start."""
    intent: str = ""
    """What was asked for, in the person's words."""
    not_covered: tuple[str, ...] = ()
    """Wishes that no target meets."""
    limits: tuple[str, ...] = ()
    """What must not be done."""

    @property
    def target(self) -> str:
        """Return the first target, or nothing."""
        return next((target for _, target in self.phases if target), "")


def route_card(route: Route, why: bool = False, intent: str = "") -> RouteCard:
    """Return the card of a route.

    Args:
        route: what was resolved.
        why: whether what decided is shown at once.
        intent: what was asked for; a chain is begun by it.
    """
    targets = (*route.targets, *([None] * (len(route.domains) - len(route.targets))))
    return RouteCard(
        mode=route.mode,
        phases=tuple((d, t or "") for d, t in zip(route.domains, targets, strict=False)),
        confidence=route.confidence,
        alternatives=tuple((a.target, a.mode, a.confidence) for a in route.alternatives),
        options=tuple((o.target or o.id, o.description) for o in route.options),
        why=route.why,
        suggest_dry_run=route.suggest_dry_run,
        shows_why=why,
        intent=" ".join(intent.split()),
        not_covered=route.not_covered,
        limits=route.limits,
    )


def lay_out_route(view: RouteCard) -> b.Sheet:
    """Return the blocks of a route."""
    if view.mode == "clarify":
        return _question(view)
    left = not_covered_notices(view.not_covered, view.limits)
    blocks = [*_phases(view), *left, *_next(view), *_reasons(view), *_others(view)]
    title = "A chain" if view.mode == "chain" else view.target or view.phases[0][0]
    return b.Sheet(title, f"{percent(view.confidence)} sure", "ok", blocks=tuple(blocks))


def _question(view: RouteCard) -> b.Sheet:
    choices = b.Facts(tuple((name, text) for name, text in view.options))
    first = next((name for name, _ in view.options if "/" in name), "")
    command = (b.Command("Name the one you mean:", f"run {first}"),) if first else ()
    said = f"{_said(view)}." if first else "Nothing in the library comes near these words."
    blocks = (b.Notice("review", "WHICH ONE?", said), choices, *command)
    return b.Sheet("Which of these?", "unclear", "review", blocks=(*blocks, *_reasons(view)))


def _said(view: RouteCard) -> str:
    return sentence(_MODES[view.mode])


def _phases(view: RouteCard) -> list[b.Block]:
    if view.mode != "chain":
        return [b.Paragraph(f"{_said(view)}.")]
    items = tuple(f"{domain}: {target or 'to be chosen'}" for domain, target in view.phases)
    return [b.Paragraph(f"{_said(view)}:"), b.Bullets(items, is_numbered=True)]


def _next(view: RouteCard) -> list[b.Block]:
    if not view.target:
        return []
    if view.mode == "reference":
        return [b.Command("Read it:", f"show {view.target}")]
    goal = _begun_by(view)
    reading = [b.Command("Read about it:", f"show {view.target}")] if view.mode == "guided" else []
    if not goal:
        return [*reading]
    because = [f"{sentence(view.suggest_dry_run.rstrip('.'))}."] if view.suggest_dry_run else []
    return [
        b.Paragraph(" ".join([*because, "A dry run shows every statement and changes nothing."])),
        b.Command("Preview it:", f"run {goal} --dry-run"),
        b.Command("Do it, step by step:", f"run {goal}"),
        *reading,
    ]


def _begun_by(view: RouteCard) -> str:
    """Return what `run` takes to begin with it; empty where that is not known."""
    if view.mode == "playbook":
        return view.target
    return shlex.quote(view.intent) if view.mode in ("chain", "guided") and view.intent else ""


def _reasons(view: RouteCard) -> list[b.Block]:
    if not view.why:
        return []
    reasons = b.Bullets(view.why)
    return [b.Fold("Why", (reasons,), is_open=view.shows_why, in_text=view.shows_why)]


def _others(view: RouteCard) -> list[b.Block]:
    if not view.alternatives:
        return []
    rows = tuple((t, mode, percent(sure)) for t, mode, sure in view.alternatives)
    table = b.Table(("Target", "Mode", "Sure"), rows, "Other candidates, best first")
    names = ", ".join(target for target, _, _ in view.alternatives)
    return [b.Fold(f"Not it? {names}", (table,), is_open=view.shows_why, in_text=view.shows_why)]
