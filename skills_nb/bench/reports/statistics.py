"""Numbers over many instances: rates with intervals, pass@k, and the paired comparison.

Room: work (bench). Pure. No interval is drawn from chance: Wilson's for rates, the exact sign
test and a normal interval over pairs for differences.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Results = Sequence[Mapping[str, Any]]
Z = 1.959963984540054
"""Two-sided 95 %."""


def wilson(hits: int, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate; all of 0 to 1 where nothing was counted."""
    if count == 0:
        return 0.0, 1.0
    rate, square = hits / count, Z * Z
    middle = rate + square / (2 * count)
    spread = Z * math.sqrt(rate * (1 - rate) / count + square / (4 * count * count))
    whole = 1 + square / count
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def pass_at_k(attempts: int, passed: int, k: int) -> float:
    """Return the chance that one of k attempts passes, without bias.

    Raises:
        ValueError: k is more than the attempts that were made.

    See Chen et al. 2021, Evaluating Large Language Models Trained on Code, section 2.1.
    """
    if k > attempts:
        raise ValueError(f"pass@{k} needs {k} attempts, there are {attempts}")
    if attempts - passed < k:
        return 1.0
    return 1.0 - math.comb(attempts - passed, k) / math.comb(attempts, k)


def pass_rates(results: Results) -> dict[str, float]:
    """Return the mean pass@k over tasks, for every k that all tasks have attempts for.

    An attempt whose verdict is undetermined, or that broke, is no pass.
    """
    by_task: dict[str, list[bool]] = defaultdict(list)
    for result in results:
        by_task[result["instance_id"]].append(bool(result["resolved"]))
    most = min((len(found) for found in by_task.values()), default=0)
    return {
        f"pass@{k}": round(
            sum(pass_at_k(len(f), sum(f), k) for f in by_task.values()) / len(by_task), 6
        )
        for k in range(1, most + 1)
    }


def by_task(results: Results) -> dict[str, float]:
    """Return every task's mean total over its attempts."""
    totals: dict[str, list[float]] = defaultdict(list)
    for result in results:
        totals[result["instance_id"]].append(float(result["scores"]["total"]))
    return {name: sum(found) / len(found) for name, found in totals.items()}


def mean_interval(differences: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean of differences and its 95 % interval (Student's t where few)."""
    count = len(differences)
    mean = sum(differences) / count
    if count < 2:
        return mean, -1.0, 1.0
    variance = sum((d - mean) ** 2 for d in differences) / (count - 1)
    half = _t(count - 1) * math.sqrt(variance / count)
    return mean, max(-1.0, mean - half), min(1.0, mean + half)


_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179,
      2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
      2.060, 2.056, 2.052, 2.048, 2.045, 2.042)  # fmt: skip
"""Student's t at 97.5 % for 1 to 30 degrees of freedom."""


def _t(freedom: int) -> float:
    return _T[freedom - 1] if freedom <= len(_T) else Z


def sign_test(better: int, worse: int) -> float:
    """Return how likely so uneven a split is where neither is better (two-sided, exact)."""
    count, fewer = better + worse, min(better, worse)
    if count == 0:
        return 1.0
    ways = sum(math.comb(count, i) for i in range(fewer + 1))
    return min(1.0, 2 * math.ldexp(ways, -count))


def comparison(first: Results, second: Results) -> dict[str, Any]:
    """Return what the second run does better than the first, task by task.

    Tasks that only one has are named and left out of the numbers.
    """
    before, after = by_task(first), by_task(second)
    shared = sorted(before.keys() & after.keys())
    differences = [after[name] - before[name] for name in shared]
    resolved = _resolved(first), _resolved(second)
    gained = [n for n in shared if n in resolved[1] and n not in resolved[0]]
    lost = [n for n in shared if n in resolved[0] and n not in resolved[1]]
    mean, low, high = mean_interval(differences) if shared else (0.0, -1.0, 1.0)
    return {
        "tasks": len(shared),
        "only_in_first": sorted(before.keys() - after.keys()),
        "only_in_second": sorted(after.keys() - before.keys()),
        "difference": round(mean, 6),
        "interval": [round(low, 6), round(high, 6)],
        "resolved": [len(resolved[0] & set(shared)), len(resolved[1] & set(shared))],
        "gained": gained,
        "lost": lost,
        "p_value": round(sign_test(len(gained), len(lost)), 6),
        "by_task": {n: [round(before[n], 6), round(after[n], 6)] for n in shared},
    }


def _resolved(results: Results) -> set[str]:
    """Return the tasks whose first attempt passed."""
    return {r["instance_id"] for r in results if r["resolved"] and (r.get("attempt") or 1) == 1}


def count_values(values: Iterable[Any]) -> dict[str, int]:
    """Return how often each value is there, in the order of names."""
    found: dict[str, int] = defaultdict(int)
    for value in values:
        found[str(value)] += 1
    return dict(sorted(found.items()))
