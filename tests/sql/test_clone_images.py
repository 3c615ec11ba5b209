"""The queries that tell what a copied schema or database holds, and what their answers mean."""

from __future__ import annotations

import pytest

from skills_nb.sql.classify import Kind, kind_of, why_no_probe
from skills_nb.sql.objects import ObjectRef
from skills_nb.sql.objects.clone_images import (
    changed_last,
    changed_objects,
    images_after_grants,
    images_of,
    inventory_of,
    is_image,
    readers_of_copy,
)

_SCHEMA = ObjectRef("schema", ("My Shop", "s"))
_DATABASE = ObjectRef("database", ("My Shop",))


@pytest.mark.parametrize("ref", [_SCHEMA, _DATABASE], ids=["schema", "database"])
def test_all_of_them_only_look_and_are_asked_with_every_role(ref: ObjectRef) -> None:
    asked = [one.query for one in images_of(ref)]
    asked += [one.query for one in (*inventory_of(ref), *readers_of_copy(ref))]
    assert {kind_of(query) for query in asked} == {Kind.READ}
    assert {why_no_probe(query) for query in asked} == {None}
    assert all(map(is_image, asked))
    assert len(set(asked)) == len(asked)
    assert set(images_after_grants(ref)) < set(asked)


@pytest.mark.parametrize(
    "query",
    [
        "SHOW TABLES LIKE 'A' IN SCHEMA D.S",
        "SHOW PARAMETERS IN SCHEMA D.S",
        "SHOW GRANTS ON SCHEMA D.S",
        "SHOW FUTURE GRANTS IN SCHEMA D.S",
        "SELECT * FROM D.S.T",
    ],
)
def test_other_looks_are_none_of_them(query: str) -> None:
    assert not is_image(query)


def test_overloads_are_told_apart() -> None:
    functions = next(q for q in inventory_of(_SCHEMA) if "USER FUNCTIONS" in q.query)
    place = {"catalog_name": "My Shop", "schema_name": "s", "name": "F"}
    one = {**place, "arguments": "F(NUMBER) RETURN NUMBER", "created_on": "1"}
    two = {**place, "arguments": "F(VARCHAR) RETURN NUMBER", "created_on": "2"}
    name = '"My Shop"."s".F'
    assert list(changed_objects(functions, [one], [two, one])) == [(name, "new")]
    assert list(changed_objects(functions, [one, two], [two, one])) == []
    assert list(changed_objects(functions, [one, two], [two])) == [(name, "gone")]


@pytest.mark.parametrize(
    ("ref", "text", "is_reader"),
    [
        (_SCHEMA, 'SELECT * FROM "My Shop"."s"."people"', True),
        (_SCHEMA, "SELECT * FROM s.T", True),
        (_SCHEMA, 'SELECT * FROM "My Shop".sales.T', False),
        (_SCHEMA, "SELECT news.A FROM T AS news", False),
        (_DATABASE, 'SELECT * FROM "My Shop".S.T', True),
        (_DATABASE, "SELECT * FROM SHOP.S.T", False),
    ],
)
def test_a_reader_elsewhere_names_the_copy_before_a_dot(
    ref: ObjectRef, text: str, is_reader: bool
) -> None:
    views = next(q for q in readers_of_copy(ref) if q.query.startswith("SHOW VIEWS"))
    row = {"name": "V", "database_name": "OTHER", "schema_name": "R", "text": text}
    assert (views.name(row) == "OTHER.R.V") is is_reader
    inside = row | {"database_name": "My Shop", "schema_name": "s"}
    assert views.name(inside) is None


def test_the_table_that_changed_last_is_told_only_where_one_did() -> None:
    then = [{"CHANGED_LAST": "s.a", "CHANGED_AT": 1}]
    assert changed_last(then, [{"CHANGED_LAST": "s.a", "CHANGED_AT": 2}]) == "s.a"
    assert changed_last(then, [{"CHANGED_LAST": "s.b", "CHANGED_AT": 1}]) is None
    assert changed_last(then, []) is None
