"""Where and as whom commands would work, told without asking the account.

Room: commands. What an open session said last counts; before that, what is configured. A badge
never opens an account and never fails: whatever is wrong is said by the command that needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills_nb.commands.home.connections import configured_context, mark_production
from skills_nb.errors import SqlError, UsageError
from skills_nb.views import Badge, badge_ahead, badge_of

if TYPE_CHECKING:
    from skills_nb.commands.wiring import Wiring
    from skills_nb.views import Badge


def badge(wiring: Wiring) -> Badge:
    """Return the account and role that the next command works with."""
    told = wiring.told
    if told is not None:
        return badge_of(told)
    try:
        connection = wiring.connection
        ahead = mark_production(connection, configured_context(connection))
    except (SqlError, UsageError) as problem:
        return Badge(f"Account not known: {problem.message}")
    # The embedded account is ours: it is as it is announced, open or not.
    return badge_of(ahead) if connection.kind == "embedded" else badge_ahead(ahead)
