"""Cortex through the session."""

import json

import pytest

from skills_nb.errors import SqlError
from skills_nb.llm import ModelError, Usage
from skills_nb.llm.cortex import MOST_TOKENS, CortexClient
from skills_nb.model.events import AccountContext
from tests.fakes import FakeAccount


def _account(cell):
    account = FakeAccount(AccountContext())
    account.answers["AI_COMPLETE"] = [{"X": cell}]
    return account


def _details(**usage):
    return json.dumps({"choices": [{"messages": "SELECT 1"}], "model": "m", "usage": usage})


def test_the_model_is_asked_with_its_quotes_doubled():
    account = _account(_details(prompt_tokens=1, completion_tokens=2))
    said = CortexClient(account, "cortex/m").ask([{"role": "user", "content": "it's"}])
    assert (said.text, said.ending, said.usage) == ("SELECT 1", "complete", Usage(1, 2))
    assert "model => 'm', prompt => 'it''s'" in account.read[0][0]


def test_an_answer_of_full_length_was_cut():
    account = _account(_details(completion_tokens=MOST_TOKENS))
    assert CortexClient(account, "m").ask([{"role": "user", "content": "x"}]).ending == "truncated"


def test_a_refusal_of_the_account_is_no_answer():
    account = _account("{}")
    account.failures["AI_COMPLETE"] = [SqlError("Unknown model")]
    with pytest.raises(ModelError, match="cortex: Unknown model"):
        CortexClient(account, "m").ask([{"role": "user", "content": "x"}])
    with pytest.raises(ModelError, match="no choices"):
        CortexClient(account, "m").ask([{"role": "user", "content": "x"}])
