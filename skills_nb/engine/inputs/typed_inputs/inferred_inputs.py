"""Where inputs come from before anybody is asked: given, the intent, the session, a default.

Room: laws.
Spec: Principles > Lazy context; Playbooks > Input phasing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from skills_nb.engine.inputs.new_columns import column_called
from skills_nb.engine.inputs.new_tables import copy_said, is_new_table, names_new_table
from skills_nb.engine.inputs.questions import looks_at_account
from skills_nb.engine.inputs.typed_inputs.input_values import MAX_PARTS, NAME_TYPES, QUOTED, coerce
from skills_nb.engine.inputs.wording.named_choices import says
from skills_nb.engine.inputs.wording.named_roles import asks_account, own_roles, roles_told
from skills_nb.engine.inputs.wording.said_counts import counts_said, number_said
from skills_nb.engine.inputs.wording.said_days import days_said
from skills_nb.engine.inputs.wording.said_directions import DESTINATION, SOURCE, named_at
from skills_nb.engine.inputs.wording.said_schedules import SCHEDULE, schedules_said
from skills_nb.engine.inputs.wording.said_texts import texts_said, with_privileges, with_spans
from skills_nb.errors import UsageError
from skills_nb.model.events import AccountContext
from skills_nb.model.skills import InputSpec, Playbook
from skills_nb.sql.identifiers import render_name, split_name
from skills_nb.sql.names_in_text import object_names, without_names

_LONGEST_OF_OBJECT = 3
_SHOUTED = re.compile(r"(?<![\w.\"$])([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?![\w.$])")
_NUMBER = re.compile(r"(?<![\w.,:/-])\d+(?![\w.,:/-]\w)")
"""A whole number by itself: no part of a date, a time, a version or a name."""
_CALLED = re.compile(rf"(?i:\b(?:called|named)) ({QUOTED}|[^\W\d][\w$]*)(?![\w.])")
_ONE_SPAN = re.compile(r"(?i:\b(?:an?|one) (?:minute|hour|day) (?:ago|earlier)\b)")
_CALLS = r"(?i:\b(?:{}|table|called|named|as|to|into)) {}(?![\w$])"


def initial_inputs(
    playbook: Playbook, goal: str, given: Mapping[str, Any], context: AccountContext
) -> dict[str, Any]:
    """Return every `before_start` input that needs no question, by name.

    Raises:
        UsageError: a given value is of the wrong type, or no such input exists.
    """
    _refuse_unknown(playbook, given)
    values: dict[str, Any] = {}
    for spec in playbook.inputs:
        if spec.name in given:
            values[spec.name] = coerce(spec, given[spec.name])
        elif spec.when is not None:
            continue  # whether it is asked for at all depends on others
        elif told := roles_told(goal, spec, own_roles(context), set(map(str, values.values()))):
            values.update({spec.name: told[0]} if len(told) == 1 else {})
        elif asks_account(goal, spec, context):
            continue  # which roles the account has is looked up
        elif spec.phase == "before_start" and not _is_looked_up(spec, goal):
            known = infer_input(spec, goal=goal, context=context, bound={})
            if known is not None or spec.has_default or not spec.required:
                values.update(_fitting(spec, spec.default if known is None else known))
    return values


def _is_looked_up(spec: InputSpec, goal: str) -> bool:
    """Tell whether the account is asked for choices before the words are taken at their word."""
    if is_new_table(spec) and not spec.has_default:
        return names_new_table(goal)  # it goes beside its source, known later
    if spec.has_default or not looks_at_account(spec):
        return False
    is_named_in_full = any(len(name.parts) > 1 for name in object_names(goal))
    return not (spec.type == "scope" and "intent" in spec.infer_from and is_named_in_full)


def _fitting(spec: InputSpec, known: Any) -> dict[str, Any]:
    try:
        return {spec.name: coerce(spec, known)}
    except UsageError:
        # What nobody gave is not anybody's mistake: it is asked for.
        return {}


def infer_input(
    spec: InputSpec, *, goal: str, context: AccountContext | None, bound: Mapping[str, Any]
) -> Any:
    """Return what the intent, the session or earlier steps tell of an input, or None."""
    for source in spec.infer_from:
        found = _from_source(spec, source, goal, context, bound)
        if found not in (None, ""):
            return found
    return None


def _from_source(
    spec: InputSpec,
    source: str,
    goal: str,
    context: AccountContext | None,
    bound: Mapping[str, Any],
) -> Any:
    if source == "intent" and is_new_table(spec):
        return copy_said(goal, bound)
    if source == "intent":
        return next(_named_in(goal, spec), None)
    if source in (SOURCE, DESTINATION):
        most = MAX_PARTS.get(spec.type, _LONGEST_OF_OBJECT)
        return next((one for one in named_at(goal, source) if len(split_name(one)) <= most), None)
    if source.startswith("session."):
        return _from_session(source.removeprefix("session."), spec, context)
    found: Any = bound
    for part in source.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _from_session(field: str, spec: InputSpec, context: AccountContext | None) -> Any:
    if context is None:
        return None
    database, schema = context.current_database, context.current_schema
    if field == "schema" and database and schema:
        is_qualified = spec.type in ("schema", "scope")
        return render_name((database, schema)) if is_qualified else schema
    known = {
        "role": context.current_role,
        "database": database,
        "schema": schema,
        "warehouse": context.current_warehouse,
        "user": context.current_user,
        "account": context.account_locator,
        "region": context.region,
        "edition": context.edition,
    }
    found = known.get(field)
    # The session tells names as they are stored: `usher` there is `"usher"` in a statement.
    return render_name((found,)) if found and spec.type in NAME_TYPES else found


def _named_in(goal: str, spec: InputSpec) -> Iterator[str]:
    """Yield what the words name that could be this input, in the order of the words."""
    if spec.type == "choice":
        plain = without_names(goal)
        words = with_spans(plain) if spec.name in ("lag", "span") else plain
        words = with_privileges(plain) if spec.name == "want" else words
        said = (str(choice) for choice in spec.choices if says(words, str(choice)))
        # `X-Large` says `Large` too, and means more.
        yield from sorted(said, key=lambda choice: -len(choice))
        return
    if spec.type == "integer" and spec.name == "days":
        yield from days_said(without_names(goal))
        return
    if spec.type == "integer" and spec.name == "count":
        words = without_names(goal).lower()
        yield from (number_said(words[start:end]) for start, end in counts_said(words))
        return
    if spec.type == "integer":
        numbers = _NUMBER.findall(without_names(goal)) or _ONE_SPAN.findall(goal)[:1]
        numbers = ["1" if not one.isdigit() else one for one in numbers]
        yield from numbers if len(numbers) == 1 else ()
        return
    if spec.type == "string":
        yield from texts_said(goal, spec.name)
        yield from schedules_said(without_names(goal)) if spec.name == SCHEDULE else ()
    if spec.type == "identifier" and not spec.choices:
        yield from _called_in(goal, spec.name)
        yield from column_called(goal, spec.name)
    if spec.type not in NAME_TYPES or spec.type == "identifier":
        return  # any word could be one
    most = MAX_PARTS[spec.type]
    for name in object_names(goal):
        # The name of a column says which table it is in.
        parts = name.parts[:3] if len(name.parts) > _LONGEST_OF_OBJECT else name.parts
        is_said = len(parts) > 1 or goal[: name.start].lower().rstrip().endswith(spec.type)
        if is_said and len(parts) <= most:
            yield ".".join(parts)
    # `SKY_WH` is a warehouse, and no table.
    shouted = [one for one in _SHOUTED.findall(goal) if not one.endswith("_WH")]
    if not spec.required and not spec.choices:
        # A new name that may be left out is not that of what it is made of.
        shouted = [one for one in shouted if re.search(_CALLS.format(spec.name, one), goal)]
    yield from shouted if spec.type != "warehouse" else _SHOUTED.findall(goal)


def _called_in(goal: str, kind: str) -> Iterator[str]:
    """Yield what a new thing is to be called: `called tiny`, `warehouse night_wh`."""
    yield from _CALLED.findall(goal)
    # `share HARBOR.CORE.FEES` calls nothing HARBOR.
    behind = re.findall(rf"(?i:\b{re.escape(kind)}) ({QUOTED}|[^\W\d][\w$]*)(?![\w.])", goal)
    yield from (name for name in behind if name.isupper() or not name.isalpha())


def unmet(playbook: Playbook, inputs: Mapping[str, Any], phase: str) -> tuple[InputSpec, ...]:
    """Return the required inputs of a phase that nobody gave yet, in file order."""
    return tuple(
        spec for spec in playbook.inputs if spec.phase == phase and spec.name not in inputs
    )


def _refuse_unknown(playbook: Playbook, given: Mapping[str, Any]) -> None:
    known = [spec.name for spec in playbook.inputs]
    for name in given:
        if name not in known:
            raise UsageError(
                f"playbook '{playbook.name}' has no input '{name}'",
                hint="its inputs: " + ", ".join(known),
            )
