"""Rates by domain and level: a table, and a picture of each rate with its interval.

Room: laws (views).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skills_nb.visible import visible_html as escape

_PARTS = (("domain", "By domain"), ("level", "By level"), ("type", "By type"))
_WIDTH, _HEIGHT, _EDGE = 220, 34, 4


def rates(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield a table for each way of grouping that tells more than the whole does."""
    for part, title in _PARTS:
        groups: Mapping[str, Mapping[str, Any]] = report["by"][part]
        if len(groups) > 1:
            yield from _table(title, groups)


def _table(title: str, groups: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    names = ("", "Tasks", "Right (strict)", "Score (partial)", "0 to 100\N{NO-BREAK SPACE}%")
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    yield f'<table class="rates"><caption>{title}</caption><thead><tr>{head}</tr></thead><tbody>'
    for name, numbers in groups.items():
        yield (
            f'<tr><th scope="row">{escape(name or "–")}</th><td>{numbers["tasks"]}</td>'
            f"<td>{_rate(numbers['right_rate'], numbers['right_interval'])}</td>"
            f"<td>{_rate(numbers['lower'], numbers['score_interval'])}</td>"
            f"<td>{picture(numbers)}</td></tr>"
        )
    yield (
        '</tbody></table><p class="soft"><span class="m-strict">●</span> right (strict) '
        '<span class="m-part">■</span> score (partial), each on its 95 % interval over tasks</p>'
    )


def _rate(value: float | None, interval: tuple[float, float]) -> str:
    if value is None:
        return '<span class="s-none">nobody can tell</span>'
    low, high = interval
    return (
        f"{100 * value:.0f}\N{NO-BREAK SPACE}% <small>{100 * low:.0f} to {100 * high:.0f}</small>"
    )


def picture(numbers: Mapping[str, Any]) -> str:
    """Return the strict rate above the score, each a mark on its 95 % interval."""
    said = (
        f"right {_words(numbers['right_rate'], numbers['right_interval'])}, "
        f"score {_words(numbers['lower'], numbers['score_interval'])}"
    )
    grid = "".join(
        f'<line class="grid" x1="{_x(at)}" x2="{_x(at)}" y1="0" y2="{_HEIGHT}"/>'
        for at in (0.0, 0.5, 1.0)
    )
    marks = _mark("strict", numbers["right_rate"], numbers["right_interval"], 10)
    marks += _mark("part", numbers["lower"], numbers["score_interval"], 24)
    return (
        f'<svg role="img" aria-label="{escape(said)}" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}">{grid}{marks}</svg>'
    )


def _words(value: float | None, interval: tuple[float, float]) -> str:
    if value is None:
        return "unknown"
    return f"{100 * value:.0f} percent, {100 * interval[0]:.0f} to {100 * interval[1]:.0f}"


def _mark(style: str, value: float | None, interval: tuple[float, float], y: int) -> str:
    if value is None:
        return ""
    low, high = _x(interval[0]), _x(interval[1])
    shape = (
        f'<circle cx="{_x(value)}" cy="{y}" r="4.5"/>'
        if style == "strict"
        else f'<rect x="{_x(value) - 4}" y="{y - 4}" width="8" height="8"/>'
    )
    return f'<g class="{style}"><line x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>{shape}</g>'


def _x(share: float) -> float:
    return round(_EDGE + share * (_WIDTH - 2 * _EDGE), 1)
