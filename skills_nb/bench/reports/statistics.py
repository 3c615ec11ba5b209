"""Numbers over many instances: rates with intervals, pass@k, and the paired comparison.

Room: work (bench). Pure. No interval is drawn from chance: Wilson's for rates, an exact test of
flipped signs and a normal interval over pairs for differences. Attempts at one task are a cluster:
they say more about that task and little about others, so intervals are over tasks.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

Results = Sequence[Mapping[str, Any]]
Z = 1.959963984540054
"""Two-sided 95 %."""
Z_POWER = 0.8416212335729143
"""One-sided 80 %."""


def wilson(hits: int, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate; all of 0 to 1 where nothing was counted."""
    return rate_interval(hits / count, count) if count else (0.0, 1.0)


def rate_interval(rate: float, count: float) -> tuple[float, float]:
    """Return the 95 % interval of a rate over so many independent trials, by Wilson."""
    square = Z * Z
    middle = rate + square / (2 * count)
    spread = Z * math.sqrt(rate * (1 - rate) / count + square / (4 * count * count))
    whole = 1 + square / count
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def clustered(hits: Mapping[str, Sequence[bool]]) -> tuple[float, float]:
    """Return the 95 % interval of a rate whose trials are clustered, by cluster.

    Wilson's interval over as many trials as the clusters are worth: the variance between clusters,
    by its linearized estimate, against that of independent trials. A single trial in each is
    Wilson's own; trials that always agree within their cluster count as one each. Never more is
    made of the trials than they are.
    """
    count = sum(map(len, hits.values()))
    if not count:
        return 0.0, 1.0
    rate = sum(map(sum, hits.values())) / count
    return rate_interval(rate, effective_count(hits))


def effective_count(hits: Mapping[str, Sequence[bool]]) -> float:
    """Return how many independent trials clustered ones are worth; at least one a cluster."""
    count, clusters = sum(map(len, hits.values())), len(hits)
    rate = sum(map(sum, hits.values())) / count
    if rate in (0.0, 1.0) or clusters < 2:
        # Nothing of the spread within a cluster shows: it counts as one.
        return float(clusters)
    squares = sum((sum(found) - rate * len(found)) ** 2 for found in hits.values())
    variance = clusters / (clusters - 1) * squares / count**2
    plain = rate * (1 - rate)
    worth = count if variance == 0 else plain / variance
    return min(float(count), max(float(clusters), worth))


def pass_power_k(attempts: int, passed: int, k: int) -> float:
    """Return the chance that all of k attempts pass, without bias.

    Raises:
        ValueError: k is more than the attempts that were made.

    See Yao et al. 2024, tau-bench, section 3 (pass^k).
    """
    if k > attempts:
        raise ValueError(f"pass^{k} needs {k} attempts, there are {attempts}")
    return math.comb(passed, k) / math.comb(attempts, k)


def smallest_difference(tasks: int, rate: float = 0.5, discordant: float | None = None) -> float:
    """Return the difference of rates that a paired comparison of so many tasks tells apart.

    With 80 % power at p < 0.05 (two-sided), by McNemar's test. Where nobody knows how many tasks
    two runs decide differently, two models of this rate are taken to agree on half of those that
    they would differ on by chance.

    See Miettinen 1968, The matched pairs design in the case of all-or-none responses.
    """
    if tasks < 1:
        return 1.0
    share = discordant if discordant is not None else rate * (1 - rate)
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        apart = max(share, middle)
        half = Z * math.sqrt(apart) + Z_POWER * math.sqrt(max(0.0, apart - middle**2))
        if middle and (half / middle) ** 2 <= tasks:
            high = middle
        else:
            low = middle
    return high


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
    """Return the means of pass@k and pass^k over tasks, for every k that all have attempts for.

    An attempt whose verdict is undetermined, or that broke, is no pass.
    """
    found = [tuple(hits) for hits in attempts_of(results, "resolved").values()]
    most = min(map(len, found), default=0)
    rates: dict[str, float] = {}
    for name, chance, least in (("pass@", pass_at_k, 1), ("pass^", pass_power_k, 2)):
        # With one attempt the two are one.
        for k in range(least, most + 1):
            chances = [chance(len(hits), sum(hits), k) for hits in found]
            rates[f"{name}{k}"] = round(sum(chances) / len(chances), 6)
    return rates


def attempts_of(results: Results, what: str) -> dict[str, list[bool]]:
    """Return, by task, whether each attempt is `resolved` or `right`; unknown ones are left out."""
    found: dict[str, list[bool]] = defaultdict(list)
    for result in results:
        if result.get(what) is not None:
            found[result["instance_id"]].append(bool(result[what]))
    return dict(found)


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


_FINEST = 2_520
"""Parts of one that differences are counted in; attempts of up to ten are exact."""


def paired_p_value(differences: Sequence[Fraction]) -> float:
    """Return how likely so much is to one side where neither run is better (two-sided mid-p).

    Each difference is as likely to be to either side then, so the sum of all with every choice of
    signs is what chance gives. With one attempt at a task this is McNemar's test; with several, a
    task that one run always solves and the other never weighs more than one that is a toss-up.

    Args:
        differences: a task's rate in the second run, less that in the first.

    See Fagerland, Lydersen, Laake 2013, The McNemar test for binary matched-pairs data.
    """
    scale = min(_FINEST, math.lcm(*(Fraction(found).denominator for found in differences)))
    steps = [round(found * scale) for found in differences]
    seen = abs(sum(steps))
    if not seen:
        return 1.0
    chances = {0: 1.0}
    for step in filter(None, steps):
        moved: dict[int, float] = defaultdict(float)
        for total, chance in chances.items():
            moved[total + step] += chance / 2
            moved[total - step] += chance / 2
        chances = moved
    return sum(chance for total, chance in chances.items() if total > seen) * 2 + chances[seen]


def comparison(first: Results, second: Results) -> dict[str, Any]:
    """Return what the second run does better than the first, task by task.

    A task's attempts are one cluster: its rate in one run stands against its rate in the other.
    Tasks that only one has are named and left out of the numbers.
    """
    before, after = by_task(first), by_task(second)
    shared = sorted(before.keys() & after.keys())
    differences = [after[name] - before[name] for name in shared]
    rates = _rates(first, "resolved"), _rates(second, "resolved")
    gained = [n for n in shared if rates[1][n] > rates[0][n]]
    lost = [n for n in shared if rates[1][n] < rates[0][n]]
    mean, low, high = mean_interval(differences) if shared else (0.0, -1.0, 1.0)
    return {
        "tasks": len(shared),
        "only_in_first": sorted(before.keys() - after.keys()),
        "only_in_second": sorted(after.keys() - before.keys()),
        "difference": round(mean, 6),
        "interval": [round(low, 6), round(high, 6)],
        "resolved": [_total_rate(rates[side], shared) for side in (0, 1)],
        "right": _right(first, second, shared),
        "gained": gained,
        "lost": lost,
        "p_value": round(paired_p_value([rates[1][n] - rates[0][n] for n in shared]), 6),
        "tells_apart": round(_told_apart(rates, shared), 6),
        "by_task": {n: [round(before[n], 6), round(after[n], 6)] for n in shared},
    }


def _told_apart(rates: Sequence[Mapping[str, Fraction]], shared: Sequence[str]) -> float:
    """Return which difference so many tasks tell apart, by how far these two runs differ on each.

    A task that one run solves in all attempts and the other in none counts whole, else less.
    """
    differ = sum(float(rates[0][n] - rates[1][n]) ** 2 for n in shared)
    # A share of nothing would promise to see anything; one more than was seen is the careful guess.
    share = (differ + 1) / (len(shared) + 1)
    return smallest_difference(len(shared), discordant=share)


def _right(first: Results, second: Results, shared: Sequence[str]) -> dict[str, Any]:
    """Return the same for strict rates, over tasks for which both runs can tell."""
    rates = _rates(first, "right"), _rates(second, "right")
    told = [n for n in shared if n in rates[0] and n in rates[1]]
    gained = [n for n in told if rates[1][n] > rates[0][n]]
    lost = [n for n in told if rates[1][n] < rates[0][n]]
    differences = [rates[1][n] - rates[0][n] for n in told]
    mean, low, high = mean_interval(list(map(float, differences))) if told else (0.0, -1.0, 1.0)
    return {
        "tasks": len(told),
        "before": _total_rate(rates[0], told),
        "after": _total_rate(rates[1], told),
        "difference": round(mean, 6),
        "interval": [round(low, 6), round(high, 6)],
        "gained": gained,
        "lost": lost,
        "p_value": round(paired_p_value(differences), 6),
    }


def _rates(results: Results, what: str) -> dict[str, Fraction]:
    found = attempts_of(results, what).items()
    return {name: Fraction(sum(hits), len(hits)) for name, hits in found}


def _total_rate(rates: Mapping[str, Fraction], names: Sequence[str]) -> float:
    """Return how many tasks' worth it is: a task that one of two attempts solves is a half."""
    total = sum((rates[name] for name in names), Fraction())
    return total.numerator if total.denominator == 1 else round(float(total), 6)


def count_values(values: Iterable[Any]) -> dict[str, int]:
    """Return how often each value is there, in the order of names."""
    found: dict[str, int] = defaultdict(int)
    for value in values:
        found[str(value)] += 1
    return dict(sorted(found.items()))
