"""Refusals about time travel, streams, tasks and code.

Room: embedded. Pure.
"""

from __future__ import annotations

from skills_nb.embedded.errors.words import compilation, dotted
from skills_nb.errors import SqlError


def no_time_travel(path: tuple[str, ...]) -> SqlError:
    """Say that the rows of that instant are not kept, or never were."""
    return SqlError(
        f"Time travel data is not available for table {path[-1]}. The requested time is either "
        "beyond the allowed time travel period or before the object creation time.",
        errno=707,
        sqlstate="02000",
    )


def time_in_future() -> SqlError:
    """Refuse an instant that has not come."""
    return compilation(
        "Invalid argument to AT or BEFORE: the time must not be in the future.", 709, "22023"
    )


def source_gone(stream: str) -> SqlError:
    """Say that what a stream follows was dropped."""
    return compilation(f"Base table dropped, cannot read from stream '{stream}'.", 91901, "42601")


def stream_stale(stream: str) -> SqlError:
    """Say that a stream was not consumed while its changes were kept."""
    return SqlError(
        f"Stream {stream} has become stale and must be recreated.", errno=91902, sqlstate="02000"
    )


def task_misused(message: str) -> SqlError:
    """Say that a graph of tasks would not be one, or is in the wrong state."""
    return compilation(message, 91089, "22023")


def metric_misused(message: str) -> SqlError:
    """Say that a data metric function cannot be associated, or is not."""
    return compilation(message, 3556, "42601")


def scripting(kind: str, line: int, position: int, detail: str, error: SqlError) -> SqlError:
    """Wrap the error that ends a block, the way Snowflake Scripting reports it."""
    return SqlError(
        f"Uncaught exception of type '{kind}' on line {line} at position {position} : {detail}",
        errno=error.errno,
        sqlstate=error.sqlstate,
    )


def staged(file: str, line: int, position: int, error: SqlError) -> SqlError:
    """Wrap the error that ends a script in a stage."""
    return SqlError(
        f"Uncaught exception of type 'STATEMENT_ERROR' in file {file} on line {line} "
        f"at position {position}:\n{error}",
        errno=error.errno,
        sqlstate=error.sqlstate,
    )


def not_for_owners(statement: object) -> SqlError:
    """Refuse to change the session while it runs as an owner."""
    word = {"Use": "USE", "UseSecondaryRoles": "USE"}.get(type(statement).__name__, "SET")
    return SqlError(
        f"Stored procedure execution error: Unsupported statement type '{word}'.",
        errno=90236,
        sqlstate="42601",
    )


def incomplete_transaction() -> SqlError:
    """Say that a procedure or block began a transaction and left it open."""
    return SqlError(
        "Stored procedure execution error: Scoped transaction started in stored procedure is "
        "incomplete and it was rolled back.",
        errno=90232,
        sqlstate="25000",
    )


def other_scope() -> SqlError:
    """Refuse to end a transaction that was begun outside of the procedure or block.

    The manual tells the words, and no number.
    """
    return SqlError(
        "Modifying a transaction that has started at a different scope is not allowed.",
        sqlstate="25000",
    )


def not_of_owners(function: str) -> SqlError:
    """Refuse a routine with its owner's rights to look at what its caller did."""
    return SqlError(
        f"Stored procedure execution error: Unsupported function '{function}'.",
        errno=90236,
        sqlstate="42601",
    )


def wrong_routine(kind: str, signature: str) -> SqlError:
    """Say that no overload takes these arguments."""
    return compilation(
        f"error line 1 at position 0\nInvalid argument types for function '{kind}': {signature}",
        1044,
        "42P13",
    )


def untried(function: str, found: str, wanted: str) -> SqlError:
    """Say that a conversion that gives NULL for what it cannot read takes no such value."""
    said = f"Function {function} cannot be used with arguments of types {found} and {wanted}"
    return compilation(said, 1065, "22023")


def unknown_routine(kind: str, path: tuple[str, ...]) -> SqlError:
    """Say that a function or procedure is missing or hidden."""
    return compilation(f"Unknown {kind} {dotted(path)}", 2140, "42601")
