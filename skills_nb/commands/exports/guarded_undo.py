"""What takes an exported plan back, written so that nobody else's work goes with it.

Room: commands. Before anything is dropped the script shows it: when it was made and by whom. What
holds other things (a schema, a database) is dropped by a block that looks into it first and stops
where something is left that the plan did not make. Anything else is dropped by a block that stops
where another role owns it, where it is granted to somebody, where a table holds rows, and where a
view reads it: what the plan granted and laid over it is taken back before.
Source: Snowflake manual, "DROP SCHEMA" (what a schema holds goes with it; RESTRICT is about foreign
keys only), "SHOW OBJECTS", "SHOW GRANTS".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast, parse
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects import ObjectRef, grants_of, probe_for
from skills_nb.sql.objects.object_refs import Place
from skills_nb.sql.tokens import literal

_RESTRICTED = frozenset({"DATABASE", "SCHEMA", "TABLE"})
_CONTAINERS = frozenset({"DATABASE", "SCHEMA"})
_READABLE = frozenset({"table", "view", "materialized_view", "dynamic_table", "function"})
_HOLDERS = frozenset({"role", "database_role", "user", "share"})
"""What is granted things, so that its grants tell what it may do and not whose it is."""
_HELD_TEXT = (
    "OBJECTS|STAGES|SEQUENCES|FILE FORMATS|STREAMS|TASKS|PIPES|ALERTS|TAGS|MASKING POLICIES|"
    "ROW ACCESS POLICIES|AGGREGATION POLICIES|PROJECTION POLICIES|USER FUNCTIONS|USER PROCEDURES|"
    "SECRETS|NETWORK RULES|SESSION POLICIES|PASSWORD POLICIES|AUTHENTICATION POLICIES|"
    "GIT REPOSITORIES|MODELS|NOTEBOOKS|STREAMLITS"
)
_HELD = tuple(_HELD_TEXT.split("|"))
"""What a schema may hold, as SHOW calls it; OBJECTS are tables and views of every kind."""


def guard_undo(sql: str) -> Iterator[str]:
    """Yield a statement that takes something back, behind what a person looks at before it."""
    statement = _drop(sql)
    if statement is None:
        yield sql
        return
    ref = Place(None, None).ref(statement.kind, statement.name, arguments=statement.arguments)
    look = probe_for(ref)
    if look is not None:
        yield f"-- Look first: is this what the plan made, and nobody else uses it?\n{look}"
    dropping = _restricted(sql, statement)
    if statement.kind in _CONTAINERS:
        yield _guard(statement, dropping)
    else:
        yield _guard_of_object(ref, look, dropping) if look is not None else _left_out(dropping)


def _drop(sql: str) -> ast.Drop | None:
    try:
        statement = parse(sql)
    except SqlError:
        return None
    return statement if isinstance(statement, ast.Drop) else None


def _restricted(sql: str, statement: ast.Drop) -> str:
    """Return a DROP that does not go on to what refers to its object, where one can say so."""
    plain = sql.strip().rstrip(";").rstrip()
    says_how = statement.behaviour is not None or statement.kind not in _RESTRICTED
    return plain if says_how else f"{plain} RESTRICT"


def _guard(statement: ast.Drop, dropping: str) -> str:
    """Return a block that drops a container only where nothing is left in it."""
    name = render_name(statement.name)
    where = f"{statement.kind} {name}"
    kinds = ", ".join(literal(kind) for kind in _HELD)
    told = literal(f"{where} holds what this plan did not make; it is left alone")
    schemas = _other_schemas(name) if statement.kind == "DATABASE" else ""
    body = f"""
DECLARE
  kinds ARRAY DEFAULT ARRAY_CONSTRUCT({kinds});
  held INTEGER DEFAULT 0;
  others INTEGER DEFAULT 0;
  in_use EXCEPTION (-20001, {told});
BEGIN
  FOR i IN 0 TO ARRAY_SIZE(kinds) - 1 DO
    EXECUTE IMMEDIATE 'SHOW ' || kinds[i]::STRING || {literal(f" IN {where}")};
    SELECT COUNT(*) INTO :held FROM TABLE(RESULT_SCAN(LAST_QUERY_ID()));
    others := others + held;
  END FOR;{schemas}
  IF (others > 0) THEN
    RAISE in_use;
  END IF;
  {dropping};
END
"""
    return f"EXECUTE IMMEDIATE {_quoted(body)}"


def _left_out(dropping: str) -> str:
    """Return a DROP as a comment: nothing shows whether it would take somebody else's work."""
    told = "".join(f"\n-- {line}" for line in f"{dropping};".splitlines())
    return f"-- Left out, since nothing shows whose it is by now:{told}"


def _guard_of_object(ref: ObjectRef, look: str, dropping: str) -> str:
    """Return a block that drops an object only where nobody else has anything to do with it."""
    name = f"{ref.kind} {ref.fqn}"
    told = literal(f"{name} has an owner, users, readers or rows by now that it may not lose")
    # Of anything else SHOW GRANTS ON tells the owner, too; not every SHOW does.
    is_told = ref.type in _HOLDERS
    elsewhere = 'COUNT_IF("owner" <> CURRENT_ROLE())' if is_told else "0"
    body = f"""
DECLARE
  found INTEGER DEFAULT 0;
  others INTEGER DEFAULT 0;
  in_use EXCEPTION (-20001, {told});
BEGIN
  {look};
  SELECT COUNT(*), {elsewhere} INTO :found, :others
    FROM TABLE(RESULT_SCAN(LAST_QUERY_ID()));
  IF (found > 0 AND others = 0) THEN{"".join(_counted(*one) for one in _asked(ref))}
  END IF;
  IF (others > 0) THEN
    RAISE in_use;
  END IF;
  {dropping};
END
"""
    return f"EXECUTE IMMEDIATE {_quoted(body)}"


def _counted(query: str, where: str) -> str:
    return f"""
    {query};
    SELECT COUNT(*) INTO :found FROM TABLE(RESULT_SCAN(LAST_QUERY_ID())){where};
    others := others + found;"""


def _asked(ref: ObjectRef) -> Iterator[tuple[str, str]]:
    """Yield what is asked of an object, and which of the rows of the answer are others'."""
    for query in grants_of(ref):
        yield query, _others_grants(ref, query)
    if ref.type == "table":
        yield f"SELECT 1 AS HELD FROM {ref.fqn} LIMIT 1", ""
    if ref.type == "stage":
        yield f"LIST @{ref.fqn}", ""
    if ref.type in _READABLE and len(ref.name) == 3:
        views = render_name((ref.name[0], "INFORMATION_SCHEMA", "VIEWS"))
        word = f"(^|[^A-Z0-9_$]){re.escape(ref.name[-1].upper())}($|[^A-Z0-9_$])"
        mentioned = f"REGEXP_INSTR(UPPER(VIEW_DEFINITION), {literal(word)}) > 0"
        itself = f"TABLE_SCHEMA = {literal(ref.name[1])} AND TABLE_NAME = {literal(ref.name[2])}"
        yield f"SELECT 1 AS READS FROM {views} WHERE {mentioned} AND NOT ({itself})", ""


def _others_grants(ref: ObjectRef, query: str) -> str:
    if ref.type == "user" or query.startswith("SHOW GRANTS OF "):
        return ""
    own = "\"privilege\" = 'OWNERSHIP'"
    if ref.type not in _HOLDERS:
        own += ' AND "grantee_name" = CURRENT_ROLE()'
    if ref.type == "database_role":
        # It may use its own database from the start.
        own += " OR (\"privilege\" = 'USAGE' AND \"granted_on\" = 'DATABASE')"
    return f" WHERE NOT ({own})"


def _other_schemas(database: str) -> str:
    return f"""
  SHOW SCHEMAS IN DATABASE {database};
  SELECT COUNT(*) INTO :held FROM TABLE(RESULT_SCAN(LAST_QUERY_ID()))
    WHERE "name" NOT IN ('INFORMATION_SCHEMA', 'PUBLIC');
  others := others + held;"""


def _quoted(body: str) -> str:
    return literal(body) if "$$" in body else f"$${body}$$"
