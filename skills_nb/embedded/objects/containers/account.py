"""The account itself, as what privileges are granted on.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/security-access-control-privileges (global privileges)
"""

from __future__ import annotations

from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.catalog.privileges import GLOBAL_PRIVILEGES
from skills_nb.embedded.objects.object_kind import ObjectKind, register

register(
    ObjectKind(
        kind=Kind.ACCOUNT,
        privileges=tuple(sorted({p for held in GLOBAL_PRIVILEGES.values() for p in held})),
    )
)
