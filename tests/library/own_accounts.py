"""A small account of a test's own, and a playbook that is run on it as often as the test wants."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from skills_nb.model.state import Pause
from tests.harm.fingerprint import DERIVED, Fingerprint, difference
from tests.harm.workplace import Workplace

COMPLETED = "completed"
_PAUSES = 40
_ASIDE = ("parameter CLASSIFIED_ON", "parameter CLASSIFICATION_RESULT", f": {DERIVED}")
"""What the account remembers of a look at it, and what follows from other things."""


class OwnAccount(Workplace):
    """An account that holds what a test says, and the threads on it."""

    threads = 0

    def ask(self, playbook: str, **inputs: str) -> None:
        """Begin a playbook on a thread of its own."""
        self.threads += 1
        self.thread = f"thread-{self.threads}"
        told = [word for name, value in inputs.items() for word in ("--input", f"{name}={value}")]
        self.invoke("run", f"playbooks/{playbook}", *told)

    def finish(self, most: int = _PAUSES) -> list[str]:
        """Take every proposal, and leave out what cannot be done and may be left out.

        Returns what was shown at each pause, and last how it ended.
        """
        shown: list[str] = []
        while (pause := self.pause) is not None and len(shown) < most:
            shown.append(self.ended)
            choice = next((c for c in ("approve", "skip") if pause.option(c) is not None), None)
            if choice is None:
                return shown
            self.answer(choice)
        return [*shown, self.ended]

    def run_to_its_end(self, playbook: str, **inputs: str) -> list[str]:
        """Begin a playbook and take every proposal."""
        self.ask(playbook, **inputs)
        return self.finish()

    @property
    def pause(self) -> Pause | None:
        """What the thread waits for."""
        assert self.reply is not None
        return self.reply.pause

    @property
    def ended(self) -> str:
        """How the thread stands: its status, or what is shown where it waits."""
        assert self.reply is not None
        if self.pause is None:
            return str(self.reply.document["status"])
        if self.pause.kind == "probe_checkpoint":
            return " ".join(self.events("probes_executed")[-1].warnings)
        return self.pause.present

    def sent(self) -> list[str]:
        """Return what the thread sent that may change the account."""
        return [e.sql for e in self.events("statement_started") if e.kind != "read"]

    def rows(self, sql: str, role: str = "ACCOUNTADMIN") -> list[dict[str, Any]]:
        """Return the rows of a statement, asked as a role with no other beside it."""
        session = self.account.session("ADMIN", role, warehouse="COMPUTE_WH")
        session.execute("USE SECONDARY ROLES NONE")
        result = session.execute(sql)
        session.close()
        names = [column.name for column in result.columns]
        return [dict(zip(names, row, strict=True)) for row in result.rows]

    def changes(self, before: Fingerprint) -> list[str]:
        """Return what somebody changed since."""
        told = difference(before, self.look())
        return [line for line in told if not any(aside in line for aside in _ASIDE)]

    def aborted_at_each_pause(
        self, playbook: str, **inputs: str
    ) -> Iterator[tuple[str, list[str]]]:
        """Run, abort after one pause more each time, clean up; yield what was shown and remains."""
        for number in range(_PAUSES):
            before = self.look()
            self.ask(playbook, **inputs)
            self.finish(number)
            if self.pause is None:
                assert self.ended == COMPLETED, self.ended
                return
            at = self.ended
            assert number < _PAUSES - 1, at
            self.clean()
            yield at, self.changes(before)


@contextmanager
def own_account(home: Path, holds: str, days_ago: int = 0) -> Iterator[OwnAccount]:
    """Open an account that holds what these statements made, days ago."""
    account = OwnAccount(home, company=holds, days_ago=days_ago)
    try:
        yield account
    finally:
        account.close()
