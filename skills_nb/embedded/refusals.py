"""Refusals: Snowflake's errors, in its numbers, states and words.

Room: embedded. Every error that the account raises is made here, so that a number is written down
once. Nothing is raised in this module: callers raise what it returns.
"""

from __future__ import annotations

from skills_nb.errors import SqlError

COMPILATION = "SQL compilation error:\n"
ACCESS = "SQL access control error:\n"
EXECUTION = "SQL execution error:\n"


def _compilation(text: str, errno: int, sqlstate: str) -> SqlError:
    return SqlError(COMPILATION + text, errno=errno, sqlstate=sqlstate)


def dotted(path: tuple[str, ...]) -> str:
    """Write stored name parts the way Snowflake prints them in messages."""
    return ".".join(path)


def not_found(kind: str, path: tuple[str, ...]) -> SqlError:
    """Say that an object is missing or hidden; tables and views are both called `Object`."""
    state = "42S02" if kind in ("Object", "Table", "View") else "02000"
    return _compilation(f"{kind} '{dotted(path)}' does not exist or not authorized.", 2003, state)


def no_such_operation() -> SqlError:
    """Say that USE, DESCRIBE or DROP met nothing it may work on."""
    return _compilation("Object does not exist, or operation cannot be performed.", 2043, "02000")


def already_exists(kind: str, path: tuple[str, ...]) -> SqlError:
    """Say that the name is taken."""
    return _compilation(f"Object '{dotted(path)}' already exists.", 2002, "42710")


def insufficient_privileges(kind: str, name: str) -> SqlError:
    """Say that the role may not operate on this object."""
    return SqlError(
        f"{ACCESS}Insufficient privileges to operate on {kind.lower()} '{name}'",
        errno=3001,
        sqlstate="42501",
    )


def syntax(detail: str) -> SqlError:
    """Say that the statement cannot be read."""
    return _compilation(detail, 1003, "42000")


def unsupported(feature: str) -> SqlError:
    """Say that this account does not do what the statement asks for."""
    return _compilation(f"Unsupported feature '{feature}'.", 2, "0A000")


def invalid_identifier(name: str) -> SqlError:
    """Say that a column is not known here."""
    return _compilation(f"error line 1 at position 0\ninvalid identifier '{name}'", 904, "42000")


def ambiguous(name: str) -> SqlError:
    """Say that two sources offer the column."""
    return _compilation(
        f"error line 1 at position 0\nambiguous column name '{name}'", 1052, "42702"
    )


def duplicate_column(name: str) -> SqlError:
    """Say that a table or view would have the column twice."""
    return _compilation(f"duplicate column name '{name}'", 2025, "42S21")


def unknown_function(name: str) -> SqlError:
    """Say that there is no such function."""
    return _compilation(f"Unknown function {name}", 2140, "42601")


def unknown_table_function(name: str) -> SqlError:
    """Say that there is no such table function."""
    return _compilation(f"Unknown table function {name}", 2141, "42601")


def invalid_value(value: str, parameter: str) -> SqlError:
    """Say that a property or parameter does not take this value."""
    return _compilation(f"invalid value [{value}] for parameter '{parameter}'", 1008, "22023")


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


def no_warehouse() -> SqlError:
    """Say that the statement computes and no warehouse is active."""
    return SqlError(
        "No active warehouse selected in the current session.  Select an active warehouse with "
        "the 'use warehouse' command.\n",
        errno=606,
        sqlstate="57P03",
    )


def role_not_assigned(role: str) -> SqlError:
    """Say that the executing user does not hold the role."""
    return SqlError(
        f"{ACCESS}Requested role '{role}' is not assigned to the executing user. "
        "Specify another role.",
        errno=3013,
        sqlstate="42501",
    )


def bad_login() -> SqlError:
    """Refuse a user that the account does not know, or who is disabled."""
    return SqlError("Incorrect username or password was specified.", errno=390100, sqlstate="08001")


def login_role(role: str) -> SqlError:
    """Refuse a role in the connect string that the user does not hold."""
    return SqlError(
        f"Role '{role}' specified in the connect string does not exist or not authorized. Contact "
        "your local system administrator, or attempt to login with another role, e.g. PUBLIC.",
        errno=390189,
        sqlstate="08001",
    )


def policy_attached(policy: str) -> SqlError:
    """Refuse to drop or replace a policy that protects something."""
    return _compilation(
        f"Policy {policy} cannot be dropped/replaced as it is associated with one or more "
        "entities.",
        3531,
        "42601",
    )


def already_masked(column: str) -> SqlError:
    """Refuse a second masking policy on a column."""
    return _compilation(
        f"Specified column already attached to another masking policy. column '{column}'",
        3524,
        "0A000",
    )


def already_filtered(name: str) -> SqlError:
    """Refuse a second row access policy on a table or view."""
    return _compilation(
        f"Object {name} already has a ROW_ACCESS_POLICY. Only one ROW_ACCESS_POLICY is allowed at "
        "a time.",
        3552,
        "0A000",
    )


def not_attached(kind: str, name: str) -> SqlError:
    """Say that there is nothing of this kind to take off."""
    return _compilation(f"{kind} '{name}' is not attached to the object.", 3553, "02000")


def missing_variable(name: str) -> SqlError:
    """Say that the session variable was never set."""
    return _compilation(
        f"error line 1 at position 0\nSession variable '${name.upper()}' does not exist",
        2211,
        "02000",
    )


def wrong_count(message: str) -> SqlError:
    """Say that lists which must agree in length do not."""
    return _compilation(message, 2020, "21S01")


def invalid_argument(message: str) -> SqlError:
    """Say that a function's argument cannot be used."""
    return _compilation(message, 1014, "22023")


def invalid_property(message: str) -> SqlError:
    """Say that the statement contradicts itself or the object's state."""
    return _compilation(message, 1420, "42601")


def duplicate_alias(name: str) -> SqlError:
    """Say that two sources of one FROM have the same name."""
    return _compilation(f"error line 1 at position 0\nduplicate alias '{name}'", 2028, "42710")


def disabled_user() -> SqlError:
    """Refuse a user who is disabled."""
    return SqlError("User access disabled. Contact your local system administrator.",
                    errno=390101, sqlstate="08001")  # fmt: skip


def view_changed(path: tuple[str, ...], expected: int, got: int) -> SqlError:
    """Say that what a view reads has other columns now."""
    return _compilation(
        f"View definition for '{dotted(path)}' declared {expected} column(s), but view query "
        f"produces {got} column(s).",
        2057,
        "42601",
    )


def no_result(query_id: str) -> SqlError:
    """Say that there is no result to read again, or not for this user and role."""
    return SqlError(f"Statement {query_id} not found", errno=709, sqlstate="02000")


def empty_statement() -> SqlError:
    """Refuse a text without a statement."""
    return SqlError("Empty SQL statement.", errno=900, sqlstate="42601")


def statement_count(actual: int, desired: int) -> SqlError:
    """Refuse a text that holds another number of statements than the caller said."""
    return SqlError(
        f"Actual statement count {actual} did not match the desired statement count {desired}.",
        errno=8,
        sqlstate="0A000",
    )


def unbound(number: str) -> SqlError:
    """Say that a placeholder has no value."""
    return _compilation(f"error line 1 at position 0\nBind variable ?{number} not set.", 2049,
                        "42601")  # fmt: skip


def wrong_kind(kind: str, path: tuple[str, ...], wanted: str) -> SqlError:
    """Say that the name belongs to an object of another kind."""
    return _compilation(
        f"Object found is of type '{kind}', specified object name '{dotted(path)}' is not a "
        f"'{wanted}'.",
        1512,
        "42710",
    )


def no_column(name: str) -> SqlError:
    """Say that the table or view has no such column."""
    return invalid_identifier(name)


def column_in_two_policies(name: str) -> SqlError:
    """Refuse a column that one policy protects and another reads."""
    return _compilation(
        f"Column '{name}' is already associated with another policy and cannot be an argument.",
        3523,
        "0A000",
    )


def wrong_arguments(policy: str, expected: int, given: int) -> SqlError:
    """Say that a policy takes another number of columns."""
    return _compilation(
        f"Policy '{policy}' takes {expected} argument(s), {given} given.", 3526, "42601"
    )


def wrong_type(column: str, has: str, policy: str, takes: str) -> SqlError:
    """Say that a column's type is not the policy's."""
    return _compilation(
        f"Column '{column}' data type '{has}' does not match with masking policy '{policy}' data "
        f"type '{takes}'.",
        3525,
        "42601",
    )


def tag_value(value: str, tag: str) -> SqlError:
    """Say that a tag does not allow the value."""
    return _compilation(f"Tag value {value} is not allowed for tag {tag}.", 391801, "22023")


def tag_in_use(name: str) -> SqlError:
    """Refuse to drop a tag that carries masking policies."""
    return _compilation(
        f"Tag {name} cannot be dropped as it is associated with one or more policies.",
        3953,
        "42601",
    )


def policies_in_use(kind: str, name: str) -> SqlError:
    """Refuse to drop a container of policies that protect something outside it."""
    return _compilation(
        f"Cannot drop {kind.lower()} '{name}': it contains policies that are associated with "
        "objects outside it.",
        3532,
        "42601",
    )


def not_undroppable(kind: str, path: tuple[str, ...]) -> SqlError:
    """Say that there is nothing to bring back."""
    return _compilation(f"{kind} {dotted(path)} did not exist or was purged.", 2003, "42S02")


def role_cycle(role: str, grantee: str) -> SqlError:
    """Refuse a hierarchy that would contain itself."""
    return _compilation(
        f"Granting role '{role}' to '{grantee}' would create a cycle.", 3005, "42501"
    )


def dependent_grants(name: str) -> SqlError:
    """Refuse to hand over an object whose grants nobody spoke about."""
    return SqlError(
        "SQL execution error: Dependent grant of privilege on securable object "
        f"'{name}' exists. It must be revoked first. More than one dependent grant may exist: use "
        "'SHOW GRANTS' command to view them. To revoke all dependent grants while transferring "
        "object ownership, use convenience command 'GRANT OWNERSHIP ON <target_objects> TO "
        "<target_role> REVOKE CURRENT GRANTS'.",
        errno=3036,
        sqlstate="0A000",
    )


def wrong_privilege(privilege: str, kind: str) -> SqlError:
    """Say that objects of this kind have no such privilege."""
    return _compilation(
        f"Invalid privilege '{privilege}' for an object of type '{kind}'.", 3008, "42601"
    )


def tag_value_in_use(value: str, tag: str) -> SqlError:
    """Refuse to take away an allowed value that an object has."""
    return _compilation(f"Tag value {value} of tag {tag} is in use.", 3954, "42601")


def tag_type_taken(tag: str, policy: str) -> SqlError:
    """Refuse a second masking policy of one data type on a tag."""
    return _compilation(
        f"Tag {tag} already has a masking policy with the data type of {policy}.", 3527, "0A000"
    )


def wrong_state(name: str) -> SqlError:
    """Say that a warehouse is already suspended or running."""
    return SqlError(f"Invalid state. Warehouse '{name}' cannot be suspended or resumed.",
                    errno=90064, sqlstate="22000")  # fmt: skip


def column_has_policy(name: str) -> SqlError:
    """Refuse to drop a column that a policy protects or reads."""
    return _compilation(
        f"Column '{name}' cannot be dropped because it is associated with one or more policies.",
        3528,
        "42601",
    )


def cannot_retype(name: str, has: str, wanted: str) -> SqlError:
    """Refuse a change of type that could lose values."""
    return _compilation(f"cannot change column {name} from type {has} to {wanted}", 40, "22000")


def not_a_table(path: tuple[str, ...]) -> SqlError:
    """Refuse to change rows of a view."""
    return _compilation(
        f"Invalid target: '{dotted(path)}' is not a table, its rows cannot be changed.", 2014,
        "42809",
    )  # fmt: skip


def session_gone() -> SqlError:
    """Say that the session's token is not known any more."""
    return SqlError("Session no longer exists.  New login required to access the service.",
                    errno=390111, sqlstate="08001")  # fmt: skip


def not_enough_arguments(name: str) -> SqlError:
    """Say that a function needs more arguments."""
    return _compilation(
        f"error line 1 at position 0\nnot enough arguments for function [{name}]", 938, "22023"
    )


def duplicate_merge_row() -> SqlError:
    """Say that one target row meets several source rows."""
    return SqlError("Duplicate row detected during DML action", errno=100090, sqlstate="42P18")
