"""Running examples: what a primitive shows is done, on an account that nobody else uses.

Room: embedded. Not judged is what this account cannot judge: a statement it does not support,
one that misses only what such a statement should have made, and PUT and GET, which speak of the
disk of whoever runs them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.tools import demo
from skills_nb.embedded.types import default_clock
from skills_nb.errors import SqlError, UsageError
from skills_nb.sql.statements import split

if TYPE_CHECKING:
    from skills_nb.embedded.engine.session import AccountSession

_BEGIN = "USE SCHEMA PROD.CUSTOMER_DATA"
_UNSUPPORTED = "0A000"
_MISSING = re.compile(r"([\w$]+)['\"]* does not exist|Unknown (?:table )?function ([\w$.]+)")
_WORD = re.compile(r"[\w$]+")
_TRANSFER = re.compile(r"(PUT|GET)\s", re.IGNORECASE)
_AGE = timedelta(days=1)
"""How old what the account holds is, so that examples can look back."""


class EmbeddedExamples:
    """Demo accounts for examples. Implements `ports.ExampleRunner`."""

    def __init__(self, setup: str = "") -> None:
        """Remember what makes the objects that examples take for granted; run as ACCOUNTADMIN."""
        self._setup = split(setup)

    def run(self, examples: Sequence[str]) -> Sequence[str | None]:
        """Run one primitive's examples in order, in an account of their own.

        An example goes on behind a statement that cannot be judged here, because that says
        nothing about the example.

        Returns:
            For each example None, or the first error in one line.

        Raises:
            UsageError: what should make the account ready is refused.
        """
        with Account.open(None, clock=_earlier) as account:
            demo.seed(account)
            with closing(account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")) as session:
                session.execute(_BEGIN)
                self._make_ready(session)
                account.clock = default_clock.system_clock
                reading = _Reading(session)
                return [reading.trouble_of(example) for example in examples]

    def _make_ready(self, session: AccountSession) -> None:
        for statement in self._setup:
            try:
                session.execute(statement.text)
            except SqlError as problem:
                raise UsageError(
                    f"the account of the examples, line {statement.line}: {_line(problem)}",
                    hint="correct spec/example-account.sql",
                ) from problem
        session.execute(_BEGIN)


class _Reading:
    """One primitive's examples as they are run, and what they could not make."""

    def __init__(self, session: AccountSession) -> None:
        self._session = session
        self._unmade: set[str] = set()
        """Every word, in capitals, of the statements that were not supported."""

    def trouble_of(self, example: str) -> str | None:
        """Return the first error of an example, and in which of its lines."""
        for statement in split(example):
            if _TRANSFER.match(statement.text):
                continue
            try:
                self._session.execute(statement.text)
            except SqlError as problem:
                if not self._is_beyond_judging(statement.text, problem):
                    return f"line {statement.line}: {_line(problem)}"
        return None

    def _is_beyond_judging(self, sql: str, problem: SqlError) -> bool:
        if problem.sqlstate == _UNSUPPORTED:
            self._unmade.update(word.upper() for word in _WORD.findall(sql))
            return True
        found = _MISSING.search(problem.message)
        if found is None:
            return False
        return (found[1] or found[2]).upper().rpartition(".")[2] in self._unmade


def _earlier() -> datetime:
    return default_clock.system_clock() - _AGE


def _line(problem: SqlError) -> str:
    return " ".join(problem.message.split())
