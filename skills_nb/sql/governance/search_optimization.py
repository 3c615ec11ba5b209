"""ADD and DROP SEARCH OPTIMIZATION of a table.

Room: sql.

See https://docs.snowflake.com/en/sql-reference/sql/alter-table (search optimization actions)
"""

from __future__ import annotations

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.reader import Reader

_METHODS = ("EQUALITY", "SUBSTRING", "FULL_TEXT", "GEO")


def read_methods(r: Reader) -> tuple[ast.SearchMethod, ...]:
    """Read `[ON EQUALITY(a, b) , SUBSTRING(c) …]`."""
    if not r.accept("ON"):
        return ()
    found = [_method(r)]
    while r.accept(","):
        found.append(_method(r))
    return tuple(found)


def read_drop(r: Reader) -> ast.DropSearchOptimization:
    """Read what is dropped: methods with targets, columns, or numbers of expressions."""
    methods: list[ast.SearchMethod] = []
    columns: list[str] = []
    numbers: list[int] = []
    goes_on = r.accept("ON")
    while goes_on:
        if r.at(*_METHODS) and r.ahead(1).text == "(":
            methods.append(_method(r))
        elif r.token.text.isdigit():
            numbers.append(r.integer())
        else:
            columns.append(r.identifier())
        goes_on = r.accept(",")
    return ast.DropSearchOptimization(tuple(methods), tuple(columns), tuple(numbers))


def _method(r: Reader) -> ast.SearchMethod:
    method = r.expect_one(_METHODS)
    return ast.SearchMethod(method, tuple(one.strip() for one in r.listed()))
