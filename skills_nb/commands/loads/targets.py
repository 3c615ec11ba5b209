"""Where data go: which table, whether it is there, and whether the role may make or fill it.

Room: commands (loads). The account is asked and nothing is changed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from skills_nb.errors import SqlError, UsageError
from skills_nb.sql.identifiers import SqlNameError, quote, render_name, split_name
from skills_nb.sql.tokens import literal

if TYPE_CHECKING:
    from skills_nb.model.events import AccountContext
    from skills_nb.ports import SqlReader

OWN_DATABASE = "MY_DATA"
"""Made on the embedded account where nobody has said which database is meant."""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table that is there."""

    name: str
    """As it is stored."""
    type: str
    """As DESCRIBE TABLE tells it."""
    takes_null: bool
    """Whether it may be empty."""
    has_default: bool
    """Whether it is filled where nothing is given."""


@dataclass(frozen=True, slots=True)
class Target:
    """The table that data go into."""

    parts: tuple[str, str, str]
    """Database, schema and table, as they are stored."""
    makes_database: bool = False
    """Whether the database is made first."""
    columns: tuple[TableColumn, ...] = ()
    """Those of the table where it is there; empty for a new one."""

    @property
    def fqn(self) -> str:
        """Return its full name as SQL."""
        return render_name(self.parts)

    @property
    def schema(self) -> str:
        """Return its schema's full name as SQL."""
        return render_name(self.parts[:2])


def table_name(source: str) -> str:
    """Return the table's name for a file or a variable that names none."""
    stem = PurePath(source).name.partition(".")[0]
    name = re.sub(r"\W+", "_", stem, flags=re.ASCII).strip("_").upper() or "DATA"
    return f"_{name}" if name[0].isdigit() else name


def place_of(
    session: SqlReader, into: str | None, source: str, *, is_embedded: bool
) -> tuple[tuple[str, str, str], bool]:
    """Return the table's full name, and whether its database must be made first.

    Raises:
        UsageError: the name cannot be read, or nobody says which database is meant.
    """
    here = session.context()
    given = _given(into) if into is not None else (table_name(source),)
    if len(given) == 3:
        return (given[0], given[1], given[2]), False
    schema = given[0] if len(given) == 2 else here.current_schema
    database = here.current_database
    if database is not None:
        return (database, schema or "PUBLIC", given[-1]), False
    if len(given) == 1 and is_embedded:
        return (OWN_DATABASE, "PUBLIC", given[0]), not _is_there(session, OWN_DATABASE)
    shown = ", ".join(_databases(session)[:5])
    raise UsageError(
        "no database is current here, so it must be said where the table goes",
        hint=f"load {source} --into DATABASE.SCHEMA.{quote(given[-1])}"
        + (f" (this role sees {shown})" if shown else ""),
    )


def _given(into: str) -> tuple[str, ...]:
    try:
        parts = split_name(into)
    except SqlNameError as problem:
        raise UsageError(
            f"'{into}' is no table's name",
            hint="--into 'DB.SCHEMA.TABLE'; a part with spaces or small letters goes in double "
            'quotes, as in --into \'DB."My schema"."t"\'',
        ) from problem
    if len(parts) > 3:
        raise UsageError(f"'{into}' has more than three parts", hint="--into DB.SCHEMA.TABLE")
    return parts


def _databases(session: SqlReader) -> list[str]:
    found = session.query("SHOW DATABASES")
    place = found.columns.index("name")
    return [str(row[place]) for row in found.rows if row[place] != "SNOWFLAKE"]


def _is_there(session: SqlReader, database: str) -> bool:
    return database in _databases(session)


def look_up(session: SqlReader, parts: tuple[str, str, str], *, makes_database: bool) -> Target:
    """Return the table as it is now.

    Raises:
        UsageError: the schema is not there, or the name is a view's.
    """
    target = Target(parts, makes_database)
    if makes_database:
        return target
    pattern = literal(re.sub(r"([\\_%])", r"\\\1", parts[2]))
    try:
        found = session.query(f"SHOW OBJECTS LIKE {pattern} IN SCHEMA {target.schema}")
    except SqlError as problem:
        raise UsageError(
            f"the schema {target.schema} does not exist, or this role may not use it",
            hint=_nearest(session, parts)
            or "make it first, or let somebody grant USAGE on it to this role",
        ) from problem
    at = {name: place for place, name in enumerate(found.columns)}
    kinds = [str(row[at["kind"]]) for row in found.rows if row[at["name"]] == parts[2]]
    if not kinds:
        return target
    if kinds[0].upper() != "TABLE":
        raise UsageError(
            f"{target.fqn} is a {kinds[0].lower()}, and rows go into tables",
            hint=f"--into {target.schema}.{quote(parts[2] + '_2')}",
        )
    return Target(parts, columns=_columns(session, target.fqn))


def _nearest(session: SqlReader, parts: Sequence[str]) -> str:
    """Return which schema may be meant; empty where none is near."""
    try:
        databases = _databases(session)
        if parts[0] not in databases:
            near = get_close_matches(parts[0], databases, 1, 0.5)
            return f"did you mean the database {quote(near[0])}?" if near else ""
        found = session.query(f"SHOW SCHEMAS IN DATABASE {quote(parts[0])}")
    except SqlError:
        return ""
    names = [str(row[found.columns.index("name")]) for row in found.rows]
    near = get_close_matches(parts[1], names, 1, 0.5)
    return f"did you mean {render_name((parts[0], near[0]))}?" if near else ""


def _columns(session: SqlReader, fqn: str) -> tuple[TableColumn, ...]:
    found = session.query(f"DESCRIBE TABLE {fqn}")
    at = {name: place for place, name in enumerate(found.columns)}
    return tuple(
        TableColumn(
            name=str(row[at["name"]]),
            type=str(row[at["type"]]),
            takes_null=row[at["null?"]] == "Y",
            has_default=row[at["default"]] is not None,
        )
        for row in found.rows
    )


# ---- what the role may do


def refuse_without_right(session: SqlReader, target: Target, here: AccountContext) -> None:
    """Refuse what the account would refuse anyway, and say who can help.

    Where the grants cannot be read, the account itself has the last word.

    Raises:
        UsageError: the role may not make or fill the table.
    """
    if target.makes_database:
        wanted, kind, name = "CREATE DATABASE", "ACCOUNT", ""
    elif target.columns:
        wanted, kind, name = "INSERT", "TABLE", target.fqn
    else:
        wanted, kind, name = "CREATE TABLE", "SCHEMA", target.schema
    where = f"{kind} {name}".strip()
    try:
        grants = _grants(session, where)
        may = any(_is_in_session(session, role) for role in _holders(grants, wanted))
    except SqlError:
        return
    if may:
        return
    owner = next((role for role in _holders(grants, "OWNERSHIP")), "")
    who = f"{quote(owner)} (which owns it) or SECURITYADMIN" if owner else "ACCOUNTADMIN"
    role = quote(here.current_role or "")
    raise UsageError(
        f"the role {role} lacks {wanted} on {kind.lower()} {name}".rstrip()
        + "; nothing was created",
        hint=f"{who} can give it: GRANT {wanted} ON {where} TO ROLE {role}",
    )


def _grants(session: SqlReader, where: str) -> list[dict[str, Any]]:
    found = session.query(f"SHOW GRANTS ON {where}")
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def _holders(grants: Sequence[dict[str, Any]], privilege: str) -> list[str]:
    """Return the roles that have a privilege, the owner among them, each once."""
    return list(
        dict.fromkeys(
            str(grant["grantee_name"])
            for grant in grants
            if grant["privilege"] in (privilege, "OWNERSHIP") and grant["granted_to"] == "ROLE"
        )
    )


def _is_in_session(session: SqlReader, role: str) -> bool:
    found = session.query(f"SELECT IS_ROLE_IN_SESSION({literal(role)})")
    return bool(found.rows and found.rows[0][0])
