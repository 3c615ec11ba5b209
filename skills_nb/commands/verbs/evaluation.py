"""The verb `eval`: a run, its reports, the gate, and the comparison of two runs.

Room: commands. Progress goes to standard error as it happens; the answer is the report.
Source: FORMATS, One grammar (`eval`).
"""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skills_nb.commands.reply import DONE, FAILED, Reply
from skills_nb.commands.verbs.asked_models import LIBRARY_MODEL, asked_model
from skills_nb.errors import UsageError
from skills_nb.visible import visible_page

if TYPE_CHECKING:
    from skills_nb.bench.pipeline import FinishedRun
    from skills_nb.bench.run_setting import RunSetting
    from skills_nb.bench.tasks import Task, TaskSet
    from skills_nb.commands.app_context import AppContext


def evaluation(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    """Do what the words ask for.

    Raises:
        UsageError: something is missing, or preflight found that the run cannot begin.
    """
    if words.compare:
        return _compared(*words.compare)
    if words.self_check:
        return _self_check(words)
    if words.pin:
        return _pinned(words)
    if words.report_only:
        return _reported(words)
    return _run(app, words)


def _say(line: str) -> None:
    # A notebook shows in red what goes to standard error, as if something were wrong.
    is_notebook = type(sys.stdout).__module__.startswith("ipykernel")
    stream = sys.stdout if is_notebook else sys.stderr
    stream.write(f"{visible_page(line)}\n")
    stream.flush()


# ---- a run


def _run(app: AppContext, words: Namespace) -> Reply:
    tasks = _tasks(words)
    evaluation_id = _evaluation_id(app)
    output = Path(words.output) if words.output else Path("results") / evaluation_id
    if words.resume and not words.output:
        raise UsageError("--resume needs the run's directory", hint="--output results/run-…")
    if words.skills == "both":
        return _paired(app, words, tasks, output)
    done = _evaluated(app, words, tasks, output, is_told=words.skills == "on")
    return _reply(done.report, done.results, output, done.left)


def _paired(app: AppContext, words: Namespace, tasks: TaskSet, output: Path) -> Reply:
    """Ask everything without the library's pages and with them, and set one against the other."""
    without, told = output / "without", output / "with"
    left = 0
    for place in (without, told):
        _say(f"Skills {'on' if place is told else 'off'}: {place}")
        left += _evaluated(app, words, tasks, place, is_told=place is told).left
    if left:
        _say(f"{left} could not be measured; the same line goes on: --output {output}")
    reply = _compared(str(without), str(told))
    return replace(reply, status=FAILED if left else DONE)


def _tasks(words: Namespace) -> TaskSet:
    from skills_nb.bench.tasks import load_tasks

    if words.tasks is None:
        raise UsageError("--tasks is needed", hint="eval --model gpt-4 --tasks verified")
    tasks = load_tasks(words.tasks)
    return tasks.only(words.only) if words.only else tasks


def _evaluation_id(app: AppContext) -> str:
    now = app.wiring.clock.now()[:19]
    return "run-" + "".join(c for c in now if c.isdigit() or c == "T").replace("T", "-")


def _evaluated(
    app: AppContext, words: Namespace, tasks: TaskSet, output: Path, *, is_told: bool
) -> FinishedRun:
    from skills_nb.bench.pipeline import Options, evaluate

    model, evaluation_id = _model(words, tasks), _evaluation_id(app)
    asked = asked_model(app, words, model, output)
    options = Options(
        model=model,
        tasks=tasks,
        generator=asked.generator,
        output=output,
        evaluation_id=evaluation_id,
        setting=_setting(app, words, tasks, output, evaluation_id, is_told=is_told),
        clock=app.wiring.clock,
        attempts=_positive(words.attempts, "--attempts"),
        # Two sandboxes of one real account would meet each other's names.
        workers=1 if words.connection else _workers(words),
        executor=_cluster(words),
        is_resume_required=words.resume,
        knowledge=_knowledge(app) if is_told else _nothing,
        tell=_say,
        sampling=asked.sampling,
        endpoint=asked.endpoint,
        prices=asked.prices,
    )
    return evaluate(options)


def _model(words: Namespace, tasks: TaskSet) -> str:
    from skills_nb.bench.run_setting import OWN

    if words.model:
        return str(words.model)
    if all(task.type in OWN for task in tasks.tasks):
        return LIBRARY_MODEL
    if words.provider in ("gold", "empty"):
        return str(words.provider)
    raise UsageError("--model is needed", hint="eval --model gpt-4 --tasks verified")


def _positive(number: int, flag: str) -> int:
    if number < 1:
        raise UsageError(f"{flag} {number} is not positive")
    return number


def _workers(words: Namespace) -> int:
    asked = words.workers if words.workers is not None else min(os.cpu_count() or 1, 8)
    return _positive(asked, "--workers")


def _cluster(words: Namespace) -> Executor | None:
    """Return the workers of a cluster, where one is named; it has to have this package."""
    if not words.scheduler:
        return None
    try:
        from distributed import Client  # type: ignore[import-not-found, unused-ignore]
    except ImportError as problem:
        raise UsageError(
            "--scheduler needs Dask", hint='pip install "skills-nb[eval-dask]"'
        ) from problem
    executor: Executor = Client(words.scheduler).get_executor()  # type: ignore[no-untyped-call, unused-ignore]
    return executor


def _setting(
    app: AppContext,
    words: Namespace,
    tasks: TaskSet,
    output: Path,
    evaluation_id: str,
    *,
    is_told: bool,
) -> RunSetting:
    from skills_nb.bench.run_setting import RunSetting

    chosen = app.wiring.chosen
    return RunSetting(
        functional=words.functional,
        snowflake=_snowflake(words),
        connection=words.connection or "",
        salesforce=_salesforce(words),
        folder=str(output.resolve()),
        tasks_root=str(tasks.root.resolve()),
        target_org=words.target_org or "",
        dev_hub=words.dev_hub or "",
        evaluation_id=evaluation_id,
        library=str(app.wiring.library_folder),
        overlay=str(chosen.overlay) if chosen.overlay else "",
        skills=is_told,
        is_uncontained=words.uncontained,
    )


def _snowflake(words: Namespace) -> str:
    """Return where SQL runs: on a real account only where one is named."""
    if (words.backend == "snowflake") != bool(words.connection):
        raise UsageError(
            "a real account needs --backend snowflake and --connection NAME",
            hint="NAME is one of connections.toml",
        )
    return "snowflake" if words.connection else "embedded"


def _salesforce(words: Namespace) -> str:
    """Return where Salesforce tasks are deployed: in an org that was named, else nowhere."""
    from skills_nb.bench.salesforce.readiness import is_simulated

    named = words.target_org or words.dev_hub
    if words.backend == "org" and not named:
        raise UsageError("--backend org needs an org", hint="--dev-hub ALIAS or --target-org ALIAS")
    if not named or words.backend == "offline":
        return "offline"
    return "simulated" if is_simulated(named) else "org"


def _nothing(task: Task) -> str:
    return ""


def _knowledge(app: AppContext) -> Callable[[Task], str]:
    """Return what tells a model the pages of the library that its task leads to."""

    def told(task: Task) -> str:
        from skills_nb.routing import resolve
        from skills_nb.views import render_text, skill_page

        library = app.wiring.library
        found = []
        for target in resolve(task.prompt, library).targets:
            kind, _, name = (target or "").partition("/")
            shelf: Any = {"primitives": library.primitives, "playbooks": library.playbooks}
            if name in shelf.get(kind, {}):
                found.append(render_text(skill_page(shelf[kind][name])))
        return "Use what these pages say:\n\n" + "\n\n".join(found) if found else ""

    return told


def _reply(
    report: dict[str, Any],
    results: list[dict[str, Any]],
    output: Path,
    left: int = 0,
) -> Reply:
    from skills_nb.bench.reports.summary import summary_markdown
    from skills_nb.views import evaluation_report

    if left:
        _say(f"{left} could not be measured; the same line goes on: --output {output}")
    # When it was stands in the files; what is shown is the same on every day.
    shown = {name: value for name, value in report.items() if name != "evaluation_id"}
    told = visible_page(summary_markdown(shown))
    view = evaluation_report(shown, results, told, str(output))
    return Reply(view, report, status=FAILED if left else DONE)


# ---- reports of what is there


def _reported(words: Namespace) -> Reply:
    """Write a finished run's reports again from its results."""
    from skills_nb.bench.pipeline.run_record import MANIFEST
    from skills_nb.bench.reports.report_files import read_results, write_reports

    if not words.output:
        raise UsageError("--report-only needs the run's directory", hint="--output results/run-…")
    folder = Path(words.output)
    results = read_results(folder)
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        identity = {**manifest["identity"], **manifest.get("about", {})}
    except (OSError, ValueError, KeyError) as problem:
        raise UsageError(f"{folder / MANIFEST} cannot be read: {problem!r}") from problem
    invalid = _kept_invalid(folder)
    report, _ = write_reports(folder, identity, results, invalid)
    return _reply(report, results, folder)


def _kept_invalid(folder: Path) -> list[dict[str, Any]]:
    path = folder / "report.json"
    if not path.is_file():
        return []
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["invalid_tasks"]
    return found


def _compared(first: str, second: str) -> Reply:
    """Compare two runs task by task.

    Raises:
        UsageError: what they measured is not the same.
    """
    from skills_nb.bench.reports.report_files import read_results
    from skills_nb.bench.reports.run_comparison import comparison_text
    from skills_nb.bench.reports.run_differences import differences
    from skills_nb.bench.reports.statistics import comparison
    from skills_nb.views import message

    beside = differences(Path(first), Path(second))
    found = comparison(read_results(Path(first)), read_results(Path(second)))
    found["differ_in"] = list(beside)
    return Reply(message(comparison_text(found, first, second)), found)


# ---- pinning


def _pinned(words: Namespace) -> Reply:
    """Write a file of tasks with its commits, and say what each task lacks.

    Raises:
        UsageError: no file of tasks is named, or the new one is there already.
    """
    from skills_nb.bench.journal import write_whole
    from skills_nb.bench.salesforce.pinning import pin_file
    from skills_nb.views import rows_table

    source, target = Path(words.tasks or ""), Path(words.pin)
    if not words.tasks or not source.is_file():
        raise UsageError("--pin needs a file of tasks", hint="eval --tasks tasks.json --pin FILE")
    if target.exists():
        raise UsageError(f"{target} is there already", hint="name a file that is not there yet")
    found = pin_file(source)
    text = json.dumps([entry.document for entry in found], ensure_ascii=False, indent=2) + "\n"
    write_whole(target, text.encode())
    columns = ("task", "usable", "was", "base_commit", "lacks")
    shown = [
        (e.name, "yes" if e.is_usable else "NO", e.said, e.commit[:12], "; ".join(e.lacks))
        for e in found
    ]
    document = [dict(zip(columns, row, strict=True)) for row in shown]
    return Reply(
        rows_table(columns, shown),
        document,
        status=DONE if all(entry.is_usable for entry in found) else FAILED,
    )


# ---- the gate


def _self_check(words: Namespace) -> Reply:
    """Show that every task of a set measures what it should."""
    from skills_nb.bench.pipeline.workers import pool
    from skills_nb.bench.snowflake.embedded_sandboxes import EmbeddedSandboxes
    from skills_nb.bench.task_gate import gate
    from skills_nb.bench.tasks import load_tasks, shipped_tasks
    from skills_nb.views import rows_table

    tasks = load_tasks(words.tasks or shipped_tasks())
    tasks = tasks.only(words.only) if words.only else tasks
    with pool(_workers(words), None) as executor:
        rows = gate(tasks.tasks, tasks.invalid, EmbeddedSandboxes(), executor)
    shown = [
        (
            row.task,
            row.backend,
            "green" if row.is_green else "RED",
            len(row.trials),
            f"{row.strongest:g} %",
            "; ".join(row.troubles),
        )
        for row in rows
    ]
    columns = ("task", "backend", "gate", "answers tried", "best wrong answer", "trouble")
    document = [dict(zip(columns, row, strict=True)) for row in shown]
    is_green = bool(rows) and all(row.is_green for row in rows)
    return Reply(rows_table(columns, shown), document, status=DONE if is_green else FAILED)
