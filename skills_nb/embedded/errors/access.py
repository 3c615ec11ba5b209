"""Refusals about privileges.

Room: embedded. Pure.
"""

from __future__ import annotations

from skills_nb.embedded.errors.words import ACCESS, compilation
from skills_nb.errors import SqlError


def insufficient_privileges(kind: str, name: str) -> SqlError:
    """Say that the role may not operate on this object."""
    return SqlError(
        f"{ACCESS}Insufficient privileges to operate on {kind.lower()} '{name}'",
        errno=3001,
        sqlstate="42501",
    )


def role_cycle(role: str, grantee: str) -> SqlError:
    """Refuse a hierarchy that would contain itself."""
    return compilation(
        f"Granting role '{role}' to '{grantee}' would create a cycle.", 3005, "42501"
    )


def database_role_outside(name: str) -> SqlError:
    """Refuse to give a database role what is not in its database."""
    return compilation(
        f"Database role '{name}' can only hold privileges and database roles of its own database.",
        3080,
        "42501",
    )


def inactive_owner(kind: str) -> SqlError:
    """Refuse to hand an object over to a role that the session does not work as."""
    return SqlError(
        f"SQL compilation error: {kind} ownership can only be transferred to a role that is "
        "activated in the current session or by a role with account-level MANAGE GRANTS.",
        errno=3001,
        sqlstate="42501",
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
    return compilation(
        f"Invalid privilege '{privilege}' for an object of type '{kind}'.", 3008, "42601"
    )


def not_secure() -> SqlError:
    """Refuse to lend a view that is not secure."""
    return SqlError(
        'Non-secure object can only be granted to shares with "secure_objects_only" property set '
        "to false.",
        errno=90838,
        sqlstate="0A000",
    )


def share_without_database(share: str) -> SqlError:
    """Refuse to lend what is not in the database of the share."""
    return SqlError(
        f"Share '{share}' does not currently have a database. A database must be added to the "
        "share before other objects can be added, or consumers.",
        errno=3101,
        sqlstate="0A000",
    )


def reference_missing(view: str, database: str) -> SqlError:
    """Refuse to lend a view that reads a database which the share does not name."""
    return SqlError(
        f"View '{view}' reads database '{database}'. Grant REFERENCE_USAGE on the database to the "
        "share before the view is added to it.",
        errno=3101,
        sqlstate="0A000",
    )


def reference_by_role(view: str, database: str) -> SqlError:
    """Refuse to lend a view of several databases by a database role."""
    return SqlError(
        f"View '{view}' reads database '{database}'. A database role cannot share data of several "
        "databases. Grant the view to the share itself.",
        errno=3101,
        sqlstate="0A000",
    )


def reference_to_role() -> SqlError:
    """Refuse to give a role what only shares hold."""
    return compilation(
        "REFERENCE_USAGE ON DATABASE can only be granted to share(s).", 3008, "42601"
    )


def lent_database() -> SqlError:
    """Refuse to hand over a database, with its grants taken off, that a share lends."""
    return SqlError(
        "Cannot transfer ownership on a database that is granted to a share",
        errno=3036,
        sqlstate="0A000",
    )


def second_database(share: str) -> SqlError:
    """Refuse to lend from a second database."""
    return SqlError(
        f"Share '{share}' already has a database. Grant REFERENCE_USAGE on another one.",
        errno=3102,
        sqlstate="0A000",
    )


def imported_only() -> SqlError:
    """Refuse privileges on single objects of a consumer's database."""
    return SqlError(
        "Granting individual privileges on imported databases is not allowed. Use "
        "'GRANT IMPORTED PRIVILEGES' instead.",
        errno=3030,
        sqlstate="0A000",
    )
