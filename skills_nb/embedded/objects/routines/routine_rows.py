"""Functions and procedures: how they are shown, described and written.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/show-procedures and
https://docs.snowflake.com/en/sql-reference/sql/desc-function
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.binder.signatures import bare, detail_of
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import RoutineArgument
from skills_nb.embedded.objects.ddl_words import comment, value
from skills_nb.embedded.objects.object_kind import Columns, Row, SystemView
from skills_nb.embedded.objects.view_columns import TIMES, named
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.system_rows import yes
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.tokens import literal

COLUMNS = (
    "created_on:t name schema_name is_builtin is_aggregate is_ansi min_num_arguments:n "
    "max_num_arguments:n arguments description catalog_name is_table_function "
    "valid_for_clustering is_secure secrets external_access_integrations"
)


def name_of(routine: Entity) -> str:
    """Return a routine's name without the types of its arguments."""
    return detail_of(routine).name


def row(session: Context, e: Entity) -> Row:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-procedures."""
    d = detail_of(e)
    returned = bare(d.returns) if d.returns is not None else "TABLE (" + _listed(d.columns) + ")"
    given = ", ".join(
        f"DEFAULT {bare(a.type)}" if a.default is not None else bare(a.type) for a in d.arguments
    )
    return (
        e.created_on,
        d.name,
        e.path[1],
        "N",
        "N",
        "N",
        sum(a.default is None for a in d.arguments),
        len(d.arguments),
        f"{d.name}({given}) RETURN {returned}",
        e.comment or f"user-defined {e.kind.value.lower()}",
        e.path[0],
        "Y" if d.returns is None else "N",
        "N",
        "Y" if d.secure else "N",
        None,
        None,
    )


def _listed(columns: Any) -> str:
    return ", ".join(f"{c.name} {bare(c.type)}" for c in columns)


def describe(session: Context, e: Entity) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-function."""
    d = detail_of(e)
    listed = ", ".join(f"{a.name} {bare(a.type)}" for a in d.arguments)
    returned = d.returns.sql if d.returns is not None else f"TABLE ({_listed(d.columns)})"
    rows: list[Row] = [
        ("signature", f"({listed})"),
        ("returns", returned),
        ("language", d.language),
        ("null handling", "STRICT" if d.strict else "CALLED ON NULL INPUT"),
        ("volatility", d.volatility or "VOLATILE"),
    ]
    if d.language == "PYTHON":
        rows += [("runtime_version", d.runtime), ("handler", d.handler), ("packages", d.packages)]
    if e.kind is Kind.PROCEDURE:
        rows.append(("execute as", "CALLER" if d.caller else "OWNER"))
    rows.append(("body", d.body if access.reads_text(session, e) else None))
    return "property value", rows


# ---- written


def ddl(session: Context, entity: Entity, qualified: bool) -> str:
    """Write a function or procedure; its name is that of all its overloads."""
    detail = detail_of(entity)
    path = (*entity.path[:-1], detail.name) if qualified else (detail.name,)
    secure = "secure " if detail.secure else ""
    words = [f"create or replace {secure}{entity.kind.value.lower()} {render_name(path)}"]
    words[0] += f"({', '.join(_argument(a) for a in detail.arguments)})"
    columns = ", ".join(f"{quote(c.name)} {c.type.sql}" for c in detail.columns)
    returned = detail.returns.sql if detail.returns is not None else f"table ({columns})"
    words.append(f"returns {returned}" + (" not null" if detail.not_null else ""))
    words.append(f"language {detail.language}")
    words += [
        word for word in ("strict" if detail.strict else "", detail.volatility.lower()) if word
    ]
    if detail.language == "PYTHON":
        listed = [part.strip() for part in detail.packages.split(",") if part.strip()]
        words.append(f"runtime_version = {literal(detail.runtime)}")
        words.append(f"packages = {value(listed)}")
        words.append(f"handler = {literal(detail.handler)}")
    if entity.comment:
        words.append(comment(entity, ""))
    if entity.kind is Kind.PROCEDURE:
        words.append(f"execute as {'caller' if detail.caller else 'owner'}")
    return "\n".join([*words, f"as {literal(detail.body)}"])


def _argument(argument: RoutineArgument) -> str:
    default = f" default {argument.default}" if argument.default is not None else ""
    mode = " out" if argument.gives_back else ""
    return f"{quote(argument.name)}{mode} {argument.type.sql}{default}"


# ---- in the system's views


def _signature(entity: Entity) -> str:
    listed = (f"{a.name} {a.type.data_type}" for a in detail_of(entity).arguments)
    return f"({', '.join(listed)})"


def _returned(entity: Entity) -> str:
    detail = detail_of(entity)
    if detail.returns is not None:
        return detail.returns.data_type
    return f"TABLE ({', '.join(f'{c.name} {c.type.data_type}' for c in detail.columns)})"


def _of_return(kind: str, field: str) -> Callable[[Entity], Any]:
    """Read a part of what is returned, where it is of that kind."""

    def read(entity: Entity) -> Any:
        returns = detail_of(entity).returns
        return getattr(returns, field) if returns is not None and returns.kind == kind else None

    return read


def columns(word: str) -> Columns:
    """Return the columns of the view of functions or that of procedures."""
    return {
        **named(word, lambda e: detail_of(e).name),
        "ARGUMENT_SIGNATURE": _signature,
        "DATA_TYPE": _returned,
        "CHARACTER_MAXIMUM_LENGTH:n": _of_return("TEXT", "length"),
        "NUMERIC_PRECISION:n": _of_return("FIXED", "precision"),
        "NUMERIC_SCALE:n": _of_return("FIXED", "scale"),
        f"{word}_LANGUAGE": lambda e: detail_of(e).language,
        f"{word}_DEFINITION": lambda e: detail_of(e).body,
        "IS_SECURE": lambda e: yes(detail_of(e).secure),
        "RUNTIME_VERSION": lambda e: detail_of(e).runtime or None,
        "PACKAGES": lambda e: detail_of(e).packages or None,
        **TIMES,
    }


def view(word: str, more: Columns) -> SystemView:
    """Return the view; only its owner reads the code of a secure one."""
    return SystemView(
        {**columns(word), **more},
        {f"{word}_DEFINITION": lambda e: None if detail_of(e).secure else detail_of(e).body},
    )
