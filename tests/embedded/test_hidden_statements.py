"""Every statement answers for what is hidden as for what is not there, what succeeds included.

Of account roles anybody may know, so they are not among the statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.errors import SqlError

from .conftest import statements

SOME, NONE = "Some", "None"
"""What the names of objects that are there begin with, and of those that are not."""

BEFORE = """
create database home
create schema home.s
create schema home.open
create database hid
create schema hid.hs
create table hid.hs."Some X" (id int)
create schema home."Some X"
create table home."Some X".t (id int)
create table home.s."Some X" (id int, name string)
create view home.s."Some V" as select id from home.s."Some X"
create secure view home.s."Some SV" as select id from home.s."Some X"
create function home.s."Some F"(a int) returns int as 'a+1'
create function home.s."Some TF"() returns table(a int) as 'select 1'
create procedure home.s."Some P"() returns int language sql as 'begin return 1; end'
create sequence home.s."Some SEQ"
create stream home.s."Some ST" on table home.s."Some X"
create task home.s."Some T" schedule='1 minute' as select 1
create dynamic table home.s."Some D" target_lag='1 hour' warehouse=compute_wh as select id from
  home.s."Some X"
create stage home.s."Some SG"
create file format home.s."Some FF" type=csv
create tag home.s."Some TAG"
create masking policy home.s."Some MP" as (v int) returns int -> v
create row access policy home.s."Some RP" as (v int) returns boolean -> true
create pipe home.s."Some PI" as copy into home.s."Some X" from @home.s."Some SG"
create table home.s."Some GONE" (a int)
drop table home.s."Some GONE"
create schema home."Some GONE"
drop schema home."Some GONE"
create database "Some GONE"
drop database "Some GONE"
create database "Some DB"
create warehouse "Some WH"
create role "Some R"
create user "Some U"
create role r
create user eve default_role = r default_secondary_roles = ()
grant role r to user eve
grant usage on warehouse compute_wh to role r
grant usage on database home to role r
grant usage on schema home.s to role r
grant all on schema home.open to role r
create table home.open.t (id int, name string)
grant ownership on table home.open.t to role r
create tag home.open.g
grant apply on tag home.open.g to role r
"""
"""Objects that the role R may not see, in a schema that it sees and in one that it does not."""

STATEMENTS = """
undrop table home.s."{n} GONE"
undrop table home.s."{n} X"
undrop schema home."{n} GONE"
undrop schema home."{n} X"
undrop database "{n} GONE"
undrop database "{n} DB"
drop table if exists home.s."{n} X"
drop view if exists home.s."{n} V"
drop schema if exists home."{n} X"
drop database if exists "{n} DB"
drop function if exists home.s."{n} F"(int)
drop function home.s."{n} F"(int)
drop procedure if exists home.s."{n} P"()
drop user if exists "{n} U"
drop warehouse if exists "{n} WH"
drop stage if exists home.s."{n} SG"
drop tag if exists home.s."{n} TAG"
drop dynamic table if exists home.s."{n} D"
drop stream if exists home.s."{n} ST"
drop table if exists home.s."{n} V"
drop view if exists home.s."{n} X"
drop table hid.hs."{n} X"
drop table if exists hid.hs."{n} X"
alter table if exists home.s."{n} X" add column b int
alter view if exists home.s."{n} V" set comment='x'
alter user if exists "{n} U" set comment = 'x'
alter warehouse if exists "{n} WH" suspend
alter table if exists home.s."{n} X" rename to home.open.zz
alter table home.open.t rename to hid.hs."{n} X"
alter table home.open.t rename to home.s."{n} X"
alter table home.open.t swap with hid.hs."{n} X"
alter schema if exists home."{n} X" rename to home.z
comment if exists on table home.s."{n} X" is 'x'
comment if exists on schema home."{n} X" is 'x'
comment on column home.s."{n} X".id is 'x'
list @home.s."%{n} X"
ls @home.s."{n} SG"
list @home.s."{n} SG"/a
select $1 from @home.s."%{n} X"
rm @home.s."%{n} X"
select home.s."{n} F"(1)
select home.s."{n} F"(1) + 1 from home.open.t
select * from table(home.s."{n} TF"())
select * from home.open.t, table(home.s."{n} TF"())
call home.s."{n} P"()
select home.s."{n} SEQ".nextval
select * from identifier('home.s."{n} X"')
select * from table('home.s."{n} X"')
select * from table('home.s."{n} V"')
select * from home.s."{n} V"
select * from home.s."{n} ST"
select * from home.s."{n} D"
select * from home."{n} X".t
select * from hid.hs."{n} X"
select * from "{n} DB".public.t
select * from "{n} DB".information_schema.tables
use database "{n} DB"
use schema home."{n} X"
use warehouse "{n} WH"
use identifier('"{n} DB"')
show grants to user "{n} U"
show grants on table home.s."{n} X"
show grants on database "{n} DB"
show grants on schema home."{n} X"
show grants on user "{n} U"
show grants on warehouse "{n} WH"
show future grants in schema home."{n} X"
show future grants in database "{n} DB"
describe table home.s."{n} X"
describe view home.s."{n} V"
describe table home.s."{n} V"
describe view home.s."{n} X"
describe function home.s."{n} F"(int)
describe procedure home.s."{n} P"()
describe stream home.s."{n} ST"
describe user "{n} U"
describe database "{n} DB"
describe schema home."{n} X"
describe warehouse "{n} WH"
describe stage home.s."{n} SG"
create table home.open.c clone home.s."{n} X"
create schema home.open2 clone home."{n} X"
create database ddd clone "{n} DB"
create table home.open.c like home.s."{n} X"
create table home.open.c as select * from home.s."{n} X"
create stream home.open.st on table home.s."{n} X"
create stream home.open.st on view home.s."{n} V"
create stream if not exists home.open.st on table home.s."{n} X"
create dynamic table home.open.d target_lag='1 hour' warehouse=compute_wh as select * from
  home.s."{n} X"
create dynamic table home.open.d target_lag='1 hour' warehouse="{n} WH" as select 1 a
create view home.open.v as select * from home.s."{n} X"
create view home.open.v as select home.s."{n} F"(1) a
create materialized view home.open.mv as select id from home.s."{n} X"
create function home.open.fu() returns int as 'select max(id) from home.s."{n} X"'
create function home.open.fu() returns int as 'home.s."{n} F"(1)'
create task home.open.tk warehouse="{n} WH" schedule='1 minute' as select 1
create task home.open.tk after home.s."{n} T" as select 1
create table home.open.w (id int default home.s."{n} SEQ".nextval)
create table home.open.w (id int) with tag (home.s."{n} TAG"='a')
create table home.open.w (id int with masking policy home.s."{n} MP")
create table home.open.w (id int) with row access policy home.s."{n} RP" on (id)
create table home.open.w (id int references home.s."{n} X"(id))
create table if not exists hid.hs."{n} X" (a int)
create table hid.hs."{n} X" (a int)
create view if not exists hid.hs."{n} X" as select 1 a
create or replace table hid.hs."{n} X" (a int)
create table if not exists "{n} DB".public.t (a int)
create schema if not exists "{n} DB".s
create user if not exists "{n} U"
create role if not exists "{n} Z"
create warehouse if not exists "{n} WH"
create database if not exists "{n} DB"
create schema if not exists home."{n} X"
create table if not exists home.s."{n} X" (a int)
create function if not exists home.s."{n} F"(a int) returns int as '1'
create pipe home.open.p as copy into home.s."{n} X" from @home.s."{n} SG"
copy into home.s."{n} X" from @home.open.x
copy into @~/x from home.s."{n} X"
insert into home.open.t select id, 'a' from home.s."{n} X"
insert into home.s."{n} X" values (1)
merge into home.open.t using home.s."{n} X" x on x.id = t.id when matched then delete
update home.open.t set id = 1 from home.s."{n} X" x
delete from home.open.t using home.s."{n} X" x where x.id = t.id
truncate table if exists home.s."{n} X"
truncate home.s."{n} X"
select system$get_tag('home.s."{n} TAG"','home.open.t','table')
select system$get_tag('home.open.g','home.s."{n} X"','table')
select system$get_tag_on_current_column('home.s."{n} TAG"')
select system$stream_has_data('home.s."{n} ST"')
select system$stream_get_table_timestamp('home.s."{n} ST"')
select system$pipe_status('home.s."{n} PI"')
select system$typeof(home.s."{n} F"(1))
select system$last_change_commit_time('home.s."{n} X"')
select system$clustering_information('home.s."{n} X"','(id)')
select system$reference('table','home.s."{n} X"')
select system$classify('home.s."{n} X"',null)
select system$task_dependents_enable('home.s."{n} T"')
select system$user_task_cancel_ongoing_executions('home.s."{n} T"')
select get_ddl('table','home.s."{n} X"')
select get_ddl('view','home.s."{n} SV"')
select get_ddl('database','"{n} DB"')
select get_ddl('schema','home."{n} X"')
select get_ddl('function','home.s."{n} F"(int)')
select * from table(get_object_references(
  database_name=>'home',schema_name=>'s',object_name=>'"{n} V"'))
select * from table(home.information_schema.policy_references(policy_name=>'home.s."{n} MP"'))
select * from table(home.information_schema.policy_references(ref_entity_name=>'home.s."{n}
  X"',ref_entity_domain=>'table'))
select * from table(home.information_schema.tag_references('home.s."{n} X"','table'))
select * from table(home.information_schema.tag_references_all_columns('home.s."{n} X"','table'))
select * from table(home.information_schema.copy_history(table_name=>'home.s."{n}
  X"',start_time=>dateadd(hour,-1,current_timestamp())))
select * from table(home.information_schema.task_dependents(task_name=>'home.s."{n} T"'))
select * from table(home.information_schema.task_history(task_name=>'{n} T'))
select * from table(home.information_schema.dynamic_table_refresh_history(name=>'home.s."{n} D"'))
select * from table(home.information_schema.query_history_by_user(user_name=>'{n} U'))
select * from table(home.information_schema.query_history_by_warehouse(warehouse_name=>'{n} WH'))
select * from table(home.information_schema.login_history_by_user(user_name=>'{n} U'))
select * from table(home.information_schema.warehouse_load_history(warehouse_name=>'{n} WH'))
select * from table(home.information_schema.pipe_usage_history(pipe_name=>'home.s."{n} PI"'))
select * from table(home.information_schema.stage_directory_file_registration_history(
  stage_name=>'home.s."{n} SG"'))
select * from table(home.information_schema.data_metric_function_references(
  ref_entity_name=>'home.s."{n} X"',ref_entity_domain=>'table'))
select * from table(infer_schema(location=>'@home.s."{n} SG"',file_format=>'home.s."{n} FF"'))
select * from table(generator(rowcount=>1)), home.s."{n} X"
select * from directory(@home.s."{n} SG")
select count(*) from home.information_schema.tables where table_name = '{n} X'
explain select * from home.s."{n} X"
explain using text select home.s."{n} F"(1)
explain insert into home.s."{n} X" values (1)
show tables like '{n} X' in home.s
show tables in schema home."{n} X"
show objects in database "{n} DB"
show schemas in database "{n} DB"
show views like '{n}%'
show columns in table home.s."{n} X"
show columns in view home.s."{n} V"
show primary keys in home.s."{n} X"
show parameters in table home.s."{n} X"
show parameters in user "{n} U"
show parameters for warehouse "{n} WH"
show users like '{n}%'
show warehouses like '{n}%'
show databases like '{n}%'
show databases history like '{n}%'
show tables history like '{n}%'
show schemas history like '{n}%'
show user functions like '{n}%'
show procedures like '{n}%'
show tags like '{n}%'
show masking policies like '{n}%'
show terse tables in hid.hs
show channels in table home.s."{n} X"
show streams like '{n}%'
show policies in schema home."{n} X"
grant select on table home.s."{n} X" to role r
grant usage on function home.s."{n} F"(int) to role r
grant select on all tables in schema home."{n} X" to role r
grant select on future tables in schema home."{n} X" to role r
grant ownership on table home.s."{n} X" to role r
grant role r to user "{n} U"
revoke role r from user "{n} U"
revoke select on table home.s."{n} X" from role r
revoke usage on database "{n} DB" from role r
alter table home.open.t set tag home.s."{n} TAG"='x'
alter table home.open.t unset tag home.s."{n} TAG"
alter table home.open.t modify column id set masking policy home.s."{n} MP"
alter table home.open.t add row access policy home.s."{n} RP" on (id)
alter table home.open.t drop row access policy home.s."{n} RP"
alter table home.open.t add foreign key (id) references home.s."{n} X"(id)
alter table home.open.t modify column id set default home.s."{n} SEQ".nextval
set x = (select max(id) from home.s."{n} X")
execute immediate 'select * from home.s."{n} X"'
execute immediate $$begin let c cursor for select * from home.s."{n} X"; open c; return 1; end$$
execute immediate from @home.s."{n} SG"/a.sql
execute task home.s."{n} T"
alter task if exists home.s."{n} T" resume
alter dynamic table if exists home.s."{n} D" refresh
alter pipe if exists home.s."{n} PI" refresh
alter stream if exists home.s."{n} ST" set comment = 'a'
alter tag if exists home.s."{n} TAG" set comment = 'a'
alter function if exists home.s."{n} F"(int) set comment='a'
alter function home.s."{n} F"(int) rename to home.open.fff
select * from home.s."{n} X" at (offset => -60)
select * from home.s."{n} X" changes (information => default) at (offset => -1)
select * from home.s."{n} GONE" before (offset => -1)
create table home.open.c clone home.s."{n} GONE" at (offset => -1)
put file:///tmp/x @home.s."%{n} X"
get @home.s."{n} SG" file:///tmp/
select build_stage_file_url(@home.s."{n} SG", 'a')
select get_presigned_url(@home.s."{n} SG", 'a')
with "{n} Q" as (select 1 a) select * from "{n} Q", home.s."{n} X"
select * from home.open.t where exists (select 1 from home.s."{n} X")
select 'home.s."{n} X"'::regclass
"""
"""Each with `{n}` where the name begins."""


@pytest.fixture(scope="module")
def crowded() -> Iterator[Account]:
    with Account.open() as opened:
        admin = opened.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for statement in statements(BEFORE):
            admin.execute(statement)
        yield opened


def answer(account: Account, form: str, name: str) -> str:
    """Say what a statement answers, with one word in place of the name; nothing of it stays."""
    whole = account.snapshot_without_rows()
    eve = whole.session("EVE", "R", "COMPUTE_WH", "HOME", "OPEN")
    try:
        made = eve.execute(form.replace("{n}", name))
        told = str((made.statement_type, made.rows))
    except SqlError as error:
        told = str((error.errno, error.sqlstate, error.message))
    whole.close()
    assert "incident" not in told
    return re.sub(name, "NAME", told, flags=re.IGNORECASE)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(6))
def test_what_is_hidden_is_as_if_it_were_not_there(crowded: Account, part: int) -> None:
    forms = statements(STATEMENTS)[part::6]
    told = {form: answer(crowded, form, SOME) for form in forms}
    assert told == {form: answer(crowded, form, NONE) for form in forms}


def test_what_others_hold_is_named_only_where_it_is_seen(crowded: Account) -> None:
    admin = crowded.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    admin.execute("create role holder")
    for granted in (
        'select on table home.s."Some X"',
        "select on table home.open.t",
        "usage on warehouse compute_wh",
        'select on future tables in database "Some DB"',
    ):
        admin.execute(f"grant {granted} to role holder")
    eve = crowded.session("EVE", "R", "COMPUTE_WH")
    told = eve.execute("show grants to role holder").rows
    assert {row[3] for row in told} == {"HOME.OPEN.T", "COMPUTE_WH"}
    assert eve.execute("show future grants to role holder").rows == ()
    whole = {row[3] for row in admin.execute("show grants to role holder").rows}
    assert whole == {"HOME.OPEN.T", "COMPUTE_WH", 'HOME.S."Some X"'}
