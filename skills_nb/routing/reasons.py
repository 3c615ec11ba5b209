"""Say why, in sentences for the person who asked.

Room: routing.
"""

from __future__ import annotations

from collections.abc import Sequence

from skills_nb.routing.chains import Phase
from skills_nb.routing.evidence import Evidence
from skills_nb.routing.ranking import Mode, RankedTarget, reasons
from skills_nb.routing.understanding import HeardIntent

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
