"""A few words, and an error with its repair.

Room: laws (views).
"""

from __future__ import annotations

from dataclasses import dataclass

from skills_nb.errors import SkillsError
from skills_nb.views.sheets import blocks as b


@dataclass(frozen=True, slots=True)
class Message:
    """Text that is shown as it stands: one line as words, several as a block."""

    text: str
    """As it is shown."""
    title: str = ""
    """Above it; empty for none."""


@dataclass(frozen=True, slots=True)
class Busy:
    """A command that is at work and has nothing to show yet."""

    what: str


@dataclass(frozen=True, slots=True)
class ErrorCard:
    """What went wrong, in one line, and how to repair it."""

    kind: str
    """Name of the exception's class."""
    text: str
    """What went wrong."""
    hint: str = ""
    """How to repair it; empty where nobody knows."""
    code: str = ""
    """Snowflake's error number and SQL state, where the account refused."""


def message(text: str, title: str = "") -> Message:
    """Return a message."""
    return Message(text, title)


def busy(what: str) -> Busy:
    """Return the card of a command that is at work."""
    return Busy(what)


def error_card(error: SkillsError) -> ErrorCard:
    """Return the card of an exception of ours."""
    number = getattr(error, "errno", None)
    state = getattr(error, "sqlstate", None)
    known = [f"{number:06d}" if number else "", f"({state})" if state else ""]
    code = " ".join(part for part in known if part)
    return ErrorCard(type(error).__name__, error.message, error.hint or "", code)


def lay_out_message(view: Message) -> b.Sheet:
    """Return the blocks of a message."""
    block = b.Verbatim(view.text) if "\n" in view.text else b.Paragraph(view.text)
    return b.Sheet(view.title, blocks=(block,))


def lay_out_busy(view: Busy) -> b.Sheet:
    """Return the blocks of a command at work."""
    return b.Sheet(view.what, "running", "info", blocks=(b.Running("at work", ""),))


def lay_out_error(view: ErrorCard) -> b.Sheet:
    """Return the blocks of an error."""
    text = f"{view.code} {view.text}".strip()
    hint = (b.Paragraph(f"hint: {view.hint}"),) if view.hint else ()
    notice = b.Notice("critical", view.kind, text, is_alert=True)
    return b.Sheet("", tone="critical", blocks=(notice, *hint))
