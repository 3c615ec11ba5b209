"""Say when a dry run is worth it before the real one.

Room: routing.
Spec: Dry-Run Mode > When to suggest dry-run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from skills_nb.routing.words import even_out

_PRODUCTION = re.compile(r"\b(prod|production|live (data|system|tables?)|prd)\b|\bprod_|_prod\b")
_DOUBT = re.compile(
    r"\b(not (quite |really |so )?(sure|certain)|unsure|no idea|maybe|perhaps|i think|i guess|"
    r"what would happen|preview|dry run|try out|careful|carefully|afraid|risky|safely)\b"
)
_CHANGE = re.compile(
    r"\b(create|alter|drop|replace|delete|truncate|rename|revoke|remove|migrate)\w*"
)
_SEVERAL = 2


def dry_run_reason(intent: str, modes: Sequence[str]) -> str:
    """Return why a dry run should come first, or an empty string."""
    if all(mode == "reference" for mode in modes):
        return ""
    said = reason_in_words(intent)
    if said:
        return said
    return "a playbook changes the account in several steps" if "playbook" in modes else ""


def reason_in_words(intent: str) -> str:
    """Return why somebody's own words ask for a dry run first, or an empty string."""
    plain = even_out(intent)
    if _PRODUCTION.search(plain):
        return "it touches production data"
    if _DOUBT.search(plain):
        return "the request sounds unsure"
    several = len(_CHANGE.findall(plain)) >= _SEVERAL
    return "it creates, changes or drops several things" if several else ""
