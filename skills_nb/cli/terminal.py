"""The terminal's door: parse, make one call, print one view.

Room: doors. Exit status: 0 done, 2 usage, 3 paused for a human, 4 failed, 5 invalid library.
Source: FORMATS, One grammar, three doors.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from skills_nb.cli.conversation import answer_to, with_seen, without_options
from skills_nb.cli.progress import progress
from skills_nb.cli.screen import is_interactive, say, show, width
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
    from skills_nb.model.state import Pause, ThreadState
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


QUESTION = "__complete"
"""How a shell's script asks; the same word stands in `commands.shell_scripts`."""
_GOING_ON = frozenset(
    {"run", "load", "next", "resume", "plan", "respond", "approve", "approve_remaining", "modify"}
    | {"different-approach"}
)
"""Commands after which a thread goes on by itself; to look at it starts no countdown."""
_ASKING = _GOING_ON | {"abort", "cleanup"}
"""Commands after which a person is asked what waits; to look at a thread asks nothing."""
_AT_WORK = _ASKING | {"sql", "step", "compact", "doctor"}
"""Commands that may take long enough to wonder."""
_INFO_WAIT_S = 3
"""How long an `info` checkpoint waits for a person. Spec: Checkpoint severity levels."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    if argv is None:
        # A process of one command: what it loads stays, so looking for garbage often is in vain.
        gc.set_threshold(50_000, 20, 50)
    words = list(sys.argv[1:] if argv is None else argv)
    if words and words[0] in ("--version", "-V"):
        print(f"skills-nb {__version__}")
        return 0
    words = words or ["--help"]
    try:
        status = _complete(words[1:]) if words[0] == QUESTION else _guarded(words)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough (`| head`): not an error of ours, and nothing left to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def _complete(asked: list[str]) -> int:
    """Answer a shell's script: one word a line, and nothing else whatever is wrong."""
    from skills_nb.commands import App
    from skills_nb.commands.shell_scripts import answers

    app = App()
    try:
        for word in answers(asked, app):
            # A shell would take what is unseen in a name for its own.
            if visible(word) == word:
                print(word)
        return 0
    finally:
        _closed(app)


def _guarded(words: list[str]) -> int:
    from skills_nb.commands.grammar.parser import HelpRequested

    try:
        return _invoked(words)
    except HelpRequested as request:
        say(request.text.rstrip())
        return 0
    except SkillsError as problem:
        _complain(problem)
        return next((code for kind, code in _STATUS if isinstance(problem, kind)), 4)
    except KeyboardInterrupt as problem:
        thread = getattr(problem, "thread", "")
        print("\nInterrupted.", file=sys.stderr)
        if thread:
            said = (
                "What was done is kept, and none of it is done twice. Go on with: skills-nb resume"
            )
            print(f"{said} {visible(thread)}", file=sys.stderr)
        return 130


def _complain(problem: SkillsError) -> None:
    from skills_nb.commands.hints import typed_hint

    problem.hint = typed_hint(problem, "skills-nb") or None
    print("\n".join(problem.told("error")), file=sys.stderr)


def _invoked(words: list[str]) -> int:
    from skills_nb.commands import App
    from skills_nb.commands.grammar.parser import build_parser

    parsed = build_parser("skills-nb").parse_args(words)
    if parsed.command == "demo":
        return _demo()
    if parsed.command == "mcp":
        return _agents(is_delegated=parsed.delegate == "review")
    is_json = getattr(parsed, "json", False)
    is_asked = not (is_json or getattr(parsed, "no_input", False))
    app = App(human=_human(is_asked=is_asked))
    is_in_full = bool(getattr(parsed, "all", False))
    is_conversed = is_asked and is_interactive()
    app.wiring.shown_rows.is_looked_at = not is_json and (is_conversed or is_in_full)
    try:
        desk = _Desk(app, is_json=is_json, is_quick=parsed.command not in _AT_WORK)
        reply = desk.done(words)
        if parsed.command in _GOING_ON:
            reply = _counted_down(app, reply, is_json=is_json)
        if parsed.command in _ASKING and is_asked and is_interactive():
            reply = desk.conversed(reply)
        elif is_json:
            print(visible_json(reply.document))
        else:
            show(reply.view)
        if app.notice:
            print(f"note: {visible(app.notice)}", file=sys.stderr)
        return reply.status
    finally:
        _closed(app)


class _Desk:
    """Does commands where a person looks on."""

    def __init__(self, app: App, *, is_json: bool, is_quick: bool) -> None:
        """Remember how it is looked at."""
        self._app = app
        self._is_shown = not (is_json or is_quick)
        self._thread = ""

    def done(self, words: Sequence[str]) -> Reply:
        """Do a command; say what is being done while it takes."""
        with progress(self._is_shown) as told:

            def changed(state: ThreadState) -> None:
                self._thread = state.thread_id
                if told is not None:
                    told(state)

            try:
                return with_seen(self._app.invoke(words, on_change=changed))
            except KeyboardInterrupt:
                raise _Interrupted(self._thread) from None

    def conversed(self, reply: Reply) -> Reply:
        """Show the thread and ask, until it waits for nobody or the person leaves it paused."""
        while True:
            show(without_options(reply.view))
            if reply.pause is None:
                return reply
            try:
                said = answer_to(self._app, reply)
            except (KeyboardInterrupt, EOFError):
                thread = visible(reply.thread_id or "")
                say(f"\nIt stays paused here. Go on whenever you like: skills-nb resume {thread}")
                return reply
            reply = self._answered(said, reply)

    def _answered(self, said: Sequence[str], before: Reply) -> Reply:
        try:
            return _counted_down(self._app, self.done(said), is_json=False)
        except SkillsError as problem:
            _complain(problem)
            # Somebody else may have answered: ask about what waits now.
            return self._app.invoke(["status", before.thread_id or ""])


class _Interrupted(KeyboardInterrupt):
    """Ctrl-C while a command was at work."""

    def __init__(self, thread: str) -> None:
        """Keep the thread that was worked on; empty for none."""
        super().__init__(thread)
        self.thread = thread


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
        show(view)
        return
    from skills_nb.views import render_text

    print(visible_page(render_text(view, width=width())), file=sys.stderr)


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


def _human(*, is_asked: bool = True) -> Human:
    from skills_nb.runtime.system_ports import NoHuman, TerminalHuman

    return TerminalHuman() if is_asked else NoHuman()


# ---- the demo


def _demo() -> int:
    from skills_nb.commands import App
    from skills_nb.commands.verbs.demo import play

    is_asked = sys.stdin.isatty() and sys.stdout.isatty()
    return play(App(human=_human()), _scene, _ask if is_asked else _announce).status


def _scene(scene: Scene) -> None:
    say(f"\n━━ {scene.title} " + "━" * max(3, width() - len(scene.title) - 4))
    if scene.command:
        say(f"$ {scene.command}\n")
    show(scene.reply.view)


def _announce(pause: Pause, proposed: Sequence[str]) -> Sequence[str]:
    say(f"\n→ The demo answers: {proposed[0]}")
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
