"""What helps to read a dry run: a filter, the list as a tree, its SQL on the clipboard.

Room: doors (notebook). Only the card changes; the thread is not touched.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import Any

import ipywidgets as w

from skills_nb.views import DryRunPlan, ThreadCard
from skills_nb.views.threads.dry_run_impact import narrow_plan, script_of

_COPY = (
    "navigator.clipboard.writeText(this.dataset.sql)"
    ".then(()=>{this.textContent='Copied'},()=>{this.textContent='The browser refused'})"
)


def plan_tools(
    card: ThreadCard, plan: DryRunPlan, redraw: Callable[[ThreadCard], None]
) -> w.Widget:
    """Return the row of tools for the plan that a card shows.

    Args:
        card: the card as it was drawn.
        plan: its whole plan.
        redraw: draws the card again.
    """
    words = w.Text(
        description="Filter",
        placeholder="an object, a step, a word of its SQL",
        continuous_update=False,
        style={"description_width": "initial"},
        layout=w.Layout(width="24rem", max_width="98%"),
    )
    shape = w.ToggleButtons(
        options=[("List", False), ("Tree", True)],
        tooltips=["Objects in a table", "Objects by database and schema"],
        style={"button_width": "5rem"},
    )

    def again(_: Any) -> None:
        shown = narrow_plan(plan, words.value)
        redraw(replace(card, plan=shown, plan_as_tree=shape.value))

    words.observe(again, "value")
    shape.observe(again, "value")
    parts = [words, shape, copy_button(script_of(plan))]
    return w.HBox(parts, layout=w.Layout(flex_flow="row wrap"))


def copy_button(sql: str) -> w.HTML:
    """Return a button that works in the page alone: the clipboard is the browser's."""
    text = escape(sql, quote=True).replace("\n", "&#10;")
    return w.HTML(
        '<button type="button" class="jupyter-button" title="Put every statement on the '
        f'clipboard" data-sql="{text}" onclick="{_COPY}">Copy SQL</button>'
    )
