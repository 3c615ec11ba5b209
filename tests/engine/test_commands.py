"""Command lines of a step: filled in for the person who runs them."""

from dataclasses import replace

import pytest

from skills_nb.engine.planning.statement_planning import commands_of
from skills_nb.engine.planning.step_context import commands_at
from skills_nb.errors import UsageError
from skills_nb.model.skills import CodeBlock, ForEach, Step
from tests.builders import checkpoint, playbook, step, text_input
from tests.engine.driving import Drive


def shown(*lines: str, **fields: object) -> Step:
    blocks = tuple(CodeBlock("bash", line, 1) for line in lines)
    return replace(step("1", checkpoint=checkpoint()), shell=blocks, **fields)


def test_values_are_filled_in_as_words() -> None:
    lines = commands_of(shown("docker push {{ url }}/app", "docker ps -f x={y}"), {"url": "a b"})
    assert lines == ("docker push 'a b'/app", "docker ps -f x={y}")


def test_a_loop_gives_a_line_for_each_item_and_none_twice() -> None:
    looped = shown("put {{ file }}", "put --all", for_each=ForEach("file", "files"))
    assert commands_of(looped, {"files": ["a", "b"]}) == ("put a", "put --all", "put b")


def test_what_a_branch_leaves_empty_is_left_out() -> None:
    branched = shown(
        "{% if tool %}\nscai {{ tool }}\n{% endif %}\necho done", "{% if tool %}x{% endif %}"
    )
    assert commands_of(branched, {"tool": None}) == ("echo done",)
    assert commands_of(branched, {"tool": "init"}) == ("scai init\necho done", "x")


def test_a_name_that_is_not_known_is_refused() -> None:
    with pytest.raises(UsageError, match="'url' is undefined"):
        commands_of(shown("docker push {{ url }}"), {})


def test_a_checkpoint_has_its_command_lines_and_an_unfilled_one_stands_as_written() -> None:
    book = playbook(
        shown("echo {{ goal_text }}"),
        shown("echo {{ nowhere }}", id="2"),
        inputs=(text_input("goal_text"),),
    )
    drive = Drive(book, goal_text="a b")
    state = drive.run()
    assert commands_at(drive.state, book, state.pause) == ("echo 'a b'",)
    drive.respond("approve", at="1")
    assert commands_at(drive.state, book, drive.pause) == ("echo {{ nowhere }}",)
    assert commands_at(drive.state, None, drive.pause) == ()
