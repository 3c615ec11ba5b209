"""Options among a person's own words: a slip, which must not start anything.

Room: commands (grammar).
"""

from __future__ import annotations

import re

from skills_nb.commands.grammar.slips import nearest
from skills_nb.commands.grammar.verb_terms import VERBS as GRAMMAR
from skills_nb.errors import UsageError

_OPTION = re.compile(r"(?<!\S)--[A-Za-z][\w-]*")


def refuse_options(command: str, said: str) -> None:
    """Refuse a goal with an option in it.

    Raises:
        UsageError: there is one.
    """
    found = _OPTION.search(said)
    if found is None:
        return
    arguments = next(verb.arguments for verb in GRAMMAR if verb.name == command)
    known = [flag for argument in arguments for flag in argument.flags if flag[0] == "-"]
    near = nearest(found[0], known)
    hint = f"did you mean {near}?" if near and near != found[0] else "put it behind the words"
    raise UsageError(f"'{found[0]}' stands among the words of the goal", hint=hint)
