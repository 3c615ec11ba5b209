"""What a plan's objects are fed by, and what they feed, as a small graph.

Room: laws (views). From left to right, what feeds stands left of what is fed; in words, beneath it,
each line names both ends. No ids and no clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from skills_nb.sql.identifiers import render_name, split_name
from skills_nb.views.graph.svg import CSS, EDGE
from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import plural
from skills_nb.views.sheets.style import INK, LIGHT, PAPER
from skills_nb.visible import visible_label as escape

_MARGIN, _HEIGHT, _ROW, _GAP, _LETTER = 8, 40, 54, 46, 8.2
_LONGEST = 26
"""Letters of a name that are drawn; the whole one is in its tooltip and in the words."""
_FATES = {"created": ("+", "ok"), "changed": ("~", "review"), "dropped": ("−", "critical")}
_MORE_CSS = "".join(
    f".skg .{fate} rect{{stroke:var(--g-{tone});stroke-width:2}}"
    for fate, (_, tone) in _FATES.items()
)


def lineage_blocks(found: Mapping[str, Any]) -> list[b.Block]:
    """Return the picture and its words; nothing where nothing rests on what is touched."""
    nodes, edges = found.get("nodes") or [], found.get("edges") or []
    if not edges:
        return []
    words = b.Table(
        ("From", "Type", "Feeds", "Type"),
        tuple((*_said(nodes[one]), *_said(nodes[other])) for one, other in edges),
        "What feeds what, around what the plan touches",
        _note(found),
        most_in_text=15,
        is_prose=True,
    )
    return [b.Picture(_svg(nodes, edges)), words]


def _note(found: Mapping[str, Any]) -> str:
    more = int(found.get("more") or 0)
    left = f"{plural(more, 'more object')} not shown. " if more else ""
    return f"{left}What procedures read and write is not followed."


def _said(node: Mapping[str, Any]) -> tuple[str, str]:
    sign = _FATES.get(node["fate"], ("", ""))[0]
    fate = f" ({node['fate']})" if node["fate"] else ""
    return f"{sign} {node['name']}".lstrip(), f"{node['type']}{fate}"


def _svg(nodes: Sequence[Mapping[str, Any]], edges: Sequence[Sequence[int]]) -> str:
    columns = _columns(len(nodes), edges)
    width = max(len(_short(node)) for node in nodes) * _LETTER + 24
    places = dict(_places(columns, width))
    right = max(x for x, _ in places.values()) + width + _MARGIN
    bottom = max(y for _, y in places.values()) + _HEIGHT + _MARGIN
    size = f'width="{right:.0f}" height="{bottom:.0f}" viewBox="0 0 {right:.0f} {bottom:.0f}"'
    label = escape(f"Lineage: {plural(len(nodes), 'object')}, the words are in the table beneath")
    lines = (_line(places[one], places[other], width) for one, other in edges)
    boxes = (_box(nodes[at], places[at], width) for at in sorted(places))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="skg" role="img" {size} '
        f'style="max-width:none" font-family="sans-serif" font-size="12" aria-label="{label}">'
        f"<style>{CSS}{_MORE_CSS}</style>"
        f'<rect class="paper" width="{right:.0f}" height="{bottom:.0f}" fill="{PAPER}"/>'
        f'<g fill="none" stroke="{EDGE}">{"".join(lines)}</g>{"".join(boxes)}</svg>'
    )


def _columns(count: int, edges: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the nodes by how many steps they are from what nothing feeds; circles end there."""
    depth = [0] * count
    for _ in range(count):
        moved = False
        for one, other in edges:
            if one != other and depth[other] <= depth[one] < count - 1:
                depth[other], moved = depth[one] + 1, True
        if not moved:
            break
    used = sorted(set(depth))
    return [[at for at in range(count) if depth[at] == level] for level in used]


def _places(
    columns: Sequence[Sequence[int]], width: float
) -> Iterator[tuple[int, tuple[float, float]]]:
    tallest = max(map(len, columns))
    for number, column in enumerate(columns):
        top = _MARGIN + (tallest - len(column)) * _ROW / 2
        for row, at in enumerate(column):
            yield at, (_MARGIN + number * (width + _GAP), top + row * _ROW)


def _line(begin: tuple[float, float], end: tuple[float, float], width: float) -> str:
    x, y = begin[0] + width, begin[1] + _HEIGHT / 2
    to_x, to_y = end[0], end[1] + _HEIGHT / 2
    middle = (x + to_x) / 2
    head = f"M{to_x - 6:.0f} {to_y - 4:.0f}L{to_x:.0f} {to_y:.0f}L{to_x - 6:.0f} {to_y + 4:.0f}"
    curve = f"M{x:.0f} {y:.0f}C{middle:.0f} {y:.0f} {middle:.0f} {to_y:.0f} {to_x:.0f} {to_y:.0f}"
    return f'<path d="{curve}{head}"/>'


def _box(node: Mapping[str, Any], place: tuple[float, float], width: float) -> str:
    x, y = place
    name, kind = _said(node)
    fate = f" {node['fate']}" if node["fate"] else ""
    tone = LIGHT.get(_FATES.get(node["fate"], ("", ""))[1], EDGE)
    return (
        f'<g class="n{fate}" fill="{PAPER}" stroke="{tone}">'
        f"<title>{escape(f'{name}: {kind}')}</title>"
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{_HEIGHT}" rx="4"/>'
        f'<text x="{x + 9:.0f}" y="{y + 17:.0f}" fill="{INK}" stroke="none">'
        f"{escape(_short(node))}</text>"
        f'<text class="soft" x="{x + 9:.0f}" y="{y + 32:.0f}" fill="{INK}" stroke="none" '
        f'font-size="11">{escape(kind)}</text></g>'
    )


def _short(node: Mapping[str, Any]) -> str:
    """Return the last part of a name with its sign, cut where it is long."""
    sign = _FATES.get(node["fate"], ("", ""))[0]
    last = render_name(split_name(str(node["name"]))[-1:])
    text = f"{sign} {last}".lstrip()
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
