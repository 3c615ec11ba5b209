"""The report of a run as a document and as Markdown.

Room: work (bench). Pure. Lower and upper bounds stand side by side; what was not measured is
never shown as a zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from skills_nb.bench.reports.statistics import (
    Results,
    attempts_of,
    by_task,
    clustered,
    count_values,
    mean_interval,
    pass_rates,
    rate_interval,
    smallest_difference,
)
from skills_nb.bench.scoring import WEIGHTS

_ALL_APART = 0.99
"""Two models differ by no more than everything."""
SIGNS: Mapping[str, str] = {
    "pass": "pass",
    "fail": "0",
    "partial": "part",
    "error": "error",
    "not_run": "not run",
    "unsupported": "unsupported",
    "not_applicable": "n/a",
}


def report_document(
    identity: Mapping[str, Any], results: Results, invalid: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """Return the report: the same results make the same document.

    Args:
        identity: model, provider, task set, backend.
        results: in the schema's shape, all attempts.
        invalid: tasks that were not used, each with its reasons.
    """
    return {
        **identity,
        "simulated": "simulated" in str(identity.get("backend", "")),
        "summary": _numbers(results),
        "components": {name: _component(name, results) for name in WEIGHTS},
        "by": {
            part: {
                value: _numbers([r for r in results if str(r["task"][part]) == value])
                for value in count_values(r["task"][part] for r in results)
            }
            for part in ("type", "domain", "level")
        },
        "usage": _usage(results),
        "invalid_tasks": [dict(bad) for bad in invalid],
        "results": [_row(result) for result in results],
    }


def _numbers(results: Results) -> dict[str, Any]:
    count = len(results)
    resolved = sum(bool(r["resolved"]) for r in results)
    low, high = clustered(attempts_of(results, "resolved"))
    tasks = len({r["instance_id"] for r in results})
    return {
        "instances": count,
        "tasks": tasks,
        "tells_apart": round(smallest_difference(tasks), 6),
        "verdicts": count_values(r["verdict"] for r in results),
        "errors": sum(is_broken(r) for r in results),
        "truncated": sum(_ending(r) != "complete" for r in results),
        "cheating": sum(bool(tampering(r)) for r in results),
        "partial": sum(bool(r["partial"]) for r in results),
        **_strict(results),
        "resolved": resolved,
        "resolved_rate": round(resolved / count, 6) if count else None,
        "resolved_interval": [round(low, 6), round(high, 6)],
        "lower": _mean([r["scores"]["total"] for r in results]),
        "score_interval": _score_interval(results),
        "upper": _mean([r["upper"] for r in results]),
        "coverage": _mean([r["coverage"] for r in results]),
        **pass_rates(results),
    }


def _score_interval(results: Results) -> list[float]:
    """Return the 95 % interval of the mean score, over tasks."""
    means = [*by_task(results).values()]
    if not means:
        return [0.0, 1.0]
    mean, low, high = mean_interval(means)
    if len(means) == 1 or low == high:
        # Scores that do not differ tell nothing of their spread: it is taken from how few they are.
        low, high = rate_interval(mean, len(means))
    return [round(max(0.0, low), 6), round(high, 6)]


def _strict(results: Results) -> dict[str, Any]:
    """Return how many answers are right: all that was asked for, and nothing else changed."""
    told = [r for r in results if r.get("right") is not None]
    right = sum(bool(r["right"]) for r in told)
    low, high = clustered(attempts_of(results, "right"))
    return {
        "right": right,
        "right_told": len(told),
        "right_rate": round(right / len(told), 6) if told else None,
        "right_interval": [round(low, 6), round(high, 6)],
    }


def is_broken(result: Mapping[str, Any]) -> bool:
    """Return whether something around an instance broke: it is not done."""
    return any(part["state"] == "error" for part in result["components"].values())


def tampering(result: Mapping[str, Any]) -> str:
    """Return what an answer tried that no answer needs, in words; empty where nothing."""
    part = result["components"].get("containment", {})
    return str(part.get("reason", "")) if part.get("state") == "fail" else ""


def _ending(result: Mapping[str, Any]) -> str:
    return str((result["answer"] or {}).get("ending", "complete"))


def _component(name: str, results: Results) -> dict[str, Any]:
    scores = [r["scores"][name] for r in results if r["scores"][name] is not None]
    return {
        "weight": WEIGHTS[name],
        "measured": len(scores),
        "mean": _mean(scores),
        "states": count_values(r["components"][name]["state"] for r in results),
    }


def _usage(results: Results) -> dict[str, Any]:
    answers = [r["answer"] or {} for r in results]
    used = [answer.get("usage") or {} for answer in answers]
    return {
        **{
            name: _total([u.get(name) for u in used])
            for name in ("prompt_tokens", "completion_tokens", "cost_usd")
        },
        "seconds": _total([answer.get("seconds") for answer in answers]),
        "seconds_measuring": _total([r.get("seconds") for r in results]),
        "asked_again": sum(
            max(0, (answer.get("asked") or 1) - (r.get("turns") or 1))
            for r, answer in zip(results, answers, strict=True)
        ),
        "turns": sum(r.get("turns") or 0 for r in results),
        "statements": sum(r.get("statements") or 0 for r in results),
    }


def _total(values: Sequence[float | None]) -> float | None:
    """Return the sum, or None where one is unknown: half a bill is no bill."""
    known = [value for value in values if value is not None]
    return round(sum(known), 6) if known and len(known) == len(values) else None


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 6) if values else None


def _row(result: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "instance_id": result["instance_id"],
        "attempt": result["attempt"],
        "verdict": result["verdict"],
        "right": result.get("right"),
        "collateral": result["components"].get("collateral", {}).get("reason", ""),
        "cheating": tampering(result),
        "partial": result["partial"],
        "scores": dict(result["scores"]),
        "upper": result["upper"],
        "coverage": result["coverage"],
        "turns": result.get("turns"),
        "statements": result.get("statements"),
        "states": {name: part["state"] for name, part in result["components"].items()},
        "task": dict(result["task"]),
    }


# ---- Markdown


def summary_markdown(report: Mapping[str, Any]) -> str:
    """Return the report for people."""
    return "\n".join([*_head(report), *_components(report), *_instances(report), ""])


def _head(report: Mapping[str, Any]) -> Iterator[str]:
    numbers = report["summary"]
    yield f"# {report['model']}"
    yield ""
    if report["simulated"]:
        yield "**Simulated: the org was not real, so this is not a result.**"
        yield ""
    yield from _strict_lines(numbers)
    low, high = numbers["resolved_interval"]
    yield (
        f"{numbers['resolved']} of {numbers['instances']} resolved "
        f"({percent(numbers['resolved_rate'])}, 95 % interval {percent(low)} to {percent(high)}); "
        f"score {percent(numbers['lower'])} to {percent(numbers['upper'])}, "
        f"coverage {percent(numbers['coverage'])}."
    )
    verdicts = ", ".join(f"{count} {name}" for name, count in numbers["verdicts"].items())
    yield f"Verdicts: {verdicts}; {numbers['partial']} partial, {numbers['errors']} broken around."
    rates = [f"{k} {percent(v)}" for k, v in numbers.items() if k[:5] in ("pass@", "pass^")]
    if len(rates) > 1:
        yield "Attempts: " + ", ".join(rates) + "; intervals are over tasks."
    yield f"{power(numbers['tasks'], numbers['tells_apart'])}."
    yield from _taken(report)
    yield (
        f"Backend {report['backend']}, provider {report['provider']}, "
        f"functional {'on' if report['functional'] else 'off: the ceiling is 50 %'}."
    )
    yield from _run_line(report)
    for row in report["results"]:
        if row["cheating"]:
            yield f"Attempt at cheating in {row['instance_id']}: {row['cheating']}"
    for bad in report["invalid_tasks"]:
        yield f"Invalid task {bad['task']}: {'; '.join(bad['reasons'])}"
    yield ""


def power(tasks: int, difference: float) -> str:
    """Return which difference of two models' rates so many tasks tell apart, in words."""
    many = "1 task is" if tasks == 1 else f"{tasks} tasks are"
    if difference > _ALL_APART:
        return f"{many} too few to tell two models apart"
    points = f"{100 * difference:.0f} points"
    return f"{many} enough to tell rates apart that differ by {points} (80 % power, p < 0.05)"


def _taken(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the answers took, and how many of them are not whole."""
    numbers, usage = report["summary"], report["usage"]
    again = usage["asked_again"]
    asked = f" {again} times a cut answer was asked for again." if again else ""
    cut, count = numbers["truncated"], numbers["instances"]
    yield f"{cut} of {count} answers were cut at the token limit.{asked}"
    yield f"Tokens: {usage_words(usage)}."
    if usage["turns"]:
        yield f"{turns_words(usage)}."


def turns_words(usage: Mapping[str, Any]) -> str:
    """Return how many turns answers took, and how many statements they sent."""
    turns, statements = usage["turns"], usage["statements"]
    them = f"{turns} turn{'' if turns == 1 else 's'}"
    return f"{them}, {statements} statement{'' if statements == 1 else 's'} sent to accounts"


def sealed_words(sealed: int) -> str:
    """Return that a run used sealed tasks: whoever has seen them learns nothing new from them."""
    tasks = "1 sealed task was" if sealed == 1 else f"{sealed} sealed tasks were"
    return (
        f"{tasks} used in this run. They measure only models and libraries that were not tuned "
        "on them, so tell everybody who reads these results how often they have been run."
    )


def usage_words(usage: Mapping[str, Any]) -> str:
    """Return tokens, cost and time; what nobody says is unknown."""
    told, made, cost = (usage[n] for n in ("prompt_tokens", "completion_tokens", "cost_usd"))
    if told is None and made is None:
        tokens = "unknown"
    else:
        price = "cost unknown" if cost is None else f"{cost:g} USD"
        tokens = f"{told} in, {made} out, {price}"
    spent = usage.get("seconds")
    return tokens if spent is None else f"{tokens}, {spent:.0f} s of answering"


def _run_line(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield when and with what a run was made, as far as it is known."""
    if report.get("contained") is False:
        yield "Answers' code ran on this machine as it is: it was not contained."
    if "evaluation_id" not in report:
        return
    if report.get("sealed"):
        yield sealed_words(report["sealed"])
    sampling = report.get("sampling") or {}
    how = ", ".join(f"{name} {value}" for name, value in sampling.items())
    yield (
        f"Run {report['evaluation_id']} of {report['began']}, set {report['task_set']} "
        f"({report['tasks'][:19]}…), version {report['version']}, "
        f"endpoint {report['endpoint'] or 'none'}, {how or 'sampling left to the endpoint'}."
    )


def _strict_lines(numbers: Mapping[str, Any]) -> Iterator[str]:
    """Yield the strict rate, which leads: right is what does all and nothing else."""
    low, high = numbers["right_interval"]
    untold = numbers["instances"] - numbers["right_told"]
    yield (
        f"**{numbers['right']} of {numbers['right_told']} right "
        f"({percent(numbers['right_rate'])}, 95 % interval {percent(low)} to {percent(high)}): "
        "everything asked for holds, and nothing else changed.**"
    )
    if untold:
        yield f"Of {untold} more nobody can tell, because not everything could be measured."
    yield ""


def _components(report: Mapping[str, Any]) -> Iterator[str]:
    yield "| Component | Weight | Measured | Mean | States |"
    yield "|---|---|---|---|---|"
    for name, part in report["components"].items():
        states = ", ".join(f"{count} {state}" for state, count in part["states"].items())
        yield (
            f"| {name} | {part['weight']} % | {part['measured']} | {percent(part['mean'])} "
            f"| {states} |"
        )
    yield ""


def _instances(report: Mapping[str, Any]) -> Iterator[str]:
    names = list(WEIGHTS)
    yield "| Task | Verdict | Score | " + " | ".join(names) + " |"
    yield "|---|---|---|" + "---|" * len(names)
    for row in report["results"]:
        cells = " | ".join(component_cell(row["states"][n], row["scores"][n]) for n in names)
        attempt = f" #{row['attempt']}" if row["attempt"] > 1 else ""
        yield (f"| {row['instance_id']}{attempt} | {row['verdict']} | {bounds(row)} | {cells} |")


def bounds(row: Mapping[str, Any]) -> str:
    """Return the score, or its bounds where not everything was measured."""
    low, high = row["scores"]["total"], row["upper"]
    return percent(low) if low == high else f"{percent(low)} to {percent(high)}"


def component_cell(state: str, score: float | None) -> str:
    """Return a component's cell: a number where it was measured, else why not."""
    return SIGNS[state] if score is None else percent(score)


def percent(value: float | None) -> str:
    """Return a share in percent; unknown is a dash."""
    return "–" if value is None else f"{100 * value:.4g} %"
