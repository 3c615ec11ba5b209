"""The wire: the REST endpoints that Snowflake's connector speaks, answered by an account.

Room: embedded. `EmbeddedWire` is the `Wire` port's implementation, `InsideWire` the same for the
code of procedures.
"""

from skills_nb.embedded.wire.inside import InsideWire
from skills_nb.embedded.wire.wire import EmbeddedWire

__all__ = ["EmbeddedWire", "InsideWire"]
