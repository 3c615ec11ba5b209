"""The one style sheet: Jupyter's and VS Code's variables, with colours of its own behind them.

Room: laws (views). Every text colour has a contrast of at least 4.5:1 on its background, light
and dark; `tests/views` measures it.
"""

from __future__ import annotations

LIGHT = {"info": "#005a94", "review": "#8a4600", "critical": "#b3211c", "ok": "#00664e"}
DARK = {"info": "#6cbcf0", "review": "#f2a93b", "critical": "#ff8a80", "ok": "#45d3a5"}
"""Tones by name; chosen apart in lightness too, for eyes that tell red from green badly."""
INK, MUTED, PAPER = "#1f2328", "#59636e", "#ffffff"

_MONO = "var(--jp-code-font-family,var(--vscode-editor-font-family,monospace))"


def _tones(colours: dict[str, str]) -> str:
    return ";".join(f"--sk-{name}:{colour}" for name, colour in colours.items())


CSS = f"""
.sk{{--sk-ink:var(--jp-ui-font-color1,var(--vscode-foreground,{INK}));
--sk-soft:var(--jp-ui-font-color2,var(--vscode-descriptionForeground,{MUTED}));
--sk-line:var(--jp-border-color2,var(--vscode-panel-border,#d1d9e0));
--sk-paper:var(--jp-layout-color1,var(--vscode-editor-background,{PAPER}));
--sk-shade:var(--jp-layout-color2,var(--vscode-textCodeBlock-background,#eef1f4));
{_tones(LIGHT)};--sk-tone:var(--sk-line);
font:13px/1.5 var(--jp-ui-font-family,var(--vscode-font-family,system-ui,sans-serif));
color:var(--sk-ink);background:var(--sk-paper);border:1px solid var(--sk-line);
border-left:6px solid var(--sk-tone);border-radius:4px;padding:10px 14px;max-width:60rem;
margin:2px 0;overflow-wrap:anywhere}}
[data-jp-theme-light="false"] .sk,.vscode-dark .sk,.vscode-high-contrast .sk{{{_tones(DARK)}}}
.sk[data-tone=info],.sk [data-tone=info]{{--sk-tone:var(--sk-info)}}
.sk[data-tone=review],.sk [data-tone=review]{{--sk-tone:var(--sk-review)}}
.sk[data-tone=critical],.sk [data-tone=critical]{{--sk-tone:var(--sk-critical)}}
.sk[data-tone=ok],.sk [data-tone=ok]{{--sk-tone:var(--sk-ok)}}
.sk[data-tone=critical]{{border-left:9px double var(--sk-tone)}}
.sk p,.sk ul,.sk ol,.sk dl,.sk pre,.sk table{{margin:0 0 8px;padding:0;text-align:left}}
.sk>:last-child{{margin-bottom:0}}
.sk .sk-h{{font-size:15px;margin-bottom:2px}}.sk .sk-h span{{font-weight:400}}
.sk .sk-soft,.sk caption,.sk figcaption{{color:var(--sk-soft)}}
.sk .sk-badge{{font-size:12px;color:var(--sk-soft)}}
.sk .sk-loud{{color:var(--sk-critical);border:2px solid var(--sk-critical);border-radius:4px;
padding:2px 8px;font-weight:700}}
.sk ul.sk-steps{{list-style:none;padding:0}}
.sk .sk-steps li{{display:grid;grid-template-columns:1.4em 2.3em minmax(8em,3fr) minmax(8em,4fr);
column-gap:.5em;padding:1px 0;position:relative}}
.sk .sk-steps b{{text-align:center;color:var(--sk-tone)}}
.sk .sk-steps li:not([data-tone]) b{{color:inherit}}
.sk .sk-steps .sk-no{{text-align:right;color:var(--sk-soft);font-variant-numeric:tabular-nums}}
.sk .sk-steps .sk-st{{color:var(--sk-soft)}}
.sk .sk-steps [data-tone] .sk-st{{color:var(--sk-tone);font-weight:600}}
.sk .sk-steps .sk-dash{{display:none}}
.sk .sk-bar{{display:inline-flex;gap:3px;vertical-align:middle;margin-right:4px}}
.sk .sk-bar i{{width:2.4em;height:.6em;border:1px solid var(--sk-tone);border-radius:2px}}
.sk .sk-bar i[data-done]{{background:var(--sk-tone)}}
.sk .sk-notice{{border:1px solid var(--sk-tone);border-left-width:4px;border-radius:3px;
padding:6px 10px;white-space:pre-line}}
.sk .sk-notice[data-tone=critical]{{border-style:double;border-width:3px}}
.sk .sk-notice strong{{color:var(--sk-tone);letter-spacing:.03em}}
.sk .sk-scroll{{overflow:auto;max-height:26em;margin:0 0 8px}}.sk .sk-scroll table{{margin:0}}
.sk .sk-log{{overflow:auto;max-height:34em;margin:0 0 8px}}
.sk ul.sk-part{{list-style:none;padding:0;margin:0;content-visibility:auto;
contain-intrinsic-size:auto 2200px}}
.sk .sk-log li{{display:grid;grid-template-columns:3.8em minmax(0,1fr);column-gap:.6em;
padding:1px 0}}
.sk .sk-log .sk-no{{text-align:right;color:var(--sk-soft);font-variant-numeric:tabular-nums}}
.sk .sk-log p{{margin:0;color:var(--sk-soft)}}
.sk table.sk-rows{{border-collapse:collapse;font-size:12px;table-layout:auto}}
.sk caption{{text-align:left;padding-bottom:2px;white-space:nowrap}}
.sk table.sk-rows th,.sk table.sk-rows td{{text-align:left;vertical-align:top;
padding:2px 14px 2px 2px;white-space:pre-wrap;border-bottom:1px solid var(--sk-line);
max-width:34em;color:inherit;overflow-wrap:break-word}}
.sk table.sk-rows th{{font-weight:600;white-space:nowrap;position:sticky;top:0;
background:var(--sk-paper)}}
.sk dl.sk-facts{{display:grid;grid-template-columns:max-content 1fr;gap:1px 14px}}
.sk dl.sk-facts dt,.sk dl.sk-facts dd{{float:none;width:auto;margin:0;padding:0;display:block}}
.sk dl.sk-facts dt{{font-weight:600;white-space:nowrap}}
.sk ul.sk-list,.sk ol.sk-list{{padding-left:1.6em}}
.sk.sk code,.sk.sk pre{{font-family:{_MONO};
font-size:12px;background:var(--sk-shade);color:var(--sk-ink);border-radius:3px}}
.sk.sk code{{padding:1px 4px}}
.sk .sk-cmd code{{display:inline-block;max-width:100%;overflow-x:auto;white-space:nowrap;
vertical-align:bottom;box-sizing:border-box}}
.sk.sk pre{{margin:0 0 8px;padding:6px 10px;overflow:auto;max-height:20em;white-space:pre-wrap;
overflow-wrap:anywhere}}
.sk details{{margin:0 0 4px}}.sk summary{{cursor:pointer}}
.sk.sk details>:not(summary){{margin:4px 0 8px 14px}}
.jp-OutputArea-child:has(.sk)~.jp-OutputArea-child>.jupyter-widgets:not(:has(*)){{font-size:0}}
.jp-OutputArea-child:has(.sk)~.jp-OutputArea-child>.jupyter-widgets:not(:has(*))::after{{
content:"Buttons stand here while the notebook's kernel runs.";font-size:12px;
color:var(--jp-ui-font-color2,{MUTED})}}
"""
"""The last rules speak of a card's buttons in a notebook that was opened again: the front end would
put `Error displaying widget` there, which is no error and tells nobody how to go on."""

RUNNING_CSS = """
.sk .sk-run::after{content:"";position:absolute;left:0;bottom:0;height:2px;width:30%;
background:var(--sk-info);animation:sk-go 1.4s linear infinite}
@keyframes sk-go{from{left:0}to{left:70%}}
@property --sk-s{syntax:"<integer>";initial-value:0;inherits:false}
@keyframes sk-el{to{--sk-s:3600}}
.sk .sk-el{animation:sk-el 3600s linear forwards;counter-reset:sk-s var(--sk-s);
font-variant-numeric:tabular-nums}.sk .sk-el::after{content:counter(sk-s) " s"}
@media (prefers-reduced-motion:reduce){.sk .sk-run::after{animation:none;width:100%;opacity:.5}}
"""
"""Elapsed seconds run by the style sheet alone, so they go on while the kernel is busy."""

DIFF_CSS = """
.sk table.sk-diff td:first-child{white-space:nowrap;font-weight:600;padding-left:8px;
border-left:4px solid var(--sk-fate,transparent)}
.sk table.sk-diff tr[data-fate] td:first-child{color:var(--sk-fate)}
.sk .sk-diff [data-fate=new]{--sk-fate:var(--sk-ok)}
.sk .sk-diff [data-fate=changed]{--sk-fate:var(--sk-review)}
.sk .sk-diff [data-fate=gone]{--sk-fate:var(--sk-critical)}
"""
"""Rows of a diff: the sign and the word say what the colour says."""

MATRIX_CSS = """
.sk table.sk-matrix td{white-space:nowrap}
.sk table.sk-matrix tbody th{position:sticky;left:0;font-weight:400}
.sk table.sk-matrix thead th:first-child{left:0;z-index:1}
.sk table.sk-matrix td[data-turned]{font-weight:600;color:var(--sk-review)}
"""
"""A matrix keeps its first column in sight; what changes is bold as well as coloured."""
