"""Copies of trees are what sqlglot's own copies are, each node in its place."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from skills_nb.embedded.types.tree_copies import copied

TEXTS = (
    "SELECT 1",
    "SELECT a.b, COUNT(DISTINCT c) /* counted */ FROM t AS a LEFT JOIN u USING (k) "
    "WHERE x IN (1, 2, NULL) AND EXISTS (SELECT * FROM v WHERE v.k = a.k) GROUP BY 1 QUALIFY "
    "ROW_NUMBER() OVER (PARTITION BY d ORDER BY e DESC) = 1",
    "MERGE INTO t USING s ON t.k = s.k WHEN MATCHED THEN UPDATE SET v = s.v "
    "WHEN NOT MATCHED THEN INSERT (k, v) VALUES (s.k, s.v)",
    "SELECT DATEADD(day, 1, d), v:a.b[0]::NUMBER(10, 2), {'a': 1}, [1, 2] FROM t, "
    "LATERAL FLATTEN(input => t.v)",
)


def _place(node: exp.Expr) -> tuple[object, ...]:
    parent = type(node.parent) if node.parent is not None else None
    return type(node), parent, node.arg_key, node.index, node.comments, node._meta, node._type


@pytest.mark.parametrize("text", TEXTS)
def test_a_copy_is_that_of_sqlglot_node_by_node(text):
    tree = sqlglot.parse_one(text, read="snowflake")
    made, wanted = copied(tree), tree.copy()
    assert made == wanted == tree
    assert [_place(node) for node in made.walk()] == [_place(node) for node in wanted.walk()]


@pytest.mark.parametrize("text", TEXTS)
def test_a_copy_holds_every_field_and_shares_no_node(text):
    tree = sqlglot.parse_one(text, read="snowflake")
    made = copied(tree)
    theirs = {id(node) for node in tree.walk()}
    for node, other in zip(made.walk(), tree.walk(), strict=True):
        assert id(node) not in theirs
        assert vars(node).keys() == vars(other).keys() if hasattr(node, "__dict__") else True
        slots = {name for kind in type(node).__mro__ for name in getattr(kind, "__slots__", ())}
        assert {name for name in slots if hasattr(node, name)} == {
            name for name in slots if hasattr(other, name)
        }


def test_a_part_is_copied_without_what_stands_above_it():
    tree = sqlglot.parse_one("SELECT a + b FROM t", read="snowflake")
    part = copied(tree.expressions[0])
    assert (part.parent, part.arg_key, part.index) == (None, None, None)
    part.this.replace(exp.column("c"))
    assert tree.sql() == "SELECT a + b FROM t"
