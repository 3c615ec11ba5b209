"""Refusals about statements and objects.

Room: embedded. Pure.
"""

from __future__ import annotations

from skills_nb.embedded.errors.unsupported_names import ELSEWHERE, SCHEMAS
from skills_nb.embedded.errors.words import compilation, dotted
from skills_nb.errors import SqlError


def not_found(kind: str, path: tuple[str, ...]) -> SqlError:
    """Say that an object is missing or hidden; tables and views are both called `Object`."""
    if kind == "Schema" and path[0] == "SNOWFLAKE" and path[-1] in SCHEMAS:
        return unsupported(dotted(path))
    state = "42S02" if kind in ("Object", "Table", "View") else "02000"
    return compilation(f"{kind} '{dotted(path)}' does not exist or not authorized.", 2003, state)


def no_such_operation() -> SqlError:
    """Say that USE, DESCRIBE or DROP met nothing it may work on."""
    return compilation("Object does not exist, or operation cannot be performed.", 2043, "02000")


def already_exists(kind: str, path: tuple[str, ...]) -> SqlError:
    """Say that the name is taken."""
    return compilation(f"Object '{dotted(path)}' already exists.", 2002, "42710")


def taken_by_hidden(kind: str, name: str) -> SqlError:
    """Say that the name is taken, by what the role may not know more of."""
    return compilation(
        f"{kind} '{name}' already exists, but current role has no privileges on it. If this is "
        "unexpected and you cannot resolve this problem, contact your system administrator. "
        "ACCOUNTADMIN role may be required to manage the privileges on the object.",
        3041,
        "42710",
    )


def syntax(detail: str) -> SqlError:
    """Say that the statement cannot be read."""
    return compilation(detail, 1003, "42000")


def too_deep() -> SqlError:
    """Say that a statement nests more levels than can be read."""
    return syntax("The statement is nested too deeply; divide it into several.")


def unsupported(feature: str) -> SqlError:
    """Say that this account does not do what the statement asks for."""
    return compilation(f"Unsupported feature '{feature}'.", 2, "0A000")


def foreign_type(spelling: str) -> SqlError:
    """Say that Snowflake has no such type, in its own words."""
    return compilation(f"Unsupported data type '{spelling}'.", 2040, "42601")


def invalid_identifier(name: str) -> SqlError:
    """Say that a column is not known here."""
    return compilation(f"error line 1 at position 0\ninvalid identifier '{name}'", 904, "42000")


def ambiguous(name: str) -> SqlError:
    """Say that two sources offer the column."""
    return compilation(f"error line 1 at position 0\nambiguous column name '{name}'", 1052, "42702")


def duplicate_column(name: str) -> SqlError:
    """Say that a table or view would have the column twice."""
    return compilation(f"duplicate column name '{name}'", 2025, "42S21")


def holds_null(name: str) -> SqlError:
    """Say that a column cannot be NOT NULL, since it holds NULL.

    See https://docs.snowflake.com/en/sql-reference/sql/create-table (CREATE OR ALTER TABLE)
    """
    return compilation(
        f"Column '{name}' contains null values. Not null constraint cannot be added.", 1471, "42601"
    )


def unknown_function(name: str) -> SqlError:
    """Say that there is no such function, or none here; SYSTEM$ names are Snowflake's alone."""
    if name.rpartition(".")[2] in ELSEWHERE or name.startswith("SYSTEM$"):
        return unsupported(name)
    return compilation(f"Unknown function {name}", 2140, "42601")


def unknown_table_function(name: str) -> SqlError:
    """Say that there is no such table function, or none here."""
    if name.rpartition(".")[2] in ELSEWHERE:
        return unsupported(name)
    return compilation(f"Unknown table function {name}", 2141, "42601")


def unknown_view(path: tuple[str, ...]) -> SqlError:
    """Say that there is no such system view, or none here."""
    return unsupported(dotted(path)) if path[-1] in ELSEWHERE else not_found("Object", path)


def invalid_value(value: str, parameter: str) -> SqlError:
    """Say that a property or parameter does not take this value."""
    return compilation(f"invalid value [{value}] for parameter '{parameter}'", 1008, "22023")


def invalid_unit(unit: str, function: str, of: str = "", *, quoted: bool = True) -> SqlError:
    """Say that a function takes no such unit, of a type or of any."""
    shown = f"['{unit}']" if quoted else f"[{unit}]"
    said = f"{shown} is not a valid date/time component for function {function}{of}."
    return compilation(said, 2151, "22023")


def wrong_count(message: str) -> SqlError:
    """Say that lists which must agree in length do not."""
    return compilation(message, 2020, "21S01")


def invalid_argument(message: str) -> SqlError:
    """Say that a function's argument cannot be used."""
    return compilation(message, 1014, "22023")


def too_many_arguments(function: str, given: int) -> SqlError:
    """Say that a star stands for more columns than a function takes."""
    said = f"too many arguments for function [{function}(*)] expected 1, got {given}"
    return compilation(f"error line 1 at position 0\n{said}", 939, "22023")


def invalid_property(message: str) -> SqlError:
    """Say that the statement contradicts itself or the object's state."""
    return compilation(message, 1420, "42601")


def duplicate_alias(name: str) -> SqlError:
    """Say that two sources of one FROM have the same name."""
    return compilation(f"error line 1 at position 0\nduplicate alias '{name}'", 2028, "42710")


def view_broken(name: str, error: SqlError) -> SqlError:
    """Say that what a view reads is not there any more."""
    said = f"Failure during expansion of view '{name}': {error.message}"
    return SqlError(f"SQL compilation error:\n{said}", errno=2037, sqlstate="42601")


def unread_broken(shown: str) -> SqlError:
    """Say that a text cannot be read any more, to somebody who may not know what it names."""
    return compilation(f"Failure during expansion of {shown}.", 2037, "42601")


def view_changed(path: tuple[str, ...], expected: int, got: int) -> SqlError:
    """Say that what a view reads has other columns now."""
    return compilation(
        f"View definition for '{dotted(path)}' declared {expected} column(s), but view query "
        f"produces {got} column(s).",
        2057,
        "42601",
    )


def not_incremental(what: str) -> SqlError:
    """Refuse a dynamic table whose query cannot be refreshed by its changes alone."""
    return compilation(f"Query is not supported for incremental refresh: {what}.", 2711, "0A000")


def not_materialized(what: str) -> SqlError:
    """Say that a query is none that a materialized view can have."""
    return compilation(
        f"error line 1 at position 0\nInvalid materialized view definition: {what}.", 2219, "42601"
    )


def wrong_kind(kind: str, path: tuple[str, ...], wanted: str) -> SqlError:
    """Say that the name belongs to an object of another kind."""
    return compilation(
        f"Object found is of type '{kind}', specified object name '{dotted(path)}' is not a "
        f"'{wanted}'.",
        1512,
        "42710",
    )


def no_column(name: str) -> SqlError:
    """Say that the table or view has no such column."""
    return invalid_identifier(name)


def not_undroppable(kind: str, path: tuple[str, ...]) -> SqlError:
    """Say that there is nothing to bring back."""
    return compilation(f"{kind} {dotted(path)} did not exist or was purged.", 2003, "42S02")


def cannot_retype(name: str, has: str, wanted: str) -> SqlError:
    """Refuse a change of type that could lose values."""
    return compilation(f"cannot change column {name} from type {has} to {wanted}", 40, "22000")


def not_constant(default: str) -> SqlError:
    """Refuse a default of an added column that is no literal."""
    return compilation(f"Invalid column default expression [{default}]", 2263, "22000")


def default_not_taken(name: str) -> SqlError:
    """Refuse a default that a column of CREATE TABLE does not take."""
    said = f"Default value data type does not match data type for column {name}"
    return compilation(said, 2262, "22000")


def default_of_another_type(name: str, expected: str, got: str) -> SqlError:
    """Refuse a default whose type is not the added column's."""
    return compilation(
        f"Expression type does not match column data type, expecting {expected} but got {got} for "
        f"column {name}",
        2023,
        "22000",
    )


def not_a_table(path: tuple[str, ...]) -> SqlError:
    """Refuse to change rows of a view."""
    return compilation(
        f"Invalid target: '{dotted(path)}' is not a table, its rows cannot be changed.",
        2014,
        "42809",
    )


def not_enough_arguments(name: str) -> SqlError:
    """Say that a function needs more arguments."""
    return compilation(
        f"error line 1 at position 0\nnot enough arguments for function [{name}]", 938, "22023"
    )


def returns_other(declared: str, given: str, of: str = "") -> SqlError:
    """Say that a body returns another type than declared; `of` a column of its rows."""
    said = f"Declared return type '{declared}'{of} is incompatible with actual return type"
    return SqlError(f"{said} '{given}'", errno=90207, sqlstate="42601")


def unordered_window(function: str) -> SqlError:
    """Say that a window function needs an order."""
    said = f"Window function type [{function}] requires ORDER BY in window specification."
    return compilation(said, 2303, "42601")


def wrong_argument_count(call: str, least: int, most: int, given: int) -> SqlError:
    """Say that a function takes fewer arguments, or more."""
    few = given < least
    said = (
        f"error line 1 at position 0\n{'not enough' if few else 'too many'} arguments for function "
        f"[{call}] expected {least if few else most}, got {given}"
    )
    return compilation(said, 938 if few else 939, "22023")


def duplicate_key(name: str) -> SqlError:
    """Say that an object would have a key twice."""
    return SqlError(f"Duplicate field key '{name}'", errno=100171, sqlstate="22000")


def duplicate_merge_row(values: tuple[str, ...] | None = None) -> SqlError:
    """Say that one target row meets several source rows; which one, to whom may know."""
    told = "" if values is None else f"\nRow Values: [{', '.join(values)}]"
    said = f"Duplicate row detected during DML action{told}"
    return SqlError(said, errno=100090, sqlstate="42P18")


def unwritable(what: str) -> SqlError:
    """Refuse a part of a statement that the account does not know how to put before DuckDB."""
    return compilation(f"Unsupported feature '{what} in this place'.", 2, "0A000")


def unjudged(column: str) -> SqlError:
    """Refuse to read a column that no policy has been asked about."""
    return compilation(f"Unsupported feature 'reading {column} in this place'.", 2, "0A000")


def ungoverned(name: str) -> SqlError:
    """Refuse a table reference in a place where the account does not know how to govern it."""
    return compilation(f"Unsupported feature 'table reference {name} in this place'.", 2, "0A000")
