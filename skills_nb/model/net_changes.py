"""What all the work of a thread comes to, object by object.

Room: ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Fate = Literal["created", "changed", "dropped"]


@dataclass(frozen=True, slots=True)
class NetChange:
    """One object that is not as it was before a thread."""

    fate: Fate
    """What became of it."""
    type: str
    """Snake case: `masking_policy`, `table`, `column`, …."""
    fqn: str
    """Its name as SQL."""
    said: tuple[str, ...] = ()
    """How it is changed, a clause each; empty for what is new or gone."""
    step: str = ""
    """The step that touched it last."""
