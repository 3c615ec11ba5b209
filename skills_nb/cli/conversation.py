"""A pause as a conversation: what waits is asked, what is answered becomes a command.

Room: doors (terminal). Whatever is picked here is said in the words of the one grammar, so that
nothing can be done at a prompt that a script could not do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from skills_nb.cli.keys import DETAILS, Offer, pick, typed
from skills_nb.cli.screen import say, show
from skills_nb.sql.identifiers import render_name

if TYPE_CHECKING:
    from skills_nb.commands import App, Reply
    from skills_nb.model.events import Option
    from skills_nb.model.state import Pause
    from skills_nb.views import View

_NEEDS_WORDS = {
    "different-approach": "Say it in other words, or press Enter to choose from what there is",
    "none-of-these": "Say in other words what you want",
    "break_down": "Which smaller goal should the plan be for?",
}
"""What is asked where a choice is about words."""


@dataclass(frozen=True, slots=True)
class Changeable:
    """An input, or the SQL of a planned step, that a person may change."""

    name: str
    """As an answer calls it."""
    text: str
    """What is asked, for people."""
    value: str = ""
    """What it is now; empty where it is secret or not known."""
    choices: tuple[str, ...] = ()
    """What it may be, where that is settled."""
    is_secret: bool = False
    """Whether it stays unseen."""


def without_options(view: View) -> View:
    """Return a card without its options and the command that answers: the prompt asks beneath."""
    from skills_nb.views import ThreadCard

    if not isinstance(view, ThreadCard) or view.pause is None:
        return view
    return replace(view, pause=replace(view.pause, options=(), answer=""), has_buttons=True)


def with_seen(reply: Reply) -> Reply:
    """Return a reply whose card shows the rows that a dry run may show: a screen keeps nothing."""
    from skills_nb.views import ThreadCard

    if not reply.seen or not isinstance(reply.view, ThreadCard):
        return reply
    return replace(reply, view=replace(reply.view, seen=reply.seen))


def answer_to(app: App, reply: Reply) -> list[str]:
    """Ask until there is an answer; return the words of the command that gives it.

    Raises:
        KeyboardInterrupt: the person wants to answer another time.
        EOFError: nobody is there any more.
    """
    from skills_nb.views import unfold_view

    pause = reply.pause
    assert pause is not None, "asked at a pause"
    offers = [Offer(one.id, _meaning(pause, one)) for one in pause.options]
    while True:
        picked = pick(offers)
        if picked == DETAILS:
            show(without_options(unfold_view(reply.view, "all")))
            continue
        option = pause.option(picked)
        more = _more(app, reply, pause, option) if option is not None else None
        if more is not None:
            thread = ["--thread", reply.thread_id or ""]
            return ["respond", "--at", pause.at, *thread, *more, "--", picked]


def _meaning(pause: Pause, option: Option) -> str:
    if pause.kind == "input_question" and option.id == "other":
        return f"Something else. {option.description}".strip()
    return option.description


def _more(app: App, reply: Reply, pause: Pause, option: Option) -> list[str] | None:
    """Return what the answer needs besides its choice; None where the person thought better."""
    if option.requires_confirmation:
        return _confirmed(option)
    if pause.kind == "input_question" and option.id == "other":
        return _value_of(app, reply, pause.at.removeprefix("input:").partition("#")[0])
    if option.id == "modify" and not option.sets:
        return _change(app, reply)
    question = _NEEDS_WORDS.get(option.id)
    if question is None:
        return []
    said = typed(question)
    if not said and option.id != "different-approach":
        return None
    return ["--comment", said] if said else []


def _confirmed(option: Option) -> list[str] | None:
    """Return the phrase as it was typed, in full; None where it was another one."""
    said = typed(f'Type "{option.phrase}" to go on, or press Enter to go back')
    if not said:
        return None
    if not option.is_confirmed_by(said):
        say("That is not the phrase, so nothing was done.")
        return None
    return ["--phrase", said]


def _value_of(app: App, reply: Reply, name: str) -> list[str] | None:
    spec = next((one for one in _changeable(app, reply) if one.name == name), None)
    said = typed(f"The value of {name}", is_secret=spec is not None and spec.is_secret)
    return ["--set", f"{name}={said}"] if said else None


# ---- changing inputs


def _change(app: App, reply: Reply) -> list[str] | None:
    """Ask which input is changed to what; None where the person thought better."""
    known = _changeable(app, reply)
    if not known:
        said = typed("Which input has which value (NAME=VALUE)")
        return ["--set", said] if said else None
    offers = [Offer(one.name, _present(one)) for one in known]
    say("\nWhich of them do you want to change?")
    picked = pick([*offers, Offer("back", "Change nothing")])
    one = next((each for each in known if each.name == picked), None)
    if one is None:
        return None
    said = _new_value(one)
    return ["--set", f"{one.name}={said}"] if said and said != one.value else None


def _present(one: Changeable) -> str:
    if not one.value:
        return one.text
    value = " ".join(one.value.split())
    return f"now {value if len(value) <= 60 else value[:59] + '…'}. {one.text}".rstrip()


def _new_value(one: Changeable) -> str:
    if one.choices:
        say(f"\n{one.text or one.name}")
        picked = pick([Offer(choice) for choice in one.choices])
        return "" if picked == DETAILS else picked
    given = one.value if "\n" in one.value or one.name.startswith("step_") else ""
    return typed(f"New value of {one.name}", is_secret=one.is_secret, given=given)


def _changeable(app: App, reply: Reply) -> list[Changeable]:
    """Return the inputs of a thread's playbook as they are; of a plan its SQL, too."""
    from skills_nb.engine.planning.template_names import playbook_of

    state = app.wiring.conductor.load(reply.thread_id or "")
    playbook = playbook_of(state.run, app.wiring.library)
    plan = state.guided_plan
    steps = plan.proposed if plan is not None else ()
    edits = [Changeable(f"step_{one.step}", one.action, one.sql) for one in steps if one.sql]
    if playbook is None or state.run is None:
        return edits
    roles = state.run.context.available_roles if state.run.context is not None else ()
    given = state.run.inputs
    inputs = [
        Changeable(
            name=spec.name,
            text=spec.description,
            value="" if spec.secret else _text(given.get(spec.name, spec.default)),
            choices=_choices(spec.type, spec.choices, roles),
            is_secret=spec.secret,
        )
        for spec in playbook.inputs
    ]
    return [*inputs, *edits]


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def _choices(kind: str, stated: Sequence[object], roles: Sequence[str]) -> tuple[str, ...]:
    if kind == "boolean":
        return ("true", "false")
    if kind == "choice":
        return tuple(text for one in stated if not (text := str(one)).startswith("{"))
    return tuple(render_name((role,)) for role in roles) if kind == "role" else ()
