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

from skills_nb.embedded import dispatch
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.instances import calling
from skills_nb.embedded.show import describe, listing, special
from skills_nb.embedded.stages import words
from skills_nb.embedded.statements import trees
from skills_nb.embedded.system import account_usage, schema_views, table_functions
from skills_nb.sql.governance import ast
from skills_nb.sql.governance.kinds import PLURALS

_PAGE = re.compile(r"https://docs\.snowflake\.com/\S+?(?=[\s,]|\.?$|\.\s)")
_MANUAL = "https://docs.snowflake.com/en/sql-reference/sql/"
_AS_VIEWS = {"MATERIALIZED VIEW": Kind.VIEW.value}
"""Kinds that are described as another one."""
_FILE_WORDS = {
    words.Put: "PUT",
    words.Get: "GET",
    words.ListFiles: "LIST",
    words.RemoveFiles: "REMOVE",
    words.Load: "COPY INTO <table>",
    words.Unload: "COPY INTO <location>",
}


@dataclass(frozen=True, slots=True)
class Support:
    """One row of the support table."""

    statement: str
    supported: bool
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
        shown = plural in listing.LISTINGS or plural in special.SPECIAL
        page = plural.lower().replace(" ", "-")
        yield Support(f"SHOW {plural}", shown, "", f"{_MANUAL}show-{page}")
        kind = kinds.get(_AS_VIEWS.get(singular, "")) or kinds.get(
            "INTEGRATION" if singular.endswith(" INTEGRATION") else singular
        )
        function = describe.handler_of(kind) if kind is not None else None
        page = singular.lower().replace(" ", "-")
        yield _told(f"DESCRIBE {singular}", function, f"desc-{page}")


def _classes() -> Iterator[Support]:
    """List CREATE and SHOW of the classes' instances."""
    for kind, known in calling.CLASSES.items():
        methods = f"Methods: {', '.join(known.methods)}."
        yield Support(f"CREATE {kind.value}", True, methods, known.docs)
        yield Support(f"SHOW {kind.value}", True, "", known.docs)


def _views() -> Iterator[Support]:
    for schema, views, folder in (
        ("ACCOUNT_USAGE", account_usage.VIEWS, "account-usage"),
        ("INFORMATION_SCHEMA", schema_views.VIEWS, "info-schema"),
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
