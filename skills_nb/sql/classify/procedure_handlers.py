"""Code of procedures that is not SQL: whether the SQL it runs stands in it as plain text.

Room: sql. Python is read as a tree, JavaScript by its plain forms. What sends SQL has to send a
constant, and nothing may hide what is called; other languages are not read, so what they send is
not known.
Source: Snowflake manual, "Writing stored procedures in Python".
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from skills_nb.sql.classify.javascript_handlers import sql_in_javascript

_SENDING = frozenset({"sql", "execute", "execute_async", "execute_string", "executemany"})
_HIDING_NAMES = frozenset(
    {
        "__builtins__",
        "__import__",
        "breakpoint",
        "compile",
        "delattr",
        "eval",
        "exec",
        "getattr",
        "globals",
        "locals",
        "open",
        "setattr",
        "vars",
    }
)
_HIDING_ATTRIBUTES = frozenset({"connection", "cursor", "file"})
_MODULES = frozenset(
    {
        "__future__",
        "collections",
        "dataclasses",
        "datetime",
        "decimal",
        "functools",
        "hashlib",
        "itertools",
        "json",
        "math",
        "numpy",
        "pandas",
        "re",
        "statistics",
        "typing",
        "uuid",
    }
)
_READING = (
    "agg alias avg cast col collect columns count distinct drop_duplicates dropna fields fillna "
    "filter first get_current_database get_current_role get_current_schema group_by isin isoformat "
    "iterrows itertuples join join_table_function limit lit loc max mean min name now order_by row "
    "schema select show sort sort_values sql sqrt strftime substr sum table to_dict to_list "
    "to_local_iterator to_pandas today union utcnow where with_column with_column_renamed"
)
_HARMLESS = frozenset(_READING.split()).union(
    *(dir(kind) for kind in (str, bytes, int, float, list, tuple, dict, set))
) - {"delete", "merge", "update"}
"""Attributes that only read; what data frames share with dictionaries is counted as theirs."""
_HARMLESS_NAMES = frozenset(
    {"DataFrame", "Decimal", "Row", "Session", "annotations", "avg", "col", "count", "date"}
    | {"datetime", "functions", "lit", "max", "min", "sum", "timedelta", "types"}
)
_WRITING = (
    "append call create_dataframe create_or_replace_temp_view create_or_replace_view delete "
    "dumps findall fullmatch group groups insert loads match merge mode save_as_table search "
    "session sub update when_matched when_not_matched write write_pandas"
)
_INSIDE = _HARMLESS.union(
    _WRITING.split(), *(dir(module) for module in (math, date, datetime, timedelta, Decimal))
)
"""Attributes that stay with the session and with plain values."""
_REACHING = frozenset({"builtins", "importlib", "inspect", "io", "os", "sys"})
_SNOWPARK = ("snowflake.snowpark", "snowflake.ml")
"""Sessions and data frames: what they do is theirs, but for the SQL that they are handed."""


def sql_in(language: str, code: str) -> tuple[str, ...] | None:
    """Return the SQL that a handler sends, in order; None where that is not known."""
    if language == "JAVASCRIPT":
        return sql_in_javascript(code)
    if language != "PYTHON":
        return None
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    nodes = list(ast.walk(tree))
    if any(_hides(node) for node in nodes):
        return None
    sent = [node for node in nodes if isinstance(node, ast.Call) and _sends(node)]
    texts = [_text_of(call) for call in sent]
    called = sum(_is_sending(node) for node in nodes)
    # A method that is taken without being called may be called by another name.
    if called != len(sent) or None in texts:
        return None
    return tuple(text for text in texts if text is not None)


def methods_in(language: str, code: str) -> tuple[str, ...]:
    """Return the attributes that Python asks for: a session's catalog drops without any SQL."""
    found = _mentioned(code) if language == "PYTHON" else None
    return tuple(sorted(found.asked)) if found is not None else ()


def only_sends(language: str, code: str) -> bool:
    """Tell whether a handler changes nothing but by the SQL that it sends, as far as names tell.

    A data frame can be written, and a table emptied, without a word of SQL.
    """
    if language != "PYTHON":
        return language == "JAVASCRIPT"
    found = _mentioned(code)
    return found is not None and found.asked <= _HARMLESS and found.taken <= _HARMLESS_NAMES


def stays_inside(code: str) -> bool:
    """Tell whether Python reaches nothing but its session and its values, as far as names tell."""
    found = _mentioned(code)
    if found is None or any(map(_hides, found.nodes)) or not _REACHING.isdisjoint(found.taken):
        return False
    return found.asked <= _INSIDE


@dataclass(frozen=True, slots=True)
class _Mentioned:
    """What Python names."""

    nodes: Sequence[ast.AST]
    asked: frozenset[str]
    """Attributes."""
    taken: frozenset[str]
    """Names that it imports out of modules."""


def _mentioned(code: str) -> _Mentioned | None:
    """Return what Python names; None where it cannot be read."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _Mentioned(
        nodes,
        frozenset(node.attr for node in nodes if isinstance(node, ast.Attribute)),
        frozenset(
            one.name for node in nodes if isinstance(node, ast.ImportFrom) for one in node.names
        ),
    )


def _is_sending(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in _SENDING


def _sends(call: ast.Call) -> bool:
    return _is_sending(call.func)


def _text_of(call: ast.Call) -> str | None:
    """Return the constant text that a call sends; None where it is made at run time."""
    given = call.args[0] if call.args else next((k.value for k in call.keywords), None)
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        return given.value
    return None


def _hides(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name):
            return name in _HIDING_NAMES
        case ast.Attribute(attr=name):
            return name.startswith("_") or name in _HIDING_ATTRIBUTES
        case ast.MatchClass(kwd_attrs=names):
            return bool(names)
        case ast.Import(names=names):
            return not all(_is_known(alias.name) for alias in names)
        case ast.ImportFrom(module=module, level=level):
            return level > 0 or not _is_known(module or "")
        case _:
            return False


def _is_known(module: str) -> bool:
    if "._" in module:
        return False
    return module.split(".")[0] in _MODULES or module.startswith(_SNOWPARK)
