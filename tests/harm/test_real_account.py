"""The same judgement on an account behind a connection, a real one where a connection is named."""

from __future__ import annotations

import pytest

from tests.harm.far import FarPlace, within_a_database
from tests.harm.judge import verdict
from tests.runtime.real_account import WHERE, named, own_database

pytestmark = pytest.mark.slow
_CASES = [
    pytest.param(change, word, id=f"{change.name} / {word}" if word else change.name)
    for change, word in within_a_database()
]
_LOOPBACK = _CASES[::30]
"""Here a few are enough: the account is the one that all the others ran on."""


def _judged(where, change, word, home):
    with named(where, home / "served") as connection, own_database(connection) as (session, own):
        work = FarPlace(
            home / "own", change.setup, connection=connection, session=session, database=own
        )
        work.propose(change.steps)
        work.finish()
        if word:
            work.others(change.others[word])
        work.clean()
        assert verdict(work) == []
        work.app.close()


@pytest.mark.parametrize(("change", "word"), _LOOPBACK)
def test_nothing_is_harmed_behind_a_connection(change, word, tmp_path):
    _judged(WHERE[0], change, word, tmp_path)


@pytest.mark.parametrize(("change", "word"), _CASES)
def test_nothing_is_harmed_on_a_real_account(change, word, tmp_path):
    _judged(WHERE[1], change, word, tmp_path)
