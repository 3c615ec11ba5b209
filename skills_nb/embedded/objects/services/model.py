"""Models: versions, which are names with an origin; their files are never read.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-model
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.ddl_words import comment, written_name
from skills_nb.embedded.objects.entries.entry_ddl import Written
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held, properties_of
from skills_nb.embedded.objects.entries.property_checks import plain
from skills_nb.embedded.objects.object_kind import Answer, Row, register
from skills_nb.embedded.objects.services.code_places import CODE_FROM
from skills_nb.embedded.objects.show_filters import matches
from skills_nb.embedded.objects.shown_parts import whole_of
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.names import typed_path
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import SqlNameError, quote, resolve
from skills_nb.sql.tokens import literal


def _complete(session: Context, held: Held) -> None:
    first = held.pop("WITH VERSION", "VERSION_1")
    held["_VERSIONS"] = [_version(session, first, held["FROM"])]
    held.setdefault("DEFAULT_VERSION", first)


def _version(session: Context, name: str, source: Any) -> Held:
    """Make a version of a model of another one; its files are never read."""
    if isinstance(source, Mapping):
        path = typed_path(str(source["MODEL"]))
        other = access.existing(session, Kind.MODEL, path)
        held = properties_of(other)
        _known(other, held, str(source["VERSION"] or held["DEFAULT_VERSION"]))
    return {"NAME": name, "ALIAS": None, "COMMENT": None, "FROM": source}


def _known(entity: Entity, held: Held, name: str) -> Held:
    """Return a version by its name, alias, or DEFAULT, FIRST and LAST."""
    versions: list[Held] = held["_VERSIONS"]
    places = {"FIRST": 0, "LAST": -1}
    if name in places:
        return versions[places[name]]
    wanted = held["DEFAULT_VERSION"] if name == "DEFAULT" else name
    for version in versions:
        if wanted in (version["NAME"], version["ALIAS"]):
            return version
    raise errors.not_found("Version", (*entity.path, name))


def _add_version(session: Context, entity: Entity, given: Held, held: Held) -> Held:
    name = given["VERSION"] or f"VERSION_{len(held['_VERSIONS']) + 1}"
    if any(version["NAME"] == name for version in held["_VERSIONS"]):
        raise errors.already_exists("VERSION", (*entity.path, name))
    source = given["FROM"]
    plain = {k: getattr(v, "text", v) for k, v in source.items()} if _named(source) else source
    return {**held, "_VERSIONS": [*held["_VERSIONS"], _version(session, name, plain)]}


def _named(source: Any) -> bool:
    return isinstance(source, Mapping)


def _drop_version(session: Context, entity: Entity, given: Held, held: Held) -> Held:
    gone = _known(entity, held, given["VERSION"])
    if gone["NAME"] == held["DEFAULT_VERSION"]:
        raise errors.invalid_property(
            f"Version {gone['NAME']} is the default version of {entity.name} and stays."
        )
    return {**held, "_VERSIONS": [v for v in held["_VERSIONS"] if v is not gone]}


def _set_version(session: Context, entity: Entity, given: Held, held: Held) -> Held:
    changed = _known(entity, held, given.pop("VERSION"))
    for key, value in given.items():
        if key not in ("ALIAS", "COMMENT"):
            raise errors.invalid_property(f"invalid property '{key}'")
        written = _identifier(key, value) if key == "ALIAS" and value is not None else value
        changed[key] = None if written is None else str(written)
    return held


def _settle(entity: Entity, held: Held) -> None:
    held["DEFAULT_VERSION"] = _known(entity, held, held["DEFAULT_VERSION"])["NAME"]


def _identifier(key: str, value: Any) -> str:
    """Return the stored name; a text holds it as it is typed."""
    if isinstance(value, ast.Ref):
        return value.parts[-1]
    try:
        return resolve(str(value))
    except SqlNameError:
        raise errors.invalid_value(str(value), key) from None


# ---- shown


def _cells(session: Context, e: Entity, held: Held) -> Held:
    versions = held["_VERSIONS"]
    aliases = {v["ALIAS"]: v["NAME"] for v in versions if v["ALIAS"]}
    aliases |= {
        "DEFAULT": held["DEFAULT_VERSION"],
        "FIRST": versions[0]["NAME"],
        "LAST": versions[-1]["NAME"],
    }
    return {
        "model_type": "USER_MODEL",
        "default_version_name": held["DEFAULT_VERSION"],
        "versions": json.dumps([v["NAME"] for v in versions]),
        "aliases": json.dumps(aliases),
    }


def versions(session: Context, model: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-versions-in-model."""
    held = properties_of(model)
    columns = (
        "created_on:t name aliases comment database_name schema_name model_name "
        "is_default_version functions metadata user_data"
    )
    rows: list[Row] = []
    for place, v in enumerate(held["_VERSIONS"]):
        is_default = v["NAME"] == held["DEFAULT_VERSION"]
        marks = [
            *(["DEFAULT"] if is_default else []),
            *(["FIRST"] if place == 0 else []),
            *(["LAST"] if place == len(held["_VERSIONS"]) - 1 else []),
            *([v["ALIAS"]] if v["ALIAS"] else []),
        ]
        row = (model.created_on, v["NAME"], json.dumps(marks), v["COMMENT"], *model.path)
        rows.append((*row, str(is_default).lower(), None, None, None))
    return columns, rows


# ---- written


def _origin(source: Any) -> str:
    if isinstance(source, dict):
        version = f" version {quote(source['VERSION'])}" if source["VERSION"] else ""
        return f"model {source['MODEL']}{version}"
    return literal(str(source))


def _changes(held: Held) -> list[str]:
    versions = held["_VERSIONS"]
    found = [f"add version {quote(v['NAME'])} from {_origin(v['FROM'])}" for v in versions[1:]]
    for v in versions:
        if v["ALIAS"]:
            found.append(f"version {quote(v['NAME'])} set alias = {quote(v['ALIAS'])}")
        if v["COMMENT"]:
            found.append(f"modify version {quote(v['NAME'])} set comment = {literal(v['COMMENT'])}")
    if held["DEFAULT_VERSION"] != versions[0]["NAME"]:
        found.append(f"set default_version = {quote(held['DEFAULT_VERSION'])}")
    return found


_WRITTEN = Written(changes=_changes)


def _ddl(session: Context, entity: Entity, qualified: bool) -> str:
    head = _WRITTEN.head(entity, written_name(entity, qualified=qualified))
    first = properties_of(entity)["_VERSIONS"][0]
    version = f"with version {quote(first['NAME'])} from {_origin(first['FROM'])}"
    return f"{head} {version}{comment(entity)}"


def _show_versions(session: Context, statement: ast.Show) -> Answer:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-versions-in-model."""
    if statement.scope is not None and statement.scope.kind != Kind.MODEL.value:
        raise errors.unsupported(f"SHOW VERSIONS IN {statement.scope.kind or 'TABLE'}")
    columns, rows = versions(session, whole_of(session, statement, Kind.MODEL))
    return columns, [row for row in rows if matches(statement, row[1])][: statement.limit]


register(
    replace(
        entry_kind(
            Kind.MODEL,
            ast.CreateModel,
            EntryRules(
                properties={"WITH VERSION": plain, "FROM": plain, "DEFAULT_VERSION": _identifier},
                required=("FROM",),
                fixed=frozenset({"WITH VERSION", "FROM"}),
                complete=_complete,
                settle=_settle,
                verbs={
                    "ADD VERSION": _add_version,
                    "DROP VERSION": _drop_version,
                    "VERSION": _set_version,
                },
            ),
            Shown(
                plural="MODELS",
                columns="created_on:t name model_type database_name schema_name comment owner "
                "default_version_name versions aliases",
                cells=_cells,
            ),
            written=_WRITTEN,
            privileges=("READ", "USAGE"),
            made_after=CODE_FROM,
        ),
        ddl=_ddl,
        shows={"VERSIONS": _show_versions},
    )
)
