"""What is being done right now, and for how long: one line that goes away.

Room: doors (terminal). It is drawn on standard error, where somebody looks; a file, a pipe and a
terminal that moves no cursor get nothing of it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from skills_nb.cli.screen import is_plain
from skills_nb.visible import visible

if TYPE_CHECKING:
    from skills_nb.model.state import ThreadState

_LONGEST = 400


@contextmanager
def progress(is_wanted: bool) -> Iterator[Callable[[ThreadState], None] | None]:
    """Show that something is at work; yield what tells how far it is, or None where nobody looks.

    Args:
        is_wanted: whether the command takes long enough to wonder, and prints for a person.
    """
    if not (is_wanted and sys.stderr.isatty()) or is_plain() or os.environ.get("CI"):
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.table import Column

    what = TextColumn(
        "{task.description}",
        markup=False,
        table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1),
    )
    columns = (SpinnerColumn(), TimeElapsedColumn(), what)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("at work")
        last = ""

        def told(state: ThreadState) -> None:
            nonlocal last
            doing = what_is_done(state)
            if doing != last:
                # The time is that of what is being done, not of the whole command.
                last = doing
                bar.reset(task, description=doing)

        yield told


def what_is_done(state: ThreadState) -> str:
    """Return what a thread is at, in one line: its statement, else its step."""
    sent = state.open_statement
    if sent is not None:
        return visible(re.sub(r"\s+", " ", f"step {sent.step} · {sent.sql}"))[:_LONGEST]
    steps = state.run.steps.values() if state.run is not None else ()
    running = [step.id for step in steps if step.status == "running"]
    return f"step {running[-1]} · looking at the account" if running else "looking at the account"
