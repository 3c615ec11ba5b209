"""No tree holds text that could be anything but what it is said to be."""

import pytest
from sqlglot import exp

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.types import names
from skills_nb.errors import SqlError


def literal(text: str) -> exp.Expr:
    return exp.Literal(this=text, is_string=False)


def table(name: str, schema: str | None = None, catalog: str | None = None) -> exp.Expr:
    parts = {"db": schema, "catalog": catalog}
    quoted = {k: names.quoted(v) for k, v in parts.items() if v is not None}
    return exp.select("1").from_(names.own(exp.Table(this=names.quoted(name), **quoted)))


REFUSED = [
    literal("(SELECT 1)"),
    literal("1; DROP TABLE t"),
    literal("1_0"),
    literal("nan"),
    literal("١"),
    literal(""),
    exp.Neg(this=literal("1 OR TRUE")),
    exp.HexString(this="') || ('"),
    exp.HexString(this="abc"),
    exp.BitString(this="1' || '"),
    exp.Var(this="DAY'; DROP TABLE t; --"),
    exp.Var(this="from_json('x')"),
    exp.Anonymous(this="f(1); g", expressions=[]),
    exp.Anonymous(this="a b", expressions=[]),
    exp.to_identifier("x; y", quoted=False),
    exp.column(exp.to_identifier('x" OR "y', quoted=False)),
    exp.Cast(
        this=literal("1"), to=exp.DataType(this=exp.DType.USERDEFINED, kind="INT); SELECT (1")
    ),
    exp.Command(this="ATTACH", expression="'x'"),
    exp.Drop(this=exp.to_table("t"), kind="TABLE"),
    exp.Insert(this=exp.to_table("t"), expression=exp.select("1")),
    exp.Delete(this=exp.to_table("t")),
    exp.Set(expressions=[]),
    exp.Parameter(this=exp.Var(this="x")),
    exp.Placeholder(),
    exp.Placeholder(this="x"),
    exp.Heredoc(this="$$ || 1"),
    exp.ReadCSV(this=exp.Literal.string("/etc/passwd")),
    exp.ReadParquet(expressions=[exp.Literal.string("x")]),
    exp.select("1").from_("t"),
    exp.select("1").from_("duckdb_tables"),
    table("record", "_account"),
    table("query_history", "_account"),
    table("x", "main"),
    table("tables", "information_schema"),
    table("pg_class", "pg_catalog"),
    table("record", "_account", "account"),
    table("x", "main", "system"),
    table("T", "D.PUBLIC", "account"),
    exp.select("1").from_(names.own(exp.Table(this=exp.Anonymous(this="duckdb_tables")))),
    exp.select("1").from_(names.own(exp.Table(this=exp.Anonymous(this="read_text")))),
]


@pytest.mark.parametrize("tree", REFUSED, ids=lambda tree: repr(tree)[:60].replace("\n", " "))
def test_a_tree_with_a_text_in_the_wrong_place_is_not_written(tree: exp.Expr) -> None:
    with pytest.raises(SqlError) as refused:
        duck_sql.tree(tree)
    assert refused.value.errno in (2, 2049)


WRITTEN = [
    (literal("1.5e-3"), "1.5e-3"),
    (exp.Literal.string("it's; --"), "'it''s; --'"),
    (names.quoted('a"b;'), '"a""b;"'),
    (table("T", "D.PUBLIC"), 'SELECT 1 FROM "D.PUBLIC"."T"'),
    (table("__change", "main", "temp"), 'SELECT 1 FROM "temp"."main"."__change"'),
    (table("a_cte"), 'SELECT 1 FROM "a_cte"'),
]


@pytest.mark.parametrize(("tree", "text"), WRITTEN, ids=lambda part: str(part)[:40])
def test_what_is_in_its_place_is_written(tree: exp.Expr, text: str) -> None:
    assert duck_sql.tree(tree).text == text
