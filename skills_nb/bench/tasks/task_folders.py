"""Task folders: `task.yaml` with the scripts beside it, one folder per Snowflake task.

Room: work (bench). A folder holds

    task.yaml     what is asked and what must hold
    setup.sql     the account before
    gold.sql      an answer that is right
    noop.sql      optional: an answer that changes something else
    mutants/*.sql answers that look right and are not
    rights/*.sql  answers that are right in another way than gold
    bulk.sql      the scaled fixture

of which `task.yaml` may hold any itself, so that one file can be the whole task. Its fields are

    id, title, domain, level (1-4), prompt, traps, time_limit_s
    set: sealed                           used only where it is asked for by name
    role, database, schema, warehouse     who runs the answer, and where
    turns                                 how many an answer may have; 1 without it. With more the
                                          model is shown what its statements answered, and not
                                          setup.sql: it has to look
    owns: {databases: [], roles: [], warehouses: [], users: []}
    invariants:   [{id, sql, as, points}]
    checks:       [CHECK]     component `tests`
    requirements: [CHECK]     component `functional`; each fails before the answer
    bulk: {rows, setup, count, when: before|after, checks: [CHECK]}
    rights, mutants:                      as `other_answers` reads them

with CHECK = {id, says, as, do, sql, expect, points}. `do` is a list of statements, or of
`{as, sql}`, done first; `expect` has one of `value`, `compare` (">= 3"), `rows`,
`rows_in_any_order`, `row_count`, `matches`, `refused` (an error number, or a pattern). Checks and
requirements run in file order in the sandbox of the answer, each as its role with secondary roles
off. `setup`, `gold`, `noop` and `bulk.setup` name a file or hold their SQL themselves. Gold, right
and wrong answers may hold several turns: a line `-- turn 2` begins the second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from skills_nb.bench.tasks.expectations import KINDS, Expectation, expectation
from skills_nb.bench.tasks.fields import Fields
from skills_nb.bench.tasks.other_answers import rights_and_mutants
from skills_nb.bench.tasks.scripted_turns import scripted_turns
from skills_nb.bench.tasks.task_values import (
    NOOP,
    Bulk,
    InvalidTask,
    Invariant,
    Mutant,
    RightAnswer,
    SnowflakeTask,
    SqlCheck,
    Step,
    Task,
    TaskType,
)
from skills_nb.errors import UsageError

FILE = "task.yaml"
SMALLEST_BULK = 200
LEVELS = frozenset({1, 2, 3, 4})
SEALED = "sealed"
MOST_TURNS = 20
OWNABLE = frozenset({"databases", "roles", "warehouses", "users"})


def read_folder(folder: Path) -> Task | InvalidTask:
    """Return the task of a folder, or why it is invalid."""
    from skills_nb.reading.yaml_data import parse_yaml

    data, problems = parse_yaml((folder / FILE).read_text(encoding="utf-8"), FILE)
    if data is None or problems:
        said = tuple(f"{p.span.path}:{p.span.line}: {p.message}" for p in problems)
        return InvalidTask(folder.name, said or (f"{FILE} is empty",))
    if not isinstance(data.value, Mapping):
        return InvalidTask(folder.name, (f"{FILE} is not a mapping",))
    fields = Fields(data.value, folder=folder)
    task = snowflake_task(fields)
    if task.id and task.id != folder.name:
        fields.note("id", f"'{task.id}' is not the folder's name, '{folder.name}'")
    return InvalidTask(task.id or folder.name, tuple(fields.reasons)) if fields.reasons else task


def snowflake_task(fields: Fields) -> Task:
    """Return a Snowflake task; what is wrong with it is in the fields' reasons."""
    fields.asked.add("type")
    if fields.values.get("type", "snowflake") != "snowflake":
        fields.note("type", f"'{fields.values['type']}': folders hold Snowflake tasks")
    level = fields.get("level", int, 1)
    if level not in LEVELS:
        fields.note("level", f"{level} is not 1, 2, 3 or 4")
    which = fields.get("set", str, "")
    if which not in ("", SEALED):
        fields.note("set", f"'{which}' is not '{SEALED}'")
    limit = fields.get("time_limit_s", int, 120)
    if limit <= 0:
        fields.note("time_limit_s", f"{limit} is not positive")
    task = Task(
        id=fields.need_id("id"),
        type=TaskType.SNOWFLAKE,
        prompt=fields.need("prompt"),
        body=_body(fields),
        title=fields.need("title"),
        domain=fields.get("domain", str, ""),
        level=level,
        traps=fields.texts("traps"),
        time_limit_s=limit,
        is_sealed=which == SEALED,
    )
    fields.refuse_unknown()
    return task


def _body(fields: Fields) -> SnowflakeTask:
    requirements = checks_of(fields, "requirements")
    if not requirements:
        fields.note("requirements", "there must be at least one")
    checks = checks_of(fields, "checks")
    if not checks:
        fields.note("checks", "there must be at least one")
    gold = fields.script("gold", "gold.sql", required=True)
    rights, mutants = rights_and_mutants(fields, gold)
    turns = _turns(fields, [("gold", gold), *rights, *mutants])
    return SnowflakeTask(
        setup=fields.script("setup", "setup.sql", required=True),
        gold=gold,
        requirements=requirements,
        checks=checks,
        invariants=_invariants(fields),
        bulk=bulk_of(fields),
        noop=fields.script("noop", "noop.sql") or NOOP,
        mutants=tuple(Mutant(*found) for found in mutants),
        rights=tuple(RightAnswer(*found) for found in rights),
        allows=fields.texts("allows"),
        role=fields.get("role", str, "ACCOUNTADMIN"),
        database=fields.get("database", str, "") or None,
        schema=fields.get("schema", str, "") or None,
        warehouse=fields.get("warehouse", str, "COMPUTE_WH"),
        owns=_owns(fields),
        turns=turns,
    )


def _turns(fields: Fields, answers: Sequence[tuple[str, str]]) -> int:
    turns = fields.get("turns", int, 1)
    if not 1 <= turns <= MOST_TURNS:
        fields.note("turns", f"{turns} is not between 1 and {MOST_TURNS}")
    for name, script in answers:
        if len(scripted_turns(script)) > turns:
            fields.note("turns", f"'{name}' has {len(scripted_turns(script))}, more than {turns}")
    return turns


# ---- parts


def checks_of(fields: Fields, name: str) -> tuple[SqlCheck, ...]:
    """Return the checks of a list; what is wrong with them is in the fields' reasons."""
    found = [_check(inner) for inner in fields.mappings(name)]
    ids = [check.id for check in found]
    for twice in sorted({i for i in ids if i and ids.count(i) > 1}):
        fields.note(name, f"'{twice}' appears twice")
    return tuple(found)


def _check(fields: Fields) -> SqlCheck:
    role = fields.get("as", str, "ACCOUNTADMIN")
    made = SqlCheck(
        id=fields.need("id"),
        says=fields.need("says"),
        sql=fields.need("sql"),
        expect=_expect(fields),
        role=role,
        do=_steps(fields, role),
        points=_points(fields),
    )
    fields.refuse_unknown()
    return made


def _points(fields: Fields) -> int:
    points = fields.get("points", int, 1)
    if points < 1:
        fields.note("points", f"{points} is not positive")
        return 1
    return points


def _steps(fields: Fields, role: str) -> tuple[Step, ...]:
    fields.asked.add("do")
    said = fields.values.get("do") or []
    steps = []
    for number, item in enumerate([said] if isinstance(said, str | Mapping) else said):
        if isinstance(item, str):
            steps.append(Step(item, role))
        elif isinstance(item, Mapping):
            inner = fields.inner(f"do[{number}]", item)
            steps.append(Step(inner.need("sql"), inner.get("as", str, role)))
            inner.refuse_unknown()
        else:
            fields.note(f"do[{number}]", f"'{item}' is neither a statement nor {{as, sql}}")
    return tuple(steps)


def _expect(fields: Fields) -> Expectation:
    said = fields.get("expect", dict, {})
    kinds = [kind for kind in KINDS if kind in said]
    if len(kinds) != 1 or len(said) != 1:
        fields.note("expect", "needs exactly one of " + ", ".join(KINDS))
        return Expectation("value", None)
    try:
        return expectation(kinds[0], said[kinds[0]])  # type: ignore[arg-type]
    except UsageError as problem:
        fields.note("expect", problem.message)
        return Expectation("value", None)


def _invariants(fields: Fields) -> tuple[Invariant, ...]:
    found = []
    for inner in fields.mappings("invariants"):
        role = inner.get("as", str, "ACCOUNTADMIN")
        found.append(Invariant(inner.need("id"), inner.need("sql"), role, _points(inner)))
        inner.refuse_unknown()
    return tuple(found)


def bulk_of(fields: Fields) -> Bulk | None:
    """Return the scaled fixture; what is wrong with it is in the fields' reasons."""
    said = fields.get("bulk", dict, {})
    if not said:
        fields.note("bulk", "is missing")
        return None
    inner = fields.inner("bulk", said)
    rows = inner.get("rows", int, 10_000)
    if rows < SMALLEST_BULK:
        inner.note("rows", f"{rows} is less than {SMALLEST_BULK}")
    when = inner.get("when", str, "before")
    if when not in ("before", "after"):
        inner.note("when", f"'{when}' is neither before nor after")
    checks = checks_of(inner, "checks")
    if not checks:
        inner.note("checks", "there must be at least one")
    made = Bulk(
        rows,
        inner.script("setup", "bulk.sql", required=True),
        inner.need("count"),
        checks,
        is_before=when == "before",
    )
    inner.refuse_unknown()
    return made


def _owns(fields: Fields) -> Mapping[str, tuple[str, ...]]:
    said: dict[str, Any] = fields.get("owns", dict, {})
    inner = fields.inner("owns", said)
    for kind in said.keys() - OWNABLE:
        inner.note(kind, "is not one of " + ", ".join(sorted(OWNABLE)))
    return {kind: inner.texts(kind) for kind in sorted(said.keys() & OWNABLE)}
