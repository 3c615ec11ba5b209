"""Exports: what moves data, code and entries come back as they were."""

from collections.abc import Iterator

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.tools import export
from skills_nb.embedded.tools.export import portrait
from skills_nb.errors import SqlError
from skills_nb.sql.statements import split

RICH = """
create role owner_role;
create database d; create schema d.s; use schema d.s;
create sequence numbers start 5; select numbers.nextval;
create table t (id int, n int default numbers.nextval); insert into t (id) values (1);
create file format f type = csv field_delimiter = '|' skip_header = 1;
create stage files file_format = (format_name = 'f') directory = (enable = true) comment = 'c';
create function plus_one(a int) returns int as 'a + 1';
create view v as select plus_one(id) as x from t;
create procedure p(a int) returns int language sql as $$ begin return a; end $$;
create stream changes on table t append_only = true;
create dynamic table moved target_lag = '1 minute' warehouse = compute_wh as select id from t;
alter dynamic table moved suspend;
create task root warehouse = compute_wh schedule = '1 minute' as begin select 1; select 2; end;
create task child warehouse = compute_wh after root as call p(1);
create task last_one warehouse = compute_wh finalize = root as select 3;
alter task child resume; alter task root resume;
create alert warn warehouse = compute_wh schedule = '5 minute'
  if (exists (select id from t)) then insert into t (id) values (2);
create pipe load as copy into t (id) from (select $1 from @files);
alter pipe load set pipe_execution_paused = true;
create network rule web type = host_port mode = egress value_list = ('example.com');
create secret word type = password username = 'u' password = 'hidden';
create external access integration out allowed_network_rules = (web) enabled = true;
create network policy np allowed_ip_list = ('10.0.0.1');
create password policy pp password_min_length = 12;
create semantic view facts tables (t primary key (id)) metrics (t.rows_in as count(*));
create compute pool cp min_nodes = 1 max_nodes = 1 instance_family = CPU_X64_XS;
create image repository images;
create service svc in compute pool cp from specification $$spec: 'x'$$; alter service svc suspend;
create streamlit app root_location = '@files/app' main_file = 'a.py' query_warehouse = compute_wh;
create notebook nb from '@files/nb'; alter notebook nb add live version from last;
create model m with version v1 from @files/m; alter model m add version v2 from @files/m2;
alter model m version v2 set alias = best; alter model m set default_version = v2;
create dbt project dbt from '@files/dbt'; alter dbt project dbt add version from '@files/dbt';
create agent helper from specification $$models: {}$$;
create cortex search service find on x attributes y warehouse = compute_wh target_lag = '1 hour'
  as select 'a' as x, 'b' as y from t;
alter cortex search service find suspend indexing;
create application package app;
create external listing l application package app as 'title: "x"' publish = false;
alter listing l publish;
create replication group r object_types = roles allowed_accounts = o.a;
alter replication group r suspend;
create external volume vol storage_locations = ((name = 'a' storage_base_url = 's3://b/'));
grant usage on function plus_one(int) to role owner_role;
grant ownership on procedure p(int) to role owner_role;
grant usage on streamlit app to role owner_role;
"""


@pytest.fixture
def rich() -> Iterator[Account]:
    with Account.open() as account:
        session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for statement in split(RICH):
            session.execute(statement.text)
        yield account


def test_everything_comes_back(rich: Account) -> None:
    script = "".join(export.export(rich))
    with Account.open() as copy:
        export.load(copy, script)
        assert portrait.of(copy.catalog) == portrait.of(rich.catalog)
        assert "".join(export.export(copy)) == script


def test_a_sequence_goes_on(rich: Account) -> None:
    with Account.open() as copy:
        export.load(copy, "".join(export.export(rich)))
        session = copy.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH", "D", "S")
        assert session.execute("select numbers.nextval").rows == ((7,),)


def test_no_secret_is_in_the_script(rich: Account) -> None:
    script = "".join(export.export(rich))
    assert "create or replace secret D.S.WORD" in script
    assert "hidden" not in script


def test_files_in_a_stage_are_not_lost_in_silence(rich: Account) -> None:
    session = rich.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH", "D", "S")
    session.execute("copy into @files/out from (select 1 as a)")
    with pytest.raises(SqlError) as refused:
        "".join(export.export(rich))
    assert "files in STAGE D.S.FILES" in str(refused.value)
