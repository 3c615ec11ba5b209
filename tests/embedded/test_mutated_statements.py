"""Statements of the case documents, mutated: what comes back is rows or a refusal in Snowflake's
numbers, soon, and never an error of our own.

`SKILLS_NB_FUZZ_SEED` chooses other mutations; a failure names its seed.
"""

import os
import random

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import scan
from tests.embedded.answer_trouble import trouble_with
from tests.embedded.case_documents import Case, documents

SEED = int(os.environ.get("SKILLS_NB_FUZZ_SEED", "20261123"))
CASES = [case for document in documents() for case in document.cases]
_ODD = (
    "(",
    ")",
    ",",
    ".",
    "..",
    "*",
    "=>",
    "'x'",
    '"',
    "NULL",
    "0",
    "-1",
    "1e400",
    "$1",
    "?",
    "::",
)
_LEFT_OUT = ("SYSTEM$WAIT", "LANGUAGE PYTHON", "2000000000")
"""What takes its time on purpose, or has tests of its own."""


_LARGE = ("60000000", "10000000")
"""Numbers in cases about the limit of a value: what is refused has to be made first, which takes
its seconds; `tests/embedded/test_ends_in_time.py` holds that it can be ended before."""


def _mutated(sql: str, chance: random.Random) -> str:
    """Delete, double, swap or replace one to three tokens."""
    tokens = [token.text for token in scan(sql)]
    for _ in range(chance.randint(1, 3)):
        at, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        match chance.randrange(5):
            case 0:
                tokens[at] = ""
            case 1:
                tokens.insert(at, tokens[at])
            case 2:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3:
                tokens[at] = chance.choice(_ODD)
            case _:
                tokens.insert(at, chance.choice(_ODD))
    return "".join(tokens)


def _of_case(case: Case, chance: random.Random, most: int) -> list[str | None]:
    """Run a case with mutations of each of its statements before the statement itself."""
    found: list[str | None] = []
    with Account.open() as account:
        session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        session.execute("create database cases")
        session.execute("alter session set statement_timeout_in_seconds = 10")
        for text in [statement.text for statement in split(case.sql)]:
            tried = [_mutated(text, chance) for _ in range(6)]
            for sql in [*tried, text]:
                if len(found) < most:
                    found.append(trouble_with(session, sql))
    return found


def _fuzzed(seed: int, count: int) -> list[str]:
    """Run so many statements, the same ones on every machine; return what was wrong."""
    chance = random.Random(seed)
    found: list[str | None] = []
    while len(found) < count:
        case = chance.choice(CASES)
        if not any(word in case.sql.upper() for word in _LEFT_OUT):
            found.extend(_of_case(case, chance, count - len(found)))
    return [trouble for trouble in found if trouble is not None and not _is_meant(trouble)]


def _is_meant(trouble: str) -> bool:
    """Tell whether a statement only took its time over what is large on purpose."""
    return "s of CPU: " in trouble and any(number in trouble for number in _LARGE)


def test_mutated_statements_meet_no_error_of_our_own_for_a_moment() -> None:
    assert (SEED, _fuzzed(SEED, 300)) == (SEED, [])


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEED, SEED + 12))
def test_mutated_statements_meet_no_error_of_our_own(seed: int) -> None:
    assert (seed, _fuzzed(seed, 5_000)) == (seed, [])
