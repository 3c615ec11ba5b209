"""Statements that make and run what moves data: the rows of the dispatch table.

Room: embedded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from skills_nb.embedded.pipelines import alerts, definitions, dynamic, running, tasks
from skills_nb.embedded.values import Outcome
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

CREATES: dict[type, Callable[[AccountSession, Any], Outcome]] = {
    ast.CreateSequence: definitions.create_sequence,
    ast.CreateStream: definitions.create_stream,
    ast.CreateDynamicTable: dynamic.create,
    ast.CreateTask: tasks.create,
    ast.CreateAlert: alerts.create,
    ast.ExecuteTask: running.execute_task,
    ast.ExecuteAlert: running.execute_alert,
}
