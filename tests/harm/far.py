"""The same company on an account that is only reached by a connection, in a database of its own.

What stands there is told by SHOW, DESCRIBE and SELECT alone, so that it can be a real account.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from skills_nb.commands import App
from skills_nb.errors import SqlError
from skills_nb.ports import SqlSession
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.statements import split
from tests.harm.changes import CHANGES, Change
from tests.harm.fingerprint import IDENTITY, ROW, Fact, counted, net
from tests.harm.workplace import COMPANY, Workplace

_NOT_WITHIN = re.compile(
    r"\b(ROLE|USER|WAREHOUSE|SHARE|MONITOR|ACCOUNT|KEEPER|CLERK|EVE|LITTLE|NETWORK|DATABASE)\b"
)
"""What a database of one's own does not hold."""
_SHOWN = (
    *("TABLES", "VIEWS", "STREAMS", "STAGES", "FILE FORMATS", "SEQUENCES", "TAGS"),
    *("MASKING POLICIES", "ROW ACCESS POLICIES", "SCHEMAS"),
)
_OF_THE_MOMENT = re.compile(
    r"created_on|rows|bytes|text|owner_role_type|next_value|stale_after|_on$|options|budget"
)
_KINDS = {"FILE FORMATS": "FILE FORMAT", "MASKING POLICIES": "MASKING POLICY"}


def within_a_database() -> Iterator[tuple[Change, str]]:
    """Yield changes and what others do to them, as far as one database is all they need."""
    for change in CHANGES:
        own = " ".join((*change.steps, change.setup))
        if change.is_playbooks or _NOT_WITHIN.search(own):
            continue
        yield change, ""
        for word, script in change.others.items():
            if not _NOT_WITHIN.search(script):
                yield change, word


@dataclass
class FarPlace(Workplace):
    """The company in one database of an account, which the thread reaches by its connection."""

    connection: str = ""
    session: SqlSession | None = None
    database: str = ""

    def __post_init__(self) -> None:
        """Found the company."""
        company = "; ".join(s.text for s in split(COMPANY) if not _NOT_WITHIN.search(s.text))
        self.run(company + "; " + self.setup)
        self.begun = self.look()
        self.app = App(self.home)
        self.app.invoke(["connect", self.connection])
        self.store = self.app.wiring.store  # type: ignore[assignment]

    def placed(self, sql: str) -> str:
        """Return SQL that is about this database."""
        return re.sub(r"\bSHOP\b", self.database, sql)

    def run(self, script: str, user: str = "", role: str = "") -> None:
        """Run statements."""
        assert self.session is not None
        for statement in split(self.placed(script)):
            self.session.execute(statement.text, role=None, tag="company")

    def others(self, script: str, role: str = "") -> None:
        """Let somebody else work, in a session of their own."""
        before = self.look()
        try:
            self.run(script)
        except SqlError as error:
            self.refused.append(str(error))
        self.others_did.append((before, self.look()))

    def propose(self, steps: Any, primitive: str = "tables") -> Any:
        """Propose a guided plan about this database."""
        return super().propose([self.placed(step) for step in steps], primitive)

    def look(self) -> dict[Fact, Any]:
        """Return what stands now."""
        found: dict[Fact, Any] = {}
        for noun in _SHOWN:
            for row in self._asked(f"SHOW {noun} IN DATABASE {self.database}"):
                found.update(self._told(_KINDS.get(noun, noun.removesuffix("S")), row))
        return found

    def _asked(self, sql: str) -> list[dict[str, Any]]:
        assert self.session is not None
        found = self.session.query(sql)
        return [dict(zip(found.columns, row, strict=True)) for row in found.rows]

    def _told(self, kind: str, row: dict[str, Any]) -> Iterator[tuple[Fact, Any]]:
        if row.get("schema_name") == "INFORMATION_SCHEMA" or row["name"] == "INFORMATION_SCHEMA":
            return
        path = [row["database_name"], row.get("schema_name") or "", row["name"]]
        thing = f"{kind}: {render_name([part for part in path if part])}"
        yield Fact(thing, IDENTITY), str(row["created_on"])
        for name, value in row.items():
            if not _OF_THE_MOMENT.search(name):
                yield Fact(thing, name), value
        if kind in ("TABLE", "VIEW", "STREAM"):
            yield from self._content(kind, thing)

    def _content(self, kind: str, thing: str) -> Iterator[tuple[Fact, Any]]:
        name = thing.partition(": ")[2]
        try:
            rows = self._asked(f"SELECT * FROM {name}")
        except SqlError as error:
            yield Fact(thing, "answers"), f"error {error.errno}"
            return
        if kind != "TABLE":
            yield Fact(thing, "answers"), True
            yield from net(thing, rows)
            return
        for column in self._asked(f"DESCRIBE TABLE {name}"):
            told = {word: value for word, value in column.items() if value not in (None, "")}
            yield Fact(thing, f"column {column['name']}"), str(told)
        yield from counted(thing, ROW, rows)
