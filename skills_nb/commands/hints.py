"""The repair that an error names, as it is typed where it is read.

Room: commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills_nb.commands.grammar.parser import COMMANDS

if TYPE_CHECKING:
    from skills_nb.errors import SkillsError

_LISTING = ("one of", "options", "fields", "inputs", "known playbooks")
"""What a hint ends with before names that are no commands."""


def typed_hint(problem: SkillsError, prompt: str = "%skill") -> str:
    """Return the repair with the words that a command is typed behind; empty where there is none.

    Args:
        problem: what went wrong.
        prompt: `%skill` in a notebook, `skills-nb` in a terminal.
    """
    lead, sign, words = (problem.hint or "").rpartition(": ")
    is_command = words.split(" ")[0] in COMMANDS and not lead.endswith(_LISTING)
    return f"{lead}{sign}{prompt} {words}" if is_command else f"{lead}{sign}{words}"
