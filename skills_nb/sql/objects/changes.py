"""Changes: what a statement creates, alters, drops, grants, revokes and writes.

Room: sql. What a procedure or task would do when it runs is not a change of the statement that
creates it; what EXECUTE IMMEDIATE and a block do is.
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast, parse
from skills_nb.sql.governance.outline import outlines_of
from skills_nb.sql.governance.table_clauses import table_clauses
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects.alter_changes import attached_words, changes_of_action
from skills_nb.sql.objects.object_refs import Action, Change, ObjectRef, Place
from skills_nb.sql.objects.statements_in_blocks import statements_within

_DEEPEST = 10


def changes_of(sql: str, database: str | None, schema: str | None) -> tuple[Change, ...]:
    """Return what the text changes, in its order; () for what only reads or only sets the session.

    Names are qualified with the current database and schema as far as those are known. Text that
    cannot be read changes nothing that could be named.
    """
    return tuple(_of_text(sql, Place(database, schema), 0))


def _of_text(sql: str, place: Place, depth: int) -> Iterator[Change]:
    if depth > _DEEPEST:
        return
    for text in statements_within(sql):
        try:
            found = list(_of_statement(text, place, depth))
        except SqlError:
            continue
        yield from found


def _of_statement(sql: str, place: Place, depth: int) -> Iterator[Change]:
    statement = parse(sql)
    if statement is None:
        yield from _of_general(sql, place)
    elif isinstance(statement, ast.ExecuteImmediate):
        yield from _of_text(statement.text or "", place, depth + 1)
    elif isinstance(statement, ast.Chain):
        for step in statement.steps:
            yield from _of_text(step, place, depth + 1)
    else:
        yield from changes_of_governance(statement, place)


def _of_general(sql: str, place: Place) -> Iterator[Change]:
    """Return what CREATE TABLE, CREATE VIEW and DML change."""
    for outline in outlines_of(sql):
        detail = attached_words(table_clauses(sql)[1]) if outline.action == "create" else None
        target = place.ref(outline.kind, outline.name)
        yield Change(outline.action, target, outline.or_replace, outline.if_not_exists, detail)


def changes_of_governance(statement: ast.GovernanceStatement, place: Place) -> Iterator[Change]:
    """Return what one typed statement changes; statements that only run or look change nothing."""
    match statement:
        case ast.Create():
            yield from _of_create(statement, place)
        case ast.Alter():
            for action in statement.actions:
                yield from changes_of_action(
                    action, statement.kind, statement.name, place, statement.arguments
                )
        case ast.Drop():
            ref = place.ref(statement.kind, statement.name, arguments=statement.arguments)
            yield Change("drop", ref)
        case ast.Undrop():
            yield Change("create", place.ref(statement.kind, statement.name))
        case ast.Comment():
            yield Change("alter", comment_ref(statement, place), detail={"action": "comment"})
        case ast.GrantRole() | ast.RevokeRole():
            yield _of_role(statement, place)
        case ast.GrantPrivileges() | ast.RevokePrivileges() | ast.GrantOwnership():
            yield _of_privileges(statement, place)
        case _:
            return


def created_kind(statement: ast.Create) -> str:
    """Return the kind of what a CREATE makes, as SQL writes it; of an instance, its class."""
    match statement:
        case ast.CreateClone(object_kind=kind) | ast.CreateInstance(instance_of=kind):
            return kind
        case _:
            return statement.kind


def created_ref(statement: ast.Create, place: Place) -> ObjectRef:
    """Return what a CREATE makes."""
    arguments = None
    if isinstance(statement, ast.CreateRoutine):
        arguments = tuple(argument.type.upper() for argument in statement.args)
    kind = created_kind(statement)
    if kind == "DATA METRIC FUNCTION":
        kind = "FUNCTION"
    return place.ref(kind, statement.name, arguments=arguments)


def _of_create(statement: ast.Create, place: Place) -> Iterator[Change]:
    replaces = statement.or_replace or statement.or_alter
    detail = (
        attached_words(statement.clauses) if isinstance(statement, ast.CreateDynamicTable) else None
    )
    ref = created_ref(statement, place)
    yield Change("create", ref, replaces, statement.if_not_exists, detail)


def comment_ref(statement: ast.Comment, place: Place) -> ObjectRef:
    """Return what a COMMENT is on."""
    if statement.kind == "COLUMN":
        return place.column("TABLE", statement.name[:-1], statement.name[-1], "definition")
    return place.ref(statement.kind, statement.name, arguments=statement.arguments)


def _of_role(statement: ast.GrantRole | ast.RevokeRole, place: Place) -> Change:
    action: Action = "grant" if isinstance(statement, ast.GrantRole) else "revoke"
    detail = {"privileges": statement.kind, "grantee": grantee_text(statement.grantee)}
    return Change(action, role_ref(statement, place), detail=detail)


def role_ref(statement: ast.GrantRole | ast.RevokeRole, place: Place) -> ObjectRef:
    """Return the role that is granted, seen as who holds it."""
    return place.ref(statement.kind, statement.role, "holders")


_Privileges = ast.GrantPrivileges | ast.RevokePrivileges | ast.GrantOwnership


def _of_privileges(statement: _Privileges, place: Place) -> Change:
    target = statement.target
    privileges = (
        ("OWNERSHIP",) if isinstance(statement, ast.GrantOwnership) else statement.privileges
    )
    detail = {
        "privileges": ", ".join(privileges),
        "grantee": grantee_text(statement.grantee),
    }
    if target.scope != "OBJECT":
        detail["on"] = f"{target.scope.lower()} {target.kind.lower()} objects"
    action: Action = "revoke" if isinstance(statement, ast.RevokePrivileges) else "grant"
    return Change(action, target_ref(target, place), detail=detail)


def target_ref(target: ast.Target, place: Place) -> ObjectRef:
    """Return what privileges are on, seen as what is granted on it."""
    if target.scope == "OBJECT":
        return place.ref(target.kind, target.name, "grants", target.arguments)
    facet = f"{target.scope.lower()} grants"
    return place.ref(target.container or "SCHEMA", target.name, facet)


def grantee_text(grantee: ast.Grantee) -> str:
    """Return a grantee as SQL."""
    return f"{grantee.kind} {render_name(grantee.name)}"
