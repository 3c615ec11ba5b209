"""What a new column is to be called, or one that gets another name.

Room: laws. `add a column supplier to PARTS` and `add a supplier column to PARTS` call it so, as
`rename the column sent on of PARTS to shipped on` does. Where the words leave open what is the name
and what is the wish, no name is taken.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skills_nb.sql.identifiers import render_name

_QUOTED = r'"(?:[^"\n]|"")+"'
_WORD = r"[^\W\d][\w$]*"
_NAME = rf"(?P<name>{_QUOTED}|{_WORD}(?: {_WORD}){{0,2}}?)"
_TYPES = r"text|string|integer|number|decimal|date|timestamp|boolean|variant"
_SURE_TYPES = frozenset(
    {"boolean", "decimal", "float", "integer", "string", "timestamp", "varchar", "variant"}
)
"""Types that no name of several words ends in: `add column moon boolean`; a birth date is one."""
_NO_NAME_TEXT = """a an all and another as by called column columns extra few for from further in
into it more my named new of on one our some that the these this to two three which with your"""
_NO_NAME = frozenset(_NO_NAME_TEXT.split())
"""Words that stand beside `column` and are not its name."""
_BEHIND = re.compile(
    rf"(?i:\b(?:add|create|append|insert|need|want)\b[^,;.]{{0,30}}?\bcolumn"
    rf"(?: (?:called|named|for(?: the)?))?) {_NAME}(?=[ ,]+(?i:to|in|into|on|of type|as|with|for)\b"
    rf"| \((?i:{_TYPES})\)|\s*[.!?]?\s*$)"
)
_BEFORE = re.compile(
    rf"(?i:\b(?:add|create|append) (?:(?:an?|the|one|another|new|extra)\b ?)*)"
    rf"(?:(?i:{_TYPES}) )?{_NAME} (?i:column (?:to|in|into|on)\b)"
)
_RENAMED = re.compile(
    rf"(?i:\brename\b.*\bcolumn\b.* (?:to|into|as)) {_NAME}(?=\s*[.!?]?\s*$)", re.DOTALL
)
_RENAMED_WITHIN = re.compile(
    rf"(?i:\brename\b[^,;]*? (?:to|into|as)) {_NAME}(?= (?i:in|of|on|from)\b)"
)
_FORMS = {"column": (_BEHIND, _BEFORE), "new_name": (_RENAMED, _RENAMED_WITHIN)}
"""How each input is said."""


def column_called(goal: str, kind: str) -> Iterator[str]:
    """Yield the name that a goal gives a column, as SQL.

    One word is taken as SQL has it; several need quotes, and so stay as they were said.

    Args:
        goal: a person's words.
        kind: the name of the input: `column`, or `new_name`.
    """
    for form in _FORMS.get(kind, ()):
        found = form.search(goal)
        name = found["name"] if found is not None else ""
        words = name.lower().split()
        if len(words) > 1 and words[-1] in _SURE_TYPES:
            name, words = name.rpartition(" ")[0], words[:-1]
        if name.startswith('"'):
            yield name
        elif words and _NO_NAME.isdisjoint(words if kind == "column" else words[:1]):
            yield name if len(words) == 1 else render_name((name,))
