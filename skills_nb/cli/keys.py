"""How a person at a terminal picks, types and is asked: with arrow keys, or by number and word.

Room: doors (terminal). A terminal that moves no cursor is asked line by line; nothing that was
typed before a question was shown answers it.
"""

from __future__ import annotations

import contextlib
import getpass
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from skills_nb.cli.screen import columns, is_plain, say
from skills_nb.views.sheets.text_width import pad, width, wrap
from skills_nb.visible import visible

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyBindings

DETAILS = "?"
"""What the key answers that asks for everything about a pause."""
_SIGNS = "↑ ↓ or a number, then Enter. ? shows everything, Ctrl-C leaves it paused."
_LINES = "A number or a name; ? shows everything, Ctrl-C leaves it paused: "
_MARGIN, _INDENT = 3, 6
"""What stands before an option that arrow keys reach: the list's margin, its sign and number."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Something to pick."""

    id: str
    """What is answered."""
    text: str = ""
    """What it means; empty where the id says it."""


def pick(offers: Sequence[Offer]) -> str:
    """Return the id of what was picked, or `DETAILS`.

    Raises:
        KeyboardInterrupt: the person wants to answer another time.
        EOFError: nobody is there any more.
    """
    _forget_typed()
    return _picked_by_line(offers) if is_plain() else _picked_by_key(offers)


def typed(question: str, *, is_secret: bool = False, given: str = "") -> str:
    """Return a line that was typed, without blanks around it; empty where none was.

    Args:
        question: what is asked.
        is_secret: whether what is typed stays unseen.
        given: what stands there already and may be changed; it may have several lines.

    Raises:
        KeyboardInterrupt: the person wants to answer another time.
        EOFError: nobody is there any more.
    """
    _forget_typed()
    asked = f"{visible(question)}: "
    if is_plain():
        return (getpass.getpass(asked) if is_secret else input(asked)).strip()
    from prompt_toolkit import prompt

    is_long = "\n" in given
    if is_long:
        asked = f"{visible(question)} (Esc, then Enter when it is right):\n"
    return prompt(asked, is_password=is_secret, default=given, multiline=is_long).strip()


def _forget_typed() -> None:
    """Drop what was typed ahead: a key that was meant for nothing approves nothing."""
    # Not every system has terminals of this kind.
    with contextlib.suppress(ImportError, OSError, ValueError):
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    if is_plain():
        return
    from prompt_toolkit.input import create_input
    from prompt_toolkit.input.typeahead import clear_typeahead

    clear_typeahead(create_input())


# ---- line by line


def _picked_by_line(offers: Sequence[Offer]) -> str:
    lead = len(str(len(offers))) + 4
    print()
    for number, offer in enumerate(offers, start=1):
        label = _label(offer, offers, lead, columns() - lead)
        say(f"  {f'{number}.':<{lead - 2}}{label}")
    while True:
        said = input(_LINES).strip()
        if said == DETAILS:
            return DETAILS
        if said.isdecimal() and 0 < int(said) <= len(offers):
            return offers[int(said) - 1].id
        if said in {offer.id for offer in offers}:
            return said
        if said:
            say(f"There is no '{visible(said)}' here.")


# ---- with arrow keys


def _picked_by_key(offers: Sequence[Offer]) -> str:
    from prompt_toolkit.shortcuts.choice_input import ChoiceInput

    print()
    room = columns() - _MARGIN - _INDENT - 1
    asked: ChoiceInput[str] = ChoiceInput(
        message="\n".join(wrap(_SIGNS, columns() - 2)),
        options=[(offer.id, _label(offer, offers, _INDENT, room)) for offer in offers],
        key_bindings=_keys(),
    )
    return asked.prompt()


def _keys() -> KeyBindings:
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys = KeyBindings()

    @keys.add(DETAILS, eager=True)
    def details(event: KeyPressEvent) -> None:
        event.app.exit(result=DETAILS)

    @keys.add("c-d", eager=True)
    def leave(event: KeyPressEvent) -> None:
        event.app.exit(exception=EOFError())

    return keys


def _label(offer: Offer, offers: Sequence[Offer], lead: int, room: int) -> str:
    """Return what is offered in as many lines as it takes, further ones set in behind `lead`."""
    name, text = visible(offer.id), visible(offer.text)
    if not text:
        return f"\n{' ' * lead}".join(wrap(name, room))
    size = min(max(width(visible(each.id)) for each in offers), room // 3)
    if width(name) > size:
        lines = [*wrap(name, room), *(" " * 2 + line for line in wrap(text, room - 2))]
    else:
        first, *rest = wrap(text, room - size - 2)
        lines = [f"{pad(name, size)}  {first}", *(" " * (size + 2) + line for line in rest)]
    return f"\n{' ' * lead}".join(lines)
