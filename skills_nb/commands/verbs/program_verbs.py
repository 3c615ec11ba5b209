"""Verbs about the program itself: its health, its last error, its demo, its evaluation.

Room: commands.
"""

from __future__ import annotations

import traceback
from argparse import Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING

from skills_nb.commands.reply import Reply
from skills_nb.errors import UsageError

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext, Verb


def _eval(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.verbs.evaluation import evaluation

    return evaluation(app, words, cell)


def _debug(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.views import message

    if app.last_error is None:
        raise UsageError(
            "nothing has gone wrong here yet",
            hint="debug shows the last error of a running kernel or process",
        )
    text = "".join(traceback.format_exception(app.last_error))
    return Reply(message(text), {"traceback": text})


def _mcp(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    raise UsageError("agents are served by a process of their own", hint="in a terminal: mcp")


def _doctor(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    if words.grants is not None:
        from skills_nb.commands.verbs.needed_grants import grants

        return grants(app, words)
    if words.inputs or words.role:
        flag = "--input" if words.inputs else "--role"
        raise UsageError(f"{flag} goes with --grants", hint="doctor --grants PLAYBOOK")
    from skills_nb.commands.verbs.doctor import doctor

    return doctor(app, words)


def _demo(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.verbs.demo import play

    return play(app)


def _completions(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.shell_scripts import script_of
    from skills_nb.views import message

    script = script_of(words.shell)
    return Reply(message(script.rstrip()), {"shell": words.shell, "script": script})


PROGRAM_VERBS: Mapping[str, Verb] = {
    "completions": _completions,
    "eval": _eval,
    "debug": _debug,
    "doctor": _doctor,
    "demo": _demo,
    "mcp": _mcp,
}
