"""What was wrong with one answer: in words, and as the difference of expected and found.

Room: laws (views).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from skills_nb.visible import visible_html as escape

_TITLES = {
    "deploy": "It could not be put in place",
    "tests": "How it was done",
    "functional": "What was asked for",
    "bulk": "On many rows",
    "no_tweaks": "As it was submitted",
    "collateral": "Changed although nobody asked for it",
    "containment": "An attempt at cheating",
}


def wrongs(components: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield what was wrong, the loudest first; nothing for an answer that is right."""
    order = ("containment", "deploy", "functional", "collateral", "tests", "bulk", "no_tweaks")
    found = [(name, components[name]) for name in order if name in components]
    bad = [(name, part) for name, part in found if part["state"] in ("fail", "partial")]
    # What is not in place fails everywhere for that one reason, which is said once.
    is_undeployed = components.get("deploy", {}).get("state") == "fail"
    for name, part in bad:
        is_echo = is_undeployed and str(part.get("reason", "")).startswith("not deployed")
        if not is_echo:
            yield from _wrong(_TITLES[name], part)


def _wrong(title: str, part: Mapping[str, Any]) -> Iterator[str]:
    differences: Sequence[Mapping[str, str]] = part.get("differences", ())
    points = f" ({part['earned']} of {part['possible']} points)" if differences else ""
    yield f"<h4>{escape(title)}{points}</h4>"
    for found in differences:
        yield f"<p>{escape(sentence(found))}</p>"
        if found["expected"] or found["found"]:
            yield f"<pre>{difference(found['expected'], found['found'])}</pre>"
    if not differences:
        yield f"<p>{escape(part.get('reason') or 'It scored nothing.')}</p>"


def sentence(found: Mapping[str, str]) -> str:
    """Return what does not hold: the check's own sentence, and why."""
    return f"Does not hold: {found['says'] or found['id']} ({found['id']}: {found['trouble']})"


def difference(expected: str, found: str) -> str:
    """Return expected and found as a diff: `-` is missing from what was found, `+` is too much."""
    wanted, there = expected.splitlines(), found.splitlines()
    lines = ["--- expected", "+++ found"]
    for line in difflib.ndiff(wanted, there):
        if not line.startswith("?"):
            lines.append(line)
    return "\n".join(map(_marked, lines))


def _marked(line: str) -> str:
    if line.startswith("- "):
        return f"<del>{escape(line)}</del>"
    if line.startswith("+ "):
        return f"<ins>{escape(line)}</ins>"
    return escape(line)
