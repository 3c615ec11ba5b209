"""What Tab offers after `%skill`: what may stand next in the line.

Room: doors (notebook). A matcher that suppresses the others, because Python's names mean nothing
in such a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from skills_nb.commands.completion import offers
from skills_nb.errors import SkillsError

if TYPE_CHECKING:
    from skills_nb.commands import App

_LINE = re.compile(r"^\s*%%?skill\s+(.*)$", re.DOTALL)


def matcher(app: Callable[[], App]) -> Callable[[Any], dict[str, Any]]:
    """Return an IPython matcher over the kernel's app."""

    def skill_matcher(context: Any) -> dict[str, Any]:
        line = context.full_text.split("\n")[context.cursor_line][: context.cursor_position]
        found = _LINE.match(line)
        if found is None:
            return {"completions": [], "suppress": False}
        return _result(found[1], app)

    # What `IPython.core.completer.context_matcher` would set, without importing it here.
    skill_matcher.matcher_api_version = 2  # type: ignore[attr-defined]
    skill_matcher.matcher_identifier = "skills_nb"  # type: ignore[attr-defined]
    skill_matcher.matcher_priority = 100  # type: ignore[attr-defined]
    return skill_matcher


def _result(text: str, app: Callable[[], App]) -> dict[str, Any]:
    from IPython.core.completer import SimpleCompletion

    words = text.split(" ")
    fragment = words[-1]
    try:
        names = offers([word for word in words[:-1] if word], fragment, app)
    except SkillsError:
        # Completion is no place to complain: the command itself will say what is wrong.
        names = []
    fitting = [name for name in names if name.startswith(fragment)]
    return {
        "completions": [SimpleCompletion(name, type="skill") for name in fitting],
        "matched_fragment": fragment,
        "suppress": True,
    }
