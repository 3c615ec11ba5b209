"""Refusals about logging in, the session and its surroundings.

Room: embedded. Pure.
"""

from __future__ import annotations

from skills_nb.embedded.errors.words import ACCESS, compilation
from skills_nb.errors import SqlError


def bad_login() -> SqlError:
    """Refuse a user that the account does not know, or who is disabled."""
    return SqlError("Incorrect username or password was specified.", errno=390100, sqlstate="08001")


def invalid_token(incident: str) -> SqlError:
    """Refuse a key pair's token that is not the user's."""
    return SqlError(f"JWT token is invalid. [{incident}]", errno=390144, sqlstate="08001")


def login_role(role: str) -> SqlError:
    """Refuse a role in the connect string that the user does not hold."""
    return SqlError(
        f"Role '{role}' specified in the connect string does not exist or not authorized. Contact "
        "your local system administrator, or attempt to login with another role, e.g. PUBLIC.",
        errno=390189,
        sqlstate="08001",
    )


def disabled_user() -> SqlError:
    """Refuse a user who is disabled."""
    return SqlError(
        "User access disabled. Contact your local system administrator.",
        errno=390101,
        sqlstate="08001",
    )


def session_gone() -> SqlError:
    """Say that the session's token is not known any more."""
    return SqlError(
        "Session no longer exists.  New login required to access the service.",
        errno=390111,
        sqlstate="08001",
    )


def role_not_assigned(role: str) -> SqlError:
    """Say that the executing user does not hold the role."""
    return SqlError(
        f"{ACCESS}Requested role '{role}' is not assigned to the executing user. "
        "Specify another role.",
        errno=3013,
        sqlstate="42501",
    )


def current_role(role: str) -> SqlError:
    """Refuse to drop the role that the session works as."""
    return SqlError(
        f"SQL execution error: Cannot drop role {role} as it is the current primary role.",
        errno=3011,
        sqlstate="42501",
    )


def no_warehouse() -> SqlError:
    """Say that the statement computes and no warehouse is active."""
    return SqlError(
        "No active warehouse selected in the current session.  Select an active warehouse with "
        "the 'use warehouse' command.\n",
        errno=606,
        sqlstate="57P03",
    )


def quota_used(warehouse: str, monitor: str) -> SqlError:
    """Say that a resource monitor keeps a warehouse from computing."""
    return SqlError(
        f"Warehouse '{warehouse}' cannot be resumed because resource monitor '{monitor}' has "
        "exceeded its quota.",
        errno=90073,
        sqlstate="22000",
    )


def no_current_database(verb: str) -> SqlError:
    """Say that an unqualified name needs a current database."""
    return SqlError(
        f"Cannot perform {verb}. This session does not have a current database. "
        "Call 'USE DATABASE', or use a qualified name.",
        errno=90105,
        sqlstate="22000",
    )


def no_current_schema(verb: str) -> SqlError:
    """Say that an unqualified name needs a current schema."""
    return SqlError(
        f"Cannot perform {verb}. This session does not have a current schema. "
        "Call 'USE SCHEMA', or use a qualified name.",
        errno=90106,
        sqlstate="22000",
    )


def no_result(query_id: str) -> SqlError:
    """Say that there is no result to read again, or not for this user and role."""
    return SqlError(f"Statement {query_id} not found", errno=709, sqlstate="02000")


INCIDENT = 603
"""Number of an internal error."""


def incident(query_id: str) -> SqlError:
    """Say that the account itself failed; the number leads to the log."""
    number = int(query_id.replace("-", "")[:8], 16) if query_id else 0
    return SqlError(
        f"SQL execution internal error:\nProcessing aborted by error 300010:{number}; "
        f"incident {number}.",
        errno=INCIDENT,
        sqlstate="XX000",
    )


def canceled() -> SqlError:
    """Say that somebody ended the statement."""
    return SqlError("SQL execution canceled", errno=604, sqlstate="57014")


def timed_out(limit_s: float) -> SqlError:
    """Say that the statement took longer than it may."""
    return SqlError(
        f"Statement reached its statement or warehouse timeout of {limit_s:g} second(s) and was "
        "canceled.",
        errno=630,
        sqlstate="57014",
    )


def aborted_transaction() -> SqlError:
    """Say that a statement failed before in the transaction, which must be ended first.

    See https://docs.snowflake.com/en/sql-reference/parameters#transaction-abort-on-error
    """
    return SqlError(
        "Transaction was aborted by an error. Commit or roll it back before other statements.",
        errno=615,
        sqlstate="57014",
    )


def missing_variable(name: str) -> SqlError:
    """Say that the session variable was never set."""
    return compilation(
        f"error line 1 at position 0\nSession variable '${name.upper()}' does not exist",
        2211,
        "02000",
    )


def statement_count(actual: int, desired: int) -> SqlError:
    """Refuse a text that holds another number of statements than the caller said."""
    return SqlError(
        f"Actual statement count {actual} did not match the desired statement count {desired}.",
        errno=8,
        sqlstate="0A000",
    )


def empty_statement() -> SqlError:
    """Refuse a text without a statement."""
    return SqlError("Empty SQL statement.", errno=900, sqlstate="42601")


def unbound(number: str) -> SqlError:
    """Say that a placeholder has no value."""
    return compilation(
        f"error line 1 at position 0\nBind variable ?{number} not set.", 2049, "42601"
    )


def bad_binding(what: str, wanted: str) -> SqlError:
    """Say that a request's bindings do not have the form of bindings."""
    return compilation(f"Invalid bind variable: {what} must be {wanted}.", 1003, "42601")


def bad_parameters() -> SqlError:
    """Say that a request's parameters are not values by name."""
    return compilation("Invalid parameters: an object of values by name is needed.", 1003, "42601")


def unrecognized(what: str, text: str) -> SqlError:
    """Say that a bound value is not of the type that it is declared to be."""
    errno, state = _UNRECOGNIZED[what]
    return SqlError(f"{what} '{text}' is not recognized", errno=errno, sqlstate=state)


_UNRECOGNIZED = {
    "Numeric value": (100038, "22018"),
    "Boolean value": (100037, "22018"),
    "Date": (100040, "22007"),
    "Time": (100108, "22007"),
    "Timestamp": (100035, "22007"),
}


def not_hexadecimal(text: str) -> SqlError:
    """Say that a text is not bytes in hexadecimal digits."""
    return SqlError(
        f"The following string is not a legal hex-encoded value: '{text}'",
        errno=100115,
        sqlstate="22000",
    )


def not_json(text: str) -> SqlError:
    """Say that a text is not JSON, or not of the kind that is declared."""
    return SqlError(f"Error parsing JSON: {text}", errno=100069, sqlstate="22P02")


def invalid_utf8(text: str) -> SqlError:
    """Say that a text holds what no text can hold; the error itself can be written."""
    shown = text.encode(errors="backslashreplace").decode()
    return SqlError(f"Invalid UTF8 detected in string '{shown}'", errno=100144, sqlstate="22000")


def wrong_state(name: str) -> SqlError:
    """Say that a warehouse is already suspended or running."""
    return SqlError(
        f"Invalid state. Warehouse '{name}' cannot be suspended or resumed.",
        errno=90064,
        sqlstate="22000",
    )
