"""Every case document holds, over the real connector: in this process, and where one is named, on
a real account.

Set `SKILLS_NB_TEST_CONNECTION` to a connection of `connections.toml` to run the cases there too. A
database CASES is made for each and dropped afterwards, and so is everything else that a case
created; a case whose objects are there already is left out.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from snowflake.connector.errors import Error

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.tools import support
from skills_nb.embedded.wire import EmbeddedWire
from skills_nb.runtime import mounted_connection
from skills_nb.sql.objects import changes_of, compensation_of, probe_for
from skills_nb.sql.statements import split
from tests.embedded.case_documents import Case, documents, fits, on_one_line, settled, shown

REAL = os.environ.get("SKILLS_NB_TEST_CONNECTION")
DOCUMENTS = documents()
ALL = [case for document in DOCUMENTS for case in document.cases]


@pytest.fixture
def cursor() -> Iterator[Any]:
    with Account.open() as account:
        connection = mounted_connection.connect(
            EmbeddedWire(account), user="ADMIN", role="ACCOUNTADMIN", warehouse="COMPUTE_WH"
        )
        with closing(connection), connection.cursor() as opened:
            opened.execute("create database cases")
            yield opened


def _answered(cursor: Any, case: Case) -> tuple[list[str], list[list[str]]] | str:
    """Run a case: the last answer as text, or the last statement's error."""
    *before, last = [statement.text for statement in split(case.sql)]
    for text in before:
        cursor.execute(text)
    try:
        cursor.execute(last)
    except Error as refused:
        return on_one_line(f"{refused.errno:06d} ({refused.sqlstate}) {refused.raw_msg}")
    codes = [column.type_code for column in cursor.description]
    rows = [
        [shown(value, code) for value, code in zip(row, codes, strict=True)]
        for row in cursor.fetchall()
    ]
    return [column.name for column in cursor.description], rows


def _hold(cursor: Any, case: Case) -> None:
    answer = _answered(cursor, case)
    if case.error is not None:
        assert isinstance(answer, str), f"no error, but {answer}"
        assert answer if fits(answer, case.error) else answer == case.error
        return
    assert not isinstance(answer, str), answer
    found, wanted = settled(case, *answer)
    assert found == wanted


@pytest.mark.slow
@pytest.mark.parametrize("case", ALL, ids=lambda case: case.id)
def test_a_case_holds(case: Case, cursor: Any) -> None:
    _hold(cursor, case)


# ---- on a real account


@pytest.fixture
def real() -> Iterator[Callable[[Case], Any]]:
    """Open the named account for a case, and leave it as it was."""
    from snowflake import connector

    undo: list[str] = []
    with closing(connector.connect(connection_name=REAL)) as connection:
        cursor = connection.cursor()

        def prepared(case: Case) -> Any:
            for statement in ["create database cases", *(s.text for s in split(case.sql))]:
                undo[:0] = _undoing(cursor, statement)
            for statement in ("use role accountadmin", "create database cases"):
                cursor.execute(statement)
            return cursor

        yield prepared
        cursor.execute("use role accountadmin")
        for statement in undo:
            cursor.execute(statement)


def _undoing(cursor: Any, statement: str) -> tuple[str, ...]:
    """Return what takes a statement's account-wide objects away; skip where they are not new."""
    created = [
        change.target
        for change in changes_of(statement, "CASES", "PUBLIC")
        if change.action == "create" and len(change.target.name) == 1
    ]
    for target in created:
        probe = probe_for(target)
        if probe and cursor.execute(probe).fetchone():
            pytest.skip(f"{target.type} {target.fqn} is there already")
    prior = {target.fqn: {"exists": False} for target in created}
    return compensation_of(statement, "CASES", "PUBLIC", prior) if created else ()


@pytest.mark.parametrize("case", ALL if REAL else [], ids=lambda case: case.id)
def test_a_case_holds_on_a_real_account(case: Case, real: Callable[[Case], Any]) -> None:
    if case.deviates:
        pytest.skip(case.deviates)
    _hold(real(case), case)


# ---- documents


def _supported() -> set[str]:
    return {entry["statement"] for entry in support.table() if entry["supported"]}


def test_a_document_covers_what_the_account_supports() -> None:
    unknown = {d.path.name: sorted({*d.covers} - _supported()) for d in DOCUMENTS}
    assert {name: entries for name, entries in unknown.items() if entries} == {}


def test_every_supported_entry_has_its_document() -> None:
    covered = {entry for document in DOCUMENTS for entry in document.covers}
    assert sorted(_supported() - covered) == []


def test_every_document_cites_the_manual() -> None:
    pages = [page for document in DOCUMENTS for page in document.manual]
    assert [p for p in pages if not p.startswith("https://docs.snowflake.com/en/")] == []


def test_case_titles_are_told_apart() -> None:
    ids = [case.id for case in ALL]
    assert sorted(ids) == sorted(set(ids))
