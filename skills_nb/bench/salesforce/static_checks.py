"""What can be told without an org: it can prove that a deployment fails, never that it works.

Room: work (bench). XML that is not well-formed, a flow that goes to an element which is not
there, Apex that no compiler can read, a class without its metadata file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from xml.etree import ElementTree

_FLOW = "{http://soap.sforce.com/2006/04/metadata}"
_APEX_NOISE = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)*'", re.DOTALL)
_PAIRS = {")": "(", "]": "[", "}": "{"}
_WITH_META = (".cls", ".trigger")


def static_troubles(tree: Path, changed: Iterable[str]) -> tuple[str, ...]:
    """Return why the changed files cannot be deployed; empty where nothing is proven."""
    found: list[str] = []
    for name in changed:
        path = tree / name
        if path.is_file():
            found += [f"{name}: {trouble}" for trouble in _troubles(path)]
    return tuple(found)


def _troubles(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8", errors="replace")
    for ending, check in _CHECKS:
        if path.name.endswith(ending):
            yield from check(text)
    if path.suffix in _WITH_META and not path.with_name(f"{path.name}-meta.xml").is_file():
        yield f"there is no {path.name}-meta.xml beside it"


# ---- XML


def _xml(text: str) -> Iterator[str]:
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        yield "metadata has no document type"
        return
    try:
        ElementTree.fromstring(text.encode())  # noqa: S314 - no document type, so no entities
    except ElementTree.ParseError as problem:
        yield f"not well-formed XML: {problem}"


def _flow(text: str) -> Iterator[str]:
    """Yield the places that a flow goes to and that are not there."""
    if any(_xml(text)):
        return
    root = ElementTree.fromstring(text.encode())  # noqa: S314 - no document type, so no entities
    names = {
        element.findtext(f"{_FLOW}name")
        for element in root
        if element.find(f"{_FLOW}name") is not None
    }
    for reference in root.iter(f"{_FLOW}targetReference"):
        if reference.text not in names:
            yield f"goes to '{reference.text}', which is no element of the flow"
    if root.tag != f"{_FLOW}Flow":
        yield f"the root element is '{root.tag.rpartition('}')[2]}', not Flow"


# ---- Apex


def _apex(text: str) -> Iterator[str]:
    """Yield where brackets do not match: no compiler reads that."""
    plain = _APEX_NOISE.sub(lambda found: "\n" * found.group().count("\n"), text)
    open_at: list[tuple[str, int]] = []
    line = 1
    for sign in plain:
        line += sign == "\n"
        if sign in "([{":
            open_at.append((sign, line))
        elif sign in _PAIRS:
            if not open_at or open_at[-1][0] != _PAIRS[sign]:
                yield f"line {line}: '{sign}' closes nothing"
                return
            open_at.pop()
    if open_at:
        yield f"line {open_at[-1][1]}: '{open_at[-1][0]}' is never closed"
        return
    yield from _apex_syntax(text)


def _apex_syntax(text: str) -> Iterator[str]:
    """Yield the first syntax error, where a parser for Apex is installed."""
    try:
        from tree_sitter_language_pack import (  # type: ignore[import-not-found, unused-ignore]
            get_parser,
        )
    except ImportError:
        return
    tree = get_parser("apex").parse(text.encode())
    waiting = [tree.root_node]
    while waiting:
        node = waiting.pop(0)
        if node.is_error or node.is_missing:
            yield f"line {node.start_point[0] + 1}: cannot be read as Apex"
            return
        waiting += [child for child in node.children if child.has_error or child.is_missing]


_CHECKS: tuple[tuple[str, Callable[[str], Iterator[str]]], ...] = (
    ("-meta.xml", _xml),
    (".flow-meta.xml", _flow),
    (".cls", _apex),
    (".trigger", _apex),
)
