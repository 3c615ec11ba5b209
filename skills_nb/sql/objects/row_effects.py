"""What a statement does to the rows of which tables.

Room: sql. Pure text work: how many rows it is about, only the account can tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast, parse
from skills_nb.sql.governance.outline import outlines_of
from skills_nb.sql.objects.affected_rows import CONTAINERS, RowEffect, RowEffects, RowVerb
from skills_nb.sql.objects.changes import created_ref
from skills_nb.sql.objects.object_refs import ObjectRef, Place
from skills_nb.sql.objects.statements_in_blocks import statements_within
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import tokenize

_DEEPEST = 10
_WITH_ROWS = frozenset({"TABLE", "HYBRID TABLE", "ICEBERG TABLE", "DYNAMIC TABLE", "EVENT TABLE"})
_VERBS: dict[str, RowVerb] = {
    "INSERT": "insert",
    "UPDATE": "update",
    "DELETE": "delete",
    "MERGE": "merge",
    "COPY": "load",
    "TRUNCATE": "empty",
}
_RUNS_OTHERS = (ast.Call, ast.ExecuteTask, ast.ExecuteAlert)


@lru_cache(maxsize=4096)
def row_effects_of(sql: str, database: str | None, schema: str | None) -> RowEffects:
    """Return what a text does to rows, in its order; unread text does nothing that has a name."""
    leaves = list(_leaves(sql, 0))
    place = Place(database, schema)
    effects = tuple(effect for text, parsed in leaves for effect in _of_leaf(text, parsed, place))
    runs_others = any(isinstance(parsed, _RUNS_OTHERS) for _, parsed in leaves)
    runs_others = runs_others and not any(_is_of_system(parsed) for _, parsed in leaves)
    is_direct = len(leaves) == 1 and not _holds_block(sql) and not runs_others
    run = [p.name for _, p in leaves if isinstance(p, _RUNS_OTHERS)]
    named = [name[0] for name in [*(e.target.name for e in effects), *run] if len(name) > 2]
    return RowEffects(effects, is_direct, runs_others, next(iter(named), None))


_Leaf = tuple[str, ast.GovernanceStatement | None]


def _leaves(sql: str, depth: int) -> Iterator[_Leaf]:
    """Yield the statements of a text and what they are; those inside others in their place."""
    if depth > _DEEPEST:
        return
    for text in statements_within(sql):
        try:
            parsed = parse(text)
        except SqlError:
            continue
        if isinstance(parsed, ast.ExecuteImmediate):
            yield from _leaves(parsed.text or "", depth + 1)
        elif isinstance(parsed, ast.Chain):
            for step in parsed.steps:
                yield from _leaves(step, depth + 1)
        else:
            yield text, parsed


def _holds_block(sql: str) -> bool:
    """Return whether a text is a block, or one is inside; what cannot be read may be one."""
    for one in split(sql):
        tokens = tokenize(one.text)
        if tokens[0].word in ("BEGIN", "DECLARE") and len(tokens) > 2:
            return True
        try:
            parsed = parse(one.text)
        except SqlError:
            return True
        if isinstance(parsed, ast.ExecuteImmediate) and _holds_block(parsed.text or ""):
            return True
    return False


def _is_of_system(parsed: ast.GovernanceStatement | None) -> bool:
    """Return whether a call is of what the account itself brings along."""
    return isinstance(parsed, ast.Call) and parsed.name[-1].startswith("SYSTEM$")


def _of_leaf(
    text: str, parsed: ast.GovernanceStatement | None, place: Place
) -> Iterator[RowEffect]:
    match parsed:
        case None:
            yield from _of_general(text, place)
        case ast.Create() if parsed.or_replace:
            ref = created_ref(parsed, place)
            if _has_rows(ref):
                yield RowEffect("replace", ref)
        case ast.Drop():
            ref = place.ref(parsed.kind, parsed.name)
            if _has_rows(ref):
                yield RowEffect("drop", ref)
        case ast.Alter():
            yield from _of_alter(parsed, place)
        case _:
            return


def _has_rows(ref: ObjectRef) -> bool:
    return ref.kind in _WITH_ROWS or ref.kind in CONTAINERS


def _of_alter(statement: ast.Alter, place: Place) -> Iterator[RowEffect]:
    ref = place.ref(statement.kind, statement.name)
    for action in statement.actions:
        if isinstance(action, ast.SwapWith) and _has_rows(ref):
            other = place.ref(statement.kind, action.name)
            yield RowEffect("swap", ref, other.fqn)
            yield RowEffect("swap", other, ref.fqn)
        elif isinstance(action, ast.DropColumns) and statement.kind in _WITH_ROWS:
            yield RowEffect("cut", ref)
        elif isinstance(action, ast.Refresh) and statement.kind == "DYNAMIC TABLE":
            yield RowEffect("refresh", ref)


def _of_general(text: str, place: Place) -> Iterator[RowEffect]:
    try:
        outlines = outlines_of(text)
    except SqlError:
        return
    words = [token.word for token in tokenize(text)[:3]]
    for outline in outlines:
        ref = place.ref(outline.kind, outline.name)
        if outline.action == "create" and words[1:3] == ["OR", "REPLACE"] and _has_rows(ref):
            # CREATE OR ALTER keeps what it can of a table, rows first.
            yield RowEffect("replace", ref)
        elif outline.action == "write":
            yield RowEffect("overwrite" if words[1] == "OVERWRITE" else _VERBS[words[0]], ref)
