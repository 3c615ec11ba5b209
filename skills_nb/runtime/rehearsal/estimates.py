"""How long a plan takes and what it costs, each with its basis; never a bare guess.

Room: work. Durations come from the account's own history of like statements where it has them, else
from declared figures; compute from the warehouse's size, by the second and 60 s at least.
Source: the manual's QUERY_HISTORY, "Overview of warehouses" and "Understanding compute cost".
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from skills_nb.engine.changed_inputs.redo_words import join_words, name_steps
from skills_nb.errors import SqlError
from skills_nb.model.events import AccountContext
from skills_nb.ports import SqlReader
from skills_nb.sql.identifiers import quote
from skills_nb.sql.tokens import literal

Range = tuple[float, float]

_CATALOG: Range = (0.1, 1.0)
"""Declared seconds of a statement that only changes the catalog."""
_DATA: Range = (0.5, 30.0)
"""Declared seconds of a statement that reads or writes rows."""
_LEAST_LIKE = 3
"""So many like statements make a history."""
_LEAST_BILLED_S = 60
_COMPUTING = frozenset({"SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE", "COPY", "CALL"})
_FROM = re.compile(r"\bFROM\b", re.I)
_BLOCK = re.compile(
    r"\s*(?:EXECUTE\s+IMMEDIATE|BEGIN(?!\s*(?:;|$|TRANSACTION|WORK))|DECLARE)\b", re.I
)
_PIPED = re.compile(r"->>\s*\(?\s*(?:SELECT|WITH)\b", re.I)
_TAGS = re.compile(r"\{%.*?%\}|\{#.*?#\}", re.S)
_CREDITS = {
    "XSMALL": 1,
    "SMALL": 2,
    "MEDIUM": 4,
    "LARGE": 8,
    "XLARGE": 16,
    "2XLARGE": 32,
    "3XLARGE": 64,
    "4XLARGE": 128,
    "5XLARGE": 256,
    "6XLARGE": 512,
}
"""Credits an hour of a standard warehouse of the first generation."""


_OPENING = re.compile(r"\A(?:\s+|\(|--[^\n]*|/\*.*?\*/)*", re.S)
_WORD = re.compile(r"(?:\s+|--[^\n]*|/\*.*?\*/)*([A-Za-z_]+)\b", re.S)
_FILLED = re.compile(r"\b(?:AS|TEMPLATE)\s*\(?\s*(?:SELECT|WITH)\b", re.I)
_KEYWORDS_TEXT = (
    "CREATE OR REPLACE ALTER DROP SHOW DESCRIBE DESC LIST SELECT WITH INSERT UPDATE DELETE MERGE "
    "COPY CALL GRANT REVOKE USE TABLE VIEW SCHEMA DATABASE MASKING ROW ACCESS POLICY TAG ROLE USER "
    "WAREHOUSE DYNAMIC STREAM TASK STAGE FILE FORMAT PIPE SECURE SEMANTIC SHARE RESOURCE MONITOR "
    "ALERT FUNCTION PROCEDURE TEMPORARY TRANSIENT EXECUTE PUT GET REMOVE SET UNSET"
)
_KEYWORDS = frozenset(_KEYWORDS_TEXT.split())


@dataclass(frozen=True, slots=True)
class Estimates:
    """What is known of the account's pace and prices."""

    history: Mapping[str, Range] = field(default_factory=dict)
    """Seconds by kind of statement: most take at least, most take at most."""
    warehouse: str = ""
    """Stored name; empty where none is in use."""
    size: str = ""
    """As SHOW WAREHOUSES gives it, such as `X-Small`; empty where it could not be read."""

    @property
    def hourly(self) -> int | None:
        """Return the warehouse's credits an hour; None where its size is not known."""
        return _CREDITS.get(_plain(self.size))

    def duration(self, statements: Sequence[str]) -> str:
        """Return how long statements take, as a range, and where that is known from."""
        if not statements:
            return "0 s: nothing is sent"
        kinds = Counter(kind_of_statement(sql) for sql in statements)
        known = sum(count for kind, count in kinds.items() if kind in self.history)
        bases = []
        if known:
            bases.append(f"{known} by the account's own history of like statements")
        if known < len(statements):
            bases.append(f"{len(statements) - known} by declared figures")
        noun = "statement" if len(statements) == 1 else "statements"
        seconds = _seconds(self._total(kinds))
        return f"{seconds}: {len(statements)} {noun}, {', '.join(bases)}"

    def compute(self, sent: Mapping[str, Mapping[str, Sequence[str]]], *, by_probes: bool) -> str:
        """Return what needs a warehouse, what that costs, and on what basis.

        Args:
            sent: the statements of each step, by playbook, in their order.
            by_probes: whether probes read rows, too.
        """
        computing = [
            sql
            for steps in sent.values()
            for step in steps.values()
            for sql in step
            if computes(sql)
        ]
        users = [*(["the probes"] if by_probes else []), *_users(sent)]
        if not users:
            return "none: statements on the catalog alone need no warehouse"
        told = join_words(users)
        hourly = self.hourly
        if hourly is None:
            unread = f"{self.warehouse}, whose size could not be read,"
            what = unread if self.warehouse else "a warehouse"
            return f"unknown: {what} is needed for {told}"
        total = self._total(Counter(map(kind_of_statement, computing)))
        billed = [max(_LEAST_BILLED_S, seconds) for seconds in total]
        low, high = (hourly * seconds / 3600 for seconds in billed)
        amount = f"{low:.2f}" if f"{low:.2f}" == f"{high:.2f}" else f"{low:.2f} to {high:.2f}"
        rate = f"{hourly} credit{'s' if hourly > 1 else ''} an hour"
        return (
            f"{amount} credits for {told} on {self.warehouse} ({self.size}, {rate}), "
            f"billed by the second, {_LEAST_BILLED_S} s at least"
        )

    def _total(self, kinds: Mapping[str, int]) -> Range:
        ranges = [(count, self._of(kind)) for kind, count in kinds.items()]
        return (
            sum(count * low for count, (low, _) in ranges),
            sum(count * high for count, (_, high) in ranges),
        )

    def _of(self, kind: str) -> Range:
        declared = _DATA if kind.partition(" ")[0] in _COMPUTING else _CATALOG
        return self.history.get(kind, declared)


def estimates_of(
    session: SqlReader, context: AccountContext | None, scope: Sequence[str]
) -> Estimates:
    """Read the account's pace and prices, in two queries; what is refused stays unknown."""
    if context is None:
        return Estimates()
    database = context.current_database or next(iter(scope), None)
    warehouse = context.current_warehouse or ""
    return Estimates(
        _history(session, database) if database else {},
        warehouse,
        _size(session, warehouse) if warehouse else "",
    )


def _history(session: SqlReader, database: str) -> dict[str, Range]:
    asked = (
        "SELECT LEFT(QUERY_TEXT, 200) AS QUERY_TEXT, TOTAL_ELAPSED_TIME FROM TABLE("
        f"{quote(database)}.INFORMATION_SCHEMA.QUERY_HISTORY(RESULT_LIMIT => 1000)) "
        "WHERE UPPER(EXECUTION_STATUS) = 'SUCCESS'"
    )
    taken: dict[str, list[float]] = defaultdict(list)
    for text, milliseconds in _rows(session, asked):
        if text and milliseconds is not None:
            taken[kind_of_statement(str(text))].append(float(str(milliseconds)) / 1000)
    return {kind: _most(found) for kind, found in taken.items() if len(found) >= _LEAST_LIKE}


def _most(seconds: list[float]) -> Range:
    """Return what nine of ten statements take at least, and at most."""
    ordered = sorted(seconds)
    last = len(ordered) - 1
    return ordered[round(last * 0.1)], ordered[round(last * 0.9)]


def _size(session: SqlReader, warehouse: str) -> str:
    try:
        found = session.query(f"SHOW WAREHOUSES LIKE {literal(warehouse)}")
    except SqlError:
        return ""
    rows = (dict(zip(found.columns, row, strict=True)) for row in found.rows)
    return next((str(row["size"]) for row in rows if row.get("name") == warehouse), "")


def _rows(session: SqlReader, sql: str) -> Iterable[tuple[object, ...]]:
    try:
        return session.query(sql).rows
    except SqlError:
        # An estimate is not worth a failure: what the role may not read is told as declared.
        return ()


def kind_of_statement(sql: str) -> str:
    """Return the leading words that like statements share: `CREATE MASKING POLICY`, `SELECT`."""
    words = _leading(sql)
    if not words or words[0] not in ("CREATE", "ALTER", "DROP", "SHOW"):
        return words[0] if words else ""
    return " ".join(word for word in words[:5] if word not in ("OR", "REPLACE"))[:60]


def computes(sql: str) -> bool:
    """Return whether a statement, or its template, reads or writes rows: a warehouse works then."""
    text = _OPENING.sub("", _TAGS.sub(" ", sql), count=1)
    words = _leading(text)
    if words[:1] == ["CREATE"]:
        return "TABLE" in words and _FILLED.search(text) is not None
    if words[:1] == ["SELECT"]:
        return _FROM.search(text) is not None
    if words and words[0] in _COMPUTING:
        return True
    return _BLOCK.match(text) is not None or _PIPED.search(text) is not None


def _users(sent: Mapping[str, Mapping[str, Sequence[str]]]) -> list[str]:
    """Return which steps compute; with the playbook's name where there are several."""
    found = []
    for playbook, steps in sent.items():
        ids = [step for step, statements in steps.items() if any(map(computes, statements))]
        if ids:
            of = f" of {playbook}" if len(sent) > 1 else ""
            found.append(f"{name_steps(ids, list(steps))}{of}")
    return found


def _leading(sql: str) -> list[str]:
    """Return the statement's first keywords, up to its first name or sign."""
    found: list[str] = []
    position = 0
    while (met := _WORD.match(sql, position)) and met[1].upper() in _KEYWORDS:
        found.append(met[1].upper())
        position = met.end()
    return found


def _plain(size: str) -> str:
    return size.upper().replace("-", "").replace(" ", "")


def _seconds(total: Range) -> str:
    low, high = total
    if high < 1:
        return "less than a second"
    if high >= 120:
        least = f"{low / 60:.0f}" if low >= 60 else f"{low:.1f} s"
        return f"{least} to {high / 60:.0f} minutes"
    return f"{low:.1f} to {high:.1f} s"
