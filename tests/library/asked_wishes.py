"""Wishes in a person's own words, said to an account of a test's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.library.own_accounts import OwnAccount, own_account


def account_that_holds(holds: str) -> Callable[..., Iterator[OwnAccount]]:
    """Return the fixture of a module whose account holds what these statements made."""

    @pytest.fixture(scope="module")
    def account(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnAccount]:
        with own_account(tmp_path_factory.mktemp("home"), holds) as opened:
            yield opened

    return account


def say(account: OwnAccount, goal: str) -> None:
    """Say a wish on a thread of its own."""
    account.threads += 1
    account.thread = f"thread-{account.threads}"
    account.invoke("run", goal)


def shown(account: OwnAccount, goal: str) -> str:
    """Say a wish; the SQL and the options of the plan, or what is asked."""
    say(account, goal)
    pause = account.pause
    assert pause is not None
    if pause.at != "plan":
        return str(pause.present)
    steps = account.events("plan_proposed")[-1].steps
    return "\n".join((*(step.sql for step in steps), *map(str, pause.options)))
