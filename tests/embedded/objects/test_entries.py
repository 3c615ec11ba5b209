"""Entries: made, altered, shown, described and granted; secrets are not kept."""

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

MADE = {
    "network rule": "type = ipv4 value_list = ('10.0.0.0/8') mode = ingress",
    "network policy": "allowed_ip_list = ('10.0.0.1')",
    "secret": "type = generic_string secret_string = 'hunter2'",
    "password policy": "password_min_length = 12",
    "session policy": "session_idle_timeout_mins = 30",
    "authentication policy": "authentication_methods = ('PASSWORD')",
}
PLURALS = {
    "network rule": "network rules",
    "network policy": "network policies",
    "secret": "secrets",
    "password policy": "password policies",
    "session policy": "session policies",
    "authentication policy": "authentication policies",
}


def _errno(session: AccountSession, sql: str) -> int | None:
    with pytest.raises(SqlError) as refused:
        session.execute(sql)
    return refused.value.errno


@pytest.mark.parametrize("kind", MADE)
def test_an_entry_lives_from_create_to_drop(admin: AccountSession, kind: str) -> None:
    admin.execute(f"create {kind} e {MADE[kind]} comment = 'first'")
    assert _errno(admin, f"create {kind} e {MADE[kind]}") == 2002
    admin.execute(f"alter {kind} e set comment = 'second'")
    shown = admin.execute(f"show {PLURALS[kind]} like 'E'")
    named = {c.name: v for c, v in zip(shown.columns, shown.rows[0], strict=True)}
    assert (named["name"], named["comment"]) == ("E", "second")
    assert admin.execute(f"desc {kind} e").row_count >= 1
    admin.execute(f"drop {kind} e")
    assert admin.execute(f"show {PLURALS[kind]}").rows == ()


@pytest.mark.parametrize("kind", MADE)
def test_an_entry_is_its_owners(admin: AccountSession, analyst: AccountSession, kind: str) -> None:
    assert _errno(analyst, f"create {kind} e {MADE[kind]}") == 3001
    admin.execute(f"create {kind} e {MADE[kind]}")
    assert analyst.execute(f"show {PLURALS[kind]}").rows == ()
    assert _errno(analyst, f"alter {kind} e set comment = 'x'") == 2003
    assert _errno(analyst, f"drop {kind} e") == 2003


@pytest.mark.parametrize("kind", MADE)
def test_an_unknown_property_is_refused(admin: AccountSession, kind: str) -> None:
    assert _errno(admin, f"create {kind} e {MADE[kind]} nonsense = 1") == 1420


@pytest.mark.parametrize(
    ("sql", "errno"),
    [
        ("create network rule e type = ipv9 value_list = ('x')", 1008),
        ("create network rule e type = ipv4", 1420),
        ("create network policy e allowed_network_rule_list = ('nowhere')", 2003),
        ("create password policy e password_min_length = 3", 1008),
        ("create session policy e session_idle_timeout_mins = 1", 1008),
        ("create storage integration e type = external_stage", 1420),
        ("create storage integration e enabled = true saml2_issuer = 'x'", 1420),
        ("create secret e secret_string = 'x'", 1420),
    ],
)
def test_wrong_values_are_refused(admin: AccountSession, sql: str, errno: int) -> None:
    assert _errno(admin, sql) == errno


def test_a_secrets_value_is_nowhere(admin: AccountSession, account: Account) -> None:
    admin.execute(f"create secret e {MADE['secret']}")
    admin.execute("alter secret e set secret_string = 'correct horse'")
    history = admin.execute("select * from snowflake.account_usage.query_history").rows
    kept = repr(account.fingerprint()) + repr(history)
    assert "hunter2" not in kept
    assert "correct horse" not in kept


def test_integrations_say_their_category(admin: AccountSession) -> None:
    admin.execute(
        "create storage integration si type = external_stage storage_provider = 'S3' "
        "enabled = true storage_allowed_locations = ('s3://b/')"
    )
    admin.execute(
        "create security integration oauth type = oauth enabled = true oauth_client = custom "
        "oauth_client_secret = 'hunter2'"
    )
    shown = admin.execute("show integrations").rows
    assert [row[:4] for row in shown] == [
        ("OAUTH", "OAUTH", "SECURITY", "true"),
        ("SI", "EXTERNAL_STAGE", "STORAGE", "true"),
    ]
    assert "hunter2" not in repr(admin.execute("desc integration oauth").rows)


def test_entries_survive_with_their_grants(tmp_path: object) -> None:
    from pathlib import Path

    assert isinstance(tmp_path, Path)
    with Account.open(tmp_path / "a") as account:
        session = account.session("ADMIN")
        session.execute("create database d")
        for kind, said in MADE.items():
            session.execute(f"create {kind} e {said}")
        session.execute("grant usage on secret e to role public")
        before = account.fingerprint()
    with Account.open(tmp_path / "a") as account:
        assert account.fingerprint() == before


def test_a_monitor_counts_what_its_warehouses_used(admin: AccountSession) -> None:
    admin.execute(
        "create resource monitor rm with credit_quota = 10 frequency = daily "
        "triggers on 80 percent do notify on 100 percent do suspend"
    )
    admin.execute("select count(*) from people")
    before = admin.execute("show resource monitors").rows[0]
    admin.execute("alter warehouse compute_wh set resource_monitor = rm")
    after = admin.execute("show resource monitors").rows[0]
    assert (before[2], before[4]) == (0.0, None)
    assert (after[4], after[5], after[8], after[9], after[10]) == (
        "WAREHOUSE",
        "DAILY",
        "80%",
        "100%",
        None,
    )
    assert after[2] > 0
    assert after[2] + after[3] == pytest.approx(10)


def test_only_administrators_make_monitors(analyst: AccountSession) -> None:
    assert _errno(analyst, "create resource monitor rm with credit_quota = 10") == 3001


def test_metering_follows_the_size(admin: AccountSession) -> None:
    admin.execute("select count(*) from people")
    read = "select sum(credits_used) from snowflake.account_usage.warehouse_metering_history"
    small = admin.execute(read).rows[0][0]
    admin.execute("alter warehouse compute_wh set warehouse_size = large")
    large = admin.execute(read).rows[0][0]
    assert small > 0
    assert large >= small * 4


def test_loads_are_told_to_those_who_see_the_table(
    admin: AccountSession, analyst: AccountSession, tmp_path: object
) -> None:
    admin.execute("create table t (a int)")
    (tmp_path / "t.csv").write_text("1\n2\n")  # type: ignore[operator]
    admin.execute(f"put file://{tmp_path}/t.csv @%t auto_compress = false")
    admin.execute("copy into t from @%t")
    read = (
        "select file_name, status, row_count from table(information_schema.copy_history("
        "table_name => 't', start_time => dateadd(hour, -1, current_timestamp())))"
    )
    assert admin.execute(read).rows == (("t.csv", "Loaded", 2),)
    assert _errno(analyst, read) == 2003
    listed = "select file_name from information_schema.load_history"
    assert admin.execute(listed).rows == (("@SHOP.SALES.%T/t.csv",),)
    assert analyst.execute(listed).rows == ()
