"""Instances of classes: CREATE, and the class where another statement names a kind.

Room: sql. Source: Snowflake manual, "Snowflake classes".
"""

from __future__ import annotations

from typing import Any

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.clauses import accept_tags, read_properties, take_comment
from skills_nb.sql.governance.reader import Reader, UnsupportedSqlError

CLASSES = (
    "SNOWFLAKE.CORE.BUDGET",
    "SNOWFLAKE.DATA_PRIVACY.CLASSIFICATION_PROFILE",
    "SNOWFLAKE.DATA_PRIVACY.CUSTOM_CLASSIFIER",
)
"""Classes whose instances can be made, with their full names."""
_PREFIX = "SNOWFLAKE ."


def accept_class(r: Reader) -> str | None:
    """Read a class's full name if one comes next.

    Raises:
        UnsupportedSqlError: it is another class than those of which instances can be made.
    """
    if not r.at(_PREFIX):
        return None
    found = ".".join(r.name())
    if found not in CLASSES:
        raise UnsupportedSqlError(found)
    return found


def read_instance(r: Reader, instance_of: str, header: dict[str, Any]) -> ast.CreateInstance:
    """Read `[IF NOT EXISTS] name(argument, …) [COMMENT = …] [TAG (…)]`."""
    if_not_exists = r.accept("IF NOT EXISTS")
    name = r.name()
    arguments = r.listed()
    options = read_properties(r)
    return ast.CreateInstance(
        **{**header, "if_not_exists": if_not_exists},
        name=name,
        instance_of=instance_of,
        arguments=arguments,
        tags=accept_tags(r),
        comment=take_comment(options),
        properties=options,
    )


def accept_role(r: Reader) -> tuple[str, ast.Name, str] | None:
    """Read `class ROLE name!role` if it comes next: the class, the instance and its role."""
    if not r.at(_PREFIX):
        return None
    instance_of = accept_class(r) or r.fail()
    r.expect("ROLE")
    name = r.name()
    r.expect("!")
    return instance_of, name, r.identifier()
