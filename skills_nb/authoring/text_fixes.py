"""Repairs of one file's text that leave its meaning as it is.

Room: authoring.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Mapping

from skills_nb.model.documents import Document
from skills_nb.reading.source import kind_of

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_TOKEN = re.compile(
    r"\[(?P<shown>[^\]\n]+)\]\((?P<link>[\w./-]+)\)"
    r"|`(?P<code>[^`\n]*)`"
    r"|https?://\S+"
    r"|(?<![\w./:-])(?P<path>\.{1,2}/[\w./-]*[\w/]"
    r"|(?:primitives|playbooks|routers)/[\w-]+/[\w./-]*(?<!\.)"
    r"|[\w-]+/(?:skill|playbook|router)\.md)(?!#)"
)
"""A link, code, an address, or a bare path: whichever begins first."""
_MAIN = ("skill.md", "playbook.md", "router.md")


def tidy(text: str) -> str:
    """Return the text without byte order marks, with newlines, without spaces that mean nothing.

    Spaces stay in code, in front matter, and where two of them break a line in Markdown.
    """
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    begin = _body_begin(lines)
    kept = lines[:begin]
    fence = ""
    for number in range(begin, len(lines)):
        line = lines[number]
        mark = _FENCE.match(line)
        if mark is not None and not fence:
            fence = mark[1]
        elif mark is not None and mark[1].startswith(fence) and not mark[2].strip():
            fence = ""
        elif not fence:
            line = _stripped(line, lines[number + 1] if number + 1 < len(lines) else "")
        kept.append(line)
    return "\n".join(kept)


def _body_begin(lines: list[str]) -> int:
    if lines[0].rstrip() != "---":
        return 0
    ends = (n for n, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "..."))
    return next(ends, len(lines))


def _stripped(line: str, following: str) -> str:
    bare = line.rstrip(" \t")
    breaks = line.endswith("  ") and bool(bare) and bool(following.strip())
    is_code = line.startswith(("    ", "\t"))
    return line if breaks or (is_code and bare) else bare


def canonical_domain(document: Document, aliases: Mapping[str, str]) -> str:
    """Return the text with the front matter's `domain` by its own name, not an alias."""
    front = document.front
    said = front.value.get("domain") if front is not None else None
    if front is None or not isinstance(said, str) or said not in aliases:
        return document.text
    line, column = front.place("domain")
    lines = document.text.split("\n")
    rest = lines[line - 1][column - 1 :]
    quote = rest[:1] if rest[:1] in ("'", '"') else ""
    if not rest.startswith(f"{quote}{said}{quote}"):
        return document.text
    after = rest[len(said) + 2 * len(quote) :]
    lines[line - 1] = f"{lines[line - 1][: column - 1]}{quote}{aliases[said]}{quote}{after}"
    return "\n".join(lines)


def plain_references(document: Document, known: Collection[str]) -> str:
    """Return the text with paths of known skills written as `{type}/{name}`.

    A path that leads to no skill, or to a place inside one, is left to its author.
    """
    code = {n for fence in document.fences for n in range(fence.line, fence.end + 1)}
    lines = document.text.split("\n")
    folder = posixpath.dirname(document.path)

    def plain(found: re.Match[str]) -> str:
        path = found["link"] or found["code"] or found["path"]
        ref = _skill_at(path, folder, known) if path else None
        if ref is None:
            return found[0]
        if found["link"] and found["shown"].strip("`") not in (ref, path):
            return f"{found['shown']} (`{ref}`)"
        return ref if found["path"] else f"`{ref}`"

    for number in range(document.body_line, len(lines) + 1):
        line = lines[number - 1]
        if "/" in line and number not in code:
            lines[number - 1] = _TOKEN.sub(plain, line)
    return "\n".join(lines)


def _skill_at(path: str, folder: str, known: Collection[str]) -> str | None:
    """Return the skill whose file or directory a path names, seen from a folder or the root."""
    if not (path.endswith((".md", "/")) or path.startswith("./") or path.startswith("../")):
        return None
    for base in (folder, posixpath.dirname(folder), ""):
        whole = posixpath.normpath(posixpath.join(base, path))
        ref = posixpath.dirname(whole) if whole.endswith(_MAIN) else whole
        is_whole = whole == ref or kind_of(whole) in ("router", "playbook", "primitive")
        if is_whole and ref in known:
            return ref
    return None
