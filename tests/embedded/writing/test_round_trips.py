"""GET_DDL: dropping an object and running its DDL gives the same row of SHOW, times left out."""

from typing import Any

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError
from skills_nb.sql.statements import split

BEFORE = """
create database d;
create table source (id int primary key, name string not null default 'x' comment 'c');
create table spec (a int);
create stage files;
create task root warehouse = compute_wh schedule = '1 minute' as select 1;
create compute pool pool min_nodes = 1 max_nodes = 1 instance_family = CPU_X64_XS;
"""
MADE = {
    ("TABLE", "TABLES"): "create transient table o (id int, n number(5,2) not null) comment = 'c'",
    ("VIEW", "VIEWS"): "create view o (a) comment = 'c' as select id from source",
    ("SEQUENCE", "SEQUENCES"): "create sequence o start 5 increment 3 noorder comment = 'c'",
    ("STREAM", "STREAMS"): "create stream o on table source append_only = true comment = 'c'",
    ("TASK", "TASKS"): "create task o warehouse = compute_wh comment = 'it''s' after root "
    "when system$stream_has_data('x') as begin select 1; select 2; end",
    ("ALERT", "ALERTS"): "create alert o warehouse = compute_wh schedule = '5 minute' "
    "if (exists (select id from source where name = 'a')) then insert into spec values (1)",
    ("PIPE", "PIPES"): "create pipe o comment = 'c' as copy into spec from @files",
    ("FILE_FORMAT", "FILE FORMATS"): "create file format o type = csv field_delimiter = '|' "
    "skip_header = 1 null_if = ('a', 'b') comment = 'c'",
    ("DYNAMIC_TABLE", "DYNAMIC TABLES"): "create dynamic table o target_lag = '1 minute' "
    "warehouse = compute_wh comment = 'c' as select id, name from source",
    ("SEMANTIC_VIEW", "SEMANTIC VIEWS"): "create semantic view o tables (s as source "
    "primary key (id) with synonyms = ('t')) dimensions (s.who as name comment = 'it''s') "
    "metrics (s.n as count(*)) comment = 'c'",
    ("NOTEBOOK", "NOTEBOOKS"): "create notebook o from '@files' query_warehouse = compute_wh",
    ("DBT_PROJECT", "DBT PROJECTS"): "create dbt project o from '@files' default_target = 'a'",
    ("AGENT", "AGENTS"): "create agent o comment = 'c' profile = '{\"a\": 1}' "
    "from specification $$a: 'b'\nc: 1$$",
    ("CORTEX_SEARCH_SERVICE", "CORTEX SEARCH SERVICES"): "create cortex search service o on name "
    "attributes id warehouse = compute_wh target_lag = '1 hour' as select name, id from source",
    ("TAG", "TAGS"): "create tag o allowed_values 'a', 'b' comment = 'c'",
    ("POLICY", "MASKING POLICIES"): "create masking policy o as (v string) returns string -> "
    "case when current_role() = 'X' then v else '*' end comment = 'c'",
    ("POLICY", "PASSWORD POLICIES"): "create password policy o password_min_length = 12 "
    "comment = 'c'",
    ("POLICY", "SESSION POLICIES"): "create session policy o session_idle_timeout_mins = 30",
    ("WAREHOUSE", "WAREHOUSES"): "create warehouse o warehouse_size = medium auto_suspend = 60 "
    "comment = 'c'",
    ("STORAGE_INTEGRATION", "INTEGRATIONS"): "create storage integration o type = external_stage "
    "storage_provider = 'S3' enabled = true storage_aws_role_arn = 'arn' "
    "storage_allowed_locations = ('s3://a/', 's3://b/')",
    ("REPLICATION_GROUP", "REPLICATION GROUPS"): "create replication group o object_types = roles, "
    "account parameters allowed_accounts = o.a, o.b replication_schedule = '10 minute'",
}
PASSING = (
    "created_on",
    "updated_on",
    "resumed_on",
    "id",
    "uuid",
    "url_id",
    "stale_after",
    "data_timestamp",
)
WRITTEN = ("text",)
"""Says how the statement was typed."""


@pytest.fixture
def session() -> Any:
    with Account.open() as account:
        opened = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for statement in split(BEFORE):
            opened.execute(statement.text)
        yield opened


def _shown(session: AccountSession, plural: str) -> dict[str, Any]:
    found = session.execute(f"show {plural} like 'O'")
    (row,) = found.rows
    named = dict(zip((c.name for c in found.columns), row, strict=True))
    return {k: v for k, v in named.items() if k not in (*PASSING, *WRITTEN)}


def _ddl(session: AccountSession, word: str, name: str, qualified: str = "false") -> str:
    (row,) = session.execute(f"select get_ddl('{word}', '{name}', {qualified})").rows
    return str(row[0])


@pytest.mark.parametrize(("word", "plural"), MADE, ids=lambda v: str(v))
@pytest.mark.parametrize("qualified", ["false", "true"])
def test_an_object_comes_back_as_it_was(
    session: AccountSession, word: str, plural: str, qualified: str
) -> None:
    session.execute(MADE[word, plural])
    before, text = _shown(session, plural), _ddl(session, word, "o", qualified)
    kind = plural[:-3] + "y" if plural.endswith("IES") else plural[:-1]
    session.execute(f"drop {kind} o")
    for statement in split(text):
        session.execute(statement.text)
    assert _shown(session, plural) == before
    assert _ddl(session, word, "o", qualified) == text


ROUTINES = {
    "FUNCTION": "create secure function o(a int, b string default 'x') returns string language sql "
    "comment = 'c' as $$ a || 'it''s' || b $$",
    "PROCEDURE": "create procedure o(a int) returns table (x int, y string) language sql "
    "execute as caller as $$ begin return table(select 1 as x, 'a' as y); end $$",
}
SIGNATURES = {"FUNCTION": "o(int, varchar)", "PROCEDURE": "o(int)"}


@pytest.mark.parametrize("word", ROUTINES)
def test_a_routine_comes_back_as_it_was(session: AccountSession, word: str) -> None:
    session.execute(ROUTINES[word])
    described = session.execute(f"describe {word} {SIGNATURES[word]}").rows
    text = _ddl(session, word, SIGNATURES[word])
    session.execute(f"drop {word} {SIGNATURES[word]}")
    session.execute(text)
    assert session.execute(f"describe {word} {SIGNATURES[word]}").rows == described
    assert _ddl(session, word, SIGNATURES[word]) == text


def test_the_ddl_of_a_schema_makes_its_objects_again(session: AccountSession) -> None:
    for made in ("SEQUENCE", "STREAM", "TASK", "FILE_FORMAT", "SEMANTIC_VIEW"):
        statement = next(text for (word, _), text in MADE.items() if word == made)
        session.execute(statement.replace(" o ", f" o_{made} ", 1))
    text = _ddl(session, "SCHEMA", "d.public", "true")
    session.execute("drop schema d.public")
    for statement in split(text):
        session.execute(statement.text)
    assert _ddl(session, "SCHEMA", "d.public", "true") == text


def test_kinds_that_snowflake_writes_no_ddl_for_are_refused(session: AccountSession) -> None:
    with pytest.raises(SqlError) as refused:
        _ddl(session, "STAGE", "files")
    assert (refused.value.errno, refused.value.sqlstate) == (2, "0A000")


def test_an_object_that_is_not_there_has_no_ddl(session: AccountSession) -> None:
    with pytest.raises(SqlError) as refused:
        _ddl(session, "TASK", "nothing")
    assert refused.value.errno == 2003
