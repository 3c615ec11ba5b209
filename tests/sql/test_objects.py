"""What statements touch, how to look at it, how to take it back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.sql.classify import Kind, kind_of
from skills_nb.sql.governance import parse
from skills_nb.sql.objects import (
    Change,
    ObjectRef,
    changes_of,
    compensation_of,
    ddl_probe_for,
    probe_for,
)

T = ("DB", "S", "T")


def changes(sql):
    return changes_of(sql, "DB", "S")


def undo(sql, **prior):
    return compensation_of(sql, "DB", "S", {k.replace("__", "."): v for k, v in prior.items()})


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("create table t (a int)", [Change("create", ObjectRef("table", T))]),
        (
            "create or replace transient table x.t as select 1 a",
            [Change("create", ObjectRef("table", ("DB", "X", "T")), replaces=True)],
        ),
        (
            'create view if not exists "v" as select 1',
            [Change("create", ObjectRef("view", ("DB", "S", "v")), if_not_exists=True)],
        ),
        (
            "create table t (a int with masking policy p) with row access policy r on (a)",
            [
                Change(
                    "create",
                    ObjectRef("table", T),
                    detail={"attaches": "A set masking policy P; row access policy add R"},
                )
            ],
        ),
        ("create role r", [Change("create", ObjectRef("role", ("R",)))]),
        ("create schema s2", [Change("create", ObjectRef("schema", ("DB", "S2")))]),
        (
            "create database role d.r",
            [Change("create", ObjectRef("database_role", ("D", "R")))],
        ),
        (
            "create storage integration i type = external_stage",
            [Change("create", ObjectRef("integration", ("I",)))],
        ),
        (
            "create function f(a int, b varchar) returns int as '1'",
            [
                Change(
                    "create", ObjectRef("function", ("DB", "S", "F"), arguments=("INT", "VARCHAR"))
                )
            ],
        ),
        (
            "drop function f(int, varchar)",
            [Change("drop", ObjectRef("function", ("DB", "S", "F"), arguments=("INT", "VARCHAR")))],
        ),
        ("drop schema if exists x", [Change("drop", ObjectRef("schema", ("DB", "X")))]),
        ("undrop table t", [Change("create", ObjectRef("table", T))]),
        (
            "alter table t modify column a set masking policy p",
            [
                Change(
                    "alter",
                    ObjectRef("column", (*T, "A")),
                    detail={"action": "set masking policy", "policy": "P"},
                )
            ],
        ),
        (
            "alter view t modify column a set tag x = 'y'",
            [
                Change(
                    "alter",
                    ObjectRef("column", (*T, "A"), "tag DB.S.X", "VIEW"),
                    detail={"action": "set tag", "value": "y"},
                )
            ],
        ),
        (
            "alter user u set password = 'secret'",
            [
                Change(
                    "alter",
                    ObjectRef("user", ("U",)),
                    detail={"action": "set", "properties": "PASSWORD"},
                )
            ],
        ),
        (
            "grant select, insert on table t to role r",
            [
                Change(
                    "grant",
                    ObjectRef("table", T, "grants"),
                    detail={"privileges": "SELECT, INSERT", "grantee": "ROLE R"},
                )
            ],
        ),
        (
            "revoke role a from user b",
            [
                Change(
                    "revoke",
                    ObjectRef("role", ("A",), "holders"),
                    detail={"privileges": "ROLE", "grantee": "USER B"},
                )
            ],
        ),
        ("insert into t select 1", [Change("write", ObjectRef("table", T))]),
        ("insert overwrite into t values (1)", [Change("write", ObjectRef("table", T))]),
        ("update t set a = 1", [Change("write", ObjectRef("table", T))]),
        ("delete from t", [Change("write", ObjectRef("table", T))]),
        (
            "merge into t using s on t.a = s.a when matched then delete",
            [Change("write", ObjectRef("table", T))],
        ),
        ("truncate table if exists t", [Change("write", ObjectRef("table", T))]),
        ("copy into t from @s", [Change("write", ObjectRef("table", T))]),
        (
            "insert all into t values (a) into u values (b) into t values (c) select 1 a",
            [
                Change("write", ObjectRef("table", T)),
                Change("write", ObjectRef("table", ("DB", "S", "U"))),
            ],
        ),
        (
            "begin insert into t select 1; if (true) then drop table u; end if; end",
            [
                Change("write", ObjectRef("table", T)),
                Change("drop", ObjectRef("table", ("DB", "S", "U"))),
            ],
        ),
        ("execute immediate 'drop table t'", [Change("drop", ObjectRef("table", T))]),
        ("show tables ->> drop table t", [Change("drop", ObjectRef("table", T))]),
        (
            "alter table t add constraint c primary key (a)",
            [Change("alter", ObjectRef("table", T))],
        ),
        ("select 1", []),
        ("show tables", []),
        ("use role r", []),
        ("alter session set query_tag = 'x'", []),
        ("set v = 1", []),
        ("call p()", []),
        ("copy into @s from t", []),
        ("execute immediate $x", []),
        ("create procedure", []),
        ("", []),
    ],
)
def test_a_statement_has_its_changes(sql, expected):
    assert list(changes(sql)) == expected


def test_names_stay_unqualified_where_the_current_schema_is_not_known():
    assert changes_of("drop table t", "DB", None)[0].target.fqn == "T"
    assert changes_of("drop table s.t", None, None)[0].target.fqn == "S.T"


def test_references_to_facets_of_one_object_are_told_apart():
    refs = [c.target.fqn for c in changes("alter table t set tag a = '1', b = '2'")]
    assert refs == ["DB.S.T (tag DB.S.A)", "DB.S.T (tag DB.S.B)"]


@pytest.mark.parametrize(
    ("ref", "probe"),
    [
        (
            ObjectRef("masking_policy", ("DB", "S", "P")),
            "SHOW MASKING POLICIES LIKE 'P' IN SCHEMA DB.S",
        ),
        (
            ObjectRef("row_access_policy", ("DB", "my s", "P_1%")),
            "SHOW ROW ACCESS POLICIES LIKE 'P\\\\_1\\\\%' IN SCHEMA DB.\"my s\"",
        ),
        (ObjectRef("role", ("R'x",)), "SHOW ROLES LIKE 'R''x'"),
        (ObjectRef("schema", ("DB", "S")), "SHOW SCHEMAS LIKE 'S' IN DATABASE DB"),
        (ObjectRef("database_role", ("DB", "R")), "SHOW DATABASE ROLES LIKE 'R' IN DATABASE DB"),
        (ObjectRef("function", ("DB", "S", "F")), "SHOW USER FUNCTIONS LIKE 'F' IN SCHEMA DB.S"),
        (
            ObjectRef("column", (*T, "A'B")),
            "SELECT * FROM TABLE(DB.INFORMATION_SCHEMA.POLICY_REFERENCES(REF_ENTITY_NAME => "
            "'DB.S.T', REF_ENTITY_DOMAIN => 'TABLE')) WHERE POLICY_KIND = 'MASKING_POLICY' "
            "AND REF_COLUMN_NAME = 'A''B'",
        ),
        (
            ObjectRef("view", ("DB", "S", "my v"), "row access policy"),
            "SELECT * FROM TABLE(DB.INFORMATION_SCHEMA.POLICY_REFERENCES(REF_ENTITY_NAME => "
            "'DB.S.\"my v\"', REF_ENTITY_DOMAIN => 'VIEW')) WHERE POLICY_KIND = "
            "'ROW_ACCESS_POLICY'",
        ),
        (
            ObjectRef("column", (*T, "A"), "tag DB.S.X"),
            "SELECT SYSTEM$GET_TAG('DB.S.X', 'DB.S.T.A', 'COLUMN') AS TAG_VALUE",
        ),
        (
            ObjectRef("column", (*T, "A"), "definition"),
            "SELECT * FROM DB.INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME = 'T' "
            "AND TABLE_SCHEMA = 'S' AND COLUMN_NAME = 'A'",
        ),
        (ObjectRef("table", T, "grants"), "SHOW GRANTS ON TABLE DB.S.T"),
        (ObjectRef("role", ("R",), "holders"), "SHOW GRANTS OF ROLE R"),
        (ObjectRef("schema", ("DB", "S"), "future grants"), "SHOW FUTURE GRANTS IN SCHEMA DB.S"),
        (ObjectRef("account", ("ACCOUNT",), "grants"), "SHOW GRANTS ON ACCOUNT"),
        (ObjectRef("account", ("ACCOUNT",)), None),
    ],
)
def test_a_probe_asks_for_exactly_one_thing(ref, probe):
    assert probe_for(ref) == probe


@pytest.mark.parametrize(
    ("ref", "probe"),
    [
        (ObjectRef("table", T), "SELECT GET_DDL('TABLE', 'DB.S.T', TRUE) AS DDL"),
        (ObjectRef("masking_policy", T), "SELECT GET_DDL('POLICY', 'DB.S.T', TRUE) AS DDL"),
        (ObjectRef("warehouse", ("W",)), "SELECT GET_DDL('WAREHOUSE', 'W') AS DDL"),
        (
            ObjectRef("function", ("DB", "S", "F"), arguments=("INT",)),
            "SELECT GET_DDL('FUNCTION', 'DB.S.F(INT)', TRUE) AS DDL",
        ),
        (ObjectRef("role", ("R",)), None),
        (ObjectRef("table", T, "grants"), None),
    ],
)
def test_a_ddl_probe_exists_where_snowflake_has_one(ref, probe):
    assert ddl_probe_for(ref) == probe


NAME = st.text(st.characters(exclude_characters="\x00"), min_size=1, max_size=10)
TYPES = st.sampled_from(["table", "view", "masking_policy", "role", "schema", "tag", "column"])


@given(TYPES, NAME, NAME, NAME, st.sampled_from(["", "grants", "definition", "tag A.B.C"]))
def test_every_probe_only_reads(type_, database, schema, name, facet):
    parts = {"role": (name,), "schema": (database, name)}.get(type_, (database, schema, name))
    if (type_ == "column") is not (facet == "definition") and facet != "tag A.B.C":
        facet = ""
    ref = ObjectRef(type_, parts if type_ != "column" else (*parts, name), facet)
    probe = probe_for(ref)
    assert probe is not None
    assert kind_of(probe) is Kind.READ


# Compensation

POLICY_ROW = {
    "POLICY_DB": "DB",
    "POLICY_SCHEMA": "S",
    "POLICY_NAME": "OLD",
    "REF_COLUMN_NAME": "A",
    "REF_ARG_COLUMN_NAMES": None,
}
GRANT_ROW = {
    "privilege": "SELECT",
    "granted_on": "TABLE",
    "granted_to": "ROLE",
    "grantee_name": "R",
    "grant_option": "false",
}
ABSENT = {"exists": False}


def test_what_was_created_is_dropped():
    assert undo("create masking policy p as (v int) returns int -> v") == (
        "DROP MASKING POLICY IF EXISTS DB.S.P",
    )


def test_what_was_there_before_is_never_dropped():
    sql = "create table if not exists t (a int)"
    assert undo(sql, DB__S__T={"exists": True}) == ()
    assert undo(sql, DB__S__T={"exists": None}) == ()
    assert undo(sql, DB__S__T=ABSENT) == ("DROP TABLE IF EXISTS DB.S.T RESTRICT",)


def test_a_replaced_object_gets_its_prior_ddl():
    prior = {"exists": True, "ddl": "create or replace view DB.S.T as select 1;\n"}
    sql = "create or replace view t as select 2"
    assert undo(sql, DB__S__T=prior) == ("create or replace view DB.S.T as select 1",)
    assert undo(sql, DB__S__T=ABSENT) == ("DROP VIEW IF EXISTS DB.S.T",)
    assert undo(sql, DB__S__T={"exists": None}) == ()


def test_a_replaced_table_comes_back_with_its_rows():
    assert undo("create or replace table t (a int)", DB__S__T={"exists": True, "ddl": "x"}) == (
        "ALTER TABLE DB.S.T RENAME TO DB.S.T__REPLACEMENT",
        "UNDROP TABLE DB.S.T",
        "DROP TABLE IF EXISTS DB.S.T__REPLACEMENT RESTRICT",
    )


def test_several_statements_are_taken_back_in_reverse():
    sql = "create tag x; create table t (a int); alter table t set tag x = 'y'"
    assert undo(sql) == (
        "ALTER TABLE DB.S.T UNSET TAG DB.S.X",
        "DROP TABLE IF EXISTS DB.S.T RESTRICT",
        "DROP TAG IF EXISTS DB.S.X",
    )


def test_a_masking_policy_is_taken_off_or_the_prior_one_set():
    sql = "alter table t modify column a set masking policy p force"
    column = "ALTER TABLE DB.S.T MODIFY COLUMN A "
    assert undo(sql, DB__S__T__A=ABSENT) == (column + "UNSET MASKING POLICY",)
    assert undo(sql, DB__S__T__A={"exists": True, "rows": [POLICY_ROW]}) == (
        column + "SET MASKING POLICY DB.S.OLD FORCE",
    )
    conditional = {**POLICY_ROW, "REF_ARG_COLUMN_NAMES": '[ "B" ]'}
    assert undo(sql, DB__S__T__A={"exists": True, "rows": [conditional]}) == (
        column + "SET MASKING POLICY DB.S.OLD USING (A, B) FORCE",
    )
    assert undo(sql) == ()
    assert undo(sql.removesuffix(" force")) == (column + "UNSET MASKING POLICY",)


def test_an_unset_masking_policy_is_set_again():
    sql = "alter table t modify column a unset masking policy"
    assert undo(sql, DB__S__T__A={"exists": True, "value": "DB.S.OLD"}) == (
        "ALTER TABLE DB.S.T MODIFY COLUMN A SET MASKING POLICY DB.S.OLD FORCE",
    )
    assert undo(sql) == ()


def test_a_row_access_policy_is_detached_and_attached_again():
    assert undo("alter table t add row access policy p on (a)") == (
        "ALTER TABLE DB.S.T DROP ROW ACCESS POLICY DB.S.P",
    )
    prior = {"rows": [{**POLICY_ROW, "REF_ARG_COLUMN_NAMES": '["A", "my b"]'}]}
    facts = {"DB.S.T (row access policy)": prior}
    for sql in ("drop row access policy old", "drop all row access policies"):
        assert compensation_of(f"alter table t {sql}", "DB", "S", facts) == (
            'ALTER TABLE DB.S.T ADD ROW ACCESS POLICY DB.S.OLD ON (A, "my b")',
        )


def test_a_tag_gets_its_prior_value_or_goes():
    facts = {"DB.S.T (tag DB.S.X)": {"exists": True, "rows": [{"TAG_VALUE": "o'ld"}]}}
    assert compensation_of("alter table t set tag x = 'y'", "DB", "S", facts) == (
        "ALTER TABLE DB.S.T SET TAG DB.S.X = 'o''ld'",
    )
    assert undo("alter table t modify column a set tag x = 'y'") == (
        "ALTER TABLE DB.S.T MODIFY COLUMN A UNSET TAG DB.S.X",
    )
    assert undo("alter table t unset tag x") == ()


def test_a_tag_whose_prior_value_could_not_be_told_stays():
    facts = {"DB.S.T (tag DB.S.X)": {"exists": None, "rows": []}}
    assert compensation_of("alter table t set tag x = 'y'", "DB", "S", facts) == ()


def test_a_share_gets_back_what_it_had():
    row = {**GRANT_ROW, "granted_to": "SHARE", "grantee_name": "ORG.ACC.My Share"}
    facts = {"DB.S.T (grants)": {"exists": True, "rows": [row]}}
    sql = 'revoke select on table t from share "{}"'
    assert compensation_of(sql.format("My Share"), "DB", "S", facts) == (
        'GRANT SELECT ON TABLE DB.S.T TO SHARE "My Share"',
    )
    assert compensation_of(sql.format("Share"), "DB", "S", facts) == ()


def test_a_grant_is_revoked_unless_it_was_there():
    sql = "grant select, insert on table t to role r"
    assert undo(sql) == ("REVOKE SELECT, INSERT ON TABLE DB.S.T FROM ROLE R",)
    facts = {"DB.S.T (grants)": {"exists": True, "rows": [GRANT_ROW]}}
    assert compensation_of(sql, "DB", "S", facts) == ("REVOKE INSERT ON TABLE DB.S.T FROM ROLE R",)
    assert compensation_of("grant all on table t to role r", "DB", "S", facts) == ()


def test_a_revoked_privilege_comes_back_only_if_it_was_there():
    sql = "revoke select, insert on table t from role r"
    facts = {"DB.S.T (grants)": {"rows": [{**GRANT_ROW, "grant_option": "true"}]}}
    assert compensation_of(sql, "DB", "S", facts) == (
        "GRANT SELECT ON TABLE DB.S.T TO ROLE R WITH GRANT OPTION",
    )
    assert undo(sql) == ()


def test_grants_on_all_objects_are_not_taken_back():
    assert undo("grant select on all tables in schema s to role r") == ()
    assert undo("grant select on future tables in schema s to role r") == (
        "REVOKE SELECT ON FUTURE TABLES IN SCHEMA DB.S FROM ROLE R",
    )


def test_a_role_goes_back_to_who_held_it():
    facts = {"A (holders)": {"rows": [{"granted_to": "USER", "grantee_name": "B"}]}}
    assert undo("grant role a to user b") == ("REVOKE ROLE A FROM USER B",)
    assert compensation_of("grant role a to user b", "DB", "S", facts) == ()
    assert compensation_of("revoke role a from user b", "DB", "S", facts) == (
        "GRANT ROLE A TO USER B",
    )


def test_ownership_goes_back_to_the_prior_owner():
    facts = {"DB.S.T (grants)": {"rows": [{"privilege": "OWNERSHIP", "grantee_name": "OLD R"}]}}
    assert compensation_of("grant ownership on table t to role r", "DB", "S", facts) == (
        'GRANT OWNERSHIP ON TABLE DB.S.T TO ROLE "OLD R" COPY CURRENT GRANTS',
    )


def test_a_warehouse_gets_its_prior_properties():
    row = {"name": "W", "size": "X-Small", "auto_suspend": "600", "auto_resume": "true"}
    facts = {"W": {"exists": True, "rows": [{**row, "comment": ""}]}}
    sql = "alter warehouse w set warehouse_size = large auto_suspend = 60 auto_resume = false"
    assert compensation_of(sql + " comment = 'x'", "DB", "S", facts) == (
        "ALTER WAREHOUSE W SET WAREHOUSE_SIZE = 'X-Small' AUTO_SUSPEND = 600 AUTO_RESUME = TRUE",
        "ALTER WAREHOUSE W UNSET COMMENT",
    )
    assert compensation_of("alter warehouse w set unseen = 1", "DB", "S", facts) == ()
    assert undo(sql) == ()


def test_a_monitor_gets_its_quota_and_its_triggers_back():
    row = {
        "name": "M",
        "credit_quota": "100.00",
        "frequency": "MONTHLY",
        "notify_at": "50%, 80%",
        "suspend_at": "100%",
        "suspend_immediately_at": None,
    }
    was = "TRIGGERS ON 50 PERCENT DO NOTIFY ON 80 PERCENT DO NOTIFY ON 100 PERCENT DO SUSPEND"
    head = "ALTER RESOURCE MONITOR M SET CREDIT_QUOTA = 7"
    monthly = "FREQUENCY = MONTHLY START_TIMESTAMP = IMMEDIATELY"
    triggers = "TRIGGERS ON 90 PERCENT DO NOTIFY"
    for now, before in (
        (head, "CREDIT_QUOTA = 100"),
        (f"{head} {triggers}", f"CREDIT_QUOTA = 100 {was}"),
        (f"{head} {monthly} {triggers}", f"CREDIT_QUOTA = 100 {monthly} {was}"),
    ):
        told = f"ALTER RESOURCE MONITOR M SET {before}"
        assert undo(now, M={"exists": True, "rows": [row]}) == (told,)


def test_a_monitor_that_had_no_trigger_or_quota_is_left_alone():
    row = {"name": "M", "credit_quota": None, "notify_at": None}
    known = {"exists": True, "rows": [row]}
    for change in (
        "SET CREDIT_QUOTA = 7",
        "SET NOTIFY_USERS = (ANN)",
        "TRIGGERS ON 90 PERCENT DO NOTIFY",
    ):
        assert undo(f"ALTER RESOURCE MONITOR M {change}", M=known) == ()


def test_a_warehouse_that_never_suspended_never_does_again():
    facts = {"W": {"exists": True, "rows": [{"name": "W", "auto_suspend": None, "comment": ""}]}}
    assert compensation_of("alter warehouse w set auto_suspend = 60", "DB", "S", facts) == (
        "ALTER WAREHOUSE W SET AUTO_SUSPEND = NULL",
    )


def test_a_user_gets_the_prior_network_policy():
    where = "B (parameter NETWORK_POLICY)"
    of_user = {"value": "OFFICE", "level": "USER", "type": "STRING"}
    of_account = {"value": "OFFICE", "level": "ACCOUNT", "type": "STRING"}
    sql = "alter user b set network_policy = home"
    assert undo(sql, **{where: {"rows": [of_user]}}) == (
        "ALTER USER B SET NETWORK_POLICY = 'OFFICE'",
    )
    assert undo(sql, **{where: {"rows": [of_account]}}) == ("ALTER USER B UNSET NETWORK_POLICY",)
    assert undo(sql) == ()


def test_a_warehouse_gets_its_prior_time_outs_beside_its_properties():
    timeout = "W (parameter STATEMENT_TIMEOUT_IN_SECONDS)"
    queue = "W (parameter STATEMENT_QUEUED_TIMEOUT_IN_SECONDS)"
    facts = {
        "W": {"exists": True, "rows": [{"name": "W", "auto_suspend": "600"}]},
        timeout: {"rows": [{"value": "9", "level": "WAREHOUSE", "type": "NUMBER"}]},
        queue: {"rows": [{"value": "0", "level": "", "type": "NUMBER"}]},
    }
    set_queue = "alter warehouse w set statement_queued_timeout_in_seconds = 1"
    whole = f"{set_queue} auto_suspend = 1 statement_timeout_in_seconds = 1"
    assert compensation_of(set_queue, "DB", "S", facts) == (
        "ALTER WAREHOUSE W UNSET STATEMENT_QUEUED_TIMEOUT_IN_SECONDS",
    )
    assert set(compensation_of(whole, "DB", "S", facts)) == {
        "ALTER WAREHOUSE W SET STATEMENT_TIMEOUT_IN_SECONDS = 9",
        "ALTER WAREHOUSE W UNSET STATEMENT_QUEUED_TIMEOUT_IN_SECONDS",
        "ALTER WAREHOUSE W SET AUTO_SUSPEND = 600",
    }
    del facts[timeout]
    assert compensation_of(whole, "DB", "S", facts) == ()
    unset = "alter warehouse w unset statement_queued_timeout_in_seconds"
    assert compensation_of(unset, "DB", "S", facts) == (
        "ALTER WAREHOUSE W UNSET STATEMENT_QUEUED_TIMEOUT_IN_SECONDS",
    )


@pytest.mark.parametrize(
    ("sql", "inverse"),
    [
        ("alter table t rename to u", "ALTER TABLE DB.S.U RENAME TO DB.S.T"),
        ("alter table t swap with u", "ALTER TABLE DB.S.T SWAP WITH DB.S.U"),
        ("alter table t rename column a to b", "ALTER TABLE DB.S.T RENAME COLUMN B TO A"),
        ("alter table t add column a int, b int", "ALTER TABLE DB.S.T DROP COLUMN A, B"),
        ("alter warehouse w suspend", "ALTER WAREHOUSE W RESUME"),
        ("alter task k resume", "ALTER TASK DB.S.K SUSPEND"),
        ("alter tag x set masking policy p", "ALTER TAG DB.S.X UNSET MASKING POLICY DB.S.P"),
        (
            "alter tag x add allowed_values 'a', 'b'",
            "ALTER TAG DB.S.X DROP ALLOWED_VALUES 'a', 'b'",
        ),
        ("alter share h add accounts = o.a", "ALTER SHARE H REMOVE ACCOUNTS = O.A"),
        ("alter schema s enable managed access", "ALTER SCHEMA DB.S DISABLE MANAGED ACCESS"),
        ("alter task k add after j", "ALTER TASK DB.S.K REMOVE AFTER DB.S.J"),
        (
            "alter table t add data metric function f on (a)",
            "ALTER TABLE DB.S.T DROP DATA METRIC FUNCTION DB.S.F ON (A)",
        ),
        (
            "alter table t modify data metric function f on (a) add expectation e (value = 0)",
            "ALTER TABLE DB.S.T MODIFY DATA METRIC FUNCTION DB.S.F ON (A) DROP EXPECTATION E",
        ),
        ("drop table t", "UNDROP TABLE DB.S.T"),
        ("undrop schema s", "DROP SCHEMA IF EXISTS DB.S RESTRICT"),
        ("create user u password = 'x'", "DROP USER IF EXISTS U"),
        ("create table u clone t", "DROP TABLE IF EXISTS DB.S.U RESTRICT"),
        ("alter table t set aggregation policy p", "ALTER TABLE DB.S.T UNSET AGGREGATION POLICY"),
        ("execute immediate 'create role r'", "DROP ROLE IF EXISTS R"),
        ("begin create role r; end", "DROP ROLE IF EXISTS R"),
    ],
)
def test_an_action_has_its_inverse(sql, inverse):
    assert undo(sql) == (inverse,)


def test_a_policy_body_comes_back_from_the_prior_ddl():
    ddl = "create or replace masking policy P as (V INT) returns INT -> case when 1=1 then V end;"
    assert undo("alter masking policy p set body -> 1", DB__S__P={"exists": True, "ddl": ddl}) == (
        "ALTER MASKING POLICY DB.S.P SET BODY -> case when 1=1 then V end",
    )


def test_a_dropped_policy_comes_back_from_its_ddl():
    assert undo("drop masking policy p", DB__S__P={"exists": True, "ddl": "create x"}) == (
        "create x",
    )
    assert undo("drop masking policy if exists p", DB__S__P=ABSENT) == ()


@pytest.mark.parametrize(
    "sql",
    [
        "insert into t select 1",
        "alter table t drop column a",
        "select 1",
        "use role r",
        "call p()",
        "alter session set query_tag = 'x'",
        "execute task k",
        "truncate table t",
        "grant",
        "",
    ],
)
def test_what_cannot_be_taken_back_has_no_inverse(sql):
    assert undo(sql) == ()


STATEMENTS = st.sampled_from(
    [
        "create table t (a int)",
        "create role r",
        "alter table t modify column a set masking policy p",
        "alter table t add row access policy p on (a)",
        "alter table t set tag x = 'y'",
        "grant select on table t to role r",
        "grant role a to role b",
        "alter warehouse w suspend",
        "drop table t",
    ]
)


@given(st.lists(STATEMENTS, max_size=5))
def test_every_inverse_can_be_read_and_changes_something(statements):
    for inverse in undo(";".join(statements)):
        assert parse(inverse) is not None
        assert changes(inverse) != ()


def inverse_with(sql, ref, **fact):
    return compensation_of(sql, "DB", "S", {ref: {"exists": True, **fact}})


COLUMN = "ALTER TABLE DB.S.T MODIFY COLUMN A "


@pytest.mark.parametrize(
    ("sql", "ref", "fact", "inverse"),
    [
        (
            "alter table t modify column a set projection policy p force",
            "DB.S.T.A (projection policy)",
            {"rows": [POLICY_ROW]},
            COLUMN + "SET PROJECTION POLICY DB.S.OLD FORCE",
        ),
        (
            "alter table t modify column a unset projection policy",
            "DB.S.T.A (projection policy)",
            {"rows": [POLICY_ROW]},
            COLUMN + "SET PROJECTION POLICY DB.S.OLD FORCE",
        ),
        (
            "alter table t modify column a set tag x = 'y'",
            "DB.S.T.A (tag DB.S.X)",
            {"value": "old"},
            COLUMN + "SET TAG DB.S.X = 'old'",
        ),
        (
            "alter table t modify column a unset tag x",
            "DB.S.T.A (tag DB.S.X)",
            {"rows": [{"TAG_VALUE": "old"}]},
            COLUMN + "SET TAG DB.S.X = 'old'",
        ),
        (
            "alter table t modify column a comment 'new'",
            "DB.S.T.A (definition)",
            {"rows": [{"COMMENT": "old"}]},
            COLUMN + "COMMENT 'old'",
        ),
        (
            "alter table t modify column a comment 'new'",
            "DB.S.T.A (definition)",
            {"rows": [{"COMMENT": None}]},
            COLUMN + "UNSET COMMENT",
        ),
        (
            "alter table t modify column a set not null",
            "DB.S.T.A (definition)",
            {"rows": [{"IS_NULLABLE": "YES"}]},
            COLUMN + "DROP NOT NULL",
        ),
        (
            "alter table t modify column a drop not null",
            "DB.S.T.A (definition)",
            {"rows": [{"IS_NULLABLE": "NO"}]},
            COLUMN + "SET NOT NULL",
        ),
        (
            "alter table t unset aggregation policy",
            "DB.S.T (aggregation policy)",
            {"rows": [POLICY_ROW]},
            "ALTER TABLE DB.S.T SET AGGREGATION POLICY DB.S.OLD FORCE",
        ),
        (
            "alter table t set join policy p force",
            "DB.S.T (join policy)",
            {"value": "DB.S.OLD"},
            "ALTER TABLE DB.S.T SET JOIN POLICY DB.S.OLD FORCE",
        ),
        (
            "alter table t unset join policy",
            "DB.S.T (join policy)",
            {"value": "DB.S.OLD"},
            "ALTER TABLE DB.S.T SET JOIN POLICY DB.S.OLD FORCE",
        ),
        (
            "alter table t drop data metric function f on (a)",
            "DB.S.T",
            {},
            "ALTER TABLE DB.S.T ADD DATA METRIC FUNCTION DB.S.F ON (A)",
        ),
        (
            "alter tag x drop allowed_values 'a'",
            "DB.S.X",
            {},
            "ALTER TAG DB.S.X ADD ALLOWED_VALUES 'a'",
        ),
        (
            "alter tag x unset masking policy p, masking policy q",
            "DB.S.X",
            {},
            "ALTER TAG DB.S.X SET MASKING POLICY DB.S.P, MASKING POLICY DB.S.Q",
        ),
        ("alter share h remove accounts = o.a", "H", {}, "ALTER SHARE H ADD ACCOUNTS = O.A"),
        ("alter task k remove after j", "DB.S.K", {}, "ALTER TASK DB.S.K ADD AFTER DB.S.J"),
        (
            "alter task k modify as select 2",
            "DB.S.K",
            {"ddl": "create task k as select 1"},
            "ALTER TASK DB.S.K MODIFY AS select 1",
        ),
        (
            "alter task k modify when a = 2",
            "DB.S.K",
            {"ddl": "create task k when a = 1 as select 1"},
            "ALTER TASK DB.S.K MODIFY WHEN a = 1",
        ),
        (
            "alter task k modify when a = 2",
            "DB.S.K",
            {"ddl": "create task k as select 1"},
            "ALTER TASK DB.S.K REMOVE WHEN",
        ),
        (
            "alter alert a modify action select 2",
            "DB.S.A",
            {"ddl": "create alert a if (exists (select 0)) then select 1"},
            "ALTER ALERT DB.S.A MODIFY ACTION select 1",
        ),
        (
            "alter alert a modify condition exists (select 2)",
            "DB.S.A",
            {"ddl": "create alert a if (exists (select 0)) then select 1"},
            "ALTER ALERT DB.S.A MODIFY CONDITION EXISTS (select 0)",
        ),
        (
            "alter warehouse w unset comment",
            "W",
            {"rows": [{"comment": "old"}]},
            "ALTER WAREHOUSE W SET COMMENT = 'old'",
        ),
        (
            "alter warehouse w set auto_suspend = 5",
            "W",
            {"value": "600"},
            "ALTER WAREHOUSE W SET AUTO_SUSPEND = 600",
        ),
        (
            "comment on table t is 'new'",
            "DB.S.T",
            {"rows": [{"comment": "o'ld"}]},
            "COMMENT ON TABLE DB.S.T IS 'o''ld'",
        ),
        (
            "comment on column t.a is 'new'",
            "DB.S.T.A (definition)",
            {"rows": [{"COMMENT": None}]},
            "COMMENT ON COLUMN DB.S.T.A IS ''",
        ),
        (
            "revoke select on future tables in schema s from role r",
            "DB.S (future grants)",
            {
                "rows": [
                    {
                        "privilege": "SELECT",
                        "grant_on": "TABLE",
                        "grant_to": "ROLE",
                        "grantee_name": "R",
                        "grant_option": "false",
                    }
                ]
            },
            "GRANT SELECT ON FUTURE TABLES IN SCHEMA DB.S TO ROLE R",
        ),
        (
            "revoke all on account from role r",
            "ACCOUNT (grants)",
            {"rows": [{**GRANT_ROW, "privilege": "MANAGE GRANTS"}]},
            "GRANT MANAGE GRANTS ON ACCOUNT TO ROLE R",
        ),
        ("show tables ->> create role r", "R", {"exists": False}, "DROP ROLE IF EXISTS R"),
    ],
)
def test_a_prior_state_comes_back(sql, ref, fact, inverse):
    assert inverse_with(sql, ref, **fact) == (inverse,)


@pytest.mark.parametrize(
    ("sql", "ref", "fact"),
    [
        ("alter warehouse w suspend", "W", {"rows": [{"state": "SUSPENDED"}]}),
        ("alter warehouse w resume", "W", {"rows": [{"state": "STARTED"}]}),
        ("alter table t add column if not exists a int", "DB.S.T.A (definition)", {}),
        (
            "alter table t modify column a set tag x = 'y'",
            "DB.S.T.A (tag DB.S.X)",
            {"exists": None},
        ),
        ("alter table t set aggregation policy p force", "DB.S.T (aggregation policy)", {}),
        ("alter table t modify column a set default 1", "DB.S.T.A (definition)", {"rows": [{}]}),
        ("alter table t modify column a set not null", "DB.S.T.A (definition)", {"rows": []}),
        ("alter task k modify as select 1", "DB.S.K", {"ddl": None}),
        ("alter tag x set masking policy p force", "DB.S.X", {}),
        ("grant role a to role b", "A (holders)", {"exists": None}),
        ("grant select on table t to role r", "DB.S.T (grants)", {"exists": None}),
        ("grant ownership on all tables in schema s to role r", "DB.S (all grants)", {}),
        ("revoke select on all tables in schema s from role r", "DB.S (all grants)", {}),
        ("comment on table t is 'x'", "DB.S.T", {}),
        ("drop masking policy p", "DB.S.P", {}),
        ("alter account set timezone = 'UTC'", "ACCOUNT", {"rows": []}),
    ],
)
def test_a_state_that_is_not_known_or_already_there_is_left(sql, ref, fact):
    assert inverse_with(sql, ref, **fact) == ()


@pytest.mark.parametrize(
    ("action", "facets"),
    [
        ("modify column a unset masking policy", [("A", "")]),
        ("modify column a set projection policy p", [("A", "projection policy")]),
        ("modify column a unset projection policy", [("A", "projection policy")]),
        ("modify column a unset tag x, y", [("A", "tag DB.S.X"), ("A", "tag DB.S.Y")]),
        ("modify column a set not null", [("A", "definition")]),
        ("rename column a to b", [("A", "definition")]),
        ("drop column a, b", [("A", "definition"), ("B", "definition")]),
        ("unset tag x", [(None, "tag DB.S.X")]),
        ("drop row access policy p", [(None, "row access policy")]),
        ("drop all row access policies", [(None, "row access policy")]),
        ("unset aggregation policy", [(None, "aggregation policy")]),
        ("set join policy p", [(None, "join policy")]),
        ("unset join policy", [(None, "join policy")]),
        ("rename to u", [(None, "")]),
        ("cluster by (a)", [(None, "")]),
    ],
)
def test_an_action_touches_its_facets(action, facets):
    expected = [
        ObjectRef("table", T, facet) if column is None else ObjectRef("column", (*T, column), facet)
        for column, facet in facets
    ]
    assert [change.target for change in changes(f"alter table t {action}")] == expected


def test_a_comment_and_a_dynamic_table_say_what_they_touch():
    assert changes("comment on schema x is 'y'") == (
        Change("alter", ObjectRef("schema", ("DB", "X")), detail={"action": "comment"}),
    )
    sql = "create dynamic table t (a int masking policy p) target_lag = '1 m' as select 1 a"
    assert changes(sql) == (
        Change(
            "create",
            ObjectRef("dynamic_table", T),
            detail={"attaches": "A set masking policy P"},
        ),
    )


def test_an_instance_is_of_its_class():
    (change,) = changes_of("CREATE SNOWFLAKE.CORE.BUDGET D.S.B()", None, None)
    assert (change.target.type, change.target.kind) == (
        "snowflake.core.budget",
        "SNOWFLAKE.CORE.BUDGET",
    )


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("SET CREDIT_QUOTA = 5 TRIGGERS ON 80 PERCENT DO NOTIFY", "CREDIT_QUOTA, TRIGGERS"),
        ("TRIGGERS ON 80 PERCENT DO NOTIFY", "TRIGGERS"),
        ("SET CREDIT_QUOTA = 5", "CREDIT_QUOTA"),
    ],
)
def test_a_changed_monitor_is_told_with_its_triggers(settings, told):
    (change,) = changes_of(f"ALTER RESOURCE MONITOR M {settings}", None, None)
    assert change.detail == {"action": "set", "properties": told}
