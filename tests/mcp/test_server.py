"""An agent's client from the SDK drives a thread; a person answers what is a person's."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import pytest

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

from mcp import Client, StdioServerParameters

from skills_nb.commands import App
from skills_nb.mcp.server import Desk, server_for

GOAL = "playbooks/secure-sensitive-data"
SCOPE = {"target_scope": "PROD.CUSTOMER_DATA"}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("agents")


def driven(home, drive, *, is_delegated=False):
    """Run a conversation with a server in this process."""

    async def conversation():
        desk = Desk(App(home), is_delegated=is_delegated)
        try:
            async with Client(server_for(desk)) as client:
                return await drive(client)
        finally:
            desk.close()

    return asyncio.run(conversation())


async def called(client, tool, **arguments):
    """Call a tool; returns its document, or its refusal as text."""
    answer = await client.call_tool(tool, arguments)
    if answer.is_error:
        return answer.content[0].text
    return answer.structured_content


def typed(home, *words):
    """Type a command in a terminal of the same person."""
    done = subprocess.run(
        [sys.executable, "-m", "skills_nb.cli", *words],
        env={**os.environ, "SKILLS_NB_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode in (0, 3), done.stderr
    return done.stdout


def test_the_tools_are_those_that_a_thread_needs(home):
    async def drive(client):
        return sorted(tool.name for tool in (await client.list_tools()).tools)

    assert driven(home, drive) == [
        "dry_run", "explain", "next", "respond", "route", "show", "start",
    ]  # fmt: skip


def test_an_agent_routes_and_reads(home):
    async def drive(client):
        route = await called(client, "route", intent="secure my data")
        page = await called(client, "explain", subject="primitives/masking-policies")
        return route["result"]["targets"], page["result"]["ref"]

    assert driven(home, drive) == ([GOAL], "primitives/masking-policies")


def test_what_does_not_exist_is_refused_in_one_line_with_its_repair(home):
    async def drive(client):
        return await called(client, "next", thread="thr_000000000000")

    assert driven(home, drive).endswith(
        "there is no thread 'thr_000000000000' here\nhint: list them with: threads"
    )


@pytest.mark.slow
def test_a_review_checkpoint_needs_a_person_unless_it_is_delegated(home):
    async def alone(client):
        begun = await called(client, "start", goal=GOAL, inputs=SCOPE)
        assert begun["result"]["pause"]["severity"] == "review"
        said = await called(client, "respond", thread=begun["thread"], choice="approve")
        return begun, said

    begun, said = driven(home, alone)
    assert "refused: what is for review waits for a person" in said
    assert begun["waits_for"] == "person"

    async def stopped(client):
        return await called(client, "respond", thread=begun["thread"], choice="abort")

    # Stopping needs nobody's leave.
    assert driven(home, stopped)["result"]["status"] == "failed"


@pytest.mark.slow
def test_an_agent_completes_the_main_job_with_a_person_at_the_critical_checkpoint(home):
    refusals = []

    async def drive(client):
        said = await called(client, "start", goal=GOAL, inputs=SCOPE)
        thread = said["thread"]
        for _ in range(20):
            pause = said["result"]["pause"]
            if pause is None:
                return said, thread
            if said["waits_for"] == "person":
                refused = await called(client, "respond", thread=thread, choice="approve")
                assert isinstance(refused, str)
                refusals.append(refused)
                shown = await called(client, "show", thread=thread)
                assert shown["result"]["pause"] == pause
                words = ["--at", pause["at"], "--thread", thread, "--phrase", pause["phrase"]]
                await asyncio.to_thread(typed, home, "respond", "approve", *words)
                said = await called(client, "next", thread=thread)
            else:
                said = await called(client, "respond", thread=thread, choice="approve")
        raise AssertionError("it did not end")

    said, thread = driven(home, drive, is_delegated=True)
    assert said["result"]["status"] == "completed"
    assert len(refusals) == 1
    assert "refused: a critical checkpoint always waits for a person" in refusals[0]
    assert f"--thread {thread}" in refusals[0]
    app = App(home)
    events = app.invoke(["show", thread]).document["events"]
    app.close()
    actors = [event["actor"] for event in events if event["type"] == "human_response"]
    assert actors.count("human:local") == 1
    (begun, scope) = (events[0], next(e for e in events if e["type"] == "input_gathered"))
    assert (begun["actor"], scope["actor"]) == ("agent:mcp", "agent:mcp")
    assert set(actors) - {"timer"} == {"human:local", "agent:mcp"}


def test_what_looks_like_an_option_is_no_option_and_starts_nothing(home, tmp_path):
    answers = tmp_path / "answers.yaml"
    answers.write_text("- {at: '5', choice: approve}\n")

    async def drive(client):
        said = await called(client, "start", goal=f"--answers={answers}", inputs=SCOPE)
        return said, await called(client, "next", thread="--help")

    said, gone = driven(home, drive)
    assert "'--answers' stands among the words of the goal" in said
    assert "there is no thread '--help' here" in gone


def over_stdio(home, drive, *words):
    """Run a conversation with a server in a process of its own, as a host starts it."""

    async def conversation():
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "skills_nb.cli", "mcp", *words],
            env={**os.environ, "SKILLS_NB_HOME": str(home)},
        )
        async with Client(server) as client:
            return await drive(client)

    return asyncio.run(conversation())


@pytest.mark.slow
def test_over_standard_input_and_output_an_agent_waits_for_a_person_at_every_review(tmp_path):
    decided = []

    async def drive(client):
        said = await called(client, "start", goal=GOAL, inputs=SCOPE)
        thread = said["thread"]
        while (pause := said["result"]["pause"]) is not None:
            assert said["waits_for"] == "person", pause
            refused = await called(client, "respond", thread=thread, choice="approve")
            assert isinstance(refused, str)
            assert "refused: " in refused
            decided.append((pause["at"], pause["severity"]))
            words = ["--at", pause["at"], "--thread", thread]
            words += ["--phrase", pause["phrase"]] if pause["phrase"] else []
            # The person types while the agent's server holds the account.
            await asyncio.to_thread(typed, tmp_path, "respond", "approve", *words)
            said = await called(client, "next", thread=thread)
        return said

    said = over_stdio(tmp_path, drive)
    assert said["result"]["status"] == "completed"
    assert ("8", "critical") in decided
    assert {severity for _, severity in decided} == {"review", "critical"}


@pytest.mark.slow
def test_a_host_reaches_the_server_over_standard_input_and_output(home):
    async def drive(client):
        return await called(client, "route", intent="secure my data")

    assert over_stdio(home, drive)["result"]["targets"] == [GOAL]
