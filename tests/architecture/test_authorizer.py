"""What a role may find and do is decided in one room, and refused in one."""

import ast
from functools import cache

import pytest

from tests.architecture.imports import package_imports, sources

AUTHORIZER = "skills_nb.embedded.authorizer"
RIGHTS = "skills_nb.embedded.catalog.rights"
DENIAL = "insufficient_privileges"
"""The refusal of what is seen but not allowed, which must never be given for what is hidden."""

NAMED = {"skills_nb.embedded.errors": "hands on the words of every refusal"}
"""Modules outside the authorizer that name the denial, each with why."""

ABSENCE = "not_found"
"""The refusal of what is not there or hidden."""

PARTS = {
    "'Constraint'": "a constraint of a table that was found",
    "'Data metric function'": "a metric of the system, which is no object",
    "'Integration'": "what a budget that was found sends to",
    "entity.kind.title": "what a budget that was found watches",
    "'Object'": "a view of the system, the account's budget, what a view reads and is gone",
    "'Role'": "a role of a class",
    "'Share'": "a share is known to consumers by its provider",
    "'Stage'": "a view that was found has no stage",
    "'Tag'": "a name that is not full",
    "'Version'": "a version of what was found",
}
"""What others than the authorizer say so of: a part, or no object at all, each with why."""

OTHER_RIGHTS = {
    "skills_nb.embedded.objects.routines.routine_definition": "EXECUTE AS",
}
"""Modules where `.rights` is something else."""


@cache
def embedded():
    return {
        name: ast.parse(text)
        for name, (text, _) in sources().items()
        if name.startswith("skills_nb.embedded") and not name.startswith(AUTHORIZER)
    }


def names_in(tree):
    """Every name, attribute and imported name of a module."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) | ast.Name(id=name) | ast.alias(name=name):
                yield name


@pytest.mark.slow
def test_only_the_authorizer_imports_the_rights():
    asking = {one.importer for one in package_imports() if one.imported == RIGHTS}
    assert {one for one in asking if not one.startswith(AUTHORIZER)} == set()
    assert asking != set()


def test_nobody_carries_the_rights_along():
    carrying = {
        name
        for name, tree in embedded().items()
        if any(isinstance(node, ast.Attribute) and node.attr == "rights" for node in ast.walk(tree))
    }
    assert carrying == set(OTHER_RIGHTS)


def test_only_the_authorizer_denies():
    assert {name for name, tree in embedded().items() if DENIAL in names_in(tree)} == set(NAMED)


def test_only_the_authorizer_says_that_an_object_is_not_there():
    said = {
        ast.unparse(node.args[0])
        for name, tree in embedded().items()
        if not name.startswith("skills_nb.embedded.errors")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ABSENCE in ast.unparse(node.func)
    }
    assert said == set(PARTS)


def test_a_name_is_found_as_an_attribute_a_call_and_an_import():
    text = "from a import one\nimport b as c\nx.two\nthree()\n"
    assert {"one", "two", "three"} <= set(names_in(ast.parse(text)))
