"""Drives a shipped playbook through the commands, as a person would who takes every proposal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skills_nb import connect
from skills_nb.commands import App
from skills_nb.commands.reply import Reply

SHOP = "PROD.CUSTOMER_DATA"
_PAUSES = 60


@dataclass(frozen=True)
class Run:
    """One playbook with what it is told, and what the account must hold before it."""

    playbook: str
    inputs: Mapping[str, str] = field(default_factory=dict)
    setup: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    """Text by place on a stage."""


def prepare(app: App, run: Run, folder: Path) -> None:
    """Make what the run needs."""
    for sql in run.setup:
        rows(app, sql)
    for place, text in run.files.items():
        stage, _, name = place.partition("/")
        file = folder / Path(name).name
        file.write_text(text)
        inside = str(Path(name).parent).strip(".")
        rows(app, f"PUT 'file://{file}' @{stage}/{inside} AUTO_COMPRESS = FALSE")


def drive(app: App, run: Run, thread: str) -> tuple[Reply, list[str]]:
    """Start the playbook and take every proposal; return the last reply and what was skipped.

    An error is skipped where the step may be left out; any other error is left open.
    """
    words = ["run", f"playbooks/{run.playbook}", "--thread", thread]
    for name, value in run.inputs.items():
        words += ["--input", f"{name}={value}"]
    reply = app.invoke(words)
    skipped: list[str] = []
    for _ in range(_PAUSES):
        pause = reply.pause
        if pause is None:
            break
        # Nobody else is at work here, so nobody may be said to have been.
        said = f"{pause.present} {reply.document.get('redoing', '')}"
        assert "since the last answer" not in said.lower(), said
        choice = "approve"
        if pause.kind == "error_escalated":
            if "skip" not in {option.id for option in pause.options}:
                break
            choice = "skip"
            skipped.append(pause.at)
        phrase = ["--phrase", pause.phrase] if pause.phrase else []
        reply = app.invoke(["respond", choice, "--at", pause.at, "--thread", thread, *phrase])
    return reply, skipped


def rows(app: App, sql: str, role: str = "ACCOUNTADMIN") -> list[dict[str, Any]]:
    """Run one statement as a role with no other beside it, and return its rows."""
    session = connect(app.wiring.account_folder, role=role, warehouse="COMPUTE_WH")
    try:
        session.sql("USE SECONDARY ROLES NONE").collect()
        return [row.as_dict() for row in session.sql(sql).collect()]
    finally:
        session.close()


def inventory(app: App) -> dict[str, list[str]]:
    """Return the names of what the account holds, by kind."""
    looks = ("OBJECTS", "TASKS", "STREAMS", "MASKING POLICIES", "ROLES", "WAREHOUSES", "SHARES")
    return {
        look: sorted(
            ".".join(str(row.get(part, "")) for part in ("database_name", "schema_name", "name"))
            for row in rows(app, f"SHOW {look}" + ("" if look in _GLOBAL else " IN ACCOUNT"))
        )
        for look in looks
    }


_GLOBAL = ("ROLES", "WAREHOUSES", "SHARES")
