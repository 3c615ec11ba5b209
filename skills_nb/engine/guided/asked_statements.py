"""The statements of an example that a goal asks for: an example tells a whole story, a goal a part.

Room: laws. A goal that says the verb of some statements (`undrop`, `create a stream`) wants those,
and what they cannot do without: what the example makes for them before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from skills_nb.engine.guided.example_inputs import created_by, names_of
from skills_nb.engine.guided.primitive_examples import stems
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import TokenKind, tokenize

_HEAD = 4
"""So many words of a statement say what it does."""
_MEANT = {"unload": "copy", "restore": "undrop", "load": "copy"}
"""Verbs that people say for those of SQL."""


def asked_for(sql: str, goal: str) -> list[str]:
    """Return the statements of an example whose verb a goal says, in their order."""
    sqls = [statement.text for statement in split(sql)]
    said = {_MEANT.get(word, word) for word in re.findall(r"[a-z]+", goal.lower())}
    meant = [at for at, one in enumerate(sqls) if tokenize(one)[0].word.lower() in said]
    if not meant:
        return []
    scores = {at: len(stems(" ".join(said)) & _head(sqls[at])) for at in meant}
    most = max(scores.values())
    kept = {at for at, score in scores.items() if score == most}
    needed = _with_needed(kept, sqls)
    return [one for at, one in enumerate(sqls) if at in needed]


def _with_needed(kept: set[int], sqls: Sequence[str]) -> set[int]:
    """Return statements and those ahead of them that make what they name."""
    found = set(kept)
    for at in reversed(range(len(sqls))):
        made = created_by(sqls[at])
        if made and any(_names(sqls[later], made) for later in found if later > at):
            found.add(at)
    return found


def _names(sql: str, name: str) -> bool:
    """Tell whether a statement names something, also inside a text, as lists of rules do."""
    return name in names_of(sql) or f"'{name}'" in sql.upper()


def _head(sql: str) -> frozenset[str]:
    words = [token.text for token in tokenize(sql)[:_HEAD] if token.kind is TokenKind.WORD]
    return stems(" ".join(words))
