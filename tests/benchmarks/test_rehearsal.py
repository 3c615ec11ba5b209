"""What a dry run of `secure-sensitive-data` costs over many wide tables.

Run: `python -m pytest -m benchmark -s tests/benchmarks/test_rehearsal.py`. Each size has a process
of its own, so that memory is that of one run.
"""

import json
import subprocess
import sys

import pytest

COLUMNS = 30
BAR_S, BAR_MB = 10.0, 500
SIZES = (250, 1000)
SENSITIVE = ("EMAIL", "PHONE", "FIRST_NAME", "LAST_NAME", "IBAN")
"""Names that tell what is inside; the other columns are plain measures."""


def rehearse(tables):
    """Print seconds of CPU, the process's peak in MB, and the objects that would change."""
    import resource
    import time

    from skills_nb.bench.skills import playbook_driver
    from skills_nb.commands.wiring import shipped_library
    from skills_nb.embedded.engine.account import Account
    from skills_nb.reading import open_library

    account = Account.open(None)
    session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    for sql in ("CREATE DATABASE WIDE", "CREATE SCHEMA WIDE.S"):
        session.execute(sql)
    for role in ("PII_READER", "ANALYST"):
        session.execute(f"CREATE ROLE {role}")
        session.execute(f"GRANT ROLE {role} TO USER ADMIN")
    names = [f"{name} VARCHAR" for name in SENSITIVE]
    names += [f"MEASURE_{i} NUMBER(12, 2)" for i in range(COLUMNS - len(SENSITIVE))]
    for i in range(tables):
        session.execute(f"CREATE TABLE WIDE.S.T{i} ({', '.join(names)})")
    library = open_library(shipped_library(), None)
    with playbook_driver._conductor(library, account) as (conductor, _):
        begin = time.process_time()
        goal, inputs = "playbooks/secure-sensitive-data", {"target_scope": "WIDE.S"}
        conductor.start(goal, inputs, dry_run=True, thread_id="t")
        state = conductor.advance("t")
        took = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    changed = state.run.summary.would_modify
    print(json.dumps({"s": took, "mb": peak, "columns": changed.get("columns", 0)}))


@pytest.fixture(scope="module")
def figures():
    found = {}
    for tables in SIZES:
        command = [sys.executable, __file__, str(tables)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found[tables] = json.loads(done.stdout.splitlines()[-1])
        print(f"{tables:6} tables {found[tables]['s']:7.1f} s {found[tables]['mb']:7.0f} MB")
    return found


def test_every_telling_column_would_be_masked(figures):
    assert {n: f["columns"] for n, f in figures.items()} == {
        tables: tables * len(SENSITIVE) for tables in SIZES
    }


def test_cost_is_linear_in_tables(figures):
    small, large = SIZES
    assert figures[large]["s"] / figures[small]["s"] <= 1.25 * large / small


def test_a_thousand_tables_take_ten_seconds_and_half_a_gigabyte(figures):
    assert (figures[1000]["s"] <= BAR_S, figures[1000]["mb"] <= BAR_MB) == (True, True)


if __name__ == "__main__":
    rehearse(int(sys.argv[1]))
