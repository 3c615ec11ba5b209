"""What programs of the account name: where they run and where their code comes from.

Room: embedded.
"""

from __future__ import annotations

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.entries.entry_rules import Held
from skills_nb.embedded.session.context import Context

RUN_WITH = {
    "EXTERNAL_ACCESS_INTEGRATIONS": Kind.INTEGRATION,
    "QUERY_WAREHOUSE": Kind.WAREHOUSE,
    "COMPUTE_POOL": Kind.COMPUTE_POOL,
}
"""Properties that name objects, with their kinds."""
CODE_FROM = (Kind.INTEGRATION, Kind.STAGE, Kind.SECRET)
"""Kinds that a program may name, and which scripts make first."""


def add_live_version(session: Context, entity: Entity, given: Held, held: Held) -> Held:
    """Keep that a version is live: where one can edit it."""
    return {**held, "_LIVE": True}
