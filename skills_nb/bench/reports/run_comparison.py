"""The comparison of two runs in words.

Room: work (bench). Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skills_nb.bench.reports.summary import percent, power


def comparison_text(found: Mapping[str, Any], first: str, second: str) -> str:
    """Return what the second run does better or worse, and how sure that is."""
    low, high = found["interval"]
    before, after = found["resolved"]
    lines = [
        f"{second} against {first}, on {found['tasks']} tasks that both have",
        f"score {_signed(found['difference'])} (95 % interval {_signed(low)} to {_signed(high)})",
        f"resolved {before} before, {after} after; gained {len(found['gained'])}, "
        f"lost {len(found['lost'])}, p = {found['p_value']:.4g}",
        _verdict(low, high),
        *_strict(found["right"]),
        f"{power(found['tasks'], found['tells_apart'])}, by how often these two differ",
    ]
    lines += [f"  !  the runs differ in {said}" for said in found.get("differ_in", ())]
    lines += [f"  + {name}" for name in found["gained"]]
    lines += [f"  - {name}" for name in found["lost"]]
    for place in ("first", "second"):
        if found[f"only_in_{place}"]:
            lines.append(f"only in the {place}: " + ", ".join(found[f"only_in_{place}"]))
    lines += [
        f"    {name:<40} {percent(old):>8} -> {percent(new):>8}"
        for name, (old, new) in found["by_task"].items()
        if old != new
    ]
    return "\n".join(lines)


def _strict(right: Mapping[str, Any]) -> list[str]:
    if not right["tasks"]:
        return []
    low, high = right["interval"]
    return [
        f"right {right['before']} before, {right['after']} after, of {right['tasks']}: "
        f"{_signed(right['difference'])} (95 % interval {_signed(low)} to {_signed(high)}), "
        f"gained {len(right['gained'])}, lost {len(right['lost'])}, "
        f"p = {right['p_value']:.4g}"
    ]


def _signed(share: float) -> str:
    return f"{100 * share:+.4g} points"


def _verdict(low: float, high: float) -> str:
    if low > 0:
        return "better"
    if high < 0:
        return "worse"
    return "no difference can be told from this many tasks"
