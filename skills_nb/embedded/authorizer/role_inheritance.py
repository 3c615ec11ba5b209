"""Role inheritance: which roles stand behind a role or a user.

Room: embedded. Pure.

See https://docs.snowflake.com/en/user-guide/security-access-control-overview (role hierarchy)
"""

from __future__ import annotations

from skills_nb.embedded.catalog import rights
from skills_nb.embedded.catalog.catalog import Catalog


def inherited(catalog: Catalog, role: str) -> frozenset[str]:
    """Return the role, every role it inherits, and PUBLIC."""
    return rights.closure(catalog, role)


def granted_to_user(catalog: Catalog, user: str) -> frozenset[str]:
    """Return the roles a user holds directly, PUBLIC included."""
    return rights.granted_to_user(catalog, user)


def available(catalog: Catalog, user: str) -> frozenset[str]:
    """Return every account role a user may take on; nobody takes on a database role."""
    return rights.available(catalog, user)
