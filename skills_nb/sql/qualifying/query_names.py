"""Names in queries, in what writes rows, and in CREATE TABLE and VIEW.

Room: sql. sqlglot says where a table is named; a name that a WITH above it defines is no object. An
unqualified function that Snowflake does not bring along may be somebody's own: then it is not sure.
Source: Snowflake manual, "Object name resolution" (views: in the view's schema).
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from skills_nb.errors import SqlError
from skills_nb.sql.governance.ast import Name
from skills_nb.sql.governance.reader import Reader
from skills_nb.sql.qualifying.findings import Findings
from skills_nb.sql.qualifying.unqualified_functions import BUILTIN
from skills_nb.sql.query_trees import reading_of
from skills_nb.sql.tokens import TokenKind, tokenize


class _Source:
    """The tokens of the text that was parsed, by where they begin."""

    def __init__(self, sql: str) -> None:
        self.reader = Reader(sql)
        self.places = {token.start: index for index, token in enumerate(tokenize(sql))}

    def name_at(self, start: int) -> Name | None:
        """Return the dotted name that begins at an offset, or None where none does."""
        index = self.places.get(start)
        if index is None:
            return None
        self.reader.index = index
        try:
            return self.reader.name(4, any_word=True)
        except SqlError:
            return None

    def literal_behind(self, start: int) -> tuple[int, int, Name] | None:
        """Return where the text in `IDENTIFIER('…')` stands, and the name that it holds."""
        index = self.places.get(start)
        if index is None:
            return None
        text = self.reader.tokens[min(index + 2, len(self.reader.tokens) - 1)]
        name = self.name_at(start) if text.kind is TokenKind.STRING else None
        return (text.start, text.end, name) if name is not None else None


def note_query(found: Findings, sql: str) -> None:
    """Complete the names in one statement that the general parser reads."""
    tree = parse_one(sql)
    if tree is None or isinstance(tree, exp.Command):
        found.is_sure = False
        return
    source = _Source(sql)
    body = _body_of(tree)
    inside = {id(node) for node in body.walk()} if body is not None else set()
    own = found.at(_home(found, tree, source)) if body is not None else found
    for node in tree.walk():
        _note(own if id(node) in inside else found, node, source)
    if own is not found:
        found.take(own, 0)


def parse_one(sql: str) -> exp.Expr | None:
    """Return the tree of one statement, to be looked at; None for what cannot be read."""
    trees = reading_of(sql).trees or ()
    return trees[0] if len(trees) == 1 else None


def _body_of(tree: exp.Expr) -> exp.Expr | None:
    """Return the query of a view, whose names are looked up in the view's own schema."""
    if isinstance(tree, exp.Create) and str(tree.args.get("kind")).upper() == "VIEW":
        query = tree.args.get("expression")
        return query if isinstance(query, exp.Expr) else None
    return None


def _home(found: Findings, tree: exp.Expr, source: _Source) -> Name:
    target = tree.this.find(exp.Table)
    name = source.name_at(_start(target.parts[0])) if target is not None else None
    if name is None:
        return ()
    return (*found.prefix("VIEW", name), *name)[:-1]


def _note(found: Findings, node: exp.Expr, source: _Source) -> None:
    match node:
        case exp.Table():
            _note_table(found, node, source)
        case exp.Column() if node.name.upper() == "NEXTVAL" and node.table:
            _note_sequence(found, node, source)
        case exp.Dot() if not isinstance(node.parent, exp.Dot):
            _note_function(found, node, source)
        case exp.Anonymous() if not isinstance(node.parent, exp.Dot):
            name = str(node.this).upper()
            found.is_sure = found.is_sure and name in BUILTIN
        case _:
            pass


def _note_table(found: Findings, table: exp.Table, source: _Source) -> None:
    first = table.parts[0] if table.parts else table.this
    if isinstance(table.this, exp.DynamicIdentifier):
        held = source.literal_behind(_start(table.this))
        if held is None:
            found.is_sure = False
            return
        start, end, name = held
        whole = found.whole("TABLE", name).replace("'", "''")
        found.put(start, end, f"'{whole}'")
    elif isinstance(first, exp.Identifier):
        _note_name(found, table, first, source)
    elif not _is_elsewhere(table):
        found.is_sure = False


def _is_elsewhere(table: exp.Table) -> bool:
    """Tell a stage, a bound value or the result of the statement before from a table."""
    this = table.this
    is_stage = isinstance(this, exp.Var | exp.Literal) and this.name.startswith("@")
    is_result = isinstance(this, exp.Parameter) and this.name.isdigit()
    is_called = isinstance(this, exp.Func) and not isinstance(this, exp.Anonymous)
    return is_stage or is_result or is_called or isinstance(this, exp.Placeholder)


def _note_name(found: Findings, table: exp.Table, first: exp.Identifier, source: _Source) -> None:
    start = _start(first)
    name = source.name_at(start)
    if name is None:
        found.is_sure = False
    elif len(name) > 1 or not _is_defined_above(table, name[0]):
        found.name("TABLE", start, name)


def _is_defined_above(table: exp.Table, name: str) -> bool:
    """Tell whether a WITH around a table's name defines it."""
    node: exp.Expr = table
    while (parent := node.parent) is not None:
        if isinstance(node, exp.CTE) and _is_before(node, name):
            return True
        with_ = parent.args.get("with_")
        if with_ is not None and with_ is not node and name in map(_stored, with_.expressions):
            return True
        node = parent
    return False


def _is_before(cte: exp.Expr, name: str) -> bool:
    """Tell whether a part of a WITH may mean another part of it, or itself, by a name."""
    with_ = cte.parent
    parts = with_.expressions if isinstance(with_, exp.With) else []
    for part in parts:
        if part is cte:
            # Only what is put together by UNION can be made of itself.
            return _stored(cte) == name and isinstance(cte.this, exp.SetOperation)
        if _stored(part) == name:
            return True
    return False


def stored_part(identifier: exp.Expr) -> str:
    """Return a part of a name as the account stores it."""
    return identifier.name if identifier.args.get("quoted") else identifier.name.upper()


def _stored(cte: exp.Expr) -> str:
    alias = cte.args.get("alias")
    this = alias.this if isinstance(alias, exp.TableAlias) else None
    if not isinstance(this, exp.Identifier):
        return ""
    return stored_part(this)


def _note_sequence(found: Findings, column: exp.Column, source: _Source) -> None:
    first = column.parts[0]
    name = source.name_at(_start(first))
    if name is None:
        found.is_sure = False
    elif len(name) > 2 or not _is_alias(column, name[0]):
        found.name("SEQUENCE", _start(first), name[:-1])


def _is_alias(column: exp.Column, name: str) -> bool:
    """Tell a column that is called NEXTVAL from a sequence's next value."""
    query = column.find_ancestor(exp.Select)
    aliases = query.find_all(exp.TableAlias) if query is not None else iter(())
    return any(alias.name.upper() == name.upper() for alias in aliases)


def _note_function(found: Findings, dot: exp.Dot, source: _Source) -> None:
    first = next(_identifiers(dot), None)
    if first is None or not isinstance(dot.expression, exp.Func):
        return
    name = source.name_at(_start(first))
    if name is None or len(name) < 2:
        found.is_sure = False
    else:
        found.name("FUNCTION", _start(first), name)


def _identifiers(dot: exp.Expr) -> Iterator[exp.Identifier]:
    while isinstance(dot, exp.Dot):
        dot = dot.this
    if isinstance(dot, exp.Identifier):
        yield dot


def _start(node: exp.Expr) -> int:
    place = node.meta.get("start")
    return place if isinstance(place, int) else -1
