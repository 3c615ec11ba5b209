"""The main job from nothing: route, preview, approve, verify, on a fresh embedded account.

Room: commands. The demo is the product: every scene is a command that a person could type, and
what it answers at a pause is either the person's choice or said aloud.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from skills_nb.commands.reply import Reply
from skills_nb.model.state import Pause
from skills_nb.views import message

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext

INTENT = "secure my data"
SCOPE = "PROD.CUSTOMER_DATA"
THREAD = "demo"
_LOOK = (
    "SELECT FIRST_NAME, LAST_NAME, EMAIL, PHONE, DATE_OF_BIRTH FROM PROD.CUSTOMER_DATA.CUSTOMERS "
    "ORDER BY CUSTOMER_ID LIMIT 3"
)
_ROLES = ("PII_READER", "ANALYST")


@dataclass(frozen=True, slots=True)
class Scene:
    """One thing that the demo shows."""

    title: str
    """What is shown, in a few words."""
    command: str
    """What a person would type; empty where nothing is."""
    reply: Reply
    """What the command answered."""


Show = Callable[[Scene], None]
Ask = Callable[[Pause, Sequence[str]], Sequence[str]]
"""Given a pause and the proposed answer (words after `respond`), return the answer to give."""


def _accept(pause: Pause, proposed: Sequence[str]) -> Sequence[str]:
    return proposed


def play(app: AppContext, show: Show = lambda scene: None, ask: Ask = _accept) -> Reply:
    """Play the demo in a folder of its own, and return the last reply.

    Args:
        app: whose home gets the folder `demo`, made anew.
        show: called with every scene as soon as it happened.
        ask: called at every pause; returns the words after `respond`.
    """
    folder = app.wiring.home / "demo"
    shutil.rmtree(folder, ignore_errors=True)
    stage = app.beside(folder)
    try:
        return _played(stage, show, ask)
    finally:
        stage.close()


def _played(app: AppContext, show: Show, ask: Ask) -> Reply:
    def tell(title: str, *argv: str) -> Reply:
        reply = app.invoke(argv)
        show(Scene(title, _typed(argv), reply))
        return reply

    tell("What you want, in your own words", "route", INTENT)
    for role in _ROLES:
        tell(f"Before: what {role} sees", "sql", _LOOK, "--role", role)
    reply = tell(
        "What would happen; nothing is changed", "run", INTENT, "--dry-run", "--thread", THREAD
    )
    while reply.pause is not None:
        said = ask(reply.pause, _proposal(reply.pause))
        reply = tell(_title(reply.pause), "respond", *said, "--at", reply.pause.at)
    for role in _ROLES:
        tell(f"After: what {role} sees", "sql", _LOOK, "--role", role)
    show(Scene("What next", "", Reply(message(_next_words()), None)))
    return reply


def _proposal(pause: Pause) -> list[str]:
    """Return what the demo answers when nobody else does."""
    if pause.at == "input:target_scope":
        return [SCOPE]
    if pause.kind == "dry_run_summary":
        return ["execute"]
    if pause.phrase:
        return ["approve", "--phrase", pause.phrase]
    return ["approve" if pause.option("approve") else pause.options[0].id]


def _title(pause: Pause) -> str:
    if pause.kind == "input_question":
        return f"Answered: {pause.at.removeprefix('input:')}"
    if pause.kind == "dry_run_summary":
        return "Done for real, up to the first checkpoint"
    return f"Approved at step {pause.step}" if pause.step else "Answered"


def _typed(argv: Sequence[str]) -> str:
    return "skills-nb " + shlex.join(argv)


def _next_words() -> str:
    return (
        "Every decision is on the thread. Look at it, and go on from here:\n"
        "  SKILLS_NB_HOME=.skills/demo skills-nb show demo\n"
        "  SKILLS_NB_HOME=.skills/demo skills-nb status\n"
        'In a notebook: %load_ext skills_nb, then %skill run "secure my data"'
    )
