"""What the files of a directory say that its index should say.

Room: authoring.
Spec: Architecture > Discovery; Skill constraint 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from skills_nb.authoring.workspace import FILES
from skills_nb.reading.files import RawFile
from skills_nb.reading.front_matter import split_front_matter
from skills_nb.reading.source import kind_of

LINKS: Mapping[str, str] = {"routers": "routes_to", "playbooks": "depends_on"}
"""Folder of a kind to the field that holds its edges."""


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A row of the index as a skill's front matter has it."""

    domain: str
    """As the file has it."""
    links: tuple[str, ...] = ()
    """`routes_to` of a router, `depends_on` of a playbook, in the order of the file."""
    is_readable: bool = True
    """False where the front matter cannot be read: the file is there, its row stays as it is."""


Rows = Mapping[str, Mapping[str, IndexRow]]
"""Folder of a kind to name to row, names sorted."""


def rows_of(files: Iterable[RawFile], aliases: Mapping[str, str]) -> Rows:
    """Return the rows that the files ask for; domains by their names, not their aliases."""
    rows: dict[str, dict[str, IndexRow]] = {kind: {} for kind in FILES}
    for file in sorted(files, key=lambda each: each.path):
        if kind_of(file.path) in ("router", "playbook", "primitive"):
            kind, name, _ = file.path.split("/")
            rows[kind][name] = _row(file, kind, aliases)
    return rows


def _row(file: RawFile, kind: str, aliases: Mapping[str, str]) -> IndexRow:
    data = split_front_matter(file.text, file.path).data
    if data is None:
        return IndexRow("", is_readable=False)
    domain = str(data.value.get("domain") or "")
    links = _texts(data.value.get(LINKS.get(kind, "")))
    return IndexRow(aliases.get(domain, domain), links)


def _texts(value: Any) -> tuple[str, ...]:
    items = value if isinstance(value, list) else []
    return tuple(dict.fromkeys(item for item in items if isinstance(item, str)))
