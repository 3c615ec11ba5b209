"""The repair that an error names, as it is typed in a notebook.

Room: doors (notebook).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills_nb.commands.grammar.parser import COMMANDS

if TYPE_CHECKING:
    from skills_nb.errors import SkillsError

_LISTING = ("one of", "options", "fields", "inputs", "known playbooks")
"""What a hint ends with before names that are no commands."""


def typed_hint(problem: SkillsError) -> str:
    """Return the repair as it is typed in a notebook."""
    lead, sign, words = (problem.hint or "").rpartition(": ")
    is_command = words.split(" ")[0] in COMMANDS and not lead.endswith(_LISTING)
    return f"{lead}{sign}%skill {words}" if is_command else f"{lead}{sign}{words}"
