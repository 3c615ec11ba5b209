"""One harm: what a person decides on, in words and by its target.

Room: sql. Light.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from skills_nb.sql.objects import ObjectRef

Weight = Literal["critical", "watched"]


@dataclass(frozen=True, slots=True)
class Harm:
    """One thing that a statement does which a person decides on."""

    words: str
    """As a person says it, behind `about to`: `delete rows of DB.S.T`."""
    target: ObjectRef | None = None
    """What it is done to, where that is an object."""
    weight: Weight = "critical"
    """Critical: what was there is lost, or everybody's; watched: somebody's rights change."""
    if_there: bool = False
    """Whether it does so only where the target is there already."""
    called: str = ""
    """Full name of the procedure or task that it runs, whose code its text does not show."""
    arguments: int | None = None
    """How many arguments a procedure is called with."""

    @property
    def is_right(self) -> bool:
        """Return whether it changes somebody's rights."""
        return self.target is not None and self.target.facet.endswith(("grants", "holders"))
