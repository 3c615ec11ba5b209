"""Who may do what: the grants of roles and database roles, now and in the future.

Room: embedded. Source: the manual's SHOW GRANTS and GRANT.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from skills_nb.embedded.tools.mirror.asking import is_true, shown
from skills_nb.embedded.tools.mirror.databases import schemas
from skills_nb.model.events.values import AccountContext
from skills_nb.ports import SqlReader
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.plurals import plural_of

_NO_OWNER = frozenset({"ACCOUNT", "ROLE", "DATABASE_ROLE"})
"""Kinds whose ownership comes with their making."""
_ROUTINE = re.compile(r'(?P<place>.*\.)"(?P<name>[^"(]+)\((?P<arguments>[^)]*)\)[^"]*"')
"""A routine as SHOW GRANTS names it: `DB.S."F(X NUMBER):NUMBER"`, with or without the names."""


def definitions(
    reader: SqlReader,
    context: AccountContext,
    roles: Mapping[str, Mapping[str, Any]],
    wanted: Iterable[str],
) -> Iterator[str]:
    """Yield the statements that give every right again."""
    yield from _people(reader, context, roles)
    for database in wanted:
        yield from _database_roles(reader, database)
        yield from _future(reader, database)
    for role in sorted(roles):
        for grant in shown(reader, f"SHOW GRANTS TO ROLE {quote(role)}"):
            yield from _granted(grant, f"ROLE {quote(role)}")


def _people(
    reader: SqlReader, context: AccountContext, roles: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    """Yield who has which role; of the session's own user even where nobody tells it."""
    own = [
        str(row["role"])
        for row in shown(reader, f"SHOW GRANTS TO USER {quote(context.current_user)}")
    ]
    for role in own or context.available_roles:
        yield f"GRANT ROLE {quote(role)} TO USER {quote(context.current_user)}"
    for name, row in sorted(roles.items()):
        if not int(row.get("assigned_to_users") or 0):
            continue
        for grant in shown(reader, f"SHOW GRANTS OF ROLE {quote(name)}"):
            if grant["granted_to"] == "USER":
                yield f"GRANT ROLE {quote(name)} TO USER {quote(str(grant['grantee_name']))}"


def _database_roles(reader: SqlReader, database: str) -> Iterator[str]:
    for row in shown(reader, f"SHOW DATABASE ROLES IN DATABASE {quote(database)}"):
        holder = f"DATABASE ROLE {render_name((database, str(row['name'])))}"
        for grant in shown(reader, f"SHOW GRANTS TO {holder}"):
            yield from _granted(grant, holder)


def _future(reader: SqlReader, database: str) -> Iterator[str]:
    places = [f"DATABASE {quote(database)}"]
    places += [f"SCHEMA {schema}" for schema in schemas(reader, database)]
    for place in places:
        for grant in shown(reader, f"SHOW FUTURE GRANTS IN {place}"):
            kinds = plural_of(str(grant["grant_on"]).replace("_", " "))
            to = f"{str(grant['grant_to']).replace('_', ' ')} {_holder(grant, database)}"
            yield f"GRANT {grant['privilege']} ON FUTURE {kinds} IN {place} TO {to}{_option(grant)}"


def _holder(grant: Mapping[str, Any], database: str) -> str:
    name = str(grant["grantee_name"])
    return quote(name) if grant["grant_to"] == "ROLE" else render_name((database, name))


def _granted(grant: Mapping[str, Any], holder: str) -> Iterator[str]:
    """Yield the statement that gives a right again, where one can."""
    privilege, kind = str(grant["privilege"]), str(grant["granted_on"])
    name = str(grant["name"])
    if privilege == "OWNERSHIP":
        if kind not in _NO_OWNER:
            yield f"GRANT OWNERSHIP ON {_object(kind, name)} TO {holder} COPY CURRENT GRANTS"
    elif kind == "ROLE":
        yield f"GRANT ROLE {quote(name)} TO {holder}"
    elif kind == "DATABASE_ROLE":
        yield f"GRANT DATABASE ROLE {name} TO {holder}"
    else:
        on = "ACCOUNT" if kind == "ACCOUNT" else _object(kind, name)
        yield f"GRANT {privilege} ON {on} TO {holder}{_option(grant)}"


def _object(kind: str, name: str) -> str:
    routine = _ROUTINE.fullmatch(name)
    if routine is None:
        return f"{kind.replace('_', ' ')} {name}"
    types = [part.split()[-1] for part in routine["arguments"].split(",") if part.strip()]
    return f"{kind} {routine['place']}{quote(routine['name'])}({', '.join(types)})"


def _option(grant: Mapping[str, Any]) -> str:
    return " WITH GRANT OPTION" if is_true(grant.get("grant_option")) else ""
