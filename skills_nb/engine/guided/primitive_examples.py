"""Examples of a primitive: what each is about, and its SQL.

Room: laws. Source: FORMATS, Library on disk (sections of a primitive).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from skills_nb.engine.guided.example_inputs import whole_names
from skills_nb.model.skills import Primitive

_BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_WORD = re.compile(r"[a-z][a-z]{2,}")
_SILENT_TEXT = (
    "and are basic but create for from has have into its make new not one only over set show that "
    "the their them then there these this use uses want was what when where which with without you "
    "your"
)
_SILENT = frozenset(_SILENT_TEXT.split())


@dataclass(frozen=True, slots=True)
class Example:
    """One block of SQL with the line that leads to it."""

    lead: str
    """The line above it; empty where there is none."""
    sql: str
    """The block as it stands in the primitive."""


def examples_of(primitive: Primitive) -> tuple[Example, ...]:
    """Return the SQL examples of a primitive, in file order."""
    return tuple(_examples(primitive.sections.get("Examples", "")))


def example_names(primitive: Primitive) -> tuple[str, ...]:
    """Return the names with a schema that a primitive's examples say, in capitals."""
    found = {name: None for one in examples_of(primitive) for name in sorted(whole_names(one.sql))}
    return tuple(found)


def discovery_of(primitive: Primitive) -> tuple[str, ...]:
    """Return the read-only queries that a primitive asks before acting, in file order."""
    section = primitive.sections.get("Discovery queries", "")
    return tuple(found[2].strip() for found in _BLOCK.finditer(section) if found[1] == "sql")


def _examples(section: str) -> Iterator[Example]:
    end = 0
    for found in _BLOCK.finditer(section):
        lead = " ".join(_COMMENT.sub("", section[end : found.start()]).split()).rstrip(":.")
        end = found.end()
        if found[1].lower() == "sql":
            yield Example(lead, found[2].strip())


def nearest(examples: tuple[Example, ...], words: str) -> Example | None:
    """Return the example whose text shares most words with a goal; the first of equals."""
    wanted = stems(words)
    scored = [(len(wanted & stems(f"{one.lead} {one.sql}")), -n) for n, one in enumerate(examples)]
    return examples[-max(scored)[1]] if scored else None


def stems(text: str) -> frozenset[str]:
    """Return the words of a text that say something, without their endings."""
    words = (word for word in _WORD.findall(text.lower().replace("_", " ")) if word not in _SILENT)
    return frozenset(
        word.removesuffix("ing").removesuffix("ies").removesuffix("s") for word in words
    )
