"""ALTER is the same for every kind of object but for what the kind has of its own."""

from __future__ import annotations

import pytest

from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.objects import kinds, object_kind
from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast
from tests.architecture.imports import package_imports, sources
from tests.embedded.conftest import rows

NAMED = {
    "database": '"my shop"',
    "schema": '"my shop"."my schema"',
    "table": '"my shop"."my schema"."My Table"',
    "view": '"my shop"."my schema"."my view"',
    "dynamic table": '"my shop"."my schema"."my dynamic"',
    "tag": '"my shop"."my schema"."my tag"',
    "masking policy": '"my shop"."my schema"."my mask"',
    "role": '"my role"',
    "user": '"my user"',
    "warehouse": '"my warehouse"',
}
MADE = (
    'create database "my shop"',
    'create schema "my schema"',
    'create table "My Table" ("an id" int)',
    'create view "my view" as select * from "My Table"',
    "create dynamic table \"my dynamic\" target_lag = '1 hour' warehouse = compute_wh "
    'as select * from "My Table"',
    'create tag "my tag"',
    'create masking policy "my mask" as (v string) returns string -> v',
    'create role "my role"',
    'create user "my user"',
    'create warehouse "my warehouse"',
)


@pytest.fixture
def place(admin: AccountSession) -> AccountSession:
    for statement in MADE:
        admin.execute(statement)
    return admin


def refusal(session: AccountSession, sql: str) -> tuple[int | None, str]:
    with pytest.raises(SqlError) as refused:
        session.execute(sql)
    return refused.value.errno, refused.value.message


@pytest.mark.parametrize("kind", NAMED)
def test_a_comment_is_set_and_taken_back_under_a_name_in_quotes(kind, place):
    name = NAMED[kind]
    comments = []
    for change in ("set comment = 'hello'", "unset comment"):
        place.execute(f"alter {kind} {name} {change}")
        found = place.account.catalog.find(
            object_kind.listed_as(_plural(kind)).kind, tuple(name.strip('"').split('"."'))
        )
        comments.append(found.comment)
    assert comments == ["hello", ""]


def _plural(kind: str) -> str:
    word = kind.upper()
    return f"{word[:-1]}IES" if word.endswith("POLICY") else f"{word}S"


@pytest.mark.parametrize("kind", NAMED)
def test_a_property_that_the_kind_does_not_have_is_refused_by_its_name(kind, place):
    said = (1420, "SQL compilation error:\ninvalid property 'NO_SUCH_THING'")
    assert refusal(place, f"alter {kind} {NAMED[kind]} unset no_such_thing") == said


@pytest.mark.parametrize("kind", ["role", "user", "warehouse"])
def test_a_new_name_is_followed_by_what_names_the_object(kind, place):
    place.execute('grant role "my role" to user "my user"')
    place.execute('grant usage on warehouse "my warehouse" to role "my role"')
    place.execute('use warehouse "my warehouse"')
    place.execute(f'alter {kind} {NAMED[kind]} rename to "the other"')
    role, user, warehouse = (
        "the other" if kind == one else f"my {one}" for one in ("role", "user", "warehouse")
    )
    granted = rows(place, f'show grants to role "{role}"')
    assert [(row[1], row[3]) for row in granted] == [("USAGE", f'"{warehouse}"')]
    assert [row[1] for row in rows(place, f'show grants to user "{user}"')] == [role]
    assert place.warehouse == warehouse


def test_a_container_that_is_renamed_takes_its_contents_and_the_session_along(place):
    place.execute('alter schema "my schema" rename to "my new schema"')
    assert rows(place, 'select * from "My Table"') == []
    place.execute('alter database "my shop" rename to "my new shop"')
    assert (place.database, place.schema) == ("my new shop", "my new schema")
    assert rows(place, 'select * from "my new shop"."my new schema"."my view"') == []


def test_dropped_tables_stand_behind_those_of_their_name(place):
    place.execute('drop table "My Table"')
    place.execute('create table "My Table" ("an id" int)')
    place.execute('create table "A Table" (a int)')
    found = rows(place, "show tables history")
    assert [(row[1], row[-1] is None) for row in found if row[1] != "my dynamic"] == [
        ("A Table", True),
        ("My Table", True),
        ("My Table", False),
    ]
    assert refusal(place, "show views history")[0] == 2


def test_functions_for_single_actions_leave_the_rest_to_what_all_kinds_have():
    seen = []
    alter = object_kind.by_class({ast.Suspend: lambda *given: seen.append(given)})
    suspend, rename = ast.Suspend(), ast.RenameTo(("A",))
    assert alter("session", "entity", suspend) is True  # type: ignore[arg-type]
    assert alter("session", "entity", rename) is False  # type: ignore[arg-type]
    assert seen == [("session", "entity", suspend)]


# ---- where kinds stand


def test_kinds_are_registered_by_the_modules_that_are_listed_and_by_no_other():
    objects = "skills_nb.embedded.objects"
    callers = {
        name
        for name, (text, _) in sources().items()
        if name.startswith(objects) and ("\nregister(" in text or "\n    register(" in text)
    }
    listed = {module.__name__ for module in kinds.MODULES}
    through = f"{objects}.instances.instance_kind"
    instances = {one.importer for one in package_imports() if one.imported == through}
    assert callers - {through} | instances & listed == listed
