"""What a terminal can show, and a view printed on it.

Room: doors (terminal).
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from typing import TYPE_CHECKING

from skills_nb.visible import visible_page

if TYPE_CHECKING:
    from skills_nb.views import View

_COLOURS = (
    (r"(?m)^\s*(! +[A-Z ]{3,}|✗).*", "bold red"),
    (r"(?m)^\s*(\? +[A-Z ]{3,}).*", "bold yellow"),
    (r"(?m)^\s*(i +[A-Z ]{3,}).*", "bold blue"),
    (r"(?m)^\s*(✓)", "green"),
    (r"(?m)(Answer with|Preview it|Do it, step by step)[^\n]*", "cyan"),
)
"""What the signs of a view look like; a sign says it all, so colour adds nothing but ease."""
_NARROWEST, _WIDEST = 40, 120


def is_interactive() -> bool:
    """Return whether somebody sees what is printed and can answer it here and now."""
    ends = (sys.stdin, sys.stdout)
    is_terminal = all(end is not None and not end.closed and end.isatty() for end in ends)
    return is_terminal and not os.environ.get("CI")


def is_plain() -> bool:
    """Return whether the terminal only prints line after line, and moves no cursor."""
    return os.environ.get("TERM", "dumb") in ("dumb", "unknown", "")


def has_colours() -> bool:
    """Return whether colours may be used. Source: no-color.org."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and not is_plain()


def width() -> int:
    """Return how many columns a view may take."""
    return max(_NARROWEST, columns())


def columns() -> int:
    """Return how many columns the terminal has, as far as lines are read with ease."""
    return min(shutil.get_terminal_size((100, 24)).columns, _WIDEST)


def say(text: str) -> None:
    """Print a text; whatever it holds, it moves no cursor and nothing of it is unseen."""
    print(visible_page(text))


def show(view: View) -> None:
    """Print a view."""
    from skills_nb.views import render_text

    text = visible_page(render_text(view, width=width()))
    if has_colours():
        _print_in_colour(text)
    else:
        print(text)


def _print_in_colour(text: str) -> None:
    from rich.console import Console
    from rich.text import Text

    shown = Text(text)
    for pattern, style in _COLOURS:
        for match in re.finditer(pattern, text):
            shown.stylize(style, match.start(), match.end())
    Console(highlight=False, soft_wrap=True).print(shown)
