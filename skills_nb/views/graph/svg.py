"""The graph as a picture: SVG that is readable in light and in dark, inline and as a file.

Room: laws (views). No ids and no clock. Colours are the style sheet's; attributes say the light
ones again for programs that do not know its variables.
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.views.graph.graph_layout import MARGIN, NODE, TOP, BandBox, Box, Line, lay_out_graph
from skills_nb.views.graph.outline import heading, terms
from skills_nb.views.graph.skill_graph import LibraryGraph
from skills_nb.views.sheets.style import DARK, INK, LIGHT, MUTED, PAPER
from skills_nb.visible import visible_label as escape

DARK_INK, DARK_MUTED, DARK_PAPER, DARK_SHADE = "#e6e9ec", "#a3adb8", "#111418", "#1c2128"
SHADE, EDGE, DARK_EDGE = "#f3f5f7", "#8c959f", "#6e7781"
_LANES = ("info", "review", "ok", "soft")
_LIGHT_STROKES = {**LIGHT, "soft": MUTED}

_DARK = (
    f"--g-ink:{DARK_INK};--g-soft:{DARK_MUTED};--g-paper:{DARK_PAPER};--g-shade:{DARK_SHADE};"
    f"--g-edge:{DARK_EDGE};--g-info:{DARK['info']};--g-review:{DARK['review']};"
    f"--g-ok:{DARK['ok']};--g-critical:{DARK['critical']}"
)
CSS = f"""
.skg{{--g-ink:var(--jp-ui-font-color1,var(--vscode-foreground,{INK}));
--g-soft:var(--jp-ui-font-color2,var(--vscode-descriptionForeground,{MUTED}));
--g-paper:var(--jp-layout-color1,var(--vscode-editor-background,{PAPER}));
--g-shade:var(--jp-layout-color2,var(--vscode-textCodeBlock-background,{SHADE}));
--g-edge:{EDGE};--g-info:{LIGHT["info"]};--g-review:{LIGHT["review"]};--g-ok:{LIGHT["ok"]};
--g-critical:{LIGHT["critical"]};
font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}}
[data-jp-theme-light="false"] .skg{{--g-edge:{DARK_EDGE};--g-info:{DARK["info"]};
--g-review:{DARK["review"]};--g-ok:{DARK["ok"]};--g-critical:{DARK["critical"]}}}
.vscode-dark .skg,.vscode-high-contrast .skg{{--g-edge:{DARK_EDGE};--g-info:{DARK["info"]};
--g-review:{DARK["review"]};--g-ok:{DARK["ok"]};--g-critical:{DARK["critical"]}}}
@media (prefers-color-scheme:dark){{.skg:root{{{_DARK}}}}}
.skg .paper{{fill:var(--g-paper)}}.skg .band{{fill:var(--g-shade)}}
.skg text{{fill:var(--g-ink);stroke:none}}.skg .soft{{fill:var(--g-soft)}}
.skg .halo{{stroke:var(--g-shade);stroke-width:4px;paint-order:stroke}}
.skg .n rect{{fill:var(--g-paper);stroke:var(--g-edge)}}
.skg .router rect,.skg .meta-router rect{{stroke:var(--g-info);stroke-width:2}}
.skg .playbook rect{{stroke:var(--g-ok);stroke-width:2}}
.skg .indirect rect{{stroke-dasharray:2 2}}
.skg .lost rect{{stroke:var(--g-critical);stroke-dasharray:5 3}}
.skg path{{fill:none;stroke-width:1.3;stroke-linejoin:round;stroke:var(--g-edge)}}
.skg .info path{{stroke:var(--g-info)}}.skg .review path{{stroke:var(--g-review)}}
.skg .ok path{{stroke:var(--g-ok)}}.skg .soft path{{stroke:var(--g-soft)}}
.sk:has(.skg){{max-width:none}}
.skg g.from path{{opacity:.7}}.skg g.from:hover path{{opacity:1;stroke-width:3}}
"""
_LEGEND = (
    "In its band a router leads to all primitives without a line of their own; dotted: only a "
    "playbook builds on it; dashed, with «!»: nothing leads to it."
)


def to_svg(graph: LibraryGraph) -> str:
    """Return the picture as one self-contained element."""
    layout = lay_out_graph(graph)
    width, height = f"{layout.width:.0f}", f"{layout.height:.0f}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="skg" role="img" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'style="max-width:100%;min-width:min(60rem,{width}px);height:auto" '
        f'font-family="sans-serif" font-size="12" '
        f'aria-label="{escape(heading(graph))}">',
        f"<title>{escape(heading(graph))}</title>",
        f"<style>{CSS}</style>",
        f'<rect class="paper" width="{width}" height="{height}" fill="{PAPER}"/>',
        f'<text x="{MARGIN}" y="26" font-size="15" font-weight="600">'
        f"{escape(heading(graph))}</text>",
        f'<text class="soft" x="{MARGIN + 110}" y="{TOP - 20}" fill="{MUTED}">'
        f"{escape(_LEGEND)}</text>",
        *(_band(band, layout.width) for band in layout.bands),
        *_lines(layout.lines),
        *(_heading(band) for band in layout.bands),
        *(_box(graph, box) for box in layout.boxes),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _band(box: BandBox, width: float) -> str:
    x, inner = MARGIN + 24, width - 2 * MARGIN - 20
    return (
        f'<rect class="band" x="{x - 4}" y="{box.y:.0f}" width="{inner:.0f}" '
        f'height="{box.height:.0f}" rx="6" fill="{SHADE}"/>'
    )


def _heading(box: BandBox) -> str:
    """Return a band's words; they stand over the lines that cross the band."""
    x = MARGIN + 28
    return (
        f'<text class="halo" x="{x}" y="{box.y + 18:.0f}" font-weight="600" font-size="13">'
        f"{escape(box.band.name or 'no domain')}</text>"
        f'<text class="soft halo" x="{x}" y="{box.y + 34:.0f}" font-size="11" fill="{MUTED}">'
        f"{escape(terms(box.band))}</text>"
    )


def _lines(lines: tuple[Line, ...]) -> Iterator[str]:
    """Yield the lines, those of one source together, so that they light up together."""
    sources = dict.fromkeys(line.source for line in lines)
    for source in sources:
        own = [line for line in lines if line.source == source]
        tone = _LANES[own[0].lane % len(_LANES)] if source.startswith("playbooks/") else "soft"
        paths = "".join(f'<path d="{_path(line.points)}"/>' for line in own)
        yield (
            f'<g class="from {tone}" fill="none" stroke="{_LIGHT_STROKES[tone]}">'
            f"<title>{escape(source)}</title>{paths}</g>"
        )


def _path(points: tuple[tuple[float, float], ...]) -> str:
    first, *others = points
    return f"M{first[0]:.0f} {first[1]:.0f}" + "".join(f"L{x:.0f} {y:.0f}" for x, y in others)


def _box(graph: LibraryGraph, box: Box) -> str:
    node = box.node
    sources = graph.sources(node.ref)
    marks: list[str] = [node.kind]
    if node.kind == "primitive" and sources and all(s.startswith("playbooks/") for s in sources):
        marks.append("indirect")
    is_lost = node.ref in graph.lost
    if is_lost:
        marks.append("lost")
    radius = 10 if node.kind == "primitive" else 2
    targets = graph.targets(node.ref)
    told = f"{node.ref}: {', '.join(targets)}" if targets else node.ref
    shown = f"! {node.name}" if is_lost else node.name
    return (
        f'<g class="n {" ".join(marks)}" fill="{PAPER}" stroke="{EDGE}">'
        f"<title>{escape(told)}</title>"
        f'<rect x="{box.x:.0f}" y="{box.y:.0f}" width="{box.width:.0f}" height="{NODE}" '
        f'rx="{radius}"/><text x="{box.x + 9:.0f}" y="{box.y + 15.5:.1f}" fill="{INK}" '
        f'stroke="none">{escape(shown)}</text></g>'
    )
