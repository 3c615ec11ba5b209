"""Where threads are kept, as an address says it: the home folder, a team's database, Snowflake.

Room: commands.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skills_nb.ports import ThreadStore

HOME = "home"
"""Says the home folder's own store where a database URL could stand."""


def store_at(address: str, home: Path) -> ThreadStore:
    """Open the store that an address names: a database URL, a schema on Snowflake, or `home`.

    Raises:
        StoreError: it cannot be used.
    """
    if address in ("", HOME):
        from skills_nb.runtime.stores.sqlite import SqliteThreadStore

        return SqliteThreadStore(home)
    from skills_nb.runtime.stores.hybrid import SCHEME, HybridThreadStore

    if address.startswith(SCHEME):
        return HybridThreadStore(address)
    from skills_nb.runtime.stores.postgres import SharedThreadStore

    return SharedThreadStore(address)
