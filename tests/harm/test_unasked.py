"""No playbook gets by without a person what destroys or opens, in whatever it is wrapped."""

from __future__ import annotations

import time

import pytest

from tests.harm.fingerprint import difference
from tests.harm.workplace import Workplace, playbook_of

_ITEMS = "SHOP.OPS.ITEMS"
_COMPANY = f"""
CREATE PROCEDURE SHOP.OPS.EMPTY_IT(A INT) RETURNS INT LANGUAGE SQL AS
'BEGIN DELETE FROM {_ITEMS}; RETURN 1; END';
CREATE TASK SHOP.OPS."job" WAREHOUSE = LITTLE AS DELETE FROM {_ITEMS};
ALTER TABLE {_ITEMS} MODIFY COLUMN NAME SET MASKING POLICY SHOP.OPS.HIDE;
CREATE ROW ACCESS POLICY SHOP.OPS.VISIBLE AS (V NUMBER) RETURNS BOOLEAN -> TRUE;
ALTER TABLE {_ITEMS} ADD ROW ACCESS POLICY SHOP.OPS.VISIBLE ON (ID);
CREATE STAGE SHOP.OPS."inbox"; COPY INTO @SHOP.OPS."inbox"/a FROM {_ITEMS};
CREATE SHARE GIVEN; GRANT USAGE ON DATABASE SHOP TO SHARE GIVEN;
CREATE NETWORK POLICY NETS ALLOWED_IP_LIST = ('10.0.0.0/8');
"""
_AT_ONCE = """checkpoint:
  severity: info
  present: "Done."
  default: approve_remaining
  timeout_s: 0
"""
_DIRECTLY = {
    "unmasks": f"ALTER TABLE {_ITEMS} MODIFY COLUMN NAME UNSET MASKING POLICY",
    "shows all rows": f"ALTER TABLE {_ITEMS} DROP ALL ROW ACCESS POLICIES",
    "changes a policy": "ALTER MASKING POLICY SHOP.OPS.HIDE SET BODY -> V",
    "opens the network": "ALTER NETWORK POLICY NETS SET ALLOWED_IP_LIST = ('0.0.0.0/0')",
    "locks a user out": 'ALTER USER "bob b" SET DISABLED = TRUE',
    "gives up the past": f"ALTER TABLE {_ITEMS} SET DATA_RETENTION_TIME_IN_DAYS = 00",
    "overwrites in a block": (
        f"EXECUTE IMMEDIATE $$BEGIN INSERT OVERWRITE INTO {_ITEMS} SELECT * FROM {_ITEMS} "
        "WHERE FALSE; END$$"
    ),
    "runs a task": 'EXECUTE TASK SHOP.OPS."job"',
    "lets a task empty it": f"CREATE TASK SHOP.OPS.J WAREHOUSE = LITTLE AS DELETE FROM {_ITEMS}",
    "selects from a procedure": "SELECT * FROM TABLE(SHOP.OPS.EMPTY_IT(1))",
    "deletes behind a query": f"WITH C AS (SELECT 1) DELETE FROM {_ITEMS}",
    "deletes from a name in a text": f"DELETE FROM TABLE('{_ITEMS}')",
    "grants": f"GRANT SELECT ON TABLE {_ITEMS} TO ROLE CLERK",
    "revokes": f"REVOKE SELECT ON TABLE {_ITEMS} FROM ROLE KEEPER",
    "shares": "ALTER SHARE GIVEN ADD ACCOUNTS = ORG.OTHER",
}
_BY_ITS_OWN = {
    "own procedure": [
        "CREATE PROCEDURE SHOP.OPS.TIDY() RETURNS INT LANGUAGE SQL AS "
        f"'BEGIN DELETE FROM {_ITEMS}; RETURN 1; END'",
        "CALL SHOP.OPS.TIDY()",
    ],
    "own procedure without a word of SQL": [
        "CREATE PROCEDURE SHOP.OPS.TIDY() RETURNS INT LANGUAGE PYTHON RUNTIME_VERSION = '3.11' "
        "PACKAGES = ('snowflake-snowpark-python') HANDLER = 'f' AS "
        f"'def f(s):\n    s.table(\"{_ITEMS}\").delete()\n    return 1'",
        "CALL SHOP.OPS.TIDY()",
    ],
    "own procedure that calls": [
        "CREATE PROCEDURE SHOP.OPS.TIDY() RETURNS INT LANGUAGE SQL AS "
        "'BEGIN CALL SHOP.OPS.EMPTY_IT(1); RETURN 1; END'",
        "CALL SHOP.OPS.TIDY()",
    ],
    "others' procedure of the same name": [
        "CREATE PROCEDURE SHOP.OPS.EMPTY_IT() RETURNS INT LANGUAGE SQL AS 'BEGIN RETURN 1; END'",
        "CALL SHOP.OPS.EMPTY_IT(1)",
    ],
    "own table swapped": [
        "CREATE TABLE SHOP.OPS.N (A INT)",
        f"ALTER TABLE SHOP.OPS.N SWAP WITH {_ITEMS}",
    ],
    "own copy swapped": [
        f"CREATE TABLE SHOP.OPS.N CLONE {_ITEMS}",
        "DELETE FROM SHOP.OPS.N",
        f"ALTER TABLE SHOP.OPS.N SWAP WITH {_ITEMS}",
    ],
    "own name in other letters": [
        'CREATE TABLE SHOP.OPS."items" (A INT)',
        f"DROP TABLE {_ITEMS}",
    ],
    "not made after all": [
        f"CREATE TABLE IF NOT EXISTS {_ITEMS} (A INT)",
        f"DROP TABLE {_ITEMS}",
    ],
    "name in a variable": [
        f"SET N = '{_ITEMS}'",
        "DELETE FROM IDENTIFIER($N)",
    ],
    "files of a stage": [
        f"CREATE TABLE SHOP.OPS.L LIKE {_ITEMS}",
        'COPY INTO SHOP.OPS.L FROM @SHOP.OPS."inbox" PURGE = TRUE',
    ],
}


@pytest.mark.parametrize("what", _DIRECTLY)
def test_nothing_of_the_account_changes_before_a_person_has_answered(what, tmp_path):
    work = Workplace(tmp_path, _COMPANY)
    reply = work.begin(playbook_of([_DIRECTLY[what]], _AT_ONCE))
    assert difference(work.begun, work.look()) == []
    assert (reply.status, reply.pause.at) == (3, "before:1")


@pytest.mark.slow
@pytest.mark.parametrize("what", _BY_ITS_OWN)
def test_what_the_thread_made_is_no_way_around(what, tmp_path):
    work = Workplace(tmp_path, _COMPANY)
    reply = work.begin(playbook_of(_BY_ITS_OWN[what], _AT_ONCE))
    others = (line for line in difference(work.begun, work.look()) if "SHOP.OPS.N:" not in line)
    gone = [line for line in others if "is new" not in line]
    assert gone == []
    assert (reply.status, reply.pause.severity) == (3, "critical")


_REVIEWED = """checkpoint:
  severity: review
  present: "Made."
"""
_WORKS_ON_IT = {
    "adds rows": 'INSERT INTO SHOP.OPS."passing" VALUES (1)',
    "grants": 'GRANT SELECT ON TABLE SHOP.OPS."passing" TO ROLE CLERK',
    "replaces it": 'CREATE OR REPLACE TABLE SHOP.OPS."passing" (B INT)',
}


@pytest.mark.parametrize("gone", ["DROP TABLE", "TRUNCATE TABLE", "DELETE FROM"])
@pytest.mark.parametrize("word", ["", "adds rows", "grants", "replaces it"])
def test_what_the_thread_made_is_its_own_until_others_work_on_it(word, gone, tmp_path):
    steps = ['CREATE TABLE SHOP.OPS."passing" (A INT)', f'{gone} SHOP.OPS."passing"']
    work = Workplace(tmp_path)
    one, two = playbook_of(steps[:1], _REVIEWED), playbook_of(steps, _AT_ONCE)
    work.begin(one + two[two.index("\n### Step 2") :])
    if word:
        work.others(_WORKS_ON_IT[word])
    left = work.look()
    reply = work.answer()
    if word == "replaces it":
        assert (reply.pause.at, reply.pause.severity) == ("before:2", "review")
        assert "another one has that name now" in reply.pause.present
        reply = work.answer()
        assert difference(left, work.look()) == []
        assert (reply.pause.severity, reply.pause.phrase) == ("critical", "do step 2")
    elif word:
        assert difference(left, work.look()) == []
        assert (reply.status, reply.pause.at, reply.pause.severity) == (3, "before:2", "critical")
    else:
        assert reply.pause is None or reply.pause.at != "before:2"


def test_a_person_who_saw_a_grant_lets_it_through(tmp_path):
    work = Workplace(tmp_path, _COMPANY)
    work.begin(playbook_of([_DIRECTLY["grants"]], _AT_ONCE))
    work.answer()
    assert [line.partition(" is new")[0] for line in difference(work.begun, work.look())] == [
        "TABLE: SHOP.OPS.ITEMS: grant SELECT to ROLE CLERK"
    ]


def test_what_a_procedure_of_its_own_may_do_unasked_is_done(tmp_path):
    work = Workplace(tmp_path, _COMPANY)
    adds = "'BEGIN INSERT INTO SHOP.OPS.ITEMS VALUES (9, ''new'', 1); RETURN 1; END'"
    steps = [
        f"CREATE PROCEDURE SHOP.OPS.ADD_IT() RETURNS INT LANGUAGE SQL AS {adds}",
        "CALL SHOP.OPS.ADD_IT()",
    ]
    assert work.begin(playbook_of(steps, _AT_ONCE)).status == 0


# ---- a dry run reaches nothing but its copy of the account


def _made_and_called(code: str) -> list[str]:
    made = (
        "CREATE PROCEDURE SHOP.OPS.TIDY() RETURNS INT LANGUAGE PYTHON RUNTIME_VERSION = '3.11' "
        f"PACKAGES = ('snowflake-snowpark-python') HANDLER = 'f' AS $$\n{code}\n$$"
    )
    return ["SELECT 1", made, "CALL SHOP.OPS.TIDY()"]


_REACHING = {
    "opens a file": "def f(s):\n    open({there!r}, 'w').write('x')\n    return 1",
    "by another module": "import os\ndef f(s):\n    os.mkdir({there!r})\n    return 1",
    "when it is read": "open({there!r}, 'w').write('x')\ndef f(s):\n    return 1",
    "by a module's module": ("import uuid\ndef f(s):\n    uuid.os.mkdir({there!r})\n    return 1"),
    "by a data frame": (
        "import pandas\ndef f(s):\n    pandas.DataFrame([1]).to_csv({there!r})\n    return 1"
    ),
    "by an imported name": (
        "from statistics import sys\ndef f(s):\n"
        "    sys.modules['os'].mkdir({there!r})\n    return 1"
    ),
}


@pytest.mark.parametrize("how", _REACHING)
def test_a_dry_run_runs_no_python_that_reaches_beyond_the_account(how, tmp_path):
    there = tmp_path / "reached"
    work = Workplace(tmp_path / "home")
    steps = _made_and_called(_REACHING[how].format(there=str(there)))
    assert work.begin(playbook_of(steps), "--dry-run").pause.at == "dry_run"
    assert not there.exists()
    assert difference(work.begun, work.look()) == []


@pytest.mark.posix("processes of their own for handlers")
def test_a_dry_run_tries_python_that_stays_with_its_session(tmp_path):
    work = Workplace(tmp_path)
    steps = _made_and_called(
        f"def f(s):\n    s.table('{_ITEMS}').delete()\n    return len(s.sql('SELECT 1').collect())"
    )
    work.begin(playbook_of(steps), "--dry-run")
    told = [event.model_dump_json() for event in work.events("step_planned")]
    assert [text for text in told if "not rehearsed" in text] == []
    assert difference(work.begun, work.look()) == []


def test_a_dry_run_does_not_wait_where_a_step_waits(tmp_path):
    work = Workplace(tmp_path)
    began = time.monotonic()
    work.begin(playbook_of(["SELECT SYSTEM$WAIT(3600)", "CALL SYSTEM$WAIT(3600)"]), "--dry-run")
    assert time.monotonic() - began < 60
    assert work.reply.pause.at == "dry_run"
