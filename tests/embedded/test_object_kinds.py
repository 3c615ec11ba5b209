"""Every kind of object is complete, or says what it lacks."""

from __future__ import annotations

import pytest

from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.objects import object_kind
from skills_nb.errors import SqlError

UNSUPPORTED, UNKNOWN_WORDS, NOT_THERE = "0A000", "42000", ("02000", "42S02")
STATEMENTS = {
    "DESCRIBE": "DESCRIBE {word} nowhere",
    "GET_DDL": "SELECT GET_DDL('{word}', 'nowhere')",
    "CLONE": "CREATE {word} copied CLONE nowhere",
    "UNDROP": "UNDROP {word} nowhere",
    "DROP": "DROP {word} nowhere",
}
NEVER_NAMED = (Kind.ACCOUNT, Kind.APPLICATION_ROLE)
"""Kinds whose only objects Snowflake makes."""
KINDS = [kind for kind in Kind if kind not in NEVER_NAMED]


@pytest.fixture
def place(admin):
    admin.execute("create database kinds")
    return admin


def state_of(session, statement):
    try:
        session.execute(statement)
    except SqlError as problem:
        return problem.sqlstate
    return None


def test_every_kind_is_registered(admin):
    assert set(object_kind.KINDS) == set(Kind)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.value)
def test_a_verb_finds_nothing_or_says_that_the_kind_lacks_it(kind, place):
    lacks = object_kind.of(kind).lacks()
    word = "TABLE" if kind is Kind.TABLE else kind.value
    for verb, form in STATEMENTS.items():
        name = "nowhere()" if kind in (Kind.FUNCTION, Kind.PROCEDURE) else "nowhere"
        state = state_of(place, form.format(word=word).replace("nowhere", name))
        if verb in lacks:
            assert state in (UNSUPPORTED, UNKNOWN_WORDS), (verb, state)
        else:
            assert state in NOT_THERE, (verb, state)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.value)
def test_a_kind_that_is_shown_is_shown_under_every_word(kind, place):
    one = object_kind.of(kind)
    for plural in one.plurals:
        place.execute(f"SHOW {plural}")
    assert bool(one.plurals) == (one.listing is not None)


def names_of(columns):
    return [column.partition(":")[0] for column in columns]


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if object_kind.of(kind).view], ids=lambda kind: kind.value
)
def test_a_kind_s_columns_are_those_of_its_views(kind, place):
    columns = names_of(object_kind.of(kind).view.columns)
    word = f"{kind.value.replace(' ', '_')}S"
    seen = place.execute(f"SELECT * FROM kinds.information_schema.{word}")
    used = place.execute(f"SELECT * FROM snowflake.account_usage.{word}")
    assert [column.name for column in seen.columns] == columns
    assert [column.name for column in used.columns][3:-1] == columns


@pytest.mark.parametrize(
    ("kind", "view"),
    [
        (Kind.NETWORK_POLICY, "NETWORK_POLICIES"),
        (Kind.NETWORK_RULE, "NETWORK_RULES"),
        (Kind.PASSWORD_POLICY, "PASSWORD_POLICIES"),
        (Kind.SECRET, "SECRETS"),
        (Kind.SESSION_POLICY, "SESSION_POLICIES"),
        (Kind.TASK, "TASK_VERSIONS"),
    ],
    ids=lambda one: one if isinstance(one, str) else one.value,
)
def test_a_kind_without_a_view_in_information_schema_has_its_own_in_account_usage(
    kind, view, place
):
    usage = object_kind.of(kind).usage
    assert usage is not None
    found = place.execute(f"SELECT * FROM snowflake.account_usage.{view}")
    assert [column.name for column in found.columns] == names_of(usage(place))


def test_kinds_stand_behind_what_their_statements_may_name():
    ordered = [one.kind for one in object_kind.in_order(object_kind.KINDS)]
    for place, kind in enumerate(ordered):
        assert not set(object_kind.of(kind).made_after) & set(ordered[place:])


def test_a_kind_is_registered_once():
    with pytest.raises(ValueError, match="TABLE is registered twice"):
        object_kind.register(object_kind.ObjectKind(kind=Kind.TABLE))
