"""The controlled vocabulary: domain names, their aliases, and words that mean the same.

Room: reading. Routing needs it at once, so it is read by lines: pipe rows under headings. The
tables are told by their column headings: `Domain` with `Aliases` or `Also called`; `Alias` with
`Domain`; `Term` with `Synonyms`, `Words` or `People say`.
Spec: Conventions > Domain Taxonomy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skills_nb.model.library import Vocabulary

PATH = "spec/controlled-vocabulary.md"
_ROW = re.compile(r"\s*\|(.*)\|\s*$")
_RULE = re.compile(r"[\s|:-]+$")
_CELL = re.compile(r"(?<!\\)\|")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_OTHER_NAMES = ("aliases", "also called", "other names")
_TERMS = ("term", "use", "library term", "canonical")
_WORDS = ("synonyms", "synonym", "words", "word", "people say", "also said as", "said as")

Cells = tuple[str, ...]


def read_vocabulary(text: str) -> Vocabulary:
    """Return the vocabulary that a file's tables hold."""
    domains: dict[str, None] = {}
    aliases: dict[str, str] = {}
    synonyms: dict[str, str] = {}
    for header, row in _rows(text):
        cells = dict(zip(header, row, strict=False))
        domain = _bare(cells.get("domain", ""))
        if "alias" in cells and domain:
            aliases.update(dict.fromkeys(_words(cells["alias"]), domain))
        elif domain:
            domains.setdefault(domain)
            aliases.update(dict.fromkeys(_words(_first(cells, _OTHER_NAMES)), domain))
        else:
            term = _bare(_first(cells, _TERMS)).lower()
            said = _words(_first(cells, _WORDS)) if term else ()
            synonyms.update({word.lower(): term for word in said})
    return Vocabulary(tuple(domains), aliases, synonyms)


def split_row(line: str) -> Cells | None:
    """Return the cells of a pipe row, stripped, or None for any other line."""
    found = _ROW.match(line)
    if found is None:
        return None
    return tuple(cell.strip().replace("\\|", "|") for cell in _CELL.split(found[1]))


def _rows(text: str) -> Iterator[tuple[Cells, Cells]]:
    """Yield header and row for every row of every table outside code."""
    header: Cells | None = None
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark is not None and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        cells = None if fence else split_row(line)
        if cells is None:
            header = None
        elif header is None:
            header = tuple(cell.strip("*` ").lower() for cell in cells)
        elif not _RULE.match(line):
            yield header, cells


def _first(cells: dict[str, str], names: tuple[str, ...]) -> str:
    return next((cells[name] for name in names if name in cells), "")


def _words(cell: str) -> tuple[str, ...]:
    return tuple(word for part in cell.split(",") if (word := _bare(part)) not in ("", "—", "-"))


def _bare(text: str) -> str:
    return text.strip(" `*\"'")
