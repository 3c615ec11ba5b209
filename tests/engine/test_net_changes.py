"""What the statements of a thread come to, object by object."""

from skills_nb.engine.ledger.net_changes import net_changes
from skills_nb.model.net_changes import NetChange
from skills_nb.model.state import Fact, StatementRecord, ThreadState
from skills_nb.sql.objects import ObjectRef, probe_for
from tests.builders import library

LIBRARY = library()
TABLE = ObjectRef("table", ("D", "S", "T"))


def record(number, sql, **changes):
    given = {
        "key": f"t:{number}",
        "seq": number * 10,
        "step": str(number),
        "ordinal": number,
        "attempt": 1,
        "sql": sql,
        "kind": "once",
        "role": None,
        "status": "completed",
        "end_seq": number * 10 + 1,
    }
    return StatementRecord(**{**given, **changes})


def came_to(*sqls, facts=()):
    sent = tuple(record(number, sql) for number, sql in enumerate(sqls, 1))
    state = ThreadState(thread_id="t", seq=500, statements=sent, facts=facts)
    return net_changes(state, LIBRARY)


def was_there(ref, count=1):
    result = {"row_count": count, "columns": ["name"], "rows": [[ref.name[-1]]] * count}
    return Fact(seq=1, query=probe_for(ref), role=None, result=result)


def test_what_is_made_is_created_and_what_is_dropped_was_there():
    assert came_to("CREATE TABLE D.S.T (N INT)", 'DROP VIEW D."s 1"."v.1"') == (
        NetChange("created", "table", "D.S.T", step="1"),
        NetChange("dropped", "view", 'D."s 1"."v.1"', step="2"),
    )


def test_what_is_made_and_dropped_is_no_change():
    assert came_to("CREATE TABLE D.S.T (N INT)", "DROP TABLE D.S.T") == ()


def test_what_is_changed_in_what_was_made_is_part_of_its_making():
    assert came_to("CREATE TABLE D.S.T (N INT)", "GRANT SELECT ON TABLE D.S.T TO ROLE R") == (
        NetChange("created", "table", "D.S.T", step="2"),
    )


def test_what_is_there_already_is_not_made_and_what_is_replaced_says_so():
    there = (was_there(TABLE),)

    assert came_to("CREATE TABLE IF NOT EXISTS D.S.T (N INT)", facts=there) == ()
    assert came_to("CREATE OR REPLACE TABLE D.S.T (N INT)", facts=there) == (
        NetChange("changed", "table", "D.S.T", ("replaced",), "1"),
    )


def test_dropping_what_was_not_there_changes_nothing():
    assert came_to("DROP TABLE IF EXISTS D.S.T", facts=(was_there(TABLE, 0),)) == ()


def test_policies_tags_grants_and_settings_are_told_in_words():
    assert came_to(
        "ALTER TABLE D.S.T MODIFY COLUMN C SET MASKING POLICY D.G.M",
        "ALTER TABLE D.S.T ADD ROW ACCESS POLICY D.G.R ON (C)",
        "ALTER TABLE D.S.T SET TAG D.G.PII = 'yes'",
        "GRANT SELECT ON TABLE D.S.T TO ROLE R",
        "REVOKE USAGE ON DATABASE D FROM ROLE R",
        "ALTER WAREHOUSE W SET WAREHOUSE_SIZE = 'LARGE'",
        "ALTER TABLE D.S.U RENAME TO D.S.V",
        "ALTER TASK D.S.K RESUME",
    ) == (
        NetChange("changed", "column", "D.S.T.C", ("masking policy: D.G.M",), "1"),
        NetChange(
            "changed",
            "table",
            "D.S.T",
            ("row access policy: D.G.R", "tag D.G.PII: yes", "grant SELECT to ROLE R"),
            "4",
        ),
        NetChange("changed", "database", "D", ("revoke USAGE from ROLE R",), "5"),
        NetChange("changed", "warehouse", "W", ("set WAREHOUSE_SIZE",), "6"),
        NetChange("changed", "table", "D.S.U", ("renamed to D.S.V",), "7"),
        NetChange("changed", "task", "D.S.K", ("resume",), "8"),
    )


def test_a_grant_that_is_revoked_again_is_no_change():
    assert (
        came_to("GRANT SELECT ON TABLE D.S.T TO ROLE R", "REVOKE SELECT ON TABLE D.S.T FROM ROLE R")
        == ()
    )


def test_what_lies_in_a_dropped_schema_goes_with_it():
    assert came_to("CREATE TABLE D.S.T (N INT)", "DROP SCHEMA D.S") == (
        NetChange("dropped", "schema", "D.S", step="2"),
    )


def test_a_column_that_is_added_is_created_and_one_that_goes_is_dropped():
    assert came_to("ALTER TABLE D.S.T ADD COLUMN Z INT", "ALTER TABLE D.S.T DROP COLUMN Y") == (
        NetChange("created", "column", "D.S.T.Z", step="1"),
        NetChange("dropped", "column", "D.S.T.Y", step="2"),
    )


def test_what_only_writes_rows_or_failed_is_told_elsewhere():
    assert came_to("INSERT INTO D.S.T VALUES (1)") == ()
    failed = record(1, "DROP TABLE D.S.T", status="failed")
    state = ThreadState(thread_id="t", seq=500, statements=(failed,))

    assert net_changes(state, LIBRARY) == ()


def test_what_was_taken_back_is_no_change():
    sent = (
        record(1, "CREATE TABLE D.S.T (N INT)"),
        record(2, "DROP TABLE D.S.T", kind="compensation", undoes="t:1"),
    )

    assert net_changes(ThreadState(thread_id="t", seq=500, statements=sent), LIBRARY) == ()


def test_what_takes_a_name_that_was_vacated_is_created_and_what_was_set_aside_renamed():
    assert came_to(
        "ALTER TABLE D.S.T RENAME TO D.S.T_OLD",
        "CREATE TABLE D.S.T (N INT)",
        "GRANT SELECT ON TABLE D.S.T TO ROLE R",
        facts=(was_there(TABLE),),
    ) == (
        NetChange("created", "table", "D.S.T", step="3"),
        NetChange("changed", "table", "D.S.T", ("renamed to D.S.T_OLD",), "1"),
    )


def test_what_is_made_and_renamed_is_created_under_its_last_name_with_what_lies_in_it():
    assert came_to(
        'CREATE SCHEMA D."s new"',
        'CREATE TABLE D."s new".T (N INT)',
        "ALTER SCHEMA D.S RENAME TO D.S_OLD",
        'ALTER SCHEMA D."s new" RENAME TO D.S',
        "GRANT USAGE ON SCHEMA D.S TO ROLE R",
    ) == (
        NetChange("created", "schema", "D.S", step="5"),
        NetChange("created", "table", "D.S.T", step="2"),
        NetChange("changed", "schema", "D.S", ("renamed to D.S_OLD",), "3"),
    )


def test_what_follows_under_a_new_name_is_told_beside_the_renaming():
    assert came_to("ALTER TABLE D.S.T RENAME TO U", "ALTER TABLE D.S.U SET COMMENT = 'x'") == (
        NetChange("changed", "table", "D.S.T", ("set COMMENT", "renamed to D.S.U"), "2"),
    )


def test_a_name_that_is_given_back_is_no_change():
    assert came_to("ALTER TABLE D.S.T RENAME TO D.S.U", "ALTER TABLE D.S.U RENAME TO D.S.T") == ()


def test_a_new_object_that_takes_the_name_of_a_dropped_one_replaces_it():
    assert came_to(
        "CREATE TABLE D.S.N (N INT)", "DROP TABLE D.S.T", "ALTER TABLE D.S.N RENAME TO D.S.T"
    ) == (NetChange("changed", "table", "D.S.T", ("replaced",), "3"),)


def test_one_that_was_there_and_takes_the_name_of_a_dropped_one_is_told_beside_it():
    assert came_to("DROP TABLE D.S.T", "ALTER TABLE D.S.U RENAME TO D.S.T") == (
        NetChange("changed", "table", "D.S.U", ("renamed to D.S.T",), "2"),
        NetChange("dropped", "table", "D.S.T", step="1"),
    )


def test_a_column_is_renamed_within_its_table():
    assert came_to("ALTER TABLE D.S.T RENAME COLUMN A TO B") == (
        NetChange("changed", "column", "D.S.T.A", ("renamed to D.S.T.B",), "1"),
    )
