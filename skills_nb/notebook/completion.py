"""What Tab offers after `%skill`: commands, options, targets, threads, what a pause takes.

Room: doors (notebook). A matcher that suppresses the others, because Python's names mean nothing
in such a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from skills_nb.commands.grammar import ANSWERS, COMMANDS
from skills_nb.errors import SkillsError
from skills_nb.notebook.lines import flags_of

if TYPE_CHECKING:
    from skills_nb.commands import App
    from skills_nb.model.state import Pause, ThreadState

_LINE = re.compile(r"^\s*%%?skill\s+(.*)$", re.DOTALL)
_ON_THREADS = frozenset({"resume", "require", "status", "cleanup"})
_ON_TARGETS = frozenset({"run", "route"})


def matcher(app: Callable[[], App]) -> Callable[[Any], dict[str, Any]]:
    """Return an IPython matcher over the kernel's app."""

    def skill_matcher(context: Any) -> dict[str, Any]:
        line = context.full_text.split("\n")[context.cursor_line][: context.cursor_position]
        found = _LINE.match(line)
        if found is None:
            return {"completions": [], "suppress": False}
        return _result(found[1], app)

    # What `IPython.core.completer.context_matcher` would set, without importing it here.
    skill_matcher.matcher_api_version = 2  # type: ignore[attr-defined]
    skill_matcher.matcher_identifier = "skills_nb"  # type: ignore[attr-defined]
    skill_matcher.matcher_priority = 100  # type: ignore[attr-defined]
    return skill_matcher


def _result(text: str, app: Callable[[], App]) -> dict[str, Any]:
    from IPython.core.completer import SimpleCompletion

    words = text.split(" ")
    fragment = words[-1]
    try:
        names = offers([word for word in words[:-1] if word], fragment, app)
    except SkillsError:
        # Completion is no place to complain: the command itself will say what is wrong.
        names = []
    fitting = [name for name in names if name.startswith(fragment)]
    return {
        "completions": [SimpleCompletion(name, type="skill") for name in fitting],
        "matched_fragment": fragment,
        "suppress": True,
    }


def offers(before: Sequence[str], fragment: str, app: Callable[[], App]) -> list[str]:
    """Return what may stand here.

    Args:
        before: the whole words already typed, the command first.
        fragment: the word being typed.
        app: gives the kernel's app; called only where names come from the home or the library.
    """
    if not before:
        return [*COMMANDS, "debug"]
    command, last = before[0], before[-1]
    if fragment.startswith("-"):
        return sorted(flag for flag in flags_of(command) if flag.startswith("--"))
    if last == "--thread" or (command in _ON_THREADS and len(before) == 1):
        return _threads(app())
    if last == "--at":
        return [pause.at for _, pause in _open_pause(app(), before)]
    if last in ("--set", "--input"):
        return [f"{name}=" for name in _inputs(app(), before)]
    return _subjects(command, before, app)


def _subjects(command: str, before: Sequence[str], app: Callable[[], App]) -> list[str]:
    if len(before) != 1:
        return []
    if command == "respond":
        return [option.id for _, pause in _open_pause(app(), before) for option in pause.options]
    if command in _ON_TARGETS:
        return [ref for ref in app().wiring.library.index if not ref.startswith("routers/")]
    if command == "show":
        return [*_threads(app()), *app().wiring.library.index]
    return list(_ACCOUNT) if command == "account" else []


_ACCOUNT = ("reset", "address", "serve", "export", "import")


def _threads(app: App) -> list[str]:
    if not app.wiring.home.exists():
        return []
    return [head.thread_id for head in app.wiring.store.heads()]


def _open_pause(app: App, before: Sequence[str]) -> Iterable[tuple[ThreadState, Pause]]:
    state = _state(app, before)
    pause = app.wiring.conductor.pause(state) if state is not None else None
    return [(state, pause)] if state is not None and pause is not None else []


def _state(app: App, before: Sequence[str]) -> ThreadState | None:
    named = [before[at + 1] for at, word in enumerate(before[:-1]) if word == "--thread"]
    known = named or _threads(app)[:1]
    return app.wiring.conductor.load(known[0]) if known else None


def _inputs(app: App, before: Sequence[str]) -> list[str]:
    library = app.wiring.library
    if before[0] in ANSWERS:
        from skills_nb.engine.names import playbook_of

        state = _state(app, before)
        playbook = playbook_of(state.run, library) if state is not None else None
    else:
        name = next((word for word in before if word.startswith("playbooks/")), "")
        playbook = library.playbook(name) if name else None
    return [spec.name for spec in playbook.inputs] if playbook is not None else []
