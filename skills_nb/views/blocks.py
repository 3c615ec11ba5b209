"""What every view is made of, before it becomes HTML or text.

Room: laws (views). A view lays itself out as a `Sheet` of blocks; the two renderers know blocks
only, so that no view can have one form and lack the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Tone = Literal["plain", "info", "review", "critical", "ok"]

SIGNS: dict[Tone, str] = {"plain": "·", "info": "i", "review": "?", "critical": "!", "ok": "✓"}
"""A tone is never told by colour alone: each has a sign and a word beside it."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that has to be noticed: sign, word, text."""

    tone: Tone
    word: str
    text: str
    is_alert: bool = False
    """Whether a screen reader interrupts for it."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words; `code` and **strong** spans are understood."""

    text: str
    is_muted: bool = False


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of sentences."""

    items: tuple[str, ...]
    is_numbered: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and their values, one pair a line."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class StepLine:
    """One step of a playbook and how far it is."""

    sign: str
    number: str
    title: str
    status: str
    detail: str = ""
    tone: Tone = "plain"
    is_running: bool = False


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps, in order."""

    lines: tuple[StepLine, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of something is done; the words say it, the bar only draws it."""

    text: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under column names; cells are text already."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str
    """Says what the rows are; also the table's name for a screen reader."""
    note: str = ""
    """Beneath it: what is left out."""
    most_in_text: int = 12
    """How many rows the text form shows."""
    is_prose: bool = False
    """Whether cells are sentences, which the text form wraps; values it cuts."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One event of a log."""

    number: str
    what: str
    who: str
    detail: str
    code: str = ""
    """Its SQL, folded away where it can be."""
    note: str = ""
    """What else identifies it, such as a query id."""


@dataclass(frozen=True, slots=True)
class Log:
    """Many events; those out of sight cost the page nothing."""

    lines: tuple[LogLine, ...]
    caption: str


@dataclass(frozen=True, slots=True)
class Code:
    """Text to be read as it stands, such as SQL."""

    text: str
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines that were laid out by somebody else, such as a YAML document."""

    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing of our own as SVG; what it shows is told in words by the blocks after it."""

    svg: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of a pause, with the command that takes it."""

    id: str
    description: str
    command: str


@dataclass(frozen=True, slots=True)
class Choices:
    """The options of a pause."""

    items: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Command:
    """A command to type; the door puts its own name before it."""

    lead: str
    words: str


@dataclass(frozen=True, slots=True)
class Running:
    """Work is under way: the elapsed time runs by itself."""

    what: str
    resume: str
    """The command that goes on after an interruption; empty where nothing is kept."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks that are hidden until asked for."""

    summary: str
    blocks: tuple[Block, ...]
    is_open: bool = False
    in_text: bool = False
    """Whether the text form, which cannot fold, shows them."""


Block: TypeAlias = (
    Notice
    | Paragraph
    | Bullets
    | Facts
    | Steps
    | Progress
    | Table
    | Log
    | Code
    | Verbatim
    | Picture
    | Choices
    | Command
    | Running
    | Fold
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole view."""

    title: str
    status: str = ""
    """Beside the title: where it stands."""
    tone: Tone = "plain"
    badge: str = ""
    """Account and role, always visible where there is one."""
    is_loud: bool = False
    """Whether the badge is a production account's."""
    blocks: tuple[Block, ...] = ()
