"""How it is recorded that an input is known.

Room: laws.
"""

from __future__ import annotations

from skills_nb.model import events as ev
from skills_nb.model.effects import Record
from skills_nb.model.skills import InputSpec


def gathered(spec: InputSpec, value: object) -> Record:
    """Record a value as it stands on the thread; None where nobody gives one."""
    return Record((ev.InputGathered(name=spec.name, value=value, phase=spec.phase),))
