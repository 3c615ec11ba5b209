"""Reference mode: which section of a primitive answers a question.

Room: laws. Words that people use for a section decide first; else the section that shares most
words with the question; else its syntax.
Spec: Three routing modes > Reference mode.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from skills_nb.model.skills import Primitive

_SAID: Mapping[str, str] = {
    "Parameters": r"argument|column|default|field|option|parameter|privilege|propert|setting|type|"
    r"value",
    "Constraints": r"allowed|can i|constraint|edition|limit|maximum|minimum|possible|prerequisite|"
    r"requirement|restrict|support",
    "Examples": r"example|for instance|sample|show me how",
    "Expected errors": r"error|fail|message|refuse|wrong",
    "Discovery queries": r"already|check which|exist|find out|list (?:all|the)|see which|"
    r"what is set|which .+ are|which .+ have",
    "Anti-patterns": r"anti-?pattern|avoid|bad practice|mistake|pitfall",
    "Syntax": r"clause|command|create|keyword|statement|syntax|write",
}
"""Section to what people say who want it, the first one that fits; a beginning of a word each."""
_FIRST = ("Syntax", "Parameters", "Constraints", "Examples")
_WORD = re.compile(r"[a-z_]{4,}")


def relevant_section(primitive: Primitive, words: str) -> str | None:
    """Return the title of the section that answers a question; None for a page without any."""
    filled = {title: text for title, text in primitive.sections.items() if text.strip()}
    asked = words.lower()
    if re.search(r"\bsyntax\b", asked) and "Syntax" in filled:
        return "Syntax"
    for title, said in _SAID.items():
        if title in filled and re.search(rf"\b(?:{said})", asked):
            return title
    ordered = [*(title for title in _FIRST if title in filled), *filled]
    wanted = set(_WORD.findall(asked)) - set(_WORD.findall(primitive.name.replace("-", " ")))
    shared = {title: len(wanted & set(_WORD.findall(filled[title].lower()))) for title in ordered}
    return max(shared, key=lambda title: shared[title], default=None)
