"""Ways in which harm was done, varied: each was possible once."""

from __future__ import annotations

from contextlib import suppress

import pytest

from skills_nb.errors import SkillsError
from skills_nb.views import render_text
from tests.harm.fingerprint import difference
from tests.harm.judge import verdict
from tests.harm.workplace import Workplace, playbook_of

_ITEMS = "SHOP.OPS.ITEMS"
_ORDERS = 'SHOP."My Sales"."orders"'

# ---- what is there already is never replaced

_THERE = {
    "table": ('CREATE TABLE SHOP.OPS."it" (A INT)', 'SHOP.OPS."it" (B STRING)'),
    "table with rows": (
        'CREATE TABLE SHOP.OPS."it" (A INT); INSERT INTO SHOP.OPS."it" VALUES (1)',
        'SHOP.OPS."it" (A INT)',
    ),
    "view": ("CREATE VIEW SHOP.OPS.IT AS SELECT 1 AS A", "SHOP.OPS.IT AS SELECT 2 AS B"),
    "stream": (
        f"CREATE STREAM SHOP.OPS.\"it\" ON TABLE {_ITEMS}; INSERT INTO {_ITEMS} VALUES (5, 'x', 1)",
        f'SHOP.OPS."it" ON TABLE {_ITEMS}',
    ),
    "masking policy": (
        "CREATE MASKING POLICY SHOP.OPS.IT AS (V STRING) RETURNS STRING -> 'theirs'",
        "SHOP.OPS.IT AS (V STRING) RETURNS STRING -> 'ours'",
    ),
    "row access policy": (
        'CREATE ROW ACCESS POLICY SHOP.OPS."it" AS (V STRING) RETURNS BOOLEAN -> FALSE',
        'SHOP.OPS."it" AS (V STRING) RETURNS BOOLEAN -> TRUE',
    ),
    "tag": ("CREATE TAG SHOP.OPS.IT ALLOWED_VALUES 'a'", "SHOP.OPS.IT ALLOWED_VALUES 'b'"),
    "task": (
        "CREATE TASK SHOP.OPS.\"it\" WAREHOUSE = LITTLE SCHEDULE = '9 MINUTE' AS SELECT 1;"
        'ALTER TASK SHOP.OPS."it" RESUME',
        "SHOP.OPS.\"it\" WAREHOUSE = LITTLE SCHEDULE = '1 MINUTE' AS SELECT 2",
    ),
    "sequence": ("CREATE SEQUENCE SHOP.OPS.IT START = 50", "SHOP.OPS.IT START = 1"),
    "function": (
        "CREATE FUNCTION SHOP.OPS.\"it\"(A INT) RETURNS INT AS 'A'",
        "SHOP.OPS.\"it\"(A INT) RETURNS INT AS 'A + 1'",
    ),
    "procedure": (
        "CREATE PROCEDURE SHOP.OPS.IT() RETURNS INT LANGUAGE SQL AS 'BEGIN RETURN 1; END'",
        "SHOP.OPS.IT() RETURNS INT LANGUAGE SQL AS 'BEGIN RETURN 2; END'",
    ),
    "stage": (
        f'CREATE STAGE SHOP.OPS."it"; COPY INTO @SHOP.OPS."it"/a FROM {_ITEMS}',
        'SHOP.OPS."it"',
    ),
    "file format": (
        "CREATE FILE FORMAT SHOP.OPS.IT TYPE = CSV FIELD_DELIMITER = ';'",
        "SHOP.OPS.IT TYPE = JSON",
    ),
    "schema": ('CREATE SCHEMA SHOP."it"; CREATE TABLE SHOP."it".T (A INT)', 'SHOP."it"'),
    "database": ("CREATE DATABASE IT; CREATE TABLE IT.PUBLIC.T (A INT)", "IT"),
    "role": ('CREATE ROLE "it"; GRANT ROLE "it" TO USER EVE', '"it"'),
    "user": ("CREATE USER IT COMMENT = 'theirs'", "IT COMMENT = 'ours'"),
    "warehouse": (
        'CREATE WAREHOUSE "it" WAREHOUSE_SIZE = LARGE',
        '"it" WAREHOUSE_SIZE = XSMALL',
    ),
    "resource monitor": (
        "CREATE RESOURCE MONITOR IT WITH CREDIT_QUOTA = 5",
        "IT WITH CREDIT_QUOTA = 500",
    ),
    "database role": ("CREATE DATABASE ROLE SHOP.IT", "SHOP.IT"),
    "share": ("CREATE SHARE IT; GRANT USAGE ON DATABASE SHOP TO SHARE IT", "IT"),
    "dynamic table": (
        f"CREATE DYNAMIC TABLE SHOP.OPS.IT TARGET_LAG = '1 hour' WAREHOUSE = LITTLE "
        f"AS SELECT ID FROM {_ITEMS}",
        f"SHOP.OPS.IT TARGET_LAG = '1 hour' WAREHOUSE = LITTLE AS SELECT NAME FROM {_ITEMS}",
    ),
}
_AUTHORS_WORD = """checkpoint:
  severity: critical
  present: "It is done."
  phrase: "change the shop"
expected_errors:
  - {pattern: "already exists", recovery: "Leave it as it is", retryable: false}
"""
_AUTHORS_WISH = _AUTHORS_WORD.replace("retryable: false", "retryable: true").replace(
    "Leave it as it is", "Use CREATE OR REPLACE"
)


def _create(kind: str) -> str:
    noun = kind.removesuffix(" with rows")
    return f"CREATE {noun.upper()} {_THERE[kind][1]}"


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("kind", _THERE)
@pytest.mark.parametrize("how", ["plan", "author forbids", "author wishes"])
def test_what_is_there_already_is_never_replaced(kind, how, tmp_path):
    work = Workplace(tmp_path, _THERE[kind][0])
    if how == "plan":
        work.propose([_create(kind)])
    else:
        said = _AUTHORS_WORD if how == "author forbids" else _AUTHORS_WISH
        work.begin(playbook_of([_create(kind)], said))
    work.finish()
    assert difference(work.begun, work.look()) == []
    for choice in ("retry", "modify", "skip", "retry"):
        if work.reply.pause is not None and work.reply.pause.option(choice) is not None:
            _answered(work, choice)
            assert difference(work.begun, work.look()) == []
    work.clean()
    assert verdict(work) == []


def _answered(work: Workplace, choice: str) -> None:
    """Answer; what the product refuses to take is as good as an answer."""
    try:
        work.answer(choice)
    except SkillsError:
        return
    work.finish()


# ---- a playbook does not approve itself

_HARMFUL = {
    "delete": f"DELETE FROM {_ITEMS}",
    "delete some": f'DELETE FROM {_ORDERS} WHERE "id" = 1',
    "truncate": f"TRUNCATE TABLE {_ORDERS}",
    "truncate if there": f"TRUNCATE TABLE IF EXISTS {_ITEMS}",
    "update": f"UPDATE {_ITEMS} SET PRICE = 0",
    "overwrite": f"INSERT OVERWRITE INTO {_ITEMS} SELECT * FROM {_ITEMS} WHERE FALSE",
    "merge": f"MERGE INTO {_ITEMS} T USING {_ITEMS} S ON T.ID = S.ID WHEN MATCHED THEN DELETE",
    "drop": f"DROP TABLE {_ITEMS}",
    "drop a view": "DROP VIEW SHOP.OPS.CHEAP",
    "drop a column": f"ALTER TABLE {_ITEMS} DROP COLUMN PRICE",
    "replace": f"CREATE OR REPLACE TABLE {_ITEMS} (A INT)",
    "replace a view": "CREATE OR REPLACE VIEW SHOP.OPS.CHEAP AS SELECT 1 AS A",
    "swap": f'ALTER TABLE {_ORDERS} SWAP WITH SHOP."My Sales"."empty"',
    "grant": f"GRANT SELECT ON TABLE {_ITEMS} TO ROLE PUBLIC",
    "grant a role": "GRANT ROLE ACCOUNTADMIN TO ROLE CLERK",
    "grant ownership": f"GRANT OWNERSHIP ON TABLE {_ITEMS} TO ROLE CLERK REVOKE CURRENT GRANTS",
    "drop a role": 'DROP ROLE "night shift"',
    "drop a user": 'DROP USER "bob b"',
    "drop a schema": 'DROP SCHEMA SHOP."My Sales"',
    "in a block": f"EXECUTE IMMEDIATE $$BEGIN DELETE FROM {_ITEMS}; END$$",
    "in a text": f"EXECUTE IMMEDIATE 'DELETE FROM {_ITEMS}'",
    "by a procedure": "CALL SHOP.OPS.EMPTY_IT()",
    "remove files": 'REMOVE @SHOP.OPS."inbox"',
}
_EMPTIES = f"""
CREATE PROCEDURE SHOP.OPS.EMPTY_IT() RETURNS INT LANGUAGE SQL AS
'BEGIN DELETE FROM {_ITEMS}; RETURN 1; END';
CREATE STAGE SHOP.OPS."inbox"; COPY INTO @SHOP.OPS."inbox"/a FROM {_ITEMS}
"""
_SELF_APPROVING = {
    "info": 'checkpoint:\n  severity: info\n  present: "Done."\n',
    "info at once": 'checkpoint:\n  severity: info\n  present: "Done."\n'
    "  default: approve_remaining\n  timeout_s: 0\n",
    "review by default": 'checkpoint:\n  severity: review\n  present: "Done."\n'
    "  default: approve\n  timeout_s: 0\n",
    "no word": "{}\n",
}


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("what", _HARMFUL)
@pytest.mark.parametrize("said", _SELF_APPROVING)
def test_nothing_is_destroyed_or_granted_before_a_person_has_answered(what, said, tmp_path):
    work = Workplace(tmp_path, _EMPTIES)
    reply = work.begin(playbook_of([_HARMFUL[what]], _SELF_APPROVING[said]))
    assert difference(work.begun, work.look()) == []
    assert reply.status in (3, 5)


@pytest.mark.slow
@pytest.mark.parametrize("what", _HARMFUL)
def test_approving_the_remaining_steps_does_not_approve_what_destroys(what, tmp_path):
    work = Workplace(tmp_path, _EMPTIES)
    said = 'checkpoint:\n  severity: review\n  present: "Done."\n'
    work.begin(playbook_of(["CREATE TABLE SHOP.OPS.FINE (A INT)", _HARMFUL[what]], said))
    # Without the phrase, which a person types who has read what is to come.
    with suppress(SkillsError):
        work.invoke("approve_remaining")
    left = [line for line in difference(work.begun, work.look()) if "SHOP.OPS.FINE" not in line]
    assert left == []


# ---- a playbook's own cleanup is not believed

_OWN_CLEANUP = {
    "drop a database": "DROP DATABASE SHOP",
    "drop a foreign table": f"DROP TABLE {_ITEMS}",
    "drop a schema": 'DROP SCHEMA IF EXISTS SHOP."My Sales" CASCADE',
    "delete foreign rows": f"DELETE FROM {_ITEMS}",
    "in a block": f"EXECUTE IMMEDIATE $$BEGIN DROP TABLE {_ITEMS}; END$$",
    "in a text": f"EXECUTE IMMEDIATE 'DROP TABLE {_ITEMS}'",
    "replace": f"CREATE OR REPLACE TABLE {_ITEMS} (A INT)",
    "rename over": f'ALTER TABLE {_ITEMS} RENAME TO SHOP.OPS."gone"',
    "swap": f'ALTER TABLE {_ORDERS} SWAP WITH SHOP."My Sales"."empty"',
    "by a procedure": "CALL SHOP.OPS.EMPTY_IT()",
    "grant": "GRANT ROLE ACCOUNTADMIN TO ROLE PUBLIC",
    "drop a role": 'DROP ROLE "night shift"',
    "drop a user": 'DROP USER "bob b"',
    "two at once": f"DROP TABLE SHOP.OPS.FINE; DROP TABLE {_ITEMS}",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", _OWN_CLEANUP)
@pytest.mark.parametrize("end", ["abort", "cleanup"])
def test_a_playbooks_own_cleanup_takes_nothing_that_the_thread_did_not_make(what, end, tmp_path):
    work = Workplace(tmp_path, _EMPTIES)
    said = "\n".join(["compensation:", f"  - {_quoted(_OWN_CLEANUP[what])}", _CHECK])
    work.begin(playbook_of(["CREATE TABLE SHOP.OPS.FINE (A INT)"], said))
    if end == "cleanup":
        work.finish()
    work.clean()
    left = [line for line in difference(work.begun, work.look()) if "SHOP.OPS.FINE" not in line]
    assert left == []
    assert [fault for fault in verdict(work) if "shown" in fault or "everything" in fault] == []


_CHECK = 'checkpoint:\n  severity: critical\n  present: "Done."\n  phrase: "change the shop"'


def _quoted(sql: str) -> str:
    return "'" + sql.replace("'", "''") + "'"


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 3, 12])
def test_every_statement_of_a_cleanup_is_shown_in_full_before_it_is_approved(count, tmp_path):
    work = Workplace(tmp_path)
    made = [f'CREATE TABLE SHOP.OPS."table number {n} {"x" * 90}" (A INT)' for n in range(count)]
    work.propose(["; ".join(made)])
    work.finish()
    reply = work.invoke("cleanup")
    shown = " ".join(render_text(reply.view).split())
    assert [sql for sql in work.said().proposed if " ".join(sql.split()) not in shown] == []


# ---- a cleanup ends at its first failure


def test_a_cleanup_that_fails_drops_nothing_afterwards(tmp_path):
    work = Workplace(tmp_path)
    work.propose(
        [
            f'CREATE TABLE SHOP.OPS."restored" CLONE {_ITEMS}',
            f'ALTER TABLE {_ITEMS} SWAP WITH SHOP.OPS."restored"',
        ]
    )
    work.finish()
    work.clean(meanwhile=f'ALTER TABLE {_ITEMS} RENAME TO SHOP.OPS."elsewhere"')
    assert verdict(work) == []
    assert any('"restored"' in key.name for key in work.look())


_AS_KEEPER = """role: "KEEPER"
checkpoint:
  severity: critical
  present: "Done."
  phrase: "change the shop"
"""
_KEEPERS = """
GRANT CREATE TABLE, CREATE VIEW ON SCHEMA SHOP.OPS TO ROLE KEEPER; GRANT ROLE KEEPER TO USER ADMIN;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE KEEPER;
GRANT UPDATE, DELETE ON TABLE SHOP.OPS.ITEMS TO ROLE KEEPER;
"""
_TAKEN = {
    "the role": "REVOKE ROLE KEEPER FROM USER ADMIN; REVOKE ROLE KEEPER FROM ROLE SYSADMIN",
    "the schema": "REVOKE USAGE ON SCHEMA SHOP.OPS FROM ROLE KEEPER",
    "what it made": 'GRANT OWNERSHIP ON TABLE SHOP.OPS."k" TO ROLE CLERK COPY CURRENT GRANTS',
    "the right to write": "REVOKE INSERT, UPDATE, DELETE ON TABLE SHOP.OPS.ITEMS FROM ROLE KEEPER",
}


@pytest.mark.slow
@pytest.mark.parametrize("taken", _TAKEN)
@pytest.mark.parametrize("when", ["before", "while asked"])
def test_a_role_that_lost_its_privilege_cleans_what_it_can_and_says_the_rest(taken, when, tmp_path):
    work = Workplace(tmp_path, _KEEPERS)
    steps = [
        'CREATE TABLE SHOP.OPS."k" (A INT)',
        f"CREATE VIEW SHOP.OPS.KV AS SELECT * FROM {_ITEMS}; DELETE FROM {_ITEMS} WHERE ID = 1",
    ]
    work.begin(playbook_of(steps, _AS_KEEPER))
    work.finish()
    if when == "before":
        work.others(_TAKEN[taken])
    work.clean(meanwhile=_TAKEN[taken] if when == "while asked" else "")
    assert work.refused == []
    assert verdict(work) == []


# ---- others work while a person thinks about a statement


@pytest.mark.parametrize(
    ("sql", "theirs"),
    [
        (
            "ALTER MASKING POLICY SHOP.OPS.HIDE SET BODY -> 'x'",
            "ALTER MASKING POLICY SHOP.OPS.HIDE SET BODY -> 'theirs'",
        ),
        (
            "DROP VIEW SHOP.OPS.CHEAP",
            "CREATE OR REPLACE VIEW SHOP.OPS.CHEAP AS SELECT 5 AS FIVE",
        ),
    ],
)
def test_what_others_did_while_a_statement_was_asked_about_comes_back(sql, theirs, tmp_path):
    work = Workplace(tmp_path)
    work.propose([sql])
    work.approve_until(lambda reply: reply.pause is not None and reply.pause.at == "before:1")
    work.others(theirs)
    work.finish()
    work.clean()
    assert work.refused == []
    assert verdict(work) == []


# ---- twice in a row


@pytest.mark.slow
def test_the_same_plan_twice_on_one_account_leaves_nothing_of_either(tmp_path):
    work = Workplace(tmp_path)
    for _ in range(2):
        work.propose([f"DELETE FROM {_ITEMS} WHERE ID = 1", 'CREATE TABLE SHOP.OPS."m" (A INT)'])
        work.finish()
        work.clean()
        assert verdict(work) == []
        work.store.threads.clear()
        work.app._wiring.__dict__.pop("conductor", None)


@pytest.mark.slow
def test_a_cleanup_that_was_done_is_not_done_again(tmp_path):
    work = Workplace(tmp_path)
    work.propose([f"DELETE FROM {_ITEMS} WHERE ID = 1", 'CREATE TABLE SHOP.OPS."m" (A INT)'])
    work.finish()
    work.clean()
    work.others(
        f"INSERT INTO {_ITEMS} VALUES (77, 'later', 1); CREATE TABLE SHOP.OPS.\"m\" (B INT)"
    )
    work.clean()
    assert verdict(work) == []


# ---- a table that went by several names is put back under its first


@pytest.mark.slow
def test_rows_of_a_table_that_was_renamed_and_dropped_are_put_back(tmp_path):
    moved = 'SHOP.OPS."moved.it"'
    work = Workplace(tmp_path)
    work.propose(
        [
            f"ALTER TABLE {_ORDERS} RENAME TO {moved}; INSERT INTO {moved} VALUES (9, 'q', 1)",
            f"CREATE TABLE {_ORDERS} LIKE {moved}; INSERT INTO {_ORDERS} SELECT * FROM {moved}",
            f"DROP TABLE {moved}",
        ]
    )
    work.finish()
    work.clean()
    assert verdict(work) == []
    assert difference(work.begun, work.look()) == []


# ---- modify does not drop what others filled


@pytest.mark.parametrize("then", ["cleanup", "keep"])
def test_a_changed_step_drops_nothing_in_which_somebody_put_rows(then, tmp_path):
    work = Workplace(tmp_path)
    work.propose(['CREATE TABLE SHOP.OPS."m" (A INT)', 'CREATE TABLE SHOP.OPS."n" (A INT)'])
    work.approve_until(lambda reply: reply.pause is not None and reply.pause.at == "1")
    work.others('INSERT INTO SHOP.OPS."m" VALUES (1)')
    try:
        work.invoke("modify", "--set", 'step_1=CREATE TABLE SHOP.OPS."m2" (A INT)')
    except SkillsError:
        work.invoke("modify")
    for _ in range(6):
        pause = work.reply.pause
        if pause is None or pause.option(then) is None:
            break
        work.answer(then)
    kept = {key: value for key, value in work.look().items() if key.name == 'SHOP.OPS."m"'}
    assert any(key.facet.startswith("row A=1") for key in kept)


# ---- a stream's changes are told once


_STREAM = 'SHOP.OPS."their changes"'
_FOLLOWED = (
    "CREATE TABLE SHOP.OPS.SINK (ID INT, NAME STRING, PRICE NUMBER(10, 2));"
    f"CREATE STREAM {_STREAM} ON TABLE {_ITEMS}; INSERT INTO {_ITEMS} VALUES (9, 'x', 1)"
)


@pytest.mark.parametrize(
    "sql",
    [
        f"INSERT INTO SHOP.OPS.SINK SELECT ID, NAME, PRICE FROM {_STREAM}",
        f"CREATE TABLE SHOP.OPS.KEPT AS SELECT s.ID FROM {_ITEMS} i, {_STREAM} s WHERE i.ID = s.ID",
        f"MERGE INTO SHOP.OPS.SINK k USING {_STREAM} s ON k.ID = s.ID "
        "WHEN NOT MATCHED THEN INSERT (ID) VALUES (s.ID)",
        f"DELETE FROM SHOP.OPS.SINK USING {_STREAM} s WHERE SINK.ID = s.ID",
        f"INSERT INTO SHOP.OPS.SINK WITH c AS (SELECT ID FROM {_STREAM}) SELECT ID, '', 0 FROM c",
    ],
    ids=["insert", "create", "merge", "delete", "with"],
)
def test_a_stream_of_others_that_was_read_to_write_rows_is_named(sql, tmp_path):
    work = Workplace(tmp_path, _FOLLOWED)
    work.propose([sql])
    work.finish()
    work.clean()
    assert verdict(work) == []
    assert any("their changes" in one and "used up" in one for one in work.said().named)
    assert not work.said().claims_everything
    work.close()


def test_a_stream_that_a_query_only_looked_at_is_not_named(tmp_path):
    work = Workplace(tmp_path, _FOLLOWED)
    work.propose([f"SELECT COUNT(*) FROM {_STREAM}", "INSERT INTO SHOP.OPS.SINK (ID) VALUES (1)"])
    work.finish()
    work.clean()
    assert verdict(work) == []
    assert work.said().named == ()
    work.close()


# ---- change tracking stays on, and a stream that is made anew begins anew


@pytest.mark.parametrize("is_tracked", [False, True], ids=["first stream", "tracked before"])
def test_change_tracking_that_a_stream_turned_on_is_named(is_tracked, tmp_path):
    followed = f"CREATE STREAM SHOP.OPS.FORMER ON TABLE {_ORDERS}" if is_tracked else "SELECT 1"
    work = Workplace(tmp_path, followed)
    work.propose([f'CREATE STREAM SHOP.OPS."it" ON TABLE {_ORDERS}'])
    work.finish()
    work.clean()
    assert verdict(work) == []
    assert any("change tracking" in one for one in work.said().named) is not is_tracked
    work.close()


def test_change_tracking_of_a_table_that_goes_again_is_not_named(tmp_path):
    work = Workplace(tmp_path, "SELECT 1")
    work.propose(
        ["CREATE TABLE SHOP.OPS.KEPT (A INT)", "CREATE STREAM SHOP.OPS.IT ON TABLE SHOP.OPS.KEPT"]
    )
    work.finish()
    work.clean()
    assert verdict(work) == []
    assert work.said().named == ()
    work.close()


@pytest.mark.parametrize(
    "sql", ["DROP STREAM {}", "CREATE OR REPLACE STREAM {} ON TABLE " + _ITEMS]
)
def test_a_stream_that_is_made_anew_is_said_to_begin_anew(sql, tmp_path):
    work = Workplace(tmp_path, _FOLLOWED)
    work.propose([sql.format(_STREAM)])
    work.finish()
    work.clean()
    assert any("their changes" in one and "from now on" in one for one in work.said().named)
    assert not work.said().claims_everything
    work.close()
