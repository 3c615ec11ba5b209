"""The skill index: what exists.

Room: reading.
Spec: Architecture > Discovery.
"""

from __future__ import annotations

from collections.abc import Mapping

from skills_nb.model.diagnostics import Diagnostic
from skills_nb.model.library import IndexEntry
from skills_nb.reading.fields import Fields, fields_of, quoted
from skills_nb.reading.files import RawFile
from skills_nb.reading.yaml_data import parse_yaml

PATH = "skill-index.yaml"
KINDS = ("routers", "playbooks", "primitives")
_LINKS = {"routers": "routes_to", "playbooks": "depends_on"}


def read_index(file: RawFile, problems: list[Diagnostic]) -> Fields:
    """Return the fields of the index; none where it cannot be read."""
    data, found = parse_yaml(file.text, file.path)
    problems.extend(found)
    if data is not None and not isinstance(data.value, dict):
        fields_of(None, file.path, problems).note(
            "SK008",
            data.place(),
            f"the index {quoted(data.value)} is not a list of fields",
            "Write 'version', 'entry', 'routers', 'playbooks' and 'primitives'.",
        )
        data = None
    return fields_of(data, file.path, problems)


def read_version(index: Fields) -> str:
    """Return the library's version; `""` where there is none."""
    if not index.entries:
        return ""
    value = index.raw("version", required=True)
    if value is None or isinstance(value, str):
        return value or ""
    message = f"version is the number {quoted(value)}, not text"
    index.note("SK008", index.place("version"), message, f'Write "{value}" in quotes.')
    return str(value)


def read_entries(index: Fields, aliases: Mapping[str, str]) -> tuple[IndexEntry, ...]:
    """Return the rows of the index in file order."""
    entries: list[IndexEntry] = []
    for kind in index.entries:
        if kind in KINDS:
            entries.extend(_entries_of(index, kind, aliases))
    index.only("version", "entry", "domains", *KINDS)
    return tuple(entries)


def _entries_of(index: Fields, kind: str, aliases: Mapping[str, str]) -> list[IndexEntry]:
    table = index.mapping(kind)
    entries = []
    for name in table.entries if table is not None else ():
        row = index.inside(kind).mapping(name) or _empty_row(index, kind, name)
        link = _LINKS.get(kind)
        row.only("domain", *((link,) if link else ()))
        domain = row.text("domain", required=True)
        links = row.texts(link) if link else ()
        entries.append(IndexEntry(kind, name, aliases.get(domain, domain), links))
    return entries


def _empty_row(index: Fields, kind: str, name: str) -> Fields:
    """Return fields that report a missing domain at the row's own place."""
    return index.inside(kind, name)
