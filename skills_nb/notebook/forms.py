"""A small form: one field per input, with the choices that it has.

Room: doors (notebook).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ipywidgets as w

from skills_nb.sql.identifiers import render_name
from skills_nb.views.sheets.phrasing import in_words, sentence
from skills_nb.visible import visible

if TYPE_CHECKING:
    from skills_nb.model.skills import InputSpec, Playbook
    from skills_nb.model.state import PlaybookRun

_WIDE = w.Layout(width="44rem", max_width="98%")
_LABELS = {"description_width": "12rem"}


@dataclass(frozen=True, slots=True)
class Field:
    """Something that may be typed or chosen."""

    name: str
    """The input's, or what the answer calls it."""
    description: str = ""
    """What is asked, for people; empty where the name says it."""
    value: str = ""
    """What it holds before anybody types."""
    choices: tuple[str, ...] = ()
    """What is offered to pick from; empty for free text."""
    is_closed: bool = False
    """Whether only the choices are allowed."""
    is_secret: bool = False
    """Whether what is typed is hidden."""
    is_long: bool = False
    """Whether it has lines, as SQL does."""


def fields_of(playbook: Playbook, run: PlaybookRun) -> tuple[Field, ...]:
    """Return the inputs of a playbook with their present values; of a plan its SQL, too."""
    roles = run.context.available_roles if run.context is not None else ()
    values = {spec.name: run.inputs.get(spec.name, spec.default) for spec in playbook.inputs}
    inputs = (_field(spec, values[spec.name], roles) for spec in playbook.inputs)
    planned = run.plan.proposed if run.plan is not None else ()
    steps = (
        Field(f"step_{step.step}", step.action, step.sql, is_long=True)
        for step in planned
        if step.sql
    )
    return (*inputs, *steps)


def _field(spec: InputSpec, value: Any, roles: Sequence[str]) -> Field:
    literal = tuple(str(choice) for choice in spec.choices if not str(choice).startswith("{"))
    is_role = spec.type == "role"
    choices = tuple(render_name((role,)) for role in roles) if is_role else literal
    if spec.type == "boolean":
        choices = ("true", "false")
    return Field(
        name=spec.name,
        description=spec.description,
        value="" if value is None or spec.secret else str(value),
        choices=choices,
        is_closed=spec.type in ("choice", "boolean") and bool(choices),
        is_secret=spec.secret,
    )


class Form:
    """Fields and a button that hands over what was changed."""

    def __init__(
        self, fields: Sequence[Field], submit: str, on_submit: Callable[[dict[str, str]], None]
    ) -> None:
        """Build the widgets."""
        self._fields = tuple(fields)
        self._widgets = [_widget(entry) for entry in self._fields]
        self._before = self._values()
        self._on_submit = on_submit
        button = w.Button(description=submit, tooltip=submit, layout=w.Layout(width="max-content"))
        button.on_click(lambda _: self.submit())
        self.box = w.VBox([*self._widgets, button])

    def submit(self) -> None:
        """Hand over the values that differ from what they were."""
        values = self._values()
        self._on_submit({n: v for n, v in values.items() if v != self._before[n]})

    def _values(self) -> dict[str, str]:
        pairs = zip(self._fields, self._widgets, strict=True)
        return {entry.name: str(box.value).strip() for entry, box in pairs}


def _widget(entry: Field) -> w.Widget:
    named = {
        "description": visible(sentence(in_words(entry.name))),
        "tooltip": visible(entry.description),
        "style": _LABELS,
        "layout": _WIDE,
    }
    if entry.is_secret:
        return w.Password(**named)
    if entry.is_long:
        return w.Textarea(value=entry.value, rows=entry.value.count("\n") + 2, **named)
    if entry.is_closed:
        value = entry.value.lower() if entry.value.lower() in entry.choices else entry.value
        options = [(visible(choice), choice) for choice in entry.choices]
        return w.Dropdown(options=options, value=_among(value, entry), **named)
    if entry.choices:
        return w.Combobox(options=list(entry.choices), value=entry.value, **named)
    hint = "" if entry.value else visible(entry.description)
    return w.Text(value=entry.value, placeholder=hint, **named)


def _among(value: str, entry: Field) -> str:
    return value if value in entry.choices else entry.choices[0]
