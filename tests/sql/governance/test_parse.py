"""Governance and administration statements as typed values."""

from decimal import Decimal
from pathlib import Path

import pytest

from skills_nb.errors import SqlError
from skills_nb.sql.governance import SqlSyntaxError, UnsupportedSqlError, ast, parse, table_clauses
from skills_nb.sql.governance.ast import (
    AddRowAccessPolicy,
    Alter,
    Argument,
    Clone,
    Grantee,
    GrantPrivileges,
    Ref,
    RevokePrivileges,
    Scope,
    SetColumnMaskingPolicy,
    SetColumnTags,
    SetProperties,
    Show,
    ShowGrants,
    TagValue,
    Target,
    TimeTravel,
    Trigger,
    Use,
)
from skills_nb.sql.statements import split

STATEMENTS = [s.text for s in split(Path(__file__).with_name("statements.sql").read_text())]
MANUAL = [s.text for s in split(Path(__file__).with_name("manual.sql").read_text())]
OTHERS = ("select", "create table t (", "create view", "create secure view")
ROLE_R = Grantee("ROLE", ("R",))
TABLE_T = Target("TABLE", ("T",))


@pytest.mark.parametrize("sql", [s for s in STATEMENTS if not s.startswith(OTHERS)])
def test_every_statement_of_the_family_is_typed(sql):
    assert parse(sql) is not None


@pytest.mark.parametrize("sql", [s for s in STATEMENTS if s.startswith(OTHERS)])
def test_queries_and_plain_creates_go_to_the_general_parser(sql):
    assert parse(sql) is None


@pytest.mark.parametrize("sql", MANUAL)
def test_the_rest_of_the_manuals_family_is_typed(sql):
    assert parse(sql, {"X": "d"}) is not None


@pytest.mark.parametrize(
    "sql",
    [
        "alter user u reset password",
        "alter user u add delegated authorization of role r to security integration i",
        "alter user u remove delegated authorizations from security integration i",
        "alter user u enroll mfa",
        "alter database d enable replication to accounts a.b, c.d",
        "alter materialized view v resume recluster",
        "alter external table e add files ('a', 'b')",
        "alter table t suspend recluster",
        "alter table t resume recluster",
        "alter table t add storage lifecycle policy p on (a)",
        "alter table t set contact steward = c",
        "use catalog c",
        "alter user u add programmatic access token t",
        "alter user u rotate pat t",
        "alter iceberg table t refresh 'x'",
        "create snowflake.ml.forecast f(input_data => t)",
    ],
)
def test_what_is_known_and_not_done_says_so(sql):
    with pytest.raises(UnsupportedSqlError) as caught:
        parse(sql)
    assert (caught.value.errno, caught.value.sqlstate) == (2, "0A000")


def test_a_column_may_be_called_like_an_unsupported_action():
    assert parse("alter table t add files int") == column(
        ast.AddColumns((ast.ColumnDefinition("FILES", "files int"),))
    )


MASK = "create or replace masking policy db.s.mp as (val string, r number(3, 0)) returns string -> "


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        (
            MASK + "case when comment = 'x' then val else '***' end comment = 'why'",
            ast.CreateMaskingPolicy(
                name=("DB", "S", "MP"),
                or_replace=True,
                args=(Argument("VAL", "string"), Argument("R", "number(3, 0)")),
                returns="string",
                body="case when comment = 'x' then val else '***' end",
                comment="why",
            ),
        ),
        (
            "create masking policy if not exists p as (v int) returns int -> v + 1 -- why\n"
            "  exempt_other_policies = true",
            ast.CreateMaskingPolicy(
                name=("P",),
                if_not_exists=True,
                args=(Argument("V", "int"),),
                returns="int",
                body="v + 1",
                properties={"EXEMPT_OTHER_POLICIES": True},
            ),
        ),
        (
            "create row access policy r as (comment varchar) returns boolean -> "
            "comment = 'a' and comment = 'b'",
            ast.CreateRowAccessPolicy(
                name=("R",),
                args=(Argument("COMMENT", "varchar"),),
                returns="boolean",
                body="comment = 'a' and comment = 'b'",
            ),
        ),
        (
            "create tag db.s.pii allowed_values 'HIGH', 'LO''W' comment = 'c'",
            ast.CreateTag(name=("DB", "S", "PII"), allowed_values=("HIGH", "LO'W"), comment="c"),
        ),
        (
            "create tag pii propagate = on_dependency allowed_values 'a'",
            ast.CreateTag(
                name=("PII",),
                allowed_values=("a",),
                properties={"PROPAGATE": Ref(("ON_DEPENDENCY",))},
            ),
        ),
        (
            "create role if not exists \"my role\" with tag (x = 'y') comment = 'z'",
            ast.CreateRole(
                name=("my role",),
                if_not_exists=True,
                tags=(TagValue(("X",), "y"),),
                comment="z",
            ),
        ),
        (
            "create or replace transient database d clone e at (timestamp => 'x'::timestamp) "
            "data_retention_time_in_days = 0",
            ast.CreateDatabase(
                name=("D",),
                or_replace=True,
                modifiers=("TRANSIENT",),
                clone=Clone(("E",), TimeTravel("AT", "TIMESTAMP", "'x'::timestamp")),
                properties={"DATA_RETENTION_TIME_IN_DAYS": 0},
            ),
        ),
        (
            "create database d from share p.sh",
            ast.CreateDatabase(name=("D",), from_share=("P", "SH")),
        ),
        (
            "create schema s with managed access",
            ast.CreateSchema(name=("S",), with_managed_access=True),
        ),
        (
            "create warehouse w with warehouse_size = xsmall, auto_suspend = 60 auto_resume = true",
            ast.CreateWarehouse(
                name=("W",),
                properties={
                    "WAREHOUSE_SIZE": Ref(("XSMALL",)),
                    "AUTO_SUSPEND": 60,
                    "AUTO_RESUME": True,
                },
            ),
        ),
        (
            "create resource monitor rm with credit_quota = 100.5 triggers on 75 percent do notify "
            "on 100 percent do suspend_immediate",
            ast.CreateResourceMonitor(
                name=("RM",),
                properties={"CREDIT_QUOTA": Decimal("100.5")},
                triggers=(Trigger(75, "NOTIFY"), Trigger(100, "SUSPEND_IMMEDIATE")),
            ),
        ),
        (
            "create dynamic table d (a int with masking policy p, b int) target_lag = downstream "
            "warehouse = w cluster by (a, b) row access policy r on (a) as select 1 a, 2 b",
            ast.CreateDynamicTable(
                name=("D",),
                columns="a int, b int",
                cluster_by="a, b",
                clauses=(
                    SetColumnMaskingPolicy("A", ("P",)),
                    AddRowAccessPolicy(("R",), ("A",)),
                ),
                properties={"TARGET_LAG": Ref(("DOWNSTREAM",)), "WAREHOUSE": Ref(("W",))},
                query="select 1 a, 2 b",
            ),
        ),
        (
            "create stream s on view v before (offset => -60 * 5) show_initial_rows = true",
            ast.CreateStream(
                name=("S",),
                source_kind="VIEW",
                source=("V",),
                at=TimeTravel("BEFORE", "OFFSET", "-60 * 5"),
                properties={"SHOW_INITIAL_ROWS": True},
            ),
        ),
        (
            "create task t warehouse = w after a, b when system$stream_has_data('s') "
            "as begin insert into x select 1; delete from y; end;",
            ast.CreateTask(
                name=("T",),
                properties={"WAREHOUSE": Ref(("W",))},
                after=(("A",), ("B",)),
                when="system$stream_has_data('s')",
                body="begin insert into x select 1; delete from y; end",
            ),
        ),
        (
            "create alert a warehouse = w schedule = '1 minute' if (exists (select 1)) "
            "then insert into t values (1)",
            ast.CreateAlert(
                name=("A",),
                properties={"WAREHOUSE": Ref(("W",)), "SCHEDULE": "1 minute"},
                condition="select 1",
                action="insert into t values (1)",
            ),
        ),
        (
            "create pipe p auto_ingest = true as copy into t from @s",
            ast.CreatePipe(
                name=("P",), properties={"AUTO_INGEST": True}, body="copy into t from @s"
            ),
        ),
        (
            "create sequence s start with 5 increment by = -2 noorder comment = 'x'",
            ast.CreateSequence(name=("S",), start=5, increment=-2, ordered=False, comment="x"),
        ),
        (
            "create or replace procedure p(a int default 1, b varchar) returns table (c int) "
            "language python runtime_version = '3.11' packages = ('x') handler = 'f' "
            "execute as caller as $$ body $$",
            ast.CreateProcedure(
                name=("P",),
                or_replace=True,
                args=(Argument("A", "int", "1"), Argument("B", "varchar")),
                returns="table (c int)",
                language="PYTHON",
                body=" body ",
                execute_as="CALLER",
                properties={"RUNTIME_VERSION": "3.11", "PACKAGES": ("x",), "HANDLER": "f"},
            ),
        ),
        (
            "create secure function f() returns number(3, 0) not null immutable as '1'",
            ast.CreateFunction(
                name=("F",),
                modifiers=("SECURE",),
                returns="number(3, 0)",
                body="1",
                options=("NOT NULL", "IMMUTABLE"),
            ),
        ),
        (
            "create data metric function d(t table(a int, b int)) returns number as 'select 1'",
            ast.CreateDataMetricFunction(
                name=("D",),
                args=(Argument("T", "table(a int, b int)"),),
                returns="number",
                body="select 1",
            ),
        ),
        (
            "create stage s url = 's3://b/p' encryption = (type = 'SNOWFLAKE_SSE') "
            "directory = (enable = true)",
            ast.CreateStage(
                name=("S",),
                properties={
                    "URL": "s3://b/p",
                    "ENCRYPTION": {"TYPE": "SNOWFLAKE_SSE"},
                    "DIRECTORY": {"ENABLE": True},
                },
            ),
        ),
        (
            "create external access integration i allowed_network_rules = (a.b.c, d) "
            "enabled = true",
            ast.CreateIntegration(
                name=("I",),
                integration="EXTERNAL ACCESS",
                properties={
                    "ALLOWED_NETWORK_RULES": (Ref(("A", "B", "C")), Ref(("D",))),
                    "ENABLED": True,
                },
            ),
        ),
        (
            "create table t2 clone t1 before (statement => 'x') copy grants",
            ast.CreateClone(
                name=("T2",),
                object_kind="TABLE",
                clone=Clone(("T1",), TimeTravel("BEFORE", "STATEMENT", "'x'")),
                copy_grants=True,
            ),
        ),
    ],
)
def test_create_is_read(sql, value):
    assert parse(sql) == value


def column(*actions):
    return Alter("TABLE", ("T",), actions)


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        (
            'alter table t modify column a set masking policy db.s.p using (a, "b c") force',
            column(SetColumnMaskingPolicy("A", ("DB", "S", "P"), ("A", "b c"), True)),
        ),
        (
            "alter table t alter column a set masking policy p, column b unset masking policy",
            column(SetColumnMaskingPolicy("A", ("P",)), ast.UnsetColumnMaskingPolicy("B")),
        ),
        (
            "alter table t modify column a set tag x = '1', y = '2', column b unset tag x, y",
            column(
                SetColumnTags("A", (TagValue(("X",), "1"), TagValue(("Y",), "2"))),
                ast.UnsetColumnTags("B", (("X",), ("Y",))),
            ),
        ),
        (
            "alter table t modify (a set projection policy p, b set not null, c type int)",
            column(
                ast.SetColumnProjectionPolicy("A", ("P",)),
                ast.AlterColumn("B", "SET NOT NULL"),
                ast.AlterColumn("C", "SET DATA TYPE", "int"),
            ),
        ),
        (
            "alter table t alter a set data type number(38, 2), b comment 'x', c drop default",
            column(
                ast.AlterColumn("A", "SET DATA TYPE", "number(38, 2)"),
                ast.AlterColumn("B", "COMMENT", "x"),
                ast.AlterColumn("C", "DROP DEFAULT"),
            ),
        ),
        (
            "alter table t drop row access policy a, add row access policy b on (c, d)",
            column(ast.DropRowAccessPolicy(("A",)), AddRowAccessPolicy(("B",), ("C", "D"))),
        ),
        (
            "alter table t drop all row access policies",
            column(ast.DropAllRowAccessPolicies()),
        ),
        (
            "alter table t set aggregation policy p entity key (a, b) force",
            column(ast.SetAggregationPolicy(("P",), (("A", "B"),), True)),
        ),
        (
            "alter table t set join policy p allowed join keys (a)",
            column(ast.SetJoinPolicy(("P",), ("A",))),
        ),
        (
            "alter table t add column if not exists a int default 1 with masking policy p, b int",
            column(
                ast.AddColumns(
                    (
                        ast.ColumnDefinition(
                            "A", "a int default 1", (SetColumnMaskingPolicy("A", ("P",)),)
                        ),
                        ast.ColumnDefinition("B", "b int"),
                    ),
                    True,
                )
            ),
        ),
        ("alter table t drop column if exists a, b", column(ast.DropColumns(("A", "B"), True))),
        ("alter table t rename column a to b", column(ast.RenameColumn("A", "B"))),
        ("alter table t rename to s.u", column(ast.RenameTo(("S", "U")))),
        ("alter table t swap with u", column(ast.SwapWith(("U",)))),
        ("alter table t cluster by (a, b)", column(ast.ClusterBy("a, b"))),
        (
            "alter table t add search optimization on equality(a, b:c), full_text(d)",
            column(
                ast.AddSearchOptimization(
                    (
                        ast.SearchMethod("EQUALITY", ("a", "b:c")),
                        ast.SearchMethod("FULL_TEXT", ("d",)),
                    )
                )
            ),
        ),
        (
            "alter table t drop search optimization on substring(a), b, 3",
            column(
                ast.DropSearchOptimization((ast.SearchMethod("SUBSTRING", ("a",)),), ("B",), (3,))
            ),
        ),
        (
            "alter table t add data metric function f on (a), g on ()",
            column(
                ast.AddDataMetricFunctions(
                    (ast.MetricAssociation(("F",), ("A",)), ast.MetricAssociation(("G",), ()))
                )
            ),
        ),
        (
            "alter table t add data metric function f on (a) expectation e (value < 5), g on (b)",
            column(
                ast.AddDataMetricFunctions(
                    (
                        ast.MetricAssociation(("F",), ("A",), (("E", "value < 5"),)),
                        ast.MetricAssociation(("G",), ("B",)),
                    )
                )
            ),
        ),
        (
            "alter table t modify data metric function f on (a) add expectation e (value = 0)",
            column(
                ast.ModifyExpectation(
                    (ast.MetricAssociation(("F",), ("A",)),), "ADD", "E", "value = 0"
                )
            ),
        ),
        (
            "alter table t modify data metric function f on (a) modify expectation e (value = 0)",
            column(
                ast.ModifyExpectation(
                    (ast.MetricAssociation(("F",), ("A",)),), "MODIFY", "E", "value = 0"
                )
            ),
        ),
        (
            "alter table t modify data metric function f on (a) drop expectation e",
            column(ast.ModifyExpectation((ast.MetricAssociation(("F",), ("A",)),), "DROP", "E")),
        ),
        (
            "alter table if exists t set tag x = 'y'",
            Alter("TABLE", ("T",), (ast.SetTags((TagValue(("X",), "y"),)),), True),
        ),
        (
            "alter table t unset data_retention_time_in_days, comment",
            column(ast.UnsetProperties(("DATA_RETENTION_TIME_IN_DAYS", "COMMENT"))),
        ),
        ("alter view v set secure", Alter("VIEW", ("V",), (ast.SetFlag("SECURE"),))),
        (
            "alter masking policy p set body -> case when a then b end",
            Alter("MASKING POLICY", ("P",), (ast.SetBody("case when a then b end"),)),
        ),
        (
            "alter tag t set masking policy a, masking policy b force",
            Alter("TAG", ("T",), (ast.SetTagMaskingPolicies((("A",), ("B",)), True),)),
        ),
        (
            "alter tag t drop allowed_values 'a', 'b'",
            Alter("TAG", ("T",), (ast.DropAllowedValues(("a", "b")),)),
        ),
        ("alter warehouse w resume if suspended", Alter("WAREHOUSE", ("W",), (ast.Resume(True),))),
        ("alter warehouse suspend", Alter("WAREHOUSE", (), (ast.Suspend(),))),
        (
            "alter warehouse w abort all queries",
            Alter("WAREHOUSE", ("W",), (ast.AbortAllQueries(),)),
        ),
        (
            "alter user u set password policy p force",
            Alter("USER", ("U",), (SetProperties({"PASSWORD POLICY": Ref(("P",))}, (), True),)),
        ),
        (
            "alter user u unset password policy",
            Alter("USER", ("U",), (ast.UnsetProperties(("PASSWORD POLICY",)),)),
        ),
        (
            "alter account set network_policy = np",
            Alter("ACCOUNT", (), (SetProperties({"NETWORK_POLICY": Ref(("NP",))}),)),
        ),
        (
            "alter session set query_tag = 'x' timezone = 'UTC'",
            Alter("SESSION", (), (SetProperties({"QUERY_TAG": "x", "TIMEZONE": "UTC"}),)),
        ),
        (
            "alter session unset query_tag",
            Alter("SESSION", (), (ast.UnsetProperties(("QUERY_TAG",)),)),
        ),
        (
            "alter share s add accounts = o.a, o.b share_restrictions = false",
            Alter(
                "SHARE",
                ("S",),
                (ast.AddAccounts((("O", "A"), ("O", "B")), {"SHARE_RESTRICTIONS": False}),),
            ),
        ),
        (
            "alter task t modify when a = 1",
            Alter("TASK", ("T",), (ast.ModifyCondition("a = 1"),)),
        ),
        (
            "alter task t modify as begin x; y; end",
            Alter("TASK", ("T",), (ast.ModifyBody("begin x; y; end"),)),
        ),
        (
            "alter resource monitor r set credit_quota = 5 triggers on 50 percent do notify",
            Alter(
                "RESOURCE MONITOR",
                ("R",),
                (SetProperties({"CREDIT_QUOTA": 5}, (Trigger(50, "NOTIFY"),)),),
            ),
        ),
        (
            "alter procedure p(int, varchar) execute as owner",
            Alter("PROCEDURE", ("P",), (ast.SetExecuteAs("OWNER"),), False, ("int", "varchar")),
        ),
        (
            "alter schema s disable managed access",
            Alter("SCHEMA", ("S",), (ast.SetManagedAccess(False),)),
        ),
    ],
)
def test_alter_is_read(sql, value):
    assert parse(sql) == value


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("grant role a to user b", ast.GrantRole("ROLE", ("A",), Grantee("USER", ("B",)))),
        (
            "grant database role d.r to share s",
            ast.GrantRole("DATABASE ROLE", ("D", "R"), Grantee("SHARE", ("S",))),
        ),
        ("revoke role a from role r", ast.RevokeRole("ROLE", ("A",), ROLE_R)),
        (
            "grant select, insert on table t to r with grant option",
            GrantPrivileges(("SELECT", "INSERT"), TABLE_T, ROLE_R, True),
        ),
        (
            "grant all privileges on t.u.v to role r",
            GrantPrivileges(("ALL",), Target("TABLE", ("T", "U", "V")), ROLE_R),
        ),
        ("grant select on to role r", None),
        ("grant select on tabel t to role r", None),
        (
            "grant all privileges on schema s to database role d.r",
            GrantPrivileges(
                ("ALL",), Target("SCHEMA", ("S",)), Grantee("DATABASE ROLE", ("D", "R"))
            ),
        ),
        (
            "grant create masking policy, usage on schema s to role r",
            GrantPrivileges(("CREATE MASKING POLICY", "USAGE"), Target("SCHEMA", ("S",)), ROLE_R),
        ),
        (
            "grant apply masking policy on account to role r",
            GrantPrivileges(("APPLY MASKING POLICY",), Target("ACCOUNT"), ROLE_R),
        ),
        (
            "grant imported privileges on database d to role r",
            GrantPrivileges(("IMPORTED PRIVILEGES",), Target("DATABASE", ("D",)), ROLE_R),
        ),
        (
            "grant select on all materialized views in database d to role r",
            GrantPrivileges(
                ("SELECT",), Target("MATERIALIZED VIEW", ("D",), "ALL", "DATABASE"), ROLE_R
            ),
        ),
        (
            "grant usage on function f(int, number(1, 2)) to share s",
            GrantPrivileges(
                ("USAGE",),
                Target("FUNCTION", ("F",), arguments=("int", "number(1, 2)")),
                Grantee("SHARE", ("S",)),
            ),
        ),
        (
            "grant ownership on future tables in schema d.s to role r revoke current grants",
            ast.GrantOwnership(Target("TABLE", ("D", "S"), "FUTURE", "SCHEMA"), ROLE_R, "REVOKE"),
        ),
        (
            "revoke grant option for select on table t from role r cascade",
            RevokePrivileges(("SELECT",), TABLE_T, ROLE_R, True, "CASCADE"),
        ),
        (
            "revoke select on future tables in schema s from role r",
            RevokePrivileges(("SELECT",), Target("TABLE", ("S",), "FUTURE", "SCHEMA"), ROLE_R),
        ),
    ],
)
def test_grants_are_read(sql, value):
    if value is None:
        with pytest.raises(SqlSyntaxError):
            parse(sql)
    else:
        assert parse(sql) == value


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("show tables", Show("TABLES")),
        (
            "show terse masking policies history like 'a%' in schema d.s starts with 'A' "
            "limit 5 from 'B'",
            Show(
                "MASKING POLICIES",
                True,
                True,
                "a%",
                Scope("SCHEMA", ("D", "S")),
                "A",
                5,
                "B",
            ),
        ),
        ("show schemas in database", Show("SCHEMAS", scope=Scope("DATABASE"))),
        ("show tables in account", Show("TABLES", scope=Scope("ACCOUNT"))),
        ("show tables in d.s", Show("TABLES", scope=Scope(None, ("D", "S")))),
        ("show columns in table t", Show("COLUMNS", scope=Scope("TABLE", ("T",)))),
        (
            "show parameters like 'x' for user u",
            Show("PARAMETERS", like="x", scope=Scope("USER", ("U",))),
        ),
        ("show tasks root only", Show("TASKS", options=("ROOT ONLY",))),
        ("show grants", ShowGrants()),
        ("show grants on account", ShowGrants("ON", "ACCOUNT")),
        ("show grants on masking policy p", ShowGrants("ON", "MASKING POLICY", ("P",))),
        ("show grants to database role d.r", ShowGrants("TO", "DATABASE ROLE", ("D", "R"))),
        ("show grants of role r limit 3", ShowGrants("OF", "ROLE", ("R",), limit=3)),
        ("show future grants in schema s", ShowGrants("IN", "SCHEMA", ("S",), True)),
        ("show future grants to role r", ShowGrants("TO", "ROLE", ("R",), True)),
        ("describe t", ast.Describe("TABLE", ("T",))),
        ("desc table db.s.t type = stage", ast.Describe("TABLE", ("DB", "S", "T"), None, "STAGE")),
        ("describe function f(int)", ast.Describe("FUNCTION", ("F",), ("int",))),
        ("describe result 'abc'", ast.Describe("RESULT", ("abc",))),
        ("use role r", Use("ROLE", ("R",))),
        ("use d", Use("DATABASE", ("D",))),
        ("use d.s", Use("SCHEMA", ("D", "S"))),
        ("use schema d.s", Use("SCHEMA", ("D", "S"))),
        ('use warehouse "my w"', Use("WAREHOUSE", ("my w",))),
        ("use role", Use("DATABASE", ("ROLE",))),
        ("use secondary roles none", ast.UseSecondaryRoles("NONE")),
        ("use secondary roles a, b", ast.UseSecondaryRoles("LIST", (("A",), ("B",)))),
        (
            "set v = (select max(a), 1 from t)",
            ast.SetVariables(("V",), ("(select max(a), 1 from t)",)),
        ),
        ("set (a, b) = (1, f(2, 3))", ast.SetVariables(("A", "B"), ("1", "f(2, 3)"))),
        ("set (a, b) = (select 1, 2)", ast.SetVariables(("A", "B"), ("select 1, 2",))),
        ("unset (a, b)", ast.UnsetVariables(("A", "B"))),
        ("drop table if exists t cascade", ast.Drop("TABLE", ("T",), True, "CASCADE")),
        ("drop function f()", ast.Drop("FUNCTION", ("F",), arguments=())),
        ("drop integration if exists i", ast.Drop("INTEGRATION", ("I",), True)),
        ("undrop schema d.s", ast.Undrop("SCHEMA", ("D", "S"))),
        (
            "comment if exists on column d.s.t.c is 'it''s'",
            ast.Comment("COLUMN", ("D", "S", "T", "C"), "it's", True),
        ),
        ("execute task t retry last", ast.ExecuteTask(("T",), True)),
        ("execute immediate 'a' using (b, c)", ast.ExecuteImmediate("a", using=("B", "C"))),
        ("execute immediate :v", ast.ExecuteImmediate(None, "V")),
        ("execute immediate from @s/f.sql", ast.ExecuteImmediate(source="@s/f.sql")),
        (
            "call d.s.p(1, f(2, 3), a => 'x')",
            ast.Call(("D", "S", "P"), ("1", "f(2, 3)", "a => 'x'")),
        ),
        (
            "select 1 ->> select * from $1 ->> show tables",
            ast.Chain(("select 1", "select * from $1", "show tables")),
        ),
        ("call d.b!set_limit(5)", ast.Call(("D", "B"), ("5",), None, "SET_LIMIT")),
        ("show snowflake.core.budget", Show("SNOWFLAKE.CORE.BUDGET")),
        ("drop table d..t", ast.Drop("TABLE", ("D", "PUBLIC", "T"))),
        ("drop table identifier('d.\"s\".t')", ast.Drop("TABLE", ("D", "s", "T"))),
    ],
)
def test_other_statements_are_read(sql, value):
    assert parse(sql) == value


def test_a_session_variable_names_an_object():
    assert parse("use role identifier($r)", {"R": "my_role"}) == Use("ROLE", ("MY_ROLE",))
    with pytest.raises(SqlError, match=r"Session variable '\$R' does not exist"):
        parse("use role identifier($r)")


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("create role", "syntax error line 1 at position 11 unexpected '<EOF>'."),
        ("create role 'x'", "syntax error line 1 at position 12 unexpected ''x''."),
        ("create role r\n  nonsense", "syntax error line 2 at position 2 unexpected 'nonsense'."),
        ("drop table t u", "syntax error line 1 at position 13 unexpected 'u'."),
        ("drop thing t", "syntax error line 1 at position 5 unexpected 'thing'."),
        ("grant select table t to role r", "syntax error line 1 at position 21 unexpected 'to'."),
        ("alter table t", "syntax error line 1 at position 13 unexpected '<EOF>'."),
        ("alter table t frobnicate", "syntax error line 1 at position 14 unexpected 'frobnicate'."),
        ("alter table t modify column a set masking policy", "unexpected '<EOF>'."),
        ("comment on table t is 'open", "parse error line 1 at position 22 near '<EOF>'."),
        ("create role r comment = 'a' comment = 'b'", "duplicate property 'COMMENT'"),
        ("create role select", "syntax error line 1 at position 12 unexpected 'select'."),
        ("create masking policy p as (v int) returns int ->", "unexpected '<EOF>'."),
        ("use role a.b", "syntax error line 1 at position 12 unexpected '<EOF>'."),
        ("show grants on", "unexpected '<EOF>'."),
        ("show tables ->>", "unexpected '<EOF>'."),
        ("call p", "syntax error line 1 at position 6 unexpected '<EOF>'."),
        ("set v", "syntax error line 1 at position 5 unexpected '<EOF>'."),
        ("use role identifier('a b')", "syntax error line 1 at position 20 unexpected ''a b''."),
    ],
)
def test_what_cannot_be_read_says_where(sql, message):
    with pytest.raises(SqlSyntaxError) as caught:
        parse(sql)
    assert message in caught.value.message
    assert caught.value.message.startswith("SQL compilation error:\n")
    assert (caught.value.errno, caught.value.sqlstate) == (1003, "42000")


@pytest.mark.parametrize(
    "sql",
    [
        "",
        ";",
        "select 1",
        "insert into t select 1",
        "begin",
        "begin drop table t; end",
        "commit",
        "truncate table t",
        "alter table t add constraint c primary key (a)",
        "with a as (select 1) select * from a",
    ],
)
def test_what_is_not_of_the_family_is_left_to_others(sql):
    assert parse(sql) is None


# table_clauses


@pytest.mark.parametrize(
    ("sql", "left", "clauses"),
    [
        (
            "create or replace table t (id int, ssn string with masking policy mp using (ssn, id) "
            "with tag (pii = 'HIGH', x = 'y') not null) with row access policy r on (id) "
            "comment = 'c' with tag (z = '1')",
            "create or replace table t (id int, ssn string not null) comment = 'c'",
            (
                SetColumnMaskingPolicy("SSN", ("MP",), ("SSN", "ID")),
                SetColumnTags("SSN", (TagValue(("PII",), "HIGH"), TagValue(("X",), "y"))),
                AddRowAccessPolicy(("R",), ("ID",)),
                ast.SetTags((TagValue(("Z",), "1"),)),
            ),
        ),
        (
            "create view if not exists v (a masking policy p, \"b c\" tag (x = 'y')) "
            "aggregation policy ag as select 1 a, 'with tag (x = 1)' with_tag",
            "create view if not exists v (a, \"b c\") as select 1 a, 'with tag (x = 1)' with_tag",
            (
                SetColumnMaskingPolicy("A", ("P",)),
                SetColumnTags("b c", (TagValue(("X",), "y"),)),
                ast.SetAggregationPolicy(("AG",)),
            ),
        ),
        (
            "create table t (a int projection policy p) as select 1 a",
            "create table t (a int) as select 1 a",
            (ast.SetColumnProjectionPolicy("A", ("P",)),),
        ),
        (
            "create table t (tag int, masking varchar(3), a number(3, 2) default f(1, 2))",
            "create table t (tag int, masking varchar(3), a number(3, 2) default f(1, 2))",
            (),
        ),
        ("create table t as select 1", "create table t as select 1", ()),
        ("create role r", "create role r", ()),
        ("select 1", "select 1", ()),
    ],
)
def test_policy_and_tag_clauses_are_taken_out(sql, left, clauses):
    assert table_clauses(sql) == (left, clauses)


def test_a_broken_clause_is_refused():
    with pytest.raises(SqlSyntaxError):
        table_clauses("create table t (a int with masking policy)")
