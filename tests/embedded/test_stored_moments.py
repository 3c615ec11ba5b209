"""A moment with a zone of its own is stored in columns of other kinds as a cast would write it."""

import pytest

from skills_nb.embedded.engine.account import Account

MOMENT = "'2026-01-01 00:30:00.123456 +0200'::TIMESTAMP_TZ"


@pytest.mark.parametrize(
    ("kind", "held"),
    [
        ("TIMESTAMP_TZ", "2026-01-01 00:30:00.123 +0200"),
        ("TIMESTAMP_LTZ", "2025-12-31 22:30:00.123 +0000"),
        ("TIMESTAMP_NTZ", "2026-01-01 00:30:00.123"),
        ("DATE", "2026-01-01"),
    ],
)
def test_it_is_inserted_updated_and_merged(kind: str, held: str) -> None:
    session = Account.open(None).session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH")
    for statement in (
        "CREATE DATABASE D",
        "CREATE SCHEMA D.S",
        f"CREATE TABLE D.S.X (ID INT, V {kind})",
        f"INSERT INTO D.S.X SELECT 1, {MOMENT}",
        "INSERT INTO D.S.X VALUES (2, NULL), (3, NULL)",
        f"UPDATE D.S.X SET V = q.V FROM (SELECT {MOMENT} AS V) AS q WHERE ID = 2",
        f"MERGE INTO D.S.X AS x USING (SELECT column1 AS ID, {MOMENT} AS V FROM VALUES (3), (4))"
        " AS q ON x.ID = q.ID WHEN MATCHED THEN UPDATE SET x.V = q.V"
        " WHEN NOT MATCHED THEN INSERT (ID, V) VALUES (q.ID, q.V)",
    ):
        session.execute(statement)
    assert session.execute("SELECT V::STRING FROM D.S.X").rows == ((held,),) * 4


def test_nothing_stays_nothing() -> None:
    session = Account.open(None).session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH")
    session.execute("CREATE DATABASE D")
    session.execute("CREATE TABLE D.PUBLIC.X (V TIMESTAMP_NTZ)")
    session.execute("INSERT INTO D.PUBLIC.X SELECT NULL::TIMESTAMP_TZ")
    assert session.execute("SELECT V FROM D.PUBLIC.X").rows == ((None,),)
