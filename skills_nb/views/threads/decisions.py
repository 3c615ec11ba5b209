"""What was decided at a pause that is past: in one line, with what was shown folded beneath it.

Room: laws (views). Evidence outlives the decision: whoever reads the card later sees what it rests
on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import cell, in_words, sentence

if TYPE_CHECKING:
    from skills_nb.model.events import HumanResponse
    from skills_nb.model.state import ThreadState

ENDINGS = ("done", "ended", "stopped", "failed")
"""How a thread ends, in words."""
_VERDICT = re.compile(r"(?P<word>[A-Z][A-Z, ]+[A-Z]): (?P<rest>.*)", re.DOTALL)
STILL_OPEN = "not decided yet when a later cell took over"


def decision_line(title: str, said: HumanResponse | None) -> str:
    """Return what a pause was about and what was decided, by whom, when.

    Args:
        title: what it was about.
        said: the answer; None where there is none yet.
    """
    about = title.rstrip(".?")
    if said is None:
        return f"{about}: {STILL_OPEN}"
    return f"{about}: {_what(said)}, {_when(said.timestamp)}"


def _what(said: HumanResponse) -> str:
    if said.actor == "timer":
        return "went on by itself, as nobody held it"
    if said.actor == "approve_remaining":
        return "approved with the rest"
    more = _more(said.values, said.comment)
    return f"“{option_label(said.choice)}”{more}, decided by {_who(said.actor)}"


def _more(values: Mapping[str, Any], comment: str | None) -> str:
    told = [f"{in_words(name)} {cell(value)}" for name, value in values.items()]
    told += [comment] if comment else []
    return f" ({'; '.join(told)})" if told else ""


def _who(actor: str) -> str:
    kind, _, name = actor.partition(":")
    return name if kind == "human" and name else f"{kind} {name}".strip()


def _when(timestamp: str) -> str:
    try:
        moment = datetime.fromisoformat(timestamp)
    except ValueError:
        return "at a time that is not on record"
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def option_label(option_id: str) -> str:
    """Return an option's id as people read it; names of objects stay as they are."""
    if option_id != option_id.lower():
        return option_id
    return sentence(in_words(option_id.replace("-", " ")))


def past_fold(line: str, shown: Iterable[b.Block]) -> b.Fold:
    """Return what a pause showed beneath its line, without the commands that answered it."""
    return b.Fold(line, tuple(block for block in shown if not isinstance(block, b.Command)))


def verdict_of(summary: str) -> tuple[str, str] | None:
    """Return (what a playbook says that it came to, the rest), where that is not simply done."""
    found = _VERDICT.match(summary)
    return None if found is None else (found["word"], found["rest"])


def ending_word(state: ThreadState) -> str:
    """Return how a thread ended."""
    if state.status == "completed":
        return "ended" if verdict_of(state.summary) else "done"
    return "stopped" if state.was_stopped else "failed"
