"""Declared probes: their queries, and what their results mean.

Room: laws. Spec: Agent Traversal > gather, probe, execute; Cross-account probes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skills_nb.engine.recovery import described
from skills_nb.model.events import ProbesExecuted
from skills_nb.model.skills import Playbook, ProbeCheck, ProbeSpec
from skills_nb.model.state import Fact
from skills_nb.sql.conditions import evaluate
from skills_nb.sql.templates import message, render

_SHORT_NAMES = {
    "CURRENT_ACCOUNT()": "account",
    "CURRENT_ACCOUNT_NAME()": "account_name",
    "CURRENT_ROLE()": "role",
    "CURRENT_USER()": "user",
    "CURRENT_WAREHOUSE()": "warehouse",
    "CURRENT_DATABASE()": "database",
    "CURRENT_SCHEMA()": "schema",
    "CURRENT_REGION()": "region",
    "CURRENT_VERSION()": "version",
}


def query_of(probe: ProbeSpec, names: Mapping[str, Any]) -> str:
    """Return the probe's query with the inputs in place."""
    return render(probe.query, names).strip().rstrip(";")


def names_of(fact: Fact, names: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a probe's conditions and messages may name.

    `count` is the number of rows, `result` the only value; the first row's columns go by name,
    with short names for the context functions; `expected_account` is the input `target_account`.
    """
    known = {**names, "count": fact.row_count, "result": None}
    known["expected_account"] = names.get("target_account")
    rows = fact.rows
    if rows:
        first = rows[0]
        for column, value in first.items():
            known[column.lower()] = value
            short = _SHORT_NAMES.get(column.upper())
            if short:
                known[short] = value
        if len(first) == 1 and len(rows) == 1:
            known["result"] = next(iter(first.values()))
    return known


def judged(
    playbook: Playbook, found: Mapping[str, Fact], names: Mapping[str, Any]
) -> ProbesExecuted:
    """Return the event that sums the probes up."""
    results: list[dict[str, Any]] = []
    warnings: list[str] = []
    outcomes: set[str] = set()
    for probe in playbook.probes:
        outcome, messages = _judge(probe, found[probe.id], names)
        outcomes.add(outcome)
        if outcome != "pass":
            warnings.extend(messages)
        results.append(
            {
                "id": probe.id,
                "outcome": outcome,
                "message": " ".join(messages),
                "row_count": found[probe.id].row_count,
            }
        )
    return ProbesExecuted(results=results, warnings=warnings, blocked="block" in outcomes)


def must_confirm(event: ProbesExecuted) -> bool:
    """Return whether a person must say that it goes on."""
    return any(result.get("outcome") == "confirm" for result in event.results)


_WEIGHT = {"pass": 0, "warn": 1, "confirm": 2, "block": 3}


def _judge(probe: ProbeSpec, fact: Fact, names: Mapping[str, Any]) -> tuple[str, list[str]]:
    if fact.error is not None:
        text = f"Probe '{probe.id}' could not run: {described(fact.error)}"
        return ("block" if probe.required else "warn"), [text]
    known = names_of(fact, names)
    worst, messages = "pass", []
    for check in probe.validate:
        if not _holds(check, known):
            continue
        if _WEIGHT[check.action] >= _WEIGHT[worst]:
            worst = check.action
        if check.message:
            messages.append(message(check.message, known))
    return worst, messages


def _holds(check: ProbeCheck, known: Mapping[str, Any]) -> bool:
    # Unknown is not true: a comparison with an input that nobody gave finds nothing.
    return evaluate(check.condition, known) is True
