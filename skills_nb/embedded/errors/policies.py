"""Refusals about policies and tags.

Room: embedded. Pure.
"""

from __future__ import annotations

from skills_nb.embedded.errors.words import compilation
from skills_nb.errors import SqlError


def policy_attached(policy: str) -> SqlError:
    """Refuse to drop or replace a policy that protects something."""
    return compilation(
        f"Policy {policy} cannot be dropped/replaced as it is associated with one or more "
        "entities.",
        3531,
        "23001",
    )


def already_masked() -> SqlError:
    """Refuse a second masking policy on a column."""
    return compilation(
        "Specified column already attached to another masking policy. A column cannot be attached "
        "to multiple masking policies. Please drop the current association in order to attach a "
        "new masking policy.",
        3529,
        "42601",
    )


def already_filtered(name: str) -> SqlError:
    """Refuse a second row access policy on a table or view."""
    return already_held(name, "ROW_ACCESS_POLICY")


def materialized_views_exist(name: str, count: int) -> SqlError:
    """Refuse a policy on a table that materialized views are built on.

    The manual gives the words and no number.

    See https://docs.snowflake.com/en/user-guide/security-column-intro (Materialized views)
    """
    return SqlError(
        "SQL execution error: One or more materialized views exist on the table. number of "
        f"mvs={count}, table name={name}.",
        errno=2,
        sqlstate="0A000",
    )


def already_attached(kind: str) -> SqlError:
    """Refuse a second policy of a kind on a column."""
    return SqlError(
        f"Specified column already attached to another '{kind}'. A column cannot be attached to "
        "multiple policies of same kind. Please drop the current association in order to attach a "
        "new policy.",
        errno=3524,
        sqlstate="0A000",
    )


def already_aggregated(name: str) -> SqlError:
    """Refuse a second aggregation policy on a table or view."""
    return already_held(name, "AGGREGATION_POLICY")


def already_held(name: str, kind: str) -> SqlError:
    """Refuse a second policy of a kind on a user or the account."""
    return SqlError(
        f"Object {name} already has a {kind}. Only one {kind} is allowed at a time.",
        errno=3549,
        sqlstate="23505",
    )


def none_attached(policy: str, kind: str, name: str) -> SqlError:
    """Say that an object has no policy of this kind to take off."""
    return SqlError(
        f"Any policy of kind {policy} is not attached to {kind} {name}.",
        errno=3553,
        sqlstate="02000",
    )


def policy_arguments(kind: str, given: int) -> SqlError:
    """Refuse a policy with arguments where its kind has none."""
    return compilation(
        f"{kind} must have exactly zero arguments, got {given} arguments.", 1420, "42601"
    )


def policy_returns(kind: str, given: str, wanted: str) -> SqlError:
    """Refuse a policy that returns something else than its kind does."""
    return compilation(f"{kind} return type '{given}' is not {wanted}.", 1420, "42601")


def projection_restricted(items: list[str]) -> SqlError:
    """Refuse to show what a projection policy keeps out of results."""
    listed = "".join(f"\n {item}" for item in items)
    return compilation(
        "The following columns are restricted by a Projection Policy. Please remove them from the "
        f"list of projected columns:\n{listed}",
        3650,
        "42501",
    )


def aggregation_required() -> SqlError:
    """Refuse to show rows of what an aggregation policy protects."""
    return compilation("Aggregation policy violation: aggregation required.", 3651, "42501")


def aggregation_violated(what: str) -> SqlError:
    """Refuse what a query over a table with an aggregation policy must not say."""
    return compilation(f"{what} violated Aggregation Policy.", 3652, "42501")


def not_attached(kind: str, name: str) -> SqlError:
    """Say that there is nothing of this kind to take off."""
    return compilation(f"{kind} '{name}' is not attached to the object.", 3553, "02000")


def column_in_two_policies(name: str) -> SqlError:
    """Refuse a column that one policy protects and another reads."""
    return compilation(
        f"Column '{name}' is already associated with another policy and cannot be an argument.",
        3523,
        "0A000",
    )


def wrong_arguments(policy: str, expected: int, given: int) -> SqlError:
    """Say that a policy takes another number of columns."""
    return compilation(
        f"Policy '{policy}' takes {expected} argument(s), {given} given.", 3526, "42601"
    )


def wrong_type(column: str, has: str, policy: str, takes: str) -> SqlError:
    """Say that a column's type is not the policy's."""
    return compilation(
        f"Column '{column}' data type '{has}' does not match with masking policy '{policy}' data "
        f"type '{takes}'.",
        3525,
        "42601",
    )


def tag_value(value: str, tag: str) -> SqlError:
    """Say that a tag does not allow the value."""
    return compilation(f"Tag value {value} is not allowed for tag {tag}.", 391801, "22023")


def tag_in_use(name: str) -> SqlError:
    """Refuse to drop a tag that carries masking policies."""
    return compilation(
        f"Tag {name} cannot be dropped as it is associated with one or more policies.",
        3953,
        "42601",
    )


def policies_in_use(kind: str, name: str) -> SqlError:
    """Refuse to drop a container of policies that protect something outside it."""
    return compilation(
        f"Cannot drop {kind.lower()} '{name}': it contains policies that are associated with "
        "objects outside it.",
        3532,
        "42601",
    )


def tag_value_in_use(value: str, tag: str) -> SqlError:
    """Refuse to take away an allowed value that an object has."""
    return compilation(f"Tag value {value} of tag {tag} is in use.", 3954, "42601")


def tag_type_taken(tag: str, policy: str) -> SqlError:
    """Refuse a second masking policy of one data type on a tag."""
    return compilation(
        f"Tag {tag} already has a masking policy with the data type of {policy}.", 3527, "0A000"
    )


def column_has_policy(name: str) -> SqlError:
    """Refuse to drop a column that a policy protects or reads."""
    return compilation(
        f"Column '{name}' cannot be dropped because it is associated with one or more policies.",
        3528,
        "42601",
    )


def policy_gone(table: str) -> SqlError:
    """Refuse to bring back a table without the policy that protected it."""
    return compilation(
        f"Table {table} cannot be restored: a policy that protected it no longer exists.",
        3533,
        "42601",
    )
