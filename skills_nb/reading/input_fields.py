"""Inputs as front matter and plans declare them.

Room: reading. Spec: Playbooks > Input phasing; FORMATS, Front matter (`inputs[]`).
"""

from __future__ import annotations

import re
from typing import get_args

from skills_nb.model.skills import InputSpec, InputType
from skills_nb.reading.fields import Fields, quoted

_INPUT_FIELDS = (
    "name",
    "description",
    "type",
    "required",
    "phase",
    "default",
    "choices",
    "secret",
    "infer_from",
    "open_ended_because",
    "when",
)
_PHASE = re.compile(r"before_start|step_\d+[a-z]?")


def read_input(row: Fields) -> InputSpec:
    """Return the input that a row declares."""
    row.only(*_INPUT_FIELDS)
    choices = row.items("choices")
    kind: InputType = row.word("type", get_args(InputType), "choice" if choices else "string")
    return InputSpec(
        name=row.text("name", required=True),
        description=row.text("description"),
        type=kind,
        required=row.flag("required", True),
        phase=_phase(row),
        default=row.entries.get("default"),
        has_default="default" in row.entries,
        choices=choices,
        secret=row.flag("secret", False),
        infer_from=row.texts("infer_from"),
        open_ended_because=row.text("open_ended_because"),
        when=row.text("when") or None,
    )


def _phase(row: Fields) -> str:
    phase = row.text("phase", "before_start")
    if _PHASE.fullmatch(phase):
        return phase
    message = f"phase is {quoted(phase)}"
    row.note("SK008", row.place("phase"), message, "Use before_start or step_N.")
    return "before_start"
