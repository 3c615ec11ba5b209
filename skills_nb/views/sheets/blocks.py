"""What every view is made of, before it becomes HTML or text.

Room: laws (views). A view lays itself out as a `Sheet` of blocks; the two renderers know blocks
only, so that no view can have one form and lack the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Tone = Literal["plain", "info", "review", "critical", "ok"]

SIGNS: dict[Tone, str] = {"plain": "·", "info": "i", "review": "?", "critical": "!", "ok": "✓"}
"""A tone is never told by colour alone: each has a sign and a word beside it."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that has to be noticed: sign, word, text."""

    tone: Tone
    """How urgent it is."""
    word: str
    """What it is called, in capitals: `REVIEW`, `PRODUCTION`, …"""
    text: str
    """What is to be noticed; it may have several lines."""
    is_alert: bool = False
    """Whether a screen reader interrupts for it."""


def warnings(texts: Iterable[str]) -> tuple[Notice, ...]:
    """Return the notices of what a person is warned of."""
    return tuple(Notice("review", "WARNING", text) for text in texts)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words; `code` and **strong** spans are understood."""

    text: str
    """It may have several lines."""
    is_muted: bool = False
    """Whether it is less important than what is around it."""


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of sentences."""

    items: tuple[str, ...]
    """One sentence each."""
    is_numbered: bool = False
    """Whether their order counts."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and their values, one pair a line."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class StepLine:
    """One step of a playbook and how far it is."""

    sign: str
    """One character that says how far it is."""
    number: str
    """The step's id."""
    title: str
    """What the step does."""
    status: str
    """How far it is, in words."""
    detail: str = ""
    """What else is to be said of it; empty for nothing."""
    tone: Tone = "plain"
    """How urgent it is."""
    is_running: bool = False
    """Whether it is at work right now."""


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps, in order."""

    lines: tuple[StepLine, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of something is done; the words say it, the bar only draws it."""

    text: str
    """How much is done, in words."""
    done: int
    """Of `total`."""
    total: int
    """How much there is to do."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under column names; cells are text already."""

    columns: tuple[str, ...]
    """Their names."""
    rows: tuple[tuple[str, ...], ...]
    """A cell for each column."""
    caption: str
    """Says what the rows are; also the table's name for a screen reader."""
    note: str = ""
    """Beneath it: what is left out."""
    most_in_text: int = 12
    """How many rows the text form shows."""
    is_prose: bool = False
    """Whether cells are sentences, which the text form wraps; values it cuts."""
    is_matrix: bool = False
    """Whether a cell with an arrow tells of a change, which a page marks."""
    is_diff: bool = False
    """Whether each row begins with a sign: `+` for what is new, `~` changed, `−` gone."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One event of a log."""

    number: str
    """Where it stands in the log."""
    what: str
    """The kind of event, in words."""
    who: str
    """Whose doing it was; empty for the engine's."""
    detail: str
    """What happened."""
    code: str = ""
    """Its SQL, folded away where it can be."""
    note: str = ""
    """What else identifies it, such as a query id."""


@dataclass(frozen=True, slots=True)
class Log:
    """Many events; those out of sight cost the page nothing."""

    lines: tuple[LogLine, ...]
    """In the order in which they happened."""
    caption: str
    """Says what they are; also the log's name for a screen reader."""


@dataclass(frozen=True, slots=True)
class Code:
    """Text to be read as it stands, such as SQL."""

    text: str
    """With its own line breaks."""
    caption: str = ""
    """Above it; empty for none."""
    is_sql: bool = False
    """Whether it is SQL: it is coloured then, and a click selects it whole."""


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines that were laid out by somebody else, such as a YAML document."""

    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing of our own as SVG; what it shows is told in words by the blocks after it."""

    svg: str
    """The drawing."""
    text: str = ""
    """What a terminal draws in its place; it may have several lines."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of a pause, with the command that takes it."""

    id: str
    """What is answered."""
    description: str
    """What follows from it."""
    command: str
    """Without the door's own name."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The options of a pause."""

    items: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Command:
    """A command to type; the door puts its own name before it."""

    lead: str
    """The words before it."""
    words: str
    """Without the door's own name."""


@dataclass(frozen=True, slots=True)
class Running:
    """Work is under way: the elapsed time runs by itself."""

    what: str
    """What is being done."""
    resume: str
    """The command that goes on after an interruption; empty where nothing is kept."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks that are hidden until asked for."""

    summary: str
    """What is seen while it is closed."""
    blocks: tuple[Block, ...]
    """What is inside."""
    is_open: bool = False
    """Whether it is open from the start."""
    in_text: bool = False
    """Whether the text form, which cannot fold, shows them."""
    command: str = ""
    """What shows them in a terminal, where the text form leaves them out."""


def holds(blocks: Iterable[Block], is_wanted: Callable[[Block], bool]) -> bool:
    """Return whether a block is among these, or inside of a fold of them."""
    return any(
        is_wanted(block) or (isinstance(block, Fold) and holds(block.blocks, is_wanted))
        for block in blocks
    )


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
    """What the view is about."""
    status: str = ""
    """Beside the title: where it stands."""
    tone: Tone = "plain"
    """That of the status."""
    badge: str = ""
    """Account and role, always visible where there is one."""
    is_loud: bool = False
    """Whether the badge is a production account's."""
    blocks: tuple[Block, ...] = ()
    """From top to bottom."""
