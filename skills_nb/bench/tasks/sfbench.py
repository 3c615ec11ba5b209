"""SF-Bench's task files: a JSON list of Salesforce tasks, made into tasks that can be measured.

Room: work (bench). A command in a task is never run as it stands: it is read for what it tests,
and the executor builds its own. What a file asks for in words that only a person can check, a
base that is not a commit, and a command that is not understood make a task invalid, with the
reason.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from skills_nb.bench.tasks.fields import Fields
from skills_nb.bench.tasks.task_values import (
    InvalidTask,
    Mutant,
    Outcome,
    RepositoryTask,
    Task,
    TaskType,
)

LOCAL_TESTS = "*"
"""In place of test classes: all tests of the project."""
_TYPES: Mapping[str, TaskType] = {
    "APEX": TaskType.APEX,
    "INTEGRATION": TaskType.APEX,
    "LWC": TaskType.LWC,
    "FLOW": TaskType.FLOW,
    "ARCHITECTURE": TaskType.ARCHITECTURE,
    "LIGHTNING_PAGE": TaskType.ARCHITECTURE,
    "PAGE_LAYOUT": TaskType.ARCHITECTURE,
    "COMMUNITY": TaskType.ARCHITECTURE,
    "DEPLOY": TaskType.ARCHITECTURE,
}
_LEVELS = {"easy": 1, "medium": 2, "hard": 3, "expert": 3}
_SHA = re.compile(r"[0-9a-f]{40}\Z")
_WORDED = (
    "test_scenarios",
    "ui_test_required",
    "mobile_test_required",
    "requires_site_publish",
    "security_test_required",
)
"""Parts of a functional validation that say in words what a person would look at."""


def repository_task(entry: Mapping[str, Any], place: str, folder: Path) -> Task | InvalidTask:
    """Return the task of an entry, or why it is invalid."""
    fields = Fields(entry, folder=folder)
    name = fields.need_id("instance_id")
    task = Task(
        id=name,
        type=_type(fields),
        prompt=fields.need("problem_description"),
        body=_body(fields),
        title=fields.get("title", str, ""),
        domain=str(fields.get("metadata", dict, {}).get("category", "")),
        level=_LEVELS.get(str(fields.get("metadata", dict, {}).get("difficulty")), 2),
        time_limit_s=_total_s(fields),
    )
    fields.refuse_unknown()
    return InvalidTask(name or place, tuple(fields.reasons)) if fields.reasons else task


def _type(fields: Fields) -> TaskType:
    said = fields.need("task_type").upper()
    if said and said not in _TYPES:
        fields.note("task_type", f"'{said}' is not one of {', '.join(_TYPES)}, SNOWFLAKE")
    return _TYPES.get(said, TaskType.APEX)


def _total_s(fields: Fields) -> int:
    limits = fields.get("timeouts", dict, {})
    odd = {k: v for k, v in limits.items() if not isinstance(v, int) or v <= 0}
    for name, value in odd.items():
        fields.note(f"timeouts.{name}", f"'{value}' is not a positive number of seconds")
    return sum(v for v in limits.values() if isinstance(v, int)) or 1200


def _body(fields: Fields) -> RepositoryTask:
    commit = fields.need("base_commit")
    if commit and not _SHA.match(commit):
        fields.note("base_commit", f"'{commit}' is not a full commit SHA: it can move")
    measured = _validation(fields)
    functional = _functional(fields)
    limits = fields.get("timeouts", dict, {})
    return RepositoryTask(
        repo_url=fields.need_address("repo_url"),
        base_commit=commit,
        hidden_files=_named_texts(fields, "hidden_files"),
        protected=fields.texts("protected"),
        gold=fields.get("gold_patch", str, ""),
        mutants=tuple(Mutant(k, v) for k, v in _named_texts(fields, "mutant_patches").items()),
        jest_tests=functional.pop("jest_tests", ()),
        setup_timeout_s=_seconds(limits, "setup", 600),
        run_timeout_s=_seconds(limits, "run", 300),
        functional_timeout_s=_seconds(limits, "functional_test", 300),
        **measured,
        **functional,
    )


def _seconds(limits: Mapping[str, Any], name: str, default: int) -> int:
    found = limits.get(name, default)
    return found if isinstance(found, int) and found > 0 else default


def _named_texts(fields: Fields, name: str) -> Mapping[str, str]:
    found = fields.get(name, dict, {})
    for key, value in found.items():
        if not isinstance(value, str):
            fields.note(f"{name}.{key}", "is not a text")
    return {str(k): v for k, v in found.items() if isinstance(v, str)}


# ---- validation: what the command tests


def _validation(fields: Fields) -> dict[str, Any]:
    inner = fields.inner("validation", fields.get("validation", dict, {}))
    command = inner.need("command")
    inner.get("expected_outcome", str, "")
    inner.texts("code_checks")
    inner.refuse_unknown()
    source_dirs = fields.texts("source_dirs")
    try:
        words = shlex.split(command)
    except ValueError as problem:
        inner.note("command", f"cannot be read: {problem}")
        return {}
    found = _tested(words)
    if found is None and command:
        inner.note("command", f"'{command}' is not understood")
    return {**(found or {}), **({"source_dirs": source_dirs} if source_dirs else {})}


def _tested(words: Sequence[str]) -> dict[str, Any] | None:
    """Return what a command tests, or None where that is not understood."""
    if words[:4] == ["sf", "apex", "run", "test"]:
        return _apex(words[4:])
    if words[:4] == ["sf", "project", "deploy", "start"]:
        found = _values(words[4:], "--source-dir", "-d")
        return {"source_dirs": found} if found else {}
    if words[:1] == ["npm"] and any(word.startswith("test") for word in words[1:3]):
        return {"jest_paths": _jest_paths(words)}
    return None


def _apex(words: Sequence[str]) -> dict[str, Any] | None:
    named = _values(words, "--class-names", "-n") + _values(words, "--tests", "-t")
    if named:
        return {"apex_tests": named}
    level = _values(words, "--test-level", "-l")
    return {"apex_tests": (LOCAL_TESTS,)} if level == ("RunLocalTests",) else None


def _values(words: Sequence[str], *flags: str) -> tuple[str, ...]:
    """Return the values of an option, given as one word or two, separated by commas or not."""
    found: list[str] = []
    for number, word in enumerate(words):
        flag, is_joined, value = word.partition("=")
        if flag in flags and is_joined:
            found += value.split(",")
        elif flag in flags and number + 1 < len(words):
            found += words[number + 1].split(",")
    return tuple(value for value in found if value)


def _jest_paths(words: Sequence[str]) -> tuple[str, ...]:
    after = words[words.index("--") + 1 :] if "--" in words else ()
    named = _values(after, "--testPathPattern", "--testPathPatterns")
    return named or tuple(word for word in after if not word.startswith("-"))


# ---- functional validation


def _functional(fields: Fields) -> dict[str, Any]:
    scripts = _named_texts(fields, "test_scripts")
    said = fields.get("functional_validation", dict, {})
    if not said:
        return {}
    inner = fields.inner("functional_validation", said)
    inner.get("description", str, "")
    inner.get("flow_name", str, "")
    for name in _WORDED:
        inner.asked.add(name)
        if said.get(name):
            inner.note(name, "can only be checked by a person")
    found = {
        "outcomes": (*_main_outcome(inner, scripts), *_listed(inner), *_negative(inner, scripts)),
        "bulk_script": _script(inner, "bulk_test_script", scripts),
        "jest_tests": inner.texts("jest_tests_required"),
    }
    inner.asked.add("expected_jest_coverage")
    inner.refuse_unknown()
    return found


def _script(fields: Fields, name: str, scripts: Mapping[str, str]) -> str:
    """Return the text of a script that a field names by its path."""
    said = fields.get(name, str, "")
    if not said:
        return ""
    text = scripts.get(said, scripts.get(PurePosixPath(said).name, ""))
    if not text:
        fields.note(name, f"'{said}' is not among test_scripts")
    return text


def _main_outcome(fields: Fields, scripts: Mapping[str, str]) -> tuple[Outcome, ...]:
    names = ("test_data_script", "trigger_test_script", "controller_test_script")
    script = "\n".join(filter(None, (_script(fields, name, scripts) for name in names)))
    query = fields.get("verification_query", str, "")
    expected = fields.inner("expected_values", fields.get("expected_values", dict, {}))
    if not script and not query:
        return ()
    return (Outcome("main", script, query, *_wanted(expected)),)


def _listed(fields: Fields) -> list[Outcome]:
    found = []
    for inner in fields.mappings("outcome_verifications"):
        expected = inner.inner("expected", inner.get("expected", dict, {}))
        found.append(Outcome(inner.need("name"), "", inner.need("query"), *_wanted(expected)))
        inner.refuse_unknown()
    return found


def _wanted(fields: Fields) -> tuple[str, Mapping[str, Any]]:
    """Return the number of records and the fields' values that are wanted."""
    fields.asked |= {"record_count", "results_count", "field_value"}
    count = fields.values.get("record_count", fields.values.get("results_count", ""))
    said = fields.values.get("field_value") or []
    wanted: dict[str, Any] = {}
    for pair in [said] if isinstance(said, Mapping) else said:
        if isinstance(pair, Mapping) and {"field", "value"} <= pair.keys():
            wanted[str(pair["field"])] = pair["value"]
        else:
            fields.note("field_value", f"'{pair}' has no field and value")
    fields.refuse_unknown()
    return str(count), wanted


def _negative(fields: Fields, scripts: Mapping[str, str]) -> tuple[Outcome, ...]:
    """Return what must stay right: a script that may not fail, and a query where one is given."""
    plain = _script(fields, "negative_test_script", scripts)
    inner = fields.inner("negative_test", fields.get("negative_test", dict, {}))
    script = _script(inner, "script", scripts) or plain
    inner.get("description", str, "")
    inner.get("expected_outcome", str, "")
    query = inner.get("verification_query", str, "")
    expected = inner.inner("expected_values", inner.get("expected_values", dict, {}))
    inner.refuse_unknown()
    if not script:
        return ()
    return (Outcome("negative", script, query, *_wanted(expected), is_negative=True),)
