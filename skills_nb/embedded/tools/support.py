"""Support: what this account does, told by the tables that do it.

Room: embedded. Nothing is listed by hand: an entry is supported when a table of the room has a
function for it, and whatever has none answers 0A000. The manual's page comes from the function's
own docstring.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.engine import dispatch, trees
from skills_nb.embedded.objects import object_kind
from skills_nb.embedded.objects.instances import instance_kind
from skills_nb.embedded.objects.statements import special_shows
from skills_nb.embedded.parser import file_statements
from skills_nb.embedded.system_views import table_functions
from skills_nb.embedded.system_views.account_usage import account_usage_views
from skills_nb.embedded.system_views.information_schema import information_schema_views
from skills_nb.sql.governance import ast
from skills_nb.sql.governance.object_kinds import PLURALS

_PAGE = re.compile(r"https://docs\.snowflake\.com/\S+?(?=[\s,]|\.?$|\.\s)")
_MANUAL = "https://docs.snowflake.com/en/sql-reference/sql/"
_AS_VIEWS = {"MATERIALIZED VIEW": Kind.VIEW.value}
"""Kinds that are described as another one."""
_FILE_WORDS = {
    file_statements.Put: "PUT",
    file_statements.Get: "GET",
    file_statements.ListFiles: "LIST",
    file_statements.RemoveFiles: "REMOVE",
    file_statements.Load: "COPY INTO <table>",
    file_statements.Unload: "COPY INTO <location>",
}


@dataclass(frozen=True, slots=True)
class Support:
    """One row of the support table."""

    statement: str
    """As the manual's title says it: `CREATE TABLE`."""
    supported: bool
    """Whether the account carries it out; otherwise it refuses (0A000)."""
    note: str
    """The first line of what carries it out says; empty where nothing does."""
    docs: str
    """Address of the manual's page."""


def table() -> list[dict[str, Any]]:
    """Return the support table: `statement`, `supported`, `note`, `docs`, by statement."""
    found = {entry.statement: entry for entry in _entries()}
    return [asdict(found[statement]) for statement in sorted(found)]


def _entries() -> Iterator[Support]:
    yield from _creates()
    yield from _others()
    yield from _looks()
    yield from _classes()
    for kind, word in _FILE_WORDS.items():
        page = "copy-into-" + word.split("<")[1].rstrip(">") if "<" in word else word.lower()
        yield Support(word, True, (kind.__doc__ or "").splitlines()[0], _MANUAL + page)
    for tree, function in trees.handlers().items():
        named = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", tree.__name__).upper()
        yield _told(named, function, named.split()[0].lower())
    for made in ("TABLE", "VIEW", "MATERIALIZED VIEW"):
        yield Support(
            f"CREATE {made}", True, "", f"{_MANUAL}create-{made.lower().replace(' ', '-')}"
        )
    yield from _views()


def _creates() -> Iterator[Support]:
    """List CREATE of each kind that the parser knows."""
    for cls in _subclasses(ast.Create):
        if cls.kind:
            word = f"CREATE {cls.kind}"
            yield _told(word, dispatch.handler_of(cls), word.lower().replace(" ", "-"))


def _others() -> Iterator[Support]:
    """List the statements that are about any kind of object, or none."""
    for cls in vars(ast).values():
        if not isinstance(cls, type) or cls.__module__ != ast.Alter.__module__:
            continue
        word = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", cls.__name__).upper()
        inner = cls in (ast.Chain, ast.ExecuteImmediate)
        function = dispatch.handler_of(cls)
        if function is not None or not inner:
            yield _told(word, function, word.lower().replace(" ", "-"))


def _looks() -> Iterator[Support]:
    """List SHOW, DESCRIBE and DROP of each kind that the parser knows."""
    kinds = {kind.value: kind for kind in Kind}
    for singular, plural in sorted(PLURALS.items()):
        shown = (
            object_kind.listed_as(plural) is not None
            or object_kind.show_of(plural) is not None
            or plural in special_shows.SPECIAL
        )
        page = plural.lower().replace(" ", "-")
        yield Support(f"SHOW {plural}", shown, "", f"{_MANUAL}show-{page}")
        kind = kinds.get(_AS_VIEWS.get(singular, "")) or kinds.get(
            "INTEGRATION" if singular.endswith(" INTEGRATION") else singular
        )
        function = object_kind.of(kind).describe if kind is not None else None
        page = singular.lower().replace(" ", "-")
        yield _told(f"DESCRIBE {singular}", function, f"desc-{page}")


def _classes() -> Iterator[Support]:
    """List CREATE and SHOW of the classes' instances."""
    for kind, known in instance_kind.CLASSES.items():
        methods = f"Methods: {', '.join(known.methods)}."
        yield Support(f"CREATE {kind.value}", True, methods, known.docs)
        yield Support(f"SHOW {kind.value}", True, "", known.docs)


def _views() -> Iterator[Support]:
    for schema, views, folder in (
        ("ACCOUNT_USAGE", account_usage_views.VIEWS, "account-usage"),
        ("INFORMATION_SCHEMA", information_schema_views.VIEWS, "info-schema"),
    ):
        for name in views:
            page = f"https://docs.snowflake.com/en/sql-reference/{folder}/{name.lower()}"
            yield Support(f"SELECT … FROM {schema}.{name}", True, "", page)
    for name in table_functions.FUNCTIONS:
        page = f"https://docs.snowflake.com/en/sql-reference/functions/{name.lower()}"
        yield Support(f"SELECT … FROM TABLE(INFORMATION_SCHEMA.{name}(…))", True, "", page)


def _told(word: str, function: Callable[..., Any] | None, page: str) -> Support:
    """Describe one entry by the function that carries it out."""
    if function is None:
        return Support(word, False, "", _MANUAL + page)
    said = function.__doc__ or ""
    found = _PAGE.search(said)
    first = said.strip().splitlines()[0] if said.strip() else ""
    note = "" if first.startswith("See ") else first
    return Support(word, True, note, found[0].rstrip(".") if found else _MANUAL + page)


def _subclasses(cls: type) -> Iterator[Any]:
    below: list[type] = cls.__subclasses__()
    for sub in below:
        yield sub
        yield from _subclasses(sub)
