"""Trees: what may stand in one that DuckDB is to run.

Room: embedded. Pure. sqlglot writes numbers, words and bare names as they stand in a tree; here
each of them must have the form of what it is said to be, a table must be one that the account put
there, and a function that sqlglot does not know one that the account uses.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.types.names import GOVERNED

_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_WORDS = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[ _][A-Za-z0-9_]+)*", re.ASCII)
_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*", re.ASCII)
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})*")
_BITS = re.compile(r"[01]*")
_TABLES = frozenset({"range", "unnest", "explode", "generateseries", "json_each"})
"""Functions that the account itself writes as tables."""


def check(tree: exp.Expr) -> None:
    """Look at every node of a tree.

    Raises:
        SqlError: one is nothing that a query of the account's can hold.
    """
    for node in tree.walk():
        rule = _RULES.get(type(node))
        if rule is not None:
            rule(node)
        else:
            _plain(node)


def _refuse(node: exp.Expr) -> None:
    raise errors.unwritable(type(node).__name__)


def _plain(node: exp.Expr) -> None:
    """Hold that the texts of a node are words."""
    if isinstance(node, _STATEMENTS):
        _refuse(node)
    for value in node.args.values():
        if type(value) is str and value and not _WORDS.fullmatch(value):
            _refuse(node)


def _of(pattern: re.Pattern[str]) -> Callable[[exp.Expr], None]:
    def rule(node: exp.Expr) -> None:
        if not pattern.fullmatch(str(node.this)):
            _refuse(node)

    return rule


def _literal(node: exp.Expr) -> None:
    if not node.args.get("is_string") and not _NUMBER.fullmatch(str(node.this)):
        _refuse(node)


def _identifier(node: exp.Expr) -> None:
    if not node.args.get("quoted") and not _BARE.fullmatch(str(node.this)):
        _refuse(node)


def _table(node: exp.Expr) -> None:
    """Hold that a table is the account's own, or a name that the query itself gives."""
    if not node.args.get(GOVERNED):
        _refuse(node)
    schema, catalog = node.args.get("db"), node.args.get("catalog")
    if not isinstance(node.this, exp.Identifier):
        if (
            str(node.this.this if isinstance(node.this, exp.Anonymous) else node.this.key).lower()
            not in _TABLES
        ):
            _refuse(node)
    elif catalog is not None:
        if (catalog.name, schema.name if schema is not None else "") != ("temp", "main"):
            _refuse(node)
    elif schema is not None and "." not in schema.name:
        _refuse(node)


def _unbound(node: exp.Expr) -> None:
    raise errors.unbound(str(node.this or "1"))


def _type(node: exp.Expr) -> None:
    spelled = node.args.get("kind")
    if isinstance(spelled, str) and not _WORDS.fullmatch(spelled):
        _refuse(node)


_COLLATIONS = frozenset({"NOCASE.en", "NOACCENT.en", "NOCASE.NOACCENT", "NOCASE.NOACCENT.en"})


def _word(node: exp.Expr) -> None:
    if str(node.this) not in _COLLATIONS:
        _plain(node)


def _anything(node: exp.Expr) -> None:
    """Take what sqlglot quotes when it writes it."""


_STATEMENTS: tuple[type[exp.Expr], ...] = (
    exp.Alter,
    exp.Attach,
    exp.Command,
    exp.Copy,
    exp.Create,
    exp.Delete,
    exp.Detach,
    exp.Drop,
    exp.Heredoc,
    exp.Insert,
    exp.Introducer,
    exp.LoadData,
    exp.MatchRecognize,
    exp.Merge,
    exp.ObjectIdentifier,
    exp.OpenJSON,
    exp.Parameter,
    exp.Pragma,
    exp.ReadCSV,
    exp.ReadParquet,
    exp.Semicolon,
    exp.SessionParameter,
    exp.Set,
    exp.Transaction,
    exp.TruncateTable,
    exp.Update,
    exp.Use,
    exp.XMLTable,
)
_RULES: dict[type[exp.Expr], Callable[[Any], None]] = {
    exp.Anonymous: _of(_BARE),
    exp.BitString: _of(_BITS),
    exp.ByteString: _anything,
    exp.DataType: _type,
    exp.HexString: _of(_HEX),
    exp.Identifier: _identifier,
    exp.JSONPathKey: _anything,
    exp.JSONPathSubscript: _anything,
    exp.Literal: _literal,
    exp.National: _anything,
    exp.Placeholder: _unbound,
    exp.RawString: _anything,
    exp.Table: _table,
    exp.UnicodeString: _anything,
    exp.Var: _word,
}
