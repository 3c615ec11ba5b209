"""Widgets under views that are no thread: alternatives to click, filters, what to open next.

Room: doors (notebook). Core ipywidgets only; a panel gives commands as a person would type them,
or narrows what the card above it shows. This module is imported with the first such view that a
person can click at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import ipywidgets as w
from IPython.display import display

from skills_nb.commands.hints import typed_hint
from skills_nb.errors import SkillsError
from skills_nb.notebook import cards
from skills_nb.notebook.cell_loop import CellLoop
from skills_nb.notebook.timeline_tools import TimelineTools, newest_page
from skills_nb.views import LibraryList, RouteCard, ThreadList, Timeline, View
from skills_nb.views.graph import GraphPicture, LibraryGraph, graph_picture, narrow_graph
from skills_nb.visible import visible
from skills_nb.visible import visible_html as escape

if TYPE_CHECKING:
    from IPython.display import DisplayHandle

    from skills_nb.notebook.threads import Threads

_FITS = w.Layout(width="auto", min_width="6rem")
_ROW = w.Layout(flex_flow="row wrap")
_WIDE = w.Layout(width="26rem", max_width="98%")
_LABELS = {"description_width": "initial"}
_MOST_ALTERNATIVES = 6
Follow = Callable[[list[str]], None]
"""Does a command, as a person would type it, and shows it beneath; raises what stopped it."""


def at_first(view: View) -> View:
    """Return what a card shows of a view before anybody has used its panel."""
    return newest_page(view) if isinstance(view, Timeline) else view


def open_panel(threads: Threads, follow: Follow, view: View, handle: DisplayHandle) -> Panel | None:
    """Show the widgets that go with a view, or nothing where there are none."""
    panel = Panel(threads, follow, handle)
    match view:
        case RouteCard():
            parts = _route(panel, view)
        case ThreadList():
            parts = _threads(panel, view)
        case Timeline():
            parts = list(TimelineTools(view, panel.redraw).parts)
        case GraphPicture():
            parts = _graph(panel, view)
        case LibraryList():
            parts = _skills(panel, threads.app.wiring.library.index)
        case _:
            return None
    if not parts:
        return None
    panel.open(parts)
    return panel


class Panel:
    """The live part beneath one card."""

    def __init__(self, threads: Threads, follow: Follow, handle: DisplayHandle) -> None:
        """Remember what to steer; nothing is shown yet."""
        self._threads = threads
        self._follow = follow
        self._handle = handle
        self._loop = CellLoop()
        self._box: w.VBox | None = None
        self._buttons: list[w.Button] = []
        self._said = w.HTML("")

    def open(self, parts: Sequence[w.Widget]) -> None:
        """Show the widgets; viewers without widgets (GitHub, PDF) show what could be clicked."""
        self._box = w.VBox([*parts, self._said])
        names = ", ".join(button.description for button in self._buttons)
        plain = f"[buttons: {names}]" if names else "[filter]"
        display({**self._box._repr_mimebundle_(), "text/plain": plain}, raw=True)

    def button(self, text: str, tooltip: str, argv: Callable[[], list[str]]) -> w.Button:
        """Return a button that gives a command and shows its answer beneath."""
        made = w.Button(description=visible(text), tooltip=visible(tooltip), layout=_FITS)
        made.on_click(lambda _: self._loop.soon(lambda: self._go(argv())))
        self._buttons.append(made)
        return made

    def redraw(self, view: View) -> None:
        """Show another view in the card above."""
        self._loop.soon(lambda: cards.update(self._handle, view, self._threads.badge))

    def _go(self, argv: list[str]) -> None:
        self._enable(False)
        self._said.value = ""
        try:
            self._follow(argv)
        except SkillsError as problem:
            hint = f"\n{typed_hint(problem)}" if problem.hint else ""
            text = escape(f"{problem.message}{hint}")
            self._said.value = f'<span role="alert" style="white-space:pre-line">{text}</span>'
        finally:
            self._enable(True)

    def _enable(self, is_enabled: bool) -> None:
        for button in self._buttons:
            button.disabled = not is_enabled

    def close(self) -> None:
        """Take the widgets away for good."""
        if self._box is not None:
            self._box.close()
            self._box = None


# ---- what goes with which view


def _route(panel: Panel, view: RouteCard) -> list[w.Widget]:
    rows: list[w.Widget] = []
    goal = view.intent if view.mode in ("chain", "guided") else view.target
    if view.mode == "reference" and view.target:
        rows.append(w.HBox([panel.button("Read it", view.target, lambda: ["show", view.target])]))
    elif view.mode != "clarify" and goal:
        rows.append(w.HBox(_starting(panel, goal), layout=_ROW))
    others = [name for name, _, _ in view.alternatives] or [n for n, _ in view.options if "/" in n]
    if others:
        lead = "Which one?" if view.mode == "clarify" else "Not it? Take:"
        rows.append(w.HTML(f"<div>{lead}</div>"))
        taken = [_taking(panel, name) for name in others[:_MOST_ALTERNATIVES]]
        rows.append(w.HBox(taken, layout=_ROW))
    return rows


def _starting(panel: Panel, goal: str) -> list[w.Widget]:
    preview = panel.button(
        "Preview", f"Dry run of {goal}: changes nothing", lambda: ["run", "--dry-run", "--", goal]
    )
    preview.button_style = "primary"
    run = panel.button("Run step by step", f"Begin with {goal}", lambda: ["run", "--", goal])
    return [preview, run]


def _taking(panel: Panel, target: str) -> w.Button:
    if target.startswith("playbooks/"):
        tip = f"Dry run of {target}: changes nothing"
        return panel.button(target, tip, lambda: ["run", "--dry-run", "--", target])
    return panel.button(target, f"Read {target}", lambda: ["show", target])


def _threads(panel: Panel, view: ThreadList) -> list[w.Widget]:
    if not view.rows:
        return []
    options = [
        (visible(f"{row.name} · {row.status} · {row.goal}")[:90], row.name) for row in view.rows
    ]
    which = w.Dropdown(options=options, description="Thread", layout=_WIDE, style=_LABELS)
    buttons = [
        panel.button("Open", "Show where it stands", lambda: ["status", which.value]),
        panel.button("Go on", "Go on with it here", lambda: ["resume", which.value]),
        panel.button("History", "Show every event", lambda: ["show", which.value]),
    ]
    return [w.HBox([which, *buttons], layout=_ROW)]


def _graph(panel: Panel, view: GraphPicture) -> list[w.Widget]:
    """Filters for the picture, and what it shows to be read."""
    domains = [
        ("every domain", ""),
        *((visible(band.name), band.name) for band in view.graph.bands),
    ]
    domain = w.Dropdown(options=domains, description="Domain", layout=_FITS, style=_LABELS)
    words = w.Text(
        description="with the words",
        placeholder="a skill, or part of its name",
        continuous_update=False,
        layout=_WIDE,
        style=_LABELS,
    )

    def narrow(_: Any) -> None:
        panel.redraw(graph_picture(narrow_graph(view.graph, domain.value, words.value)))

    domain.observe(narrow, "value")
    words.observe(narrow, "value")
    return [w.HBox([domain, words], layout=_ROW), *_skills(panel, _names(view.graph))]


def _names(graph: LibraryGraph) -> list[str]:
    return [node.ref for node in graph.nodes if node.kind != "meta-router"]


def _skills(panel: Panel, names: Iterable[str]) -> list[w.Widget]:
    which = w.Combobox(
        options=sorted(names),
        placeholder="playbooks/… or primitives/…",
        description="Skill",
        ensure_option=True,
        layout=_WIDE,
        style=_LABELS,
    )
    read = panel.button(
        "Read it", "Show the skill's page", lambda: ["show", which.value or "primitives/"]
    )
    return [w.HBox([which, read], layout=_ROW)]
