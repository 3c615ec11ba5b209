"""One more domain in a meta-router's front matter, or in an overlay's index.

Room: authoring.
Spec: Skill Types > Meta-Router; FORMATS, Library on disk (overlay).
"""

from __future__ import annotations

from skills_nb.errors import UsageError
from skills_nb.model.documents import Data
from skills_nb.reading.front_matter import split_front_matter
from skills_nb.reading.yaml_data import parse_yaml


def with_domain(text: str, path: str, domain: str, router: str, description: str) -> str:
    """Return the text with a domain declared after the last one.

    Raises:
        UsageError: `domains` is written in one line, where nothing can be put behind it.
    """
    entry = [
        f"  {domain}:",
        f"    router: routers/{router}",
        f'    description: "{description}"',
        "    requires: []",
        "    produces: []",
    ]
    lines = text.split("\n")
    data = _data(text, path)
    if "domains" not in data.value:
        end = _end_of_fields(lines)
        return "\n".join([*lines[:end], *_gap(path), "domains:", *entry, *lines[end:]])
    at = data.key_place("domains").line
    names = data.value["domains"] if isinstance(data.value["domains"], dict) else {}
    if any(data.key_place("domains", name).line == at for name in names):
        raise UsageError(
            f"the domains of {path} stand in one line, so none can be added",
            hint="write one domain a line, then try again",
        )
    end = _end_of_block(lines, at)
    first = lines[at - 1] if names else "domains:"
    return "\n".join([*lines[: at - 1], first, *lines[at:end], *entry, *lines[end:]])


def _data(text: str, path: str) -> Data:
    is_front = path.endswith(".md")
    data = split_front_matter(text, path).data if is_front else parse_yaml(text, path)[0]
    if data is None or not isinstance(data.value, dict):
        raise UsageError(f"{path} cannot be read", hint="repair it first: lint shows where")
    return data


def _gap(path: str) -> list[str]:
    return [] if path.endswith(".md") else [""]


def _end_of_fields(lines: list[str]) -> int:
    """Return the number of lines before the end of the front matter, or of the file."""
    fence = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), 0)
    if fence and lines[0].rstrip() == "---":
        return fence
    return len("\n".join(lines).rstrip("\n").split("\n"))


def _end_of_block(lines: list[str], at: int) -> int:
    """Return the number of lines up to the end of the block whose key stands in line `at`."""
    end = at
    for number in range(at, len(lines)):
        if lines[number].strip() and not lines[number].startswith((" ", "\t")):
            break
        if lines[number].strip():
            end = number + 1
    return end
