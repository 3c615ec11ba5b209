"""Say why, in sentences for the person who asked: why here, why first, why dry.

Room: routing.
Spec: Dry-Run Mode > When to suggest dry-run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from skills_nb.routing.chains import Phase
from skills_nb.routing.evidence import Evidence
from skills_nb.routing.ranking import Mode, RankedTarget, reasons
from skills_nb.routing.understanding import HeardIntent
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
_MANNER: dict[Mode, str] = {
    "playbook": "It asks for a result that a playbook delivers, so the playbook is followed.",
    "guided": "It asks for something to be done that no playbook covers, so a plan is proposed.",
    "reference": "It asks for a fact, so the reference answers and nothing is run.",
}


def why(heard: HeardIntent, best: RankedTarget, evidence: Evidence) -> tuple[str, ...]:
    """Return what decided, strongest first."""
    said = _as_said(reasons(best.number, heard.found, evidence), heard)
    lines = [f"'{best.ref}' because of: {', '.join(said)}." if said else f"'{best.ref}'."]
    lines.append(_MANNER[best.mode])
    lines += [f"'{old}' was read as '{new}'." for old, new in heard.corrected]
    if heard.turned_away:
        lines.append(f"Not meant: {', '.join(heard.turned_away)}.")
    return tuple(lines)


def _as_said(features: Sequence[str], heard: HeardIntent) -> list[str]:
    """Return features as the words of the intent; a term is shown as the term it stands for.

    The name of a table stands for the word "table", and is no reason itself.
    """
    plain = (word for word in reversed(heard.words) if not (word.is_mark or word.is_name))
    spoken = {"tabl": "table", "stag": "stage", **{word.stem: word.text for word in plain}}
    shown = (
        " + ".join(
            part[1:].replace("-", " ") if part.startswith("§") else spoken.get(part, part)
            for part in feature.split(" ")
        )
        for feature in features
    )
    return list(dict.fromkeys(shown))


def order_reason(phases: Sequence[Phase]) -> str:
    """Return what the order of a chain rests on."""
    names = " before ".join(phase.domain for phase in phases)
    return f"Order: {names} (what others require, then what you said, then what others use)."


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
