"""Statements: what they answer and what they leave behind."""

import pytest

from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

from .conftest import rows

DONE = "Statement executed successfully."


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("create database other", "Database OTHER successfully created."),
        ("create schema shop.s2", "Schema S2 successfully created."),
        ("create table t (a int)", "Table T successfully created."),
        (
            "create table if not exists people (a int)",
            "PEOPLE already exists, statement succeeded.",
        ),
        ("create table c clone people", "Table C successfully created."),
        ("create view v as select 1 as a", "View V successfully created."),
        ("create role r", "Role R successfully created."),
        ("create role if not exists analyst", "ANALYST already exists, statement succeeded."),
        ("create user u", "User U successfully created."),
        ("create warehouse w warehouse_size = 'SMALL'", "Warehouse W successfully created."),
        ("create tag pii", "Tag PII successfully created."),
        (
            "create masking policy m2 as (v string) returns string -> v",
            "Masking policy M2 successfully created.",
        ),
        (
            "create row access policy r2 as (v string) returns boolean -> true",
            "Row access policy R2 successfully created.",
        ),
        ("grant select on table people to role steward", DONE),
        ("alter table people add column extra int", DONE),
        ("comment on table people is 'folk'", DONE),
        ("use schema shop.sales", DONE),
        ("set x = 1", DONE),
        ("drop table people", "PEOPLE successfully dropped."),
        (
            "drop role if exists nope",
            "Drop statement executed successfully (NOPE already dropped).",
        ),
        ("truncate table people", DONE),
    ],
)
def test_statements_answer_in_snowflakes_words(
    admin: AccountSession, statement: str, message: str
) -> None:
    assert rows(admin, statement) == [(message,)]


def test_the_definition_that_get_ddl_gives_makes_the_same_table(admin: AccountSession) -> None:
    admin.execute("create tag pii allowed_values 'HIGH', 'LOW'")
    admin.execute(
        "create table made (id int not null default 7, n number(10,2) comment 'it''s', "
        "s string with masking policy mask with tag (pii = 'HIGH'), \"odd name\" date)"
    )
    text = rows(admin, "select get_ddl('table', 'made', true)")[0][0]
    described = rows(admin, "describe table made")
    admin.execute(str(text))
    assert rows(admin, "select get_ddl('table', 'made', true)")[0][0] == text
    assert rows(admin, "describe table made") == described


def test_defaults_fill_what_an_insert_leaves_out(admin: AccountSession) -> None:
    admin.execute(
        "create table d (id int autoincrement, a int default 5, b string default upper('x'), c int)"
    )
    admin.execute("insert into d (c) values (1), (2)")
    admin.execute("insert into d (a, c) values (default, 3)")
    assert rows(admin, "select * from d order by id") == [
        (1, 5, "X", 1),
        (2, 5, "X", 2),
        (3, 5, "X", 3),
    ]


def test_merge_does_all_three(admin: AccountSession) -> None:
    answer = admin.execute(
        "merge into people t using (select 1 as id, 'new' as n union all select 2, 'gone' "
        "union all select 9, 'nine') s on t.id = s.id "
        "when matched and s.n = 'gone' then delete when matched then update set name = s.n "
        "when not matched then insert (id, name) values (s.id, s.n)"
    )
    assert [c.name for c in answer.columns] == [
        "number of rows inserted",
        "number of rows updated",
        "number of rows deleted",
    ]
    assert answer.rows == ((1, 1, 1),)
    assert rows(admin, "select id, name from people order by id") == [
        (1, "new"),
        (3, "Cy"),
        (9, "nine"),
    ]


def test_merge_refuses_a_row_met_twice(admin: AccountSession) -> None:
    with pytest.raises(SqlError) as refused:
        admin.execute(
            "merge into people t using (select 1 as id union all select 1) s on t.id = s.id "
            "when matched then update set name = 'twice'"
        )
    assert (refused.value.errno, refused.value.sqlstate) == (100090, "42P18")


def test_references_tell_where_policies_and_tags_are(admin: AccountSession) -> None:
    admin.execute("create tag pii")
    admin.execute("alter table people modify column ssn set tag pii = 'x'")
    assert rows(
        admin,
        "select policy_name, policy_kind, ref_column_name from table(information_schema."
        "policy_references(ref_entity_name => 'people', ref_entity_domain => 'table'))",
    ) == [("MASK", "MASKING_POLICY", "SSN")]
    assert rows(
        admin,
        "select tag_name, tag_value, level from table(information_schema.tag_references("
        "'people.ssn', 'column'))",
    ) == [("PII", "x", "COLUMN")]
    assert rows(admin, "select system$get_tag('pii', 'people.ssn', 'column')") == [("x",)]


def test_classification_reads_what_the_role_may_see(
    admin: AccountSession, analyst: AccountSession
) -> None:
    admin.execute("create table contacts (email string)")
    admin.execute(
        "insert into contacts select 'p' || seq4() || '@example.com' "
        "from table(generator(rowcount => 50))"
    )
    found = str(rows(admin, "call system$classify('contacts', {'auto_tag': true})"))
    assert "EMAIL" in found
    tag = "select system$get_tag('snowflake.core.semantic_category', 'contacts.email', 'column')"
    assert rows(admin, tag) == [("EMAIL",)]
    admin.execute("alter table contacts modify column email set masking policy mask")
    admin.execute("grant select on table contacts to role analyst")
    seen = str(rows(analyst, "call system$classify('contacts')"))
    assert seen != str(rows(admin, "call system$classify('contacts')"))


def test_flatten_reads_arrays_and_objects(admin: AccountSession) -> None:
    admin.execute('create table docs as select parse_json(\'{"a":[1,"x"],"b":{"c":true}}\') as v')
    assert rows(
        admin,
        "select f.index, f.value::string from docs, lateral flatten(input => v:a) f order by 1",
    ) == [(0, "1"), (1, "x")]
    assert rows(admin, "select key, path from docs, table(flatten(v)) f order by key") == [
        ("a", "a"),
        ("b", "b"),
    ]
    assert rows(admin, "select v:a[1]::string, v:b.c::boolean, v:zz from docs") == [
        ("x", True, None)
    ]


def test_a_chain_reads_the_result_before(admin: AccountSession) -> None:
    assert rows(admin, 'show tables ->> select "name" from $1') == [("PEOPLE",)]


def test_variables_stand_for_values_and_names(admin: AccountSession) -> None:
    admin.execute("set (who, t) = ('Ann', 'people')")
    assert rows(admin, "select id from identifier($t) where name = $who") == [(1,)]
    admin.execute("unset who")
    with pytest.raises(SqlError, match="does not exist"):
        admin.execute("select $who")


def test_a_dropped_table_comes_back_with_its_rows(admin: AccountSession) -> None:
    admin.execute("drop table people")
    admin.execute("undrop table people")
    assert rows(admin, "select count(*) from people") == [(3,)]
    with pytest.raises(SqlError):
        admin.execute("undrop table people")


def test_a_temporary_table_is_its_sessions_own(
    admin: AccountSession, analyst: AccountSession
) -> None:
    admin.execute("create temporary table scratch as select 1 as a")
    assert rows(admin, "select a from scratch") == [(1,)]
    with pytest.raises(SqlError, match="does not exist"):
        analyst.execute("select a from scratch")


def test_the_access_history_names_columns_and_policies(
    admin: AccountSession, analyst: AccountSession
) -> None:
    query_id = analyst.execute("select name, ssn from people").query_id
    found = rows(
        admin,
        "select direct_objects_accessed[0]:objectName::string, policies_referenced[0]:policyName"
        f"::string from snowflake.account_usage.access_history where query_id = '{query_id}'",
    )
    assert found == [("SHOP.SALES.PEOPLE", "SHOP.SALES.MASK")]


def test_copy_grants_keeps_who_may_read(admin: AccountSession, analyst: AccountSession) -> None:
    admin.execute("create or replace table people copy grants as select id, name from people")
    assert rows(analyst, "select count(*) from people") == [(3,)]
    admin.execute("create or replace table people as select id, name from people")
    with pytest.raises(SqlError, match="not authorized"):
        analyst.execute("select count(*) from people")


def test_a_cast_to_a_shorter_text_cuts_nothing(admin: AccountSession) -> None:
    assert rows(admin, "select 'abc'::varchar(3), cast(12345 as string)") == [("abc", "12345")]
    with pytest.raises(SqlError, match="too long and would be truncated"):
        admin.execute("select 'abcdef'::varchar(3)")


def test_options_of_a_table_are_kept(admin: AccountSession) -> None:
    admin.execute(
        "create transient table o (a int) cluster by (a) data_retention_time_in_days = 0 "
        "comment = 'kept'"
    )
    assert rows(
        admin,
        'show tables like \'o\' ->> select "kind", "cluster_by", "retention_time", "comment" '
        "from $1",
    ) == [("TRANSIENT", "LINEAR(a)", "0", "kept")]
    with pytest.raises(SqlError, match="Unsupported feature"):
        admin.execute("create table o2 (a int) enable_schema_evolution = true")
