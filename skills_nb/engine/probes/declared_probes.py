"""Declared probes: their queries, and what their results mean.

Room: laws. Spec: Agent Traversal > gather, probe, execute; Cross-account probes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skills_nb.engine.error_diagnosis import error_in_one_line
from skills_nb.engine.probes.refusals import (
    finds_nothing,
    missing_column_in_words,
    names_nothing,
    refusal_in_words,
)
from skills_nb.errors import UsageError
from skills_nb.model.effects import EVERY_ROLE
from skills_nb.model.events import ProbesExecuted
from skills_nb.model.skills import Playbook, ProbeCheck, ProbeSpec
from skills_nb.model.state import Fact
from skills_nb.sql.classify import why_no_probe
from skills_nb.sql.conditions import evaluate
from skills_nb.sql.identifiers import resolve
from skills_nb.sql.templates import fill_role, message, render

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


def queries_of(playbook: Playbook, names: Mapping[str, Any]) -> dict[str, str]:
    """Return the queries of a playbook's probes by their ids, with the inputs in place.

    Raises:
        UsageError: one cannot be filled in, or is not provably a read with these inputs.
    """
    queries = {probe.id: query_of(probe, names) for probe in playbook.probes}
    for probe_id, query in queries.items():
        if (why := why_no_probe(query)) is not None:
            raise UsageError(
                f"probe '{probe_id}' is not provably a read: it {why}",
                hint="Nothing was sent. Correct the probe, or its inputs.",
            )
    return queries


def roles_of(playbook: Playbook, names: Mapping[str, Any]) -> dict[str, str | None]:
    """Return as whom each probe is asked, by its id; None for the session's role.

    Raises:
        TemplateError: a role's name has a hole that nothing fills.
    """
    return {probe.id: _asker(probe, names) for probe in playbook.probes}


def _asker(probe: ProbeSpec, names: Mapping[str, Any]) -> str | None:
    if probe.every_role:
        return EVERY_ROLE
    return None if probe.role is None else fill_role(probe.role, names)


def names_of(fact: Fact, names: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a probe's conditions and messages may name.

    `count` is the number of rows, `result` the only value; the first row's columns go by name,
    with short names for the context functions; `expected_account` is the input `target_account`.
    """
    known = {**names, "count": fact.row_count, "result": None}
    known["expected_account"] = names.get("target_account")
    rows = fact.rows
    # What no row tells is not known, and a condition on it finds nothing.
    known |= {str(column).lower(): None for column in fact.result.get("columns", ())}
    if rows:
        first = rows[0]
        for column, value in first.items():
            known[column.lower()] = value
            short = _SHORT_NAMES.get(column.upper())
            if short:
                known[short] = value
        if len(first) == 1 and len(rows) == 1:
            known["result"] = next(iter(first.values()))
    return _as_told(known)


def _as_told(known: dict[str, Any]) -> dict[str, Any]:
    """Return the names with the expected account as the account writes itself, in any case."""
    here, expected = known.get("account"), known["expected_account"]
    is_same = isinstance(here, str) and here.casefold() == str(expected).casefold()
    return {**known, "expected_account": here} if is_same else known


def judge_probes(
    playbook: Playbook, found: Mapping[str, Fact], names: Mapping[str, Any], role: str = ""
) -> ProbesExecuted:
    """Return the event that sums the probes up; `role` is the one that asked, by stored name."""
    results: list[dict[str, Any]] = []
    warnings: list[str] = []
    outcomes: set[str] = set()
    is_explained = any(_blocks(probe, found[probe.id], names) for probe in playbook.probes)
    for probe in playbook.probes:
        outcome, messages = _judge(probe, found[probe.id], names, role)
        outcomes.add(outcome)
        if is_explained and _is_vague(found[probe.id]):
            messages = []
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
    told = list(dict.fromkeys(warnings))
    return ProbesExecuted(results=results, warnings=told, blocked="block" in outcomes)


def must_confirm(event: ProbesExecuted) -> bool:
    """Return whether a person must say that it goes on."""
    return any(result.get("outcome") == "confirm" for result in event.results)


def _blocks(probe: ProbeSpec, fact: Fact, names: Mapping[str, Any]) -> bool:
    """Tell whether what a probe found stops the playbook, in the playbook's own words."""
    return fact.error is None and _judge(probe, fact, names, "")[0] == "block"


def _is_vague(fact: Fact) -> bool:
    """Tell whether a probe met what another one puts into words: it names nothing itself."""
    return fact.error is not None and names_nothing(fact.error)


_WEIGHT = {"pass": 0, "warn": 1, "confirm": 2, "block": 3}


def _judge(
    probe: ProbeSpec, fact: Fact, names: Mapping[str, Any], role: str
) -> tuple[str, list[str]]:
    if fact.error is not None:
        if probe.may_be_missing and finds_nothing(fact.error):
            return "pass", []
        told = f"Probe '{probe.id}' could not run: {error_in_one_line(fact.error)}"
        # Several probes meet one refusal, which is then told once.
        who = role if fact.role in (None, EVERY_ROLE) else _stored(fact.role)
        missing = missing_column_in_words(fact.error, probe.id)
        text = refusal_in_words(fact.error, who) or missing or told
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


def _stored(role: str) -> str:
    return resolve(role) if role.startswith('"') else role.upper()


def _holds(check: ProbeCheck, known: Mapping[str, Any]) -> bool:
    # Unknown is not true: a comparison with an input that nobody gave finds nothing.
    return evaluate(check.condition, known) is True
