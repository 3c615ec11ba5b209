"""Running examples: what a primitive shows is done, on an account that nobody else uses.

Room: embedded.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from skills_nb.embedded import demo
from skills_nb.embedded.account import Account
from skills_nb.errors import SqlError, UsageError
from skills_nb.sql.statements import split

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_BEGIN = "USE SCHEMA PROD.CUSTOMER_DATA"
_UNSUPPORTED = "0A000"


class EmbeddedExamples:
    """Demo accounts for examples. Implements `ports.ExampleRunner`."""

    def __init__(self, setup: str = "") -> None:
        """Remember what makes the objects that examples take for granted; run as ACCOUNTADMIN."""
        self._setup = split(setup)

    def run(self, examples: Sequence[str]) -> Sequence[str | None]:
        """Run one primitive's examples in order, in an account of their own.

        An example goes on behind a statement that the embedded account does not support, because
        that says nothing about the example.

        Returns:
            For each example None, or the first error in one line.

        Raises:
            UsageError: what should make the account ready is refused.
        """
        with Account.open(None) as account:
            demo.seed(account)
            with closing(account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")) as session:
                session.execute(_BEGIN)
                self._make_ready(session)
                return [_trouble_of(session, example) for example in examples]

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


def _trouble_of(session: AccountSession, example: str) -> str | None:
    """Return the first error of an example, and in which of its lines."""
    for statement in split(example):
        try:
            session.execute(statement.text)
        except SqlError as problem:
            if problem.sqlstate != _UNSUPPORTED:
                return f"line {statement.line}: {_line(problem)}"
    return None


def _line(problem: SqlError) -> str:
    return " ".join(problem.message.split())
