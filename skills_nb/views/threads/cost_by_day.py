"""Credits by day as bars, and as a line of blocks where there are no pictures.

Room: laws (views). A day without a row used nothing and is drawn so; what is drawn is also said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import inf, isfinite
from typing import Any

from skills_nb.views.graph.svg import CSS, EDGE
from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import in_words, plural, sentence
from skills_nb.views.sheets.style import INK, LIGHT, MUTED, PAPER
from skills_nb.visible import visible_label as escape

_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]00:00.*)?")
_MOST_DAYS, _FEWEST = 92, 2
_HEIGHT, _TOP, _LEFT, _WIDEST = 96, 22, 8, 640
_LEVELS = "▁▂▃▄▅▆▇█"
_MORE_CSS = (
    ".skg .bar{fill:var(--g-info);stroke:none}.skg .bar.peak{fill:var(--g-review)}"
    ".skg .bar.none{fill:var(--g-edge)}"
)


@dataclass(frozen=True, slots=True)
class DailyCost:
    """Credits of consecutive days."""

    name: str
    """What the step called them."""
    days: tuple[tuple[str, float], ...]
    """(ISO date, credits), oldest first, none left out."""
    earlier: int = 0
    """Days before the first that are not drawn."""


def daily_costs(results: Iterable[Mapping[str, Any]]) -> tuple[DailyCost, ...]:
    """Return the costs by day among what steps found, each once.

    Args:
        results: what each step bound, by name.
    """
    found: dict[tuple[tuple[str, float], ...], DailyCost] = {}
    for result in results:
        for name, value in result.items():
            cost = _cost(name, value)
            if cost is not None:
                found.setdefault(cost.days, cost)
    return tuple(found.values())


def _cost(name: str, rows: Any) -> DailyCost | None:
    is_rows = isinstance(rows, list | tuple) and all(isinstance(row, Mapping) for row in rows)
    if not is_rows or not rows:
        return None
    when = next((c for c in rows[0] if all(_day(row.get(c)) for row in rows)), None)
    credit = next((c for c in _credit_columns(rows[0]) if _are_numbers(rows, c)), None)
    if when is None or credit is None:
        return None
    sums: dict[str, float] = {}
    for row in rows:
        day = _day(row[when])
        sums[day] = sums.get(day, 0.0) + float(row[credit] or 0)
    days = tuple(_filled(sums))
    if len(days) < _FEWEST:
        return None
    return DailyCost(in_words(name), days[-_MOST_DAYS:], max(len(days) - _MOST_DAYS, 0))


def _credit_columns(row: Mapping[str, Any]) -> list[str]:
    named = [str(column) for column in row if "CREDIT" in str(column).upper()]
    return sorted(named, key=lambda one: (one.upper() not in ("CREDITS", "CREDITS_USED"), one))


def _are_numbers(rows: Sequence[Mapping[str, Any]], column: str) -> bool:
    try:
        return all(0 <= float(row.get(column) or 0) < inf for row in rows)
    except (TypeError, ValueError):
        return False


def _day(value: Any) -> str:
    found = _DAY.fullmatch(str(value)) if value is not None else None
    if found is None:
        return ""
    try:
        return date.fromisoformat(found[1]).isoformat()
    except ValueError:
        return ""


def _filled(sums: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    first, last = date.fromisoformat(min(sums)), date.fromisoformat(max(sums))
    # Rows far apart are no series: only so many days are looked at.
    first = max(first, last - timedelta(days=4 * _MOST_DAYS))
    for number in range((last - first).days + 1):
        day = (first + timedelta(days=number)).isoformat()
        yield day, sums.get(day, 0.0)


def cost_blocks(costs: Sequence[DailyCost]) -> list[b.Block]:
    """Return the bars of each, and what they say."""
    blocks: list[b.Block] = []
    for one in costs:
        if not one.days:
            continue
        blocks += [b.Picture(_svg(one), _line(one)), b.Paragraph(_said(one))]
    return blocks


def _line(cost: DailyCost) -> str:
    """Return a block for each day, as high as its share of the most expensive one."""
    most = max(credit for _, credit in cost.days)
    top = len(_LEVELS) - 1
    marks = (
        _LEVELS[max(1, round(_share(credit, most) * top))] if credit > 0 else _LEVELS[0]
        for _, credit in cost.days
    )
    return f"{sentence(cost.name)}, credits by day\n  {''.join(marks)}"


def _share(credit: float, most: float) -> float:
    """Return how much of the highest a value is, between 0 and 1, whatever numbers they are."""
    share = credit / most if most else 0.0
    return min(max(share, 0.0), 1.0) if isfinite(share) else 0.0


def _said(cost: DailyCost) -> str:
    """Return the picture in words."""
    total = sum(credit for _, credit in cost.days)
    first, last = cost.days[0][0], cost.days[-1][0]
    said = f"{first} to {last}: {_number(total)} credits in {plural(len(cost.days), 'day')}"
    peak_day, peak = max(cost.days, key=lambda day: day[1])
    if peak > 0:
        said += f", most on {peak_day} with {_number(peak)}"
    more = f" {plural(cost.earlier, 'day')} before are not drawn." if cost.earlier else ""
    return f"{said}.{more}"


def _number(value: float) -> str:
    text = f"{value:,.4f}" if value < 1 else f"{value:,.2f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _svg(cost: DailyCost) -> str:
    step = min(28.0, (_WIDEST - 2 * _LEFT) / len(cost.days))
    width = max(step * len(cost.days) + 2 * _LEFT, 300)
    height = _TOP + _HEIGHT + 22
    most = max(credit for _, credit in cost.days) or 1.0
    bars = "".join(_bar(at, day, most, step) for at, day in enumerate(cost.days))
    base = _TOP + _HEIGHT
    first, last = cost.days[0][0], cost.days[-1][0]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="skg" role="img" width="{width:.0f}" '
        f'height="{height}" viewBox="0 0 {width:.0f} {height}" style="max-width:100%" '
        f'font-family="sans-serif" font-size="12" aria-label="{escape(_said(cost))}">'
        f"<style>{CSS}{_MORE_CSS}</style>"
        f'<rect class="paper" width="{width:.0f}" height="{height}" fill="{PAPER}"/>'
        f'<text x="{_LEFT}" y="14" fill="{INK}">'
        f"{escape(sentence(cost.name))}, credits by day (highest: {_number(most)})</text>{bars}"
        f'<path d="M{_LEFT} {base}H{width - _LEFT:.0f}" stroke="{EDGE}" fill="none"/>'
        f'<text class="soft" x="{_LEFT}" y="{base + 16}" fill="{MUTED}">{first}</text>'
        f'<text class="soft" x="{width - _LEFT:.0f}" y="{base + 16}" text-anchor="end" '
        f'fill="{MUTED}">{last}</text></svg>'
    )


def _bar(at: int, day: tuple[str, float], most: float, step: float) -> str:
    when, credit = day
    tall = max(_share(credit, most) * _HEIGHT, 1.0)
    kind, tone = ("peak", LIGHT["review"]) if credit == most else ("", LIGHT["info"])
    kind, tone = (kind, tone) if credit > 0 else ("none", EDGE)
    x, y = _LEFT + at * step, _TOP + _HEIGHT - tall
    return (
        f'<rect class="{f"bar {kind}".rstrip()}" x="{x:.1f}" y="{y:.1f}" '
        f'width="{max(step - 2, 1):.1f}" height="{tall:.1f}" fill="{tone}">'
        f"<title>{escape(f'{when}: {_number(credit)} credits')}</title></rect>"
    )
