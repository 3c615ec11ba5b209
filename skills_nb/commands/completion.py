"""What may stand next in a line: commands, options, targets, threads, what a pause takes.

Room: commands. A notebook's Tab and a shell's ask the same: what the grammar calls an argument
says who knows its names.
"""

from __future__ import annotations

from argparse import Action, ArgumentParser
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from skills_nb.commands.grammar.parser import ANSWERS, build_parser, parsers_in

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext as App
    from skills_nb.model.skills import Playbook
    from skills_nb.model.state import Pause, ThreadState

_MOST_PATHS = 200
Names = Callable[["App", Sequence[str], str], Iterable[str]]
"""Gives names to an app, the words before, and the word being typed."""


def offers(before: Sequence[str], fragment: str, app: Callable[[], App]) -> list[str]:
    """Return what may stand here.

    Args:
        before: the whole words already typed, the command first.
        fragment: the word being typed.
        app: gives the kernel's app; called only where names come from the home or the library.
    """
    parser, rest = _parser_of(before)
    verbs = parsers_in(parser)
    if fragment.startswith("-"):
        return sorted(flag for flag in _flags(parser) if flag.startswith("--"))
    action = _argument_at(parser, rest)
    if action is None:
        return list(verbs) if not rest else []
    if action.choices is not None and not verbs:
        return [str(choice) for choice in action.choices]
    names = _NAMES.get(f"{before[0]} {action.dest}") or _NAMES.get(action.dest)
    found = list(names(app(), before, fragment)) if names is not None else []
    return [*verbs, *found] if not rest else found


# ---- which argument is being typed


def _parser_of(before: Sequence[str]) -> tuple[ArgumentParser, list[str]]:
    """Return the parser of the command or sub-command that is typed, and the words behind it."""
    parser, rest = build_parser("%skill"), list(before)
    while rest and rest[0] in (verbs := parsers_in(parser)):
        parser = verbs[rest.pop(0)]
    return parser, rest


def _flags(parser: ArgumentParser) -> Mapping[str, Action]:
    return {flag: each for each in parser._actions for flag in each.option_strings}


def _argument_at(parser: ArgumentParser, rest: Sequence[str]) -> Action | None:
    """Return the argument whose value comes next; None where none does."""
    flags = _flags(parser)
    waiting: Action | None = None
    typed = 0
    for word in rest:
        if waiting is not None:
            waiting = None
        elif word in flags:
            waiting = flags[word] if flags[word].nargs != 0 else None
        else:
            typed += 1
    places = [each for each in parser._actions if not each.option_strings]
    places = [each for each in places if each.choices is None or not parsers_in(parser)]
    return waiting or (places[typed] if typed < len(places) else None)


# ---- names


def _threads(app: App, before: Sequence[str], fragment: str) -> list[str]:
    if not app.wiring.home.exists():
        return []
    return [head.thread_id for head in app.wiring.store.heads()]


def _open_pause(app: App, before: Sequence[str]) -> Pause | None:
    state = _state(app, before)
    return app.wiring.conductor.pause(state) if state is not None else None


def _state(app: App, before: Sequence[str]) -> ThreadState | None:
    named = [before[at + 1] for at, word in enumerate(before[:-1]) if word == "--thread"]
    known = named or _threads(app, before, "")[:1]
    return app.wiring.conductor.load(known[0]) if known else None


def _option_ids(app: App, before: Sequence[str], fragment: str) -> list[str]:
    pause = _open_pause(app, before)
    return [option.id for option in pause.options] if pause is not None else []


def _pauses(app: App, before: Sequence[str], fragment: str) -> list[str]:
    pause = _open_pause(app, before)
    return [pause.at] if pause is not None else []


def _substeps(app: App, before: Sequence[str], fragment: str) -> list[str]:
    pause = _open_pause(app, before)
    return [f"{pause.step}b"] if pause is not None and pause.step is not None else []


def _playbook(app: App, before: Sequence[str]) -> Playbook | None:
    """Return the playbook that the line is about: the thread's, or the one that it names."""
    library = app.wiring.library
    if before[0] in ANSWERS:
        from skills_nb.engine.planning.template_names import playbook_of

        state = _state(app, before)
        return playbook_of(state.run, library) if state is not None else None
    name = next((word for word in before if word.startswith("playbooks/")), "")
    return library.playbook(name) if name else None


def _inputs(app: App, before: Sequence[str], fragment: str) -> list[str]:
    """Return the inputs, and behind the sign of one the values that it may have."""
    playbook = _playbook(app, before)
    specs = playbook.inputs if playbook is not None else ()
    name, sign, _ = fragment.partition("=")
    if not sign:
        return [f"{spec.name}=" for spec in specs]
    chosen = [choice for spec in specs if spec.name == name for choice in spec.choices]
    return [f"{name}={choice}" for choice in chosen if not str(choice).startswith("{")]


def _steps(app: App, before: Sequence[str], fragment: str) -> list[str]:
    playbook = _playbook(app, before)
    return [step.id for step in playbook.steps] if playbook is not None else []


def _skills(app: App, before: Sequence[str], fragment: str) -> list[str]:
    return list(app.wiring.library.index)


def _targets(app: App, before: Sequence[str], fragment: str) -> list[str]:
    return [ref for ref in app.wiring.library.index if not ref.startswith("routers/")]


def _shown(app: App, before: Sequence[str], fragment: str) -> list[str]:
    return [*_threads(app, before, fragment), *_skills(app, before, fragment)]


def _codes(app: App, before: Sequence[str], fragment: str) -> list[str]:
    from skills_nb.lint import RULES

    return sorted(RULES)


def _explained(app: App, before: Sequence[str], fragment: str) -> list[str]:
    return [*_codes(app, before, fragment), *_skills(app, before, fragment)]


def _domains(app: App, before: Sequence[str], fragment: str) -> list[str]:
    return list(app.wiring.library.meta.domains)


def _connections(app: App, before: Sequence[str], fragment: str) -> list[str]:
    from skills_nb.runtime.snowpark.connections import names

    return list(names())


def _sessions(app: App, before: Sequence[str], fragment: str) -> list[str]:
    """Return the notebook's variables that are Snowpark sessions."""
    from skills_nb.runtime.snowpark.connections import sessions_in

    return sessions_in(app.wiring.variables)


def _roles(app: App, before: Sequence[str], fragment: str) -> list[str]:
    told = app.wiring.told
    return list(told.available_roles) if told is not None else []


def _paths(app: App, before: Sequence[str], fragment: str) -> list[str]:
    """Return the files and folders that begin with what is typed; a folder ends with a slash."""
    folder, _, _ = fragment.rpartition("/")
    try:
        inside = sorted(Path(folder or ("/" if fragment.startswith("/") else ".")).iterdir())
    except OSError:
        return []
    lead = fragment[: len(folder) + 1] if "/" in fragment else ""
    shown = (path for path in inside if not path.name.startswith("."))
    found = (f"{lead}{path.name}{'/' if path.is_dir() else ''}" for path in shown)
    return [name for name in found if " " not in name][:_MOST_PATHS]


def _loadable(app: App, before: Sequence[str], fragment: str) -> list[str]:
    """Return the notebook's DataFrames, and the files and folders."""
    from skills_nb.commands.loads.sources import frames_in

    return [*frames_in(app.wiring.variables), *_paths(app, before, fragment)]


_NAMES: Mapping[str, Names] = {
    "thread": _threads,
    "at": _pauses,
    "choice": _option_ids,
    "step step": _substeps,
    "values": _inputs,
    "inputs": _inputs,
    "until": _steps,
    "goal": _targets,
    "intent": _targets,
    "show subject": _shown,
    "explain subject": _explained,
    "select": _codes,
    "domain": _domains,
    "connect name": _connections,
    "connection": _connections,
    "load source": _loadable,
    "session": _sessions,
    "role": _roles,
    **dict.fromkeys(
        (
            *("answers", "file", "path", "directory", "source", "overlay"),
            *("output", "solutions", "cache"),
        ),
        _paths,
    ),
}
"""Who knows the names, by what the grammar calls the argument, where needed behind its command."""
