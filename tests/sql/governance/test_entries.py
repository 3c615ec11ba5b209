"""Entries and semantic views: clauses become properties, wrong ones are refused."""

import pytest

from skills_nb.sql.governance import SqlSyntaxError, UnsupportedSqlError, ast, parse


def test_clauses_of_a_service_stand_under_their_own_words() -> None:
    sql = "create service s in compute pool p from @st/x specification_file = 'a' comment = 'c'"
    assert parse(sql) == ast.CreateService(
        name=("S",),
        comment="c",
        properties={
            "IN COMPUTE POOL": ast.Ref(("P",)),
            "FROM": "@st/x",
            "SPECIFICATION_FILE": "a",
        },
    )


def test_lists_of_a_group_have_no_brackets() -> None:
    sql = "alter failover group f set object_types = roles, account parameters error_integration=i"
    assert parse(sql) == ast.Alter(
        "FAILOVER GROUP",
        ("F",),
        (
            ast.SetProperties(
                {
                    "OBJECT_TYPES": ("roles", "account parameters"),
                    "ERROR_INTEGRATION": ast.Ref(("I",)),
                }
            ),
        ),
    )


@pytest.mark.parametrize(
    "sql",
    [
        "execute notebook n()",
        "execute dbt project d args = 'run'",
        "alter git repository g fetch",
        "alter failover group f primary",
        "create semantic view v tables (t) metrics (t.n using (r) as count(*))",
        "create semantic view v tables (t) dimensions (t.a as a with tag (x = 'y'))",
    ],
)
def test_what_would_run_something_is_unsupported(sql: str) -> None:
    with pytest.raises(UnsupportedSqlError):
        parse(sql)


def test_a_semantic_view_is_read_part_by_part() -> None:
    sql = (
        "create semantic view v tables (c as d.s.customer primary key (id), orders) "
        "relationships (orders (c_id) references c) facts (private orders.half as amount / 2) "
        "metrics (orders.n as count(*) with synonyms = ('a', 'b') comment = 'it', r as orders.n)"
    )
    assert parse(sql) == ast.CreateSemanticView(
        name=("V",),
        tables=(
            ast.SemanticTable("C", ("D", "S", "CUSTOMER"), ("ID",)),
            ast.SemanticTable("ORDERS", ("ORDERS",)),
        ),
        relationships=(ast.SemanticRelationship("ORDERS_TO_C", "ORDERS", ("C_ID",), "C"),),
        members=(
            ast.SemanticMember("FACT", "ORDERS", "HALF", "amount / 2", private=True),
            ast.SemanticMember("METRIC", "ORDERS", "N", "count(*)", ("a", "b"), "it"),
            ast.SemanticMember("METRIC", "", "R", "orders.n"),
        ),
    )


@pytest.mark.parametrize(
    "sql",
    [
        "create semantic view v",
        "create semantic view v tables ()",
        "create semantic view v tables (t) dimensions (d as a)",
        "create service s in compute pool",
        "create replication group r object_types = ",
    ],
)
def test_half_a_statement_is_refused(sql: str) -> None:
    with pytest.raises(SqlSyntaxError):
        parse(sql)


@pytest.mark.parametrize(
    ("sql", "feature"),
    [
        ("create replication group g as replica of o.a.g", "groups that are replicas"),
        ("create model monitor m with model = x", "CREATE MODEL MONITOR"),
        ("create openflow runtime r in deployment d", "CREATE OPENFLOW RUNTIME"),
        ("alter openflow connector d.s.c start", "ALTER OPENFLOW CONNECTOR START"),
        ("grant service role a.b.c!all_endpoints_usage to role r", "SERVICE ROLE"),
        ("revoke service role a.b.c!all_endpoints_usage from role r", "SERVICE ROLE"),
        ("describe listing l revision = draft", "DESCRIBE LISTING REVISION"),
        (
            "create semantic view v tables (t) metrics (n as 1) max_staleness = 60",
            "MAX_STALENESS of semantic views",
        ),
    ],
)
def test_what_is_known_and_cannot_be_done_says_so(sql: str, feature: str) -> None:
    with pytest.raises(UnsupportedSqlError) as refused:
        parse(sql)
    assert refused.value.message == f"Unsupported feature '{feature}'."
