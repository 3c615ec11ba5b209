"""CREATE of procedures, functions and data metric functions.

Room: sql.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.clauses import read_arguments, read_value
from skills_nb.sql.governance.reader import Reader
from skills_nb.sql.governance.session import read_call

_Header = dict[str, Any]
_OPTIONS = (
    "COPY GRANTS",
    "NOT NULL",
    "CALLED ON NULL INPUT",
    "RETURNS NULL ON NULL INPUT",
    "STRICT",
    "IMMUTABLE",
    "VOLATILE",
    "MEMOIZABLE",
)
_RIGHTS = ("OWNER", "RESTRICTED CALLER", "CALLER")


def read_routine(
    build: Callable[..., ast.CreateRoutine],
) -> Callable[[Reader, _Header], ast.CreateRoutine]:
    """Make the reader of a signature, its options and its body."""

    def read(r: Reader, header: _Header) -> ast.CreateRoutine:
        return _read(r, header, build)

    return read


def read_data_metric_function(r: Reader, header: _Header) -> ast.CreateRoutine:
    """Read a data metric function."""
    return _read(r, header, ast.CreateDataMetricFunction)


def read_anonymous(r: Reader) -> tuple[ast.CreateRoutine, ast.Call]:
    """Read `WITH name AS PROCEDURE (…) … AS '…' CALL name(…)`."""
    r.expect("WITH")
    name = (r.identifier(),)
    r.expect("AS PROCEDURE")
    made = _read(r, {"name": name}, ast.CreateProcedure)
    call = read_call(r)
    r.finish()
    return made, call


def _read(r: Reader, header: _Header, build: Callable[..., ast.CreateRoutine]) -> ast.CreateRoutine:
    found: _Header = {"args": read_arguments(r), "properties": {}}
    options: list[str] = []
    while not r.is_done and not r.accept("AS"):
        if option := r.accept_one(_OPTIONS):
            options.append(option)
        else:
            _read_clause(r, found)
    if r.tokens[r.index - 1].word == "AS":
        found["body"] = _read_body(r)
    if "returns" not in found or (found.get("language", "SQL") == "SQL" and "body" not in found):
        r.fail()
    return build(**header, **found, options=tuple(options))


def _read_clause(r: Reader, found: _Header) -> None:
    if r.accept("RETURNS"):
        found["returns"] = r.cut(lambda: r.at("LANGUAGE", "AS", *_OPTIONS) or _is_property(r))
    elif r.accept("LANGUAGE"):
        found["language"] = r.word()
    elif r.accept("EXECUTE AS"):
        found["execute_as"] = r.expect_one(_RIGHTS)
    elif _is_property(r):
        key = r.word()
        r.expect("=")
        value = read_value(r)
        target = found if key == "COMMENT" else found["properties"]
        target[key.lower() if key == "COMMENT" else key] = value
    else:
        r.fail()


def _is_property(r: Reader) -> bool:
    return (bool(r.token.word) and r.ahead(1).text == "=") or r.at("EXECUTE AS")


def _read_body(r: Reader) -> str:
    """Read a quoted body, or a block to the end."""
    if r.is_text:
        return r.text()
    first, last = r.index, len(r.tokens) - 1
    while r.tokens[last - 1].text == ";":
        last -= 1
    if first >= last:
        r.fail()
    r.index = len(r.tokens) - 1
    return r.between(first, last)
