"""Constant rows: long runs of rows in a list, set aside while a statement is read.

Room: sql. `VALUES (1, 'a'), (2, 'b'), …` says the same of a statement with three rows as with three
thousand, and reading rows one by one is what takes time. Only constants that mean the same in every
dialect are set aside: no backslashes, no exponents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

SHORT = 4_000
"""Texts up to so many characters are read as they are."""
_LEAST = 20
"""So many rows make a run."""
_CONSTANT = r"(?:'(?:[^'\\]|'')*+'|-?\d++(?:\.\d++)?+(?![\w.])|(?:NULL|TRUE|FALSE)\b)"
_COARSE = re.compile(
    rf"""
      [^'"$/\-,]++
    | '(?:[^'\\]|''|\\.)*+' | "(?:[^"]|"")*+" | \$\$.*?\$\$
    | --[^\r\n]*+ | //[^\r\n]*+ | /\*.*?\*/
    | (?:['"]|\$\$|/\*).*+
    | (?P<row>,\s*+\(\s*+{_CONSTANT}(?:\s*+,\s*+{_CONSTANT})*+\s*+\))
    | .
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ONE = re.compile(_CONSTANT, re.IGNORECASE)
_MARK = "\x00rows {}\x00"
_STAND_IN = re.compile(r", \('\x00rows (\d+)\x00'\)")


@dataclass(frozen=True, slots=True)
class ConstantRows:
    """A run of rows that was set aside."""

    text: str
    """As it was written, the comma before it too: `, (1, 'a'), (2, 'b')`."""
    width: int
    """Constants in each row."""
    mark: str
    """The string constant that stands for them, as the only one of a row."""

    @property
    def rows(self) -> str:
        """The rows with commas between."""
        return self.text.lstrip(", \t\r\n")

    def constants(self) -> list[tuple[str, ...]]:
        """Return each row's constants as they are written."""
        found = _ONE.findall(self.text)
        return list(zip(*[iter(found)] * self.width, strict=True))

    @property
    def stand_in(self) -> str:
        """What stands in the text instead."""
        return f", ('{self.mark}')"


def set_aside(sql: str) -> tuple[str, tuple[ConstantRows, ...]]:
    """Return the text with one row in the place of each long run of constant ones, and the runs.

    A run begins behind a comma, so that a list keeps the rows before it, and all its rows have the
    same width. What the commas belong to is the reader's to judge.
    """
    if len(sql) <= SHORT or "\x00" in sql:
        return sql, ()
    parts: list[str] = []
    runs: list[ConstantRows] = []
    at = copied = 0
    while (found := _COARSE.match(sql, at)) is not None:
        at = found.end()
        if found["row"] is None:
            continue
        width = len(_ONE.findall(found["row"]))
        run = _run_of(width).match(sql, found.start())
        if run is not None:
            at = run.end()
            runs.append(ConstantRows(run.group(), width, _MARK.format(len(runs))))
            parts += [sql[copied : run.start()], runs[-1].stand_in]
            copied = at
    return "".join((*parts, sql[copied:])), tuple(runs)


def put_back(text: str, runs: Sequence[ConstantRows]) -> str:
    """Return a part of a text as it was before runs of it were set aside."""
    return _STAND_IN.sub(lambda found: runs[int(found[1])].text, text)


@lru_cache(maxsize=64)
def _run_of(width: int) -> re.Pattern[str]:
    row = rf"\(\s*+{_CONSTANT}(?:\s*+,\s*+{_CONSTANT}){{{width - 1}}}+\s*+\)"
    return re.compile(rf"(?:\s*+,\s*+{row}){{{_LEAST},}}+", re.IGNORECASE)
