"""What moves data shows no masked value and needs the privileges that reading needs.

Pages of the manual: sql-reference/functions/invoker_role, user-guide/security-column-intro.
"""

import pytest

from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

SECRETS = ("111-11", "222-22", "333-33")


def run(session: AccountSession, *statements: str) -> None:
    for statement in statements:
        session.execute(statement)


@pytest.fixture
def maker(admin: AccountSession, analyst: AccountSession) -> AccountSession:
    """An analyst who may make things."""
    for what in ("table", "view", "stream", "dynamic table", "task", "alert", "sequence"):
        admin.execute(f"grant create {what} on schema shop.sales to role analyst")
    admin.execute("grant create procedure, create function on schema shop.sales to role analyst")
    admin.execute("grant execute task on account to role analyst")
    return analyst


READS = (
    "select * from people at (offset => -0.0001)",
    "select * from people before (statement => '{changed}')",
    "select * from people changes (information => default) before (statement => '{changed}')",
    "select * from people changes (information => append_only) before (statement => '{changed}')",
    "select * from s",
    "select max(ssn), min(ssn) from s where metadata$action = 'INSERT'",
    "select * from v at (statement => '{changed}')",
    "select * from vs",
    "select * from c",
    "select * from d",
    "select * from sink",
    "select p.ssn from people p join s on s.ssn = p.ssn",
)


@pytest.mark.parametrize("read", READS)
def test_no_read_of_moved_data_shows_a_masked_value(
    admin: AccountSession, maker: AccountSession, read: str
) -> None:
    run(maker, "create stream s on table people", "create view v as select * from people")
    run(maker, "create stream vs on view v")
    changed = admin.execute("update people set ssn = ssn || '!', name = ssn where id = 1").query_id
    admin.execute("update people set name = 'Ann' where id = 1")
    lag = "target_lag = '1 minute' warehouse = compute_wh"
    run(maker, f"create dynamic table d {lag} as select * from people")
    run(maker, f"create table c clone people at (statement => '{changed}')")
    run(
        maker,
        "create table sink (ssn string)",
        "create task t warehouse = compute_wh schedule = '1 minute' "
        "as insert into sink select ssn from s",
    )
    maker.execute("execute task t") if "sink" in read else None
    admin.execute("update people set name = 'Ann' where id = 1")
    read = read.replace("{changed}", changed)
    try:
        shown = repr(maker.execute(read).rows)
    except SqlError as refused:
        shown = str(refused)
    hidden = shown.replace("name", "")
    assert not [s for s in SECRETS if s in hidden and "!" in hidden.partition(s)[2][:1]]
    assert "222-22" not in shown
    assert "333-33" not in shown


def test_a_dynamic_table_holds_what_its_owner_sees_whoever_refreshes_it(
    admin: AccountSession, maker: AccountSession
) -> None:
    lag = "target_lag = '1 minute' warehouse = compute_wh"
    run(maker, f"create dynamic table d {lag} as select ssn from people")
    admin.execute("grant role analyst to role accountadmin")
    admin.execute("alter dynamic table shop.sales.d refresh")
    assert admin.execute("select distinct ssn from shop.sales.d").rows == (("***",),)


def test_a_task_runs_as_its_owner_whoever_executes_it(
    admin: AccountSession, maker: AccountSession
) -> None:
    run(
        maker,
        "create table sink (ssn string, role string)",
        "create task t warehouse = compute_wh schedule = '1 minute' "
        "as insert into sink select ssn, current_role() from people",
    )
    admin.execute("grant role analyst to role accountadmin")
    admin.execute("execute task shop.sales.t")
    assert admin.execute("select distinct ssn, role from sink").rows == (("***", "ANALYST"),)


@pytest.mark.parametrize(
    ("sql", "errno"),
    [
        ("execute task theirs", 2003),
        ("alter task theirs resume", 2003),
        ("execute alert theirs", 2003),
        ("select * from theirs", 2003),
        ("select theirs.nextval", 2003),
        ("create stream mine on table hidden", 2003),
        ("drop stream theirs", 2003),
        ("select system$stream_has_data('theirs')", 2003),
        (
            "create dynamic table d target_lag = '1 minute' warehouse = compute_wh as "
            "select * from hidden",
            2003,
        ),
        ("create table c clone hidden at (offset => 0)", 2003),
        ("select * from hidden changes (information => default) at (offset => 0)", 2003),
    ],
)
def test_nobody_reaches_what_was_not_granted(
    admin: AccountSession, maker: AccountSession, sql: str, errno: int
) -> None:
    run(
        admin,
        "create table hidden (a int)",
        "create stream theirs on table people",
        "create sequence theirs",
        "create task theirs warehouse = compute_wh schedule = '1 minute' as select 1",
        "create alert theirs warehouse = compute_wh schedule = '1 minute' "
        "if (exists (select 1)) then select 1",
    )
    with pytest.raises(SqlError) as refused:
        maker.execute(sql)
    assert refused.value.errno == errno


def test_who_may_read_a_stream_must_also_read_its_table(
    admin: AccountSession, analyst: AccountSession
) -> None:
    run(admin, "create table hidden (a int)", "create stream theirs on table hidden")
    admin.execute("grant select on stream theirs to role analyst")
    with pytest.raises(SqlError) as refused:
        analyst.execute("select * from theirs")
    assert refused.value.errno == 2003
    admin.execute("grant select on table hidden to role analyst")
    assert analyst.execute("select * from theirs").rows == ()
