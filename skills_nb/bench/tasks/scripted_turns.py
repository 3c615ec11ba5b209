"""Scripts that hold several turns: what an answer of a task's own says one after the other.

Room: work (bench). Pure. A line `-- turn 2` begins the second turn, and so on; a script without
such a line is one turn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_NEXT = re.compile(r"^-- turn \d+[ \t]*\r?\n", re.MULTILINE)


def scripted_turns(script: str) -> tuple[str, ...]:
    """Return the turns of a script; there is one at least."""
    return tuple(_NEXT.split(script))


def one_script(turns: Sequence[str]) -> str:
    """Return turns as one script, as a person reads it and `scripted_turns` takes it apart."""
    whole = turns[0] if turns else ""
    for number, turn in enumerate(turns[1:], 2):
        ending = "" if whole.endswith("\n") or not whole else "\n"
        whole += f"{ending}-- turn {number}\n{turn}"
    return whole
