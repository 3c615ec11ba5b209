"""What a role may not see does not exist for it; what it sees but may not touch is denied."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from skills_nb.embedded.authorizer import access, special_rights
from skills_nb.embedded.authorizer.special_rights import SPECIAL_RIGHTS
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.objects import object_kind
from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast

Answer = tuple[int | None, str | None, str]
SOME, NONE = "Some", "None"
"""What the names of objects that are there begin with, and of those that are not."""
DENIED = 3001

NEVER_NAMED = (Kind.ACCOUNT, Kind.APPLICATION_ROLE)
"""Kinds whose only objects Snowflake makes."""
SEEN_BY_ALL = (Kind.ROLE, Kind.DATABASE_ROLE)
"""Anybody may know of an account role, and of the roles of a database that they may use."""
ROUTINES = {Kind.FUNCTION: "()", Kind.PROCEDURE: "()", Kind.DATA_METRIC_FUNCTION: "(table(int))"}
"""Kinds whose names come with the types of arguments."""
RELATIONS = (Kind.TABLE, Kind.VIEW, Kind.DYNAMIC_TABLE, Kind.STREAM, Kind.SEMANTIC_VIEW)
INSTANCES = (Kind.BUDGET, Kind.CLASSIFICATION_PROFILE, Kind.CUSTOM_CLASSIFIER)
KINDS = [kind for kind in Kind if kind not in NEVER_NAMED]

BEFORE = (
    "create database home",
    "create schema home.s",
    "create table base (id int, body string, primary key (id))",
    "create stage files",
    "create compute pool machines min_nodes = 1 max_nodes = 1 instance_family = CPU_X64_XS",
    "create api integration git api_provider = git_https_api "
    "api_allowed_prefixes = ('https://example.com') enabled = true",
)
"""What the objects below are made of."""
ROLES = """
create schema home.open
create role other
create role inside
create role outside
create role manager
create role holder
grant manage grants on account to role manager
grant usage on database home to role inside
grant usage on schema home.s to role inside
grant usage on database home to role holder
grant usage on schema home.s to role holder
grant all on schema home.open to role inside
grant usage on database home to role manager
grant usage on schema home.open to role manager
grant execute task, execute alert on account to role inside
grant role inside to user admin
grant role outside to user admin
grant role manager to user admin
grant role holder to user admin
grant usage on warehouse compute_wh to role inside
create table home.open.t (id int, s string)
create stage home.open.files
create masking policy home.open.m as (v int) returns int -> v
grant all on stage home.open.files to role inside
grant ownership on table home.open.t to role inside
grant ownership on masking policy home.open.m to role inside
"""
"""Somebody in the schema who holds nothing on its objects, somebody who holds nothing at all,
somebody who sees everything, and somebody who holds one privilege on each object."""

MAKING = {
    Kind.DATABASE: "create database {name}",
    Kind.SCHEMA: "create schema {name}",
    Kind.TABLE: "create table {name} (id int)",
    Kind.VIEW: "create view {name} as select id from base",
    Kind.MASKING_POLICY: "create masking policy {name} as (v string) returns string -> v",
    Kind.ROW_ACCESS_POLICY: "create row access policy {name} as (v string) returns boolean -> true",
    Kind.TAG: "create tag {name}",
    Kind.ROLE: "create role {name}",
    Kind.USER: "create user {name}",
    Kind.WAREHOUSE: "create warehouse {name}",
    Kind.STAGE: "create stage {name}",
    Kind.FILE_FORMAT: "create file format {name} type = csv",
    Kind.PIPE: "create pipe {name} as copy into base from @files",
    Kind.AGGREGATION_POLICY: "create aggregation policy {name} as () returns "
    "aggregation_constraint -> no_aggregation_constraint()",
    Kind.PROJECTION_POLICY: "create projection policy {name} as () returns "
    "projection_constraint -> projection_constraint(allow => true)",
    Kind.DATABASE_ROLE: "create database role {name}",
    Kind.SHARE: "create share {name}",
    Kind.RESOURCE_MONITOR: "create resource monitor {name} with credit_quota = 5",
    Kind.NETWORK_RULE: "create network rule {name} type = ipv4 mode = ingress "
    "value_list = ('10.0.0.0/8')",
    Kind.NETWORK_POLICY: "create network policy {name} allowed_ip_list = ('10.0.0.0/8')",
    Kind.SECRET: "create secret {name} type = password username = 'me' password = 'hidden'",
    Kind.INTEGRATION: "create api integration {name} api_provider = git_https_api "
    "api_allowed_prefixes = ('https://example.com') enabled = true",
    Kind.PASSWORD_POLICY: "create password policy {name}",
    Kind.SESSION_POLICY: "create session policy {name}",
    Kind.AUTHENTICATION_POLICY: "create authentication policy {name}",
    Kind.DYNAMIC_TABLE: "create dynamic table {name} target_lag = '1 hour' warehouse = compute_wh "
    "as select id from base",
    Kind.SEQUENCE: "create sequence {name}",
    Kind.STREAM: "create stream {name} on table base",
    Kind.TASK: "create task {name} schedule = '1 minute' as select 1",
    Kind.ALERT: "create alert {name} warehouse = compute_wh schedule = '1 minute' "
    "if (exists (select 1)) then select 2",
    Kind.FUNCTION: "create function {name}() returns int as '1'",
    Kind.DATA_METRIC_FUNCTION: "create data metric function {name} (t table(c int)) "
    "returns number as 'select count(*) from t'",
    Kind.PROCEDURE: "create procedure {name}() returns int language sql as 'begin return 1; end'",
    Kind.COMPUTE_POOL: "create compute pool {name} min_nodes = 1 max_nodes = 1 "
    "instance_family = CPU_X64_XS",
    Kind.IMAGE_REPOSITORY: "create image repository {name}",
    Kind.SERVICE: "create service {name} in compute pool machines from specification "
    "$$spec: {{}}$$",
    Kind.STREAMLIT: "create streamlit {name} root_location = '@files/x' main_file = 'app.py'",
    Kind.NOTEBOOK: "create notebook {name}",
    Kind.MODEL: "create model {name} with version v1 from @files/m",
    Kind.DBT_PROJECT: "create dbt project {name} from '@files/sales'",
    Kind.AGENT: "create agent {name} from specification $$models: {{}}$$",
    Kind.CORTEX_SEARCH_SERVICE: "create cortex search service {name} on body "
    "warehouse = compute_wh target_lag = '1 hour' as select body from base",
    Kind.GIT_REPOSITORY: "create git repository {name} origin = 'https://example.com/code.git' "
    "api_integration = git",
    Kind.LISTING: "create external listing {name} as $$title: x$$",
    Kind.APPLICATION_PACKAGE: "create application package {name}",
    Kind.REPLICATION_GROUP: "create replication group {name} object_types = roles "
    "allowed_accounts = org.one",
    Kind.FAILOVER_GROUP: "create failover group {name} object_types = roles "
    "allowed_accounts = org.one",
    Kind.EXTERNAL_VOLUME: "create external volume {name} storage_locations = ((name = 'a' "
    "storage_provider = 'S3' storage_base_url = 's3://b/'))",
    Kind.SEMANTIC_VIEW: "create semantic view {name} tables (base primary key (id)) "
    "metrics (base.n as count(*))",
    Kind.BUDGET: "create snowflake.core.budget {name}()",
    Kind.CLASSIFICATION_PROFILE: "create snowflake.data_privacy.classification_profile {name}("
    "{{'auto_tag': true}})",
    Kind.CUSTOM_CLASSIFIER: "create snowflake.data_privacy.custom_classifier {name}()",
}
"""What makes an object of each kind."""


STATEMENTS = {
    "ALTER": "alter {kind} {name} set comment = 'x'",
    "UNSET": "alter {kind} {name} unset comment",
    "RENAME": "alter {kind} {name} rename to renamed",
    "SET TAG": "alter {kind} {name} set tag home.open.g = 'x'",
    "DROP": "drop {kind} {name}",
    "DESCRIBE": "describe {kind} {name}",
    "COMMENT": "comment on {kind} {name} is 'x'",
    "GRANT": "grant all on {kind} {name} to role other",
    "REVOKE": "revoke all on {kind} {name} from role other",
    "GRANT OWNERSHIP": "grant ownership on {kind} {name} to role other",
    "SHOW GRANTS": "show grants on {kind} {name}",
    "SHOW PARAMETERS": "show parameters in {kind} {name}",
    "CLONE": "create {kind} home.open.cloned clone {name}",
    "GET_DDL": "select get_ddl('{word}', '{name}')",
    "REFERENCE": "select system$reference('{word}', '{name}')",
}
"""Statements about an object of any kind; where a kind has no such, both are refused alike."""

_OF_RELATIONS = (
    "select * from {bare}",
    "insert into {bare} values (1)",
    "update {bare} set id = 1",
    "delete from {bare}",
    "truncate table {bare}",
    "merge into {bare} using (select 1 as i) on id = i when matched then delete",
    "create stream home.open.st on table {bare}",
    "create view home.open.v as select * from {bare}",
    "create table home.open.l like {bare}",
    "alter table {bare} add column z int",
    "alter table {bare} swap with home.open.t",
    "alter table {bare} modify column id set masking policy home.open.m",
    "alter table home.open.t add foreign key (id) references {bare} (id)",
    "list @home.s.%{quoted}",
    "show primary keys in table {bare}",
    "show columns in table {bare}",
    "select system$last_change_commit_time('{bare}')",
    "select system$clustering_information('{bare}', '(id)')",
    "select system$stream_has_data('{bare}')",
    "select * from table(home.information_schema.policy_references("
    "ref_entity_name => '{bare}', ref_entity_domain => 'TABLE'))",
    "select * from table(home.information_schema.copy_history(table_name => '{bare}', "
    "start_time => dateadd(hour, -1, current_timestamp())))",
)
_OF_CONTAINERS = (
    "use {kind} {name}",
    "show tables in {kind} {name}",
    "grant select on future tables in {kind} {name} to role other",
    "grant select on all tables in {kind} {name} to role other",
)
OF_KIND = {
    **dict.fromkeys(RELATIONS, _OF_RELATIONS),
    Kind.DATABASE: (
        *_OF_CONTAINERS,
        "select * from {name}.information_schema.tables",
        "create table {name}.public.t (a int)",
        "create schema {name}.s",
    ),
    Kind.SCHEMA: (*_OF_CONTAINERS, "create table {name}.t (a int)", "select * from {name}.t"),
    Kind.WAREHOUSE: ("use warehouse {name}", "alter warehouse {name} suspend"),
    Kind.USER: ("alter user {name} set disabled = true",),
    Kind.SEQUENCE: ("select {name}.nextval", "select * from table(getnextval({name}))"),
    Kind.STAGE: (
        "list @{name}",
        "remove @{name}",
        "select $1 from @{name}",
        "copy into home.open.t from @{name}",
        "copy into @{name} from home.open.t",
        "create pipe home.open.p as copy into home.open.t from @{name}",
    ),
    Kind.FILE_FORMAT: (
        "copy into home.open.t from @home.open.files file_format = (format_name = '{name}')",
        "select $1 from @home.open.files (file_format => '{name}')",
        "create stage home.open.f file_format = (format_name = '{name}')",
    ),
    Kind.FUNCTION: ("select {name}", "select * from table({name})"),
    Kind.PROCEDURE: ("call {name}", "select * from table({name})"),
    Kind.DATA_METRIC_FUNCTION: (
        "select {bare}(select id from home.open.t)",
        "alter table home.open.t add data metric function {bare} on (id)",
    ),
    Kind.TASK: (
        "execute task {name}",
        "alter task {name} suspend",
        "create task home.open.after_it after {name} as select 1",
        "select system$task_dependents_enable('{name}')",
        "select * from table(home.information_schema.task_dependents(task_name => '{name}'))",
    ),
    Kind.ALERT: ("execute alert {name}", "alter alert {name} suspend"),
    Kind.DYNAMIC_TABLE: (*_OF_RELATIONS, "alter dynamic table {name} refresh"),
    Kind.PIPE: ("select system$pipe_status('{name}')", "alter pipe {name} refresh"),
    Kind.MODEL: ("select model({name})!predict(1)", "show versions in model {name}"),
    Kind.COMPUTE_POOL: (
        "alter compute pool {name} suspend",
        "create service home.open.sv in compute pool {name} from specification $$spec: {{}}$$",
    ),
    Kind.INTEGRATION: (
        "create git repository home.open.r origin = 'https://example.com/code.git' "
        "api_integration = {name}",
    ),
    Kind.MASKING_POLICY: (
        "alter table home.open.t modify column s set masking policy {name}",
        "select * from table(home.information_schema.policy_references(policy_name => '{name}'))",
    ),
    Kind.ROW_ACCESS_POLICY: ("alter table home.open.t add row access policy {name} on (s)",),
    Kind.AGGREGATION_POLICY: ("alter table home.open.t set aggregation policy {name}",),
    Kind.PROJECTION_POLICY: (
        "alter table home.open.t modify column s set projection policy {name}",
    ),
    Kind.PASSWORD_POLICY: ("alter user set password policy {name}",),
    Kind.SESSION_POLICY: ("alter user set session policy {name}",),
    Kind.AUTHENTICATION_POLICY: ("alter user set authentication policy {name}",),
    Kind.TAG: (
        "alter table home.open.t set tag {name} = 'x'",
        "alter tag {name} set masking policy home.open.m",
        "select system$get_tag('{name}', 'home.open.t', 'table')",
        "select system$get_tag_allowed_values('{name}')",
    ),
    Kind.SHARE: ("grant usage on database home to share {name}", "show grants to share {name}"),
    **dict.fromkeys(INSTANCES, ("call {name}!get_config()",)),
}
"""Statements that only a kind has."""


@pytest.fixture(scope="module")
def crowded() -> Iterator[Account]:
    """An account with an object of every kind; nothing below changes it."""
    with Account.open() as opened:
        admin = opened.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for statement in BEFORE:
            admin.execute(statement)
        for kind, made in MAKING.items():
            admin.execute("use schema home.s")
            admin.execute(made.format(name=quoted(kind, SOME)))
        for statement in ROLES.strip().splitlines():
            admin.execute(statement)
        for kind in MAKING:
            for privilege in object_kind.all_privileges(kind)[-1:]:
                admin.execute(f"grant {privilege} on {kind} {name_of(kind, SOME)} to role holder")
        yield opened


def quoted(kind: Kind, which: str) -> str:
    return f'"{which} {kind.value.lower()}"'


def name_of(kind: Kind, which: str) -> str:
    before = "" if kind.depth == 1 else "home." if kind.depth == 2 else "home.s."
    return f"{before}{quoted(kind, which)}{ROUTINES.get(kind, '')}"


def written(form: str, kind: Kind, which: str) -> str:
    word = "API INTEGRATION" if kind is Kind.INTEGRATION and form.startswith("alter") else kind
    name = name_of(kind, which)
    return form.format(
        kind=word,
        word=kind.value.replace(" ", "_"),
        name=name,
        bare=name.removesuffix(ROUTINES.get(kind, "")),
        quoted=quoted(kind, which),
    )


def working_as(account: Account, role: str) -> AccountSession:
    session = account.session("ADMIN", role, "COMPUTE_WH")
    session.execute("use secondary roles none")
    return session


def refusal(session: AccountSession, sql: str) -> int | None:
    with pytest.raises(SqlError) as refused:
        session.execute(sql)
    return refused.value.errno


def answer(session: AccountSession, form: str, kind: Kind, which: str) -> Answer:
    """What a statement answers, with one word in place of the object's name."""
    with pytest.raises(SqlError) as refused:
        session.execute(written(form, kind, which))
    error, name = refused.value, re.escape(quoted(kind, which).strip('"'))
    return error.errno, error.sqlstate, re.sub(name + r"(\(\))?", "NAME", error.message, flags=re.I)


def test_an_object_of_every_kind_is_tried():
    assert set(MAKING) == set(KINDS)


@pytest.mark.parametrize("role", ["INSIDE", "OUTSIDE"])
@pytest.mark.parametrize("kind", [k for k in KINDS if k not in SEEN_BY_ALL], ids=lambda k: k.value)
def test_what_is_hidden_answers_as_what_is_not_there(
    crowded: Account, kind: Kind, role: str
) -> None:
    session = working_as(crowded, role)
    before = crowded.catalog.version
    forms = (*STATEMENTS.values(), *OF_KIND.get(kind, ()))
    told = {form: answer(session, form, kind, SOME) for form in forms}
    assert told == {form: answer(session, form, kind, NONE) for form in forms}
    assert crowded.catalog.version == before


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.value)
def test_who_sees_an_object_and_does_not_own_it_is_denied(crowded: Account, kind: Kind) -> None:
    manager = working_as(crowded, "MANAGER")
    verbs = ("ALTER", "DROP", *(() if kind in INSTANCES else ("COMMENT",)))
    told = {verb: answer(manager, STATEMENTS[verb], kind, SOME) for verb in verbs}
    shown = "integration" if kind is Kind.INTEGRATION else kind.value.lower()
    denial = f"SQL access control error:\nInsufficient privileges to operate on {shown} 'NAME'"
    assert told == dict.fromkeys(verbs, (DENIED, "42501", denial))


@pytest.mark.parametrize(
    "kind", [k for k in KINDS if object_kind.of(k).privileges], ids=lambda kind: kind.value
)
def test_who_holds_a_privilege_may_not_give_it(crowded: Account, kind: Kind) -> None:
    holder = working_as(crowded, "HOLDER")
    for verb in ("DROP", "GRANT", "REVOKE", "GRANT OWNERSHIP"):
        assert answer(holder, STATEMENTS[verb], kind, SOME)[0] == DENIED, verb


def test_who_may_only_refer_to_a_table_may_not_read_it(admin: AccountSession) -> None:
    admin.execute("create role reader")
    admin.execute("grant role reader to user admin")
    admin.execute("grant usage on database shop to role reader")
    admin.execute("grant usage on schema shop.sales to role reader")
    session = working_as(admin.account, "READER")
    assert refusal(session, "select * from shop.sales.people") == 2003
    admin.execute("grant references on table people to role reader")
    assert refusal(session, "select * from shop.sales.people") == DENIED


# ---- special rights

ACTIONS = {
    ast.Suspend: ast.Suspend(),
    ast.Resume: ast.Resume(),
    ast.AbortAllQueries: ast.AbortAllQueries(),
    ast.Refresh: ast.Refresh(()),
    ast.SetProperties: ast.SetProperties({}),
    ast.RenameTo: ast.RenameTo(("X",)),
}


def test_a_special_right_is_for_its_actions_and_no_others(crowded: Account) -> None:
    admin = crowded.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    for right in SPECIAL_RIGHTS:
        for kind in right.kinds:
            entity = access.existing(admin, kind, parts(kind))
            role = f'"{kind.value} {right.privilege}"'
            for statement in (
                f"create role {role}",
                f"grant role {role} to user admin",
                f"grant usage on database home to role {role}",
                f"grant usage on schema home.s to role {role}",
                f"grant {right.privilege} on {kind} {name_of(kind, SOME)} to role {role}",
            ):
                admin.execute(statement)
            session = working_as(crowded, role.strip('"'))
            may = {
                cls
                for cls, action in ACTIONS.items()
                if special_rights.may_alter(session, entity, action)
            }
            assert may == expected(kind, right.privilege)


def parts(kind: Kind) -> tuple[str, ...]:
    name = quoted(kind, SOME).strip('"')
    return (
        (name,) if kind.depth == 1 else ("HOME", name) if kind.depth == 2 else ("HOME", "S", name)
    )


def expected(kind: Kind, privilege: str) -> set[type]:
    """The actions whose first line in the table asks for the privilege."""
    found = set()
    for cls in ACTIONS:
        lines = (
            r for r in SPECIAL_RIGHTS if kind in r.kinds and (not r.actions or cls in r.actions)
        )
        first = next(lines, None)
        if first is not None and first.privilege == privilege:
            found.add(cls)
    return found


def test_a_user_alters_itself_and_nobody_else(admin: AccountSession, account: Account) -> None:
    for statement in (
        "create role modest",
        "create user eve default_role = modest default_secondary_roles = ()",
        "create user bob",
        "grant role modest to user eve",
    ):
        admin.execute(statement)
    eve = account.session("EVE", "MODEST")
    eve.execute("alter user eve set default_warehouse = 'COMPUTE_WH', timezone = 'Asia/Tokyo'")
    eve.execute("alter user eve unset timezone")
    described = {row[0]: row[1] for row in eve.execute("describe user eve").rows}
    assert described["DEFAULT_WAREHOUSE"] == "COMPUTE_WH"
    others = (
        "set disabled = false",
        "set rsa_public_key = 'x'",
        "set default_role = modest, comment = 'x'",
    )
    for changed in (*others, "unset comment", "rename to adam", "set network_policy = inside"):
        assert refusal(eve, f"alter user eve {changed}") == DENIED, changed
    assert refusal(eve, "drop user eve") == DENIED
    assert refusal(eve, "alter user bob set timezone = 'Asia/Tokyo'") == 2003


def test_a_role_without_privileges_is_managed_by_its_owner_alone(
    admin: AccountSession, account: Account
) -> None:
    for statement in (
        "create role modest",
        "create role other",
        "create user eve default_role = modest default_secondary_roles = ()",
        "grant role modest to user eve",
    ):
        admin.execute(statement)
    eve = account.session("EVE", "MODEST")
    assert refusal(eve, "grant all on role other to role modest") == DENIED
    assert refusal(eve, "revoke all on role other from role modest") == DENIED


def test_a_grant_on_all_tables_tells_no_table_that_its_giver_may_not_see(
    admin: AccountSession, account: Account
) -> None:
    for statement in (
        "create role modest",
        "create user eve default_role = modest default_secondary_roles = ()",
        "grant role modest to user eve",
        "grant usage on database shop to role modest",
        "grant ownership on schema shop.sales to role modest copy current grants",
    ):
        admin.execute(statement)
    eve = account.session("EVE", "MODEST")
    with pytest.raises(SqlError) as refused:
        eve.execute("grant select on all tables in schema shop.sales to role modest")
    assert (refused.value.errno, "PEOPLE" in refused.value.message) == (DENIED, False)
    admin.execute("grant ownership on table people to role modest copy current grants")
    assert eve.execute("grant select on all tables in schema shop.sales to role public").rows


# ---- names that are taken

FREE = {
    "CREATE": "create table home.s.{name} (a int)",
    "OR REPLACE": "create or replace table home.s.{name} (a int)",
    "IF NOT EXISTS": "create table if not exists home.s.{name} (a int)",
    "RENAME": "alter table home.open.t rename to home.s.{name}",
}


@pytest.mark.parametrize("verb", FREE)
def test_a_name_that_something_hidden_has_is_taken_and_no_more_is_told(
    admin: AccountSession, account: Account, verb: str
) -> None:
    for statement in (
        "create database home",
        "create schema home.s",
        'create table home.s."My Table" (a int)',
        "create schema home.open",
        "create table home.open.t (a int)",
        "create role modest",
        "create user eve default_role = modest default_secondary_roles = ()",
        "grant role modest to user eve",
        "grant usage on database home to role modest",
        "grant all on schema home.open to role modest",
        "grant ownership on table home.open.t to role modest",
    ):
        admin.execute(statement)
    eve, statement = account.session("EVE", "MODEST"), FREE[verb].format(name='"My Table"')
    assert refusal(eve, statement) == 2003, "the schema is hidden, and so is all that is in it"
    admin.execute("grant usage, create table on schema home.s to role modest")
    assert refusal(eve, statement) == 3041
    admin.execute('grant references on table home.s."My Table" to role modest')
    if verb == "IF NOT EXISTS":
        eve.execute(statement)
    else:
        assert refusal(eve, statement) == (DENIED if verb == "OR REPLACE" else 2002)
