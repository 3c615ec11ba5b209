"""The page's style sheet, light and dark, and the rules that make its filters work.

Room: laws (views). Colours are those of `sheets.style`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skills_nb.views.sheets.style import DARK, INK, LIGHT, MUTED, PAPER


def _tones(colours: Mapping[str, str]) -> str:
    return ";".join(f"--{name}:{colour}" for name, colour in colours.items())


_NIGHT = (
    f"--ink:#e6edf3;--soft:#9aa4ae;--paper:#0d1117;--line:#30363d;--shade:#161b22;{_tones(DARK)}"
)
CSS = f"""
.ev{{--ink:{INK};--soft:{MUTED};--paper:{PAPER};--line:#d1d9e0;--shade:#eef1f4;{_tones(LIGHT)};
font:14px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);padding:1rem;
overflow-x:auto}}
@media (prefers-color-scheme:dark){{.ev{{{_NIGHT}}}}}
[data-jp-theme-light="true"] .ev{{--ink:{INK};--soft:{MUTED};--paper:{PAPER};--line:#d1d9e0;
--shade:#eef1f4;{_tones(LIGHT)}}}
[data-jp-theme-light="false"] .ev,.vscode-dark .ev{{{_NIGHT}}}
.ev h1{{font-size:1.4rem;margin:0 0 .3rem}}.ev h4{{margin:.6rem 0 .1rem}}
.ev .big{{font-size:1.2rem;margin:.2rem 0}}.ev small,.ev .soft{{color:var(--soft)}}
.ev .loud{{color:var(--critical);border:2px solid var(--critical);padding:.3rem .6rem;
font-weight:700}}
.ev dl{{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}}
.ev.ev dl dt{{font-weight:600;float:none;width:auto;overflow-wrap:normal;word-break:normal}}
.ev.ev dl dd{{margin:0;padding:0;width:auto}}
.ev table{{border-collapse:collapse;margin:.8rem 0;color:inherit}}
.ev.ev th,.ev.ev td{{overflow-wrap:normal;word-break:normal}}.ev.ev thead th{{white-space:nowrap}}
.ev caption{{text-align:left;color:var(--soft)}}
.ev th,.ev td{{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem .2rem;
border-bottom:1px solid var(--line);background:none;color:inherit}}
.ev .why td{{padding:0 0 .4rem}}.ev .why p{{margin:0;overflow-wrap:anywhere;max-width:70rem}}
.ev .filters{{display:flex;flex-wrap:wrap;gap:.6rem}}
.ev fieldset{{border:1px solid var(--line);border-radius:4px;padding:.1rem .6rem}}
.ev label{{margin-right:.6rem;white-space:nowrap}}
.ev .v-pass,.ev .s-pass{{color:var(--ok)}}.ev .v-fail,.ev .s-fail{{color:var(--critical)}}
.ev .v-undetermined,.ev .s-partial{{color:var(--review)}}
.ev .s-none{{color:var(--soft);font-style:italic}}
.ev pre{{background:var(--shade);color:var(--ink);padding:.5rem;overflow:auto;max-height:30rem}}
.ev .rates td,.ev .rates th{{vertical-align:middle}}.ev .rates small{{margin-left:.4rem}}
.ev svg .grid{{stroke:var(--line)}}.ev svg .strict{{stroke:var(--info);fill:var(--info)}}
.ev .m-strict{{color:var(--info)}}.ev .m-part{{color:var(--review)}}
.ev svg .part{{stroke:var(--review);fill:var(--review)}}.ev svg g line{{stroke-width:2}}
.ev ins{{color:var(--ok);text-decoration:none}}.ev del{{color:var(--critical);
text-decoration:none}}
"""


def filter_rules(filters: Mapping[str, Sequence[str]]) -> str:
    """Return the rules that hide the rows of other values than the one chosen."""
    return "\n".join(
        f".ev:has(.f-{name}-{number}:checked) .rows tbody:not(.{name}-{number}){{display:none}}"
        for name, values in filters.items()
        for number in range(1, len(values) + 1)
    )
