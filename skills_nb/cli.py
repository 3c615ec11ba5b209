"""The terminal's door: parse, make one call, print one view.

Room: doors. Exit status: 0 done, 2 usage, 3 paused for a human, 4 failed, 5 invalid library.
Source: FORMATS, One grammar, three doors.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from skills_nb.errors import (
    LibraryError,
    PendingError,
    SkillsError,
    SqlError,
    StoreError,
    ThreadError,
    UsageError,
)
from skills_nb.version import __version__
from skills_nb.visible import visible, visible_json, visible_page

if TYPE_CHECKING:
    from skills_nb.commands import App, Reply
    from skills_nb.commands.verbs.demo import Scene
    from skills_nb.model.state import Pause
    from skills_nb.ports import Human
    from skills_nb.views import View

_STATUS: tuple[tuple[type[SkillsError], int], ...] = (
    (LibraryError, 5),
    (PendingError, 3),
    (UsageError, 2),
    (ThreadError, 4),
    (SqlError, 4),
    (StoreError, 4),
)


_GOING_ON = frozenset(
    {"run", "next", "resume", "plan", "respond", "approve", "approve_remaining", "modify"}
    | {"different-approach"}
)
"""Commands after which a thread goes on by itself; to look at it starts no countdown."""
_INFO_WAIT_S = 3
"""How long an `info` checkpoint waits for a person. Spec: Checkpoint severity levels."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words and words[0] in ("--version", "-V"):
        print(f"skills-nb {__version__}")
        return 0
    try:
        status = _guarded(words)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough (`| head`): not an error of ours, and nothing left to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def _guarded(words: list[str]) -> int:
    from skills_nb.commands.grammar.parser import HelpRequested

    try:
        return _invoked(words)
    except HelpRequested as request:
        _say(request.text.rstrip())
        return 0
    except SkillsError as problem:
        _complain(problem)
        return next((code for kind, code in _STATUS if isinstance(problem, kind)), 4)
    except KeyboardInterrupt:
        print("\nInterrupted. The thread is kept; go on with: skills-nb resume", file=sys.stderr)
        return 130


def _complain(problem: SkillsError) -> None:
    print("\n".join(problem.told("error")), file=sys.stderr)


def _say(text: str) -> None:
    """Print a text; whatever it holds, it moves no cursor and nothing of it is unseen."""
    print(visible_page(text))


def _invoked(words: list[str]) -> int:
    from skills_nb.commands import App
    from skills_nb.commands.grammar.parser import build_parser

    parsed = build_parser("skills-nb").parse_args(words)
    if parsed.command == "demo":
        return _demo()
    if parsed.command == "mcp":
        return _agents(is_delegated=parsed.delegate == "review")
    app = App(human=_human())
    try:
        is_json = getattr(parsed, "json", False)
        reply = app.invoke(words)
        if parsed.command in _GOING_ON:
            reply = _counted_down(app, reply, is_json=is_json)
        if is_json:
            print(visible_json(reply.document))
        else:
            _print(reply.view)
        if app.notice:
            print(f"note: {visible(app.notice)}", file=sys.stderr)
        return reply.status
    finally:
        _closed(app)


def _counted_down(app: App, reply: Reply, *, is_json: bool) -> Reply:
    """Go past an `info` checkpoint after a while, unless the person at the terminal holds it."""
    from skills_nb.commands.verbs.answer_verbs import approve_by_timer

    while _waits_a_while(reply):
        _show_where_seen(reply.view, is_json=is_json)
        print(f"\nGoing on in {_INFO_WAIT_S} s; Ctrl-C holds it here.", file=sys.stderr)
        try:
            time.sleep(_INFO_WAIT_S)
        except KeyboardInterrupt:
            print("\nHeld. Answer it when you like.", file=sys.stderr)
            break
        try:
            reply = approve_by_timer(app, reply)
        except ThreadError:
            # Somebody else answered first: show where the thread is now.
            return app.invoke(["status", reply.thread_id or ""])
    return reply


def _waits_a_while(reply: Reply) -> bool:
    pause = reply.pause
    is_info = pause is not None and pause.kind == "checkpoint" and pause.severity == "info"
    return is_info and _human().is_present()


def _show_where_seen(view: View, *, is_json: bool) -> None:
    """Print a view on the screen, also where what is printed goes into a file."""
    if sys.stdout.isatty() and not is_json:
        _print(view)
        return
    from skills_nb.views import render_text

    print(visible_page(render_text(view, width=_width())), file=sys.stderr)


def _closed(app: App) -> None:
    """Close what was opened; what was done stays done, whatever closing says."""
    try:
        app.close()
    except SkillsError as problem:
        print("\n".join(problem.told("warning")), file=sys.stderr)


def _agents(*, is_delegated: bool) -> int:
    """Open the agents' door in place of this one; nothing else may write to standard output."""
    from skills_nb.commands import App

    try:
        from skills_nb.mcp.server import serve
    except ModuleNotFoundError as problem:
        raise UsageError(
            f"the package '{problem.name}' is not installed", hint='pip install "skills-nb[mcp]"'
        ) from problem
    serve(App(), is_delegated=is_delegated)
    return 0


def _human() -> Human:
    from skills_nb.runtime.system_ports import TerminalHuman

    return TerminalHuman()


def _print(view: View) -> None:
    from skills_nb.views import render_text

    text = visible_page(render_text(view, width=_width()))
    if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
        _print_in_colour(text)
    else:
        print(text)


_COLOURS = (
    (r"(?m)^\s*(! +[A-Z ]{3,}|✗).*", "bold red"),
    (r"(?m)^\s*(\? +[A-Z ]{3,}).*", "bold yellow"),
    (r"(?m)^\s*(i +[A-Z ]{3,}).*", "bold blue"),
    (r"(?m)^\s*(✓)", "green"),
    (r"(?m)(Answer with|Preview it|Do it, step by step)[^\n]*", "cyan"),
)
"""What the signs of a view look like; a sign says it all, so colour adds nothing but ease."""


def _print_in_colour(text: str) -> None:
    from rich.console import Console
    from rich.text import Text

    shown = Text(text)
    for pattern, style in _COLOURS:
        for match in re.finditer(pattern, text):
            shown.stylize(style, match.start(), match.end())
    Console(highlight=False, soft_wrap=True).print(shown)


def _width() -> int:
    import shutil

    return max(40, min(shutil.get_terminal_size((100, 24)).columns, 120))


# ---- the demo


def _demo() -> int:
    from skills_nb.commands import App
    from skills_nb.commands.verbs.demo import play

    is_asked = sys.stdin.isatty() and sys.stdout.isatty()
    return play(App(human=_human()), _show, _ask if is_asked else _announce).status


def _show(scene: Scene) -> None:
    _say(f"\n━━ {scene.title} " + "━" * max(3, _width() - len(scene.title) - 4))
    if scene.command:
        _say(f"$ {scene.command}\n")
    _print(scene.reply.view)


def _announce(pause: Pause, proposed: Sequence[str]) -> Sequence[str]:
    _say(f"\n→ The demo answers: {proposed[0]}")
    return proposed


def _ask(pause: Pause, proposed: Sequence[str]) -> Sequence[str]:
    """Let the person answer; an empty line takes the proposal."""
    print()
    for option in pause.options:
        print(f"  {visible(option.id):<20} {visible(option.description)}")
    said = input(f"Your answer [{visible(proposed[0])}]: ").strip()
    if not said or said == proposed[0]:
        return _with_phrase(pause, proposed)
    if said == "modify":
        return [said, "--set", input("Change which input (NAME=VALUE): ").strip()]
    return [said]


def _with_phrase(pause: Pause, proposed: Sequence[str]) -> Sequence[str]:
    if pause.phrase is None or proposed[0] != "approve":
        return proposed
    return ["approve", "--phrase", input(f'Type "{pause.phrase}" to go on: ')]


if __name__ == "__main__":
    sys.exit(main())
