# ruff: noqa: E501 - statements stand on one line each
"""Nothing is accepted and ignored: an option that nobody knows is refused by every statement."""

from collections.abc import Iterator

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.tools import support
from skills_nb.errors import SqlError

STANDING = """
create database d
create table base (a int)
create view vw as select a from base
create role r
create stage st
create file format ff type=csv
create task tk warehouse=compute_wh schedule='1 minute' as select 1
create dynamic table dt target_lag='1 hour' warehouse=compute_wh as select a from base
create tag tg
create masking policy mp as (v string) returns string -> v
create stream sm on table base
create pipe pp as copy into base from @st
create resource monitor rm with credit_quota=5
create sequence sq
create network rule nr type = ipv4 value_list = ('1.1.1.1') mode=ingress
create network policy np allowed_ip_list=('1.1.1.1')
create function fn(a int) returns int as 'a'
create procedure pr() returns int language sql as 'begin return 1; end'
create alert al warehouse=compute_wh schedule='1 minute' if (exists (select 1)) then select 1
create api integration y api_provider = git_https_api api_allowed_prefixes = ('https://x') enabled = true
create compute pool cp min_nodes = 1 max_nodes = 1 instance_family = cpu_x64_xs
create share sh
"""
STATEMENTS = """
create database x {o}
create schema x {o}
create role x {o}
create user x {o}
create warehouse x {o}
create table x (a int) {o}
create table x as select 1 as a {o}
create view x {o} as select 1 as a
create materialized view x {o} as select a from base
create masking policy x as (v string) returns string -> v {o}
create row access policy x as (v string) returns boolean -> true {o}
create tag x {o}
create sequence x {o}
create stage x {o}
create file format x type = csv {o}
create pipe x {o} as copy into base from @st
create stream x on table base {o}
create task x {o} as select 1
create dynamic table x target_lag = '1 hour' warehouse = compute_wh {o} as select a from base
create alert x warehouse = compute_wh schedule = '1 minute' {o} if (exists (select 1)) then select 1
create function x(a int) returns int {o} as 'a'
create data metric function x(t table(a int)) returns number {o} as 'select 1 from t'
create procedure x() returns int language sql {o} as 'begin return 1; end'
create resource monitor x with credit_quota = 5 {o}
create network policy x {o}
create network rule x type = ipv4 value_list = ('1.1.1.1') {o}
create secret x type = password username = 'u' password = 'p' {o}
create storage integration x type = external_stage storage_provider = s3 enabled = true storage_aws_role_arn = 'r' storage_allowed_locations = ('s3://b/') {o}
create snowflake.core.budget x() {o}
create snowflake.data_privacy.custom_classifier x() {o}
create snowflake.data_privacy.classification_profile x({{}}) {o}
create password policy x {o}
create session policy x {o}
create authentication policy x {o}
alter database d set {o}
alter schema d.public set {o}
alter table base set {o}
alter view vw set {o}
alter user admin set {o}
alter warehouse compute_wh set {o}
alter role r set {o}
alter session set {o}
alter account set {o}
alter stage st set {o}
alter file format ff set {o}
alter task tk set {o}
alter dynamic table dt set {o}
alter tag tg set {o}
alter masking policy mp set {o}
alter stream sm set {o}
alter pipe pp set {o}
alter resource monitor rm set {o}
alter sequence sq set {o}
alter network policy np set {o}
alter function fn(int) set {o}
alter procedure pr() set {o}
alter alert al set {o}
show tables {o}
show databases {o}
show grants {o}
describe table base {o}
drop table base {o}
undrop table base {o}
use role accountadmin {o}
grant select on table base to role r {o}
revoke select on table base from role r {o}
grant role r to user admin {o}
copy into base from @st {o}
copy into @st from base {o}
list @st {o}
remove @st {o}
truncate table base {o}
insert into base values (1) {o}
comment on table base is 'x' {o}
execute task tk {o}
begin {o}
commit {o}
rollback {o}
call pr() {o}
set v = 1 {o}
unset v {o}
explain {o}
create database role d.x {o}
create share x {o}
create projection policy x as () returns projection_constraint -> projection_constraint(allow => true) {o}
create aggregation policy x as () returns aggregation_constraint -> no_aggregation_constraint() {o}
create streamlit x root_location = '@st' main_file = 'a.py' {o}
create image repository x {o}
create compute pool x min_nodes = 1 max_nodes = 1 instance_family = cpu_x64_xs {o}
create git repository x api_integration = y origin = 'https://x' {o}
create semantic view x tables (base) {o}
create agent x {o}
create application package x {o}
create external volume x storage_locations = ((name = 'a' storage_provider = 'S3' storage_base_url = 's3://b/' storage_aws_role_arn = 'r')) {o}
create model x from @st {o}
create notebook x {o}
create dbt project x from '@st' {o}
create cortex search service x on a warehouse = compute_wh target_lag = '1 day' {o} as select 'a' as a
create service x in compute pool cp from specification $$ spec: {{}} $$ {o}
alter share sh set {o}
alter compute pool cp set {o}
"""
"""One of each kind, with the place where an option goes."""
OPTIONS = ("nonsense_option = 7", "nonsense words")
REFUSALS = {(2, "0A000"), (1003, "42000"), (1420, "42601")}
"""Unsupported, a syntax error, an invalid property."""
ELSEWHERE = {
    "CREATE FAILOVER GROUP": "its lists have no brackets: what follows is a part of them",
    "CREATE INTEGRATION": "written as CREATE STORAGE INTEGRATION",
    "CREATE LISTING": "written as CREATE EXTERNAL LISTING",
    "CREATE REPLICATION GROUP": "its lists have no brackets: what follows is a part of them",
}


@pytest.fixture(scope="module")
def account() -> Iterator[Account]:
    with Account.open() as opened:
        session = opened.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for statement in STANDING.strip().splitlines():
            session.execute(statement)
        yield opened


@pytest.fixture
def session(account: Account) -> AccountSession:
    return account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH", "D", "PUBLIC")


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("statement", STATEMENTS.strip().splitlines())
def test_an_option_that_nobody_knows_is_refused(
    session: AccountSession, statement: str, option: str
) -> None:
    with pytest.raises(SqlError) as refused:
        session.execute(statement.format(o=option))
    assert (refused.value.errno, refused.value.sqlstate) in REFUSALS, str(refused.value)


def test_every_create_is_among_the_statements() -> None:
    supported = {e["statement"] for e in support.table() if e["supported"]}
    creates = {name for name in supported if name.startswith("CREATE ")}
    written = STATEMENTS.upper()
    assert sorted(c for c in creates - ELSEWHERE.keys() if f"\n{c} " not in written) == []
