"""Code of procedures that is not SQL: whether the SQL it runs stands in it as plain text.

Room: sql. Python is read as a tree, JavaScript by its plain forms. What sends SQL has to send a
constant, and nothing may hide what is called; other languages are not read, so what they send is
not known.
Source: Snowflake manual, "Writing stored procedures in Python".
"""

from __future__ import annotations

import ast

from skills_nb.sql.classify.scripts import sql_in_javascript

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
