"""Cortex: a model asked through the session, with AI_COMPLETE.

Room: work (llm). See https://docs.snowflake.com/en/sql-reference/functions/ai_complete
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skills_nb.errors import SqlError
from skills_nb.llm.values import Answered, ModelError, Usage
from skills_nb.ports import SqlSession
from skills_nb.sql.tokens import literal

MOST_TOKENS = 8192
"""The most that one answer may have."""


@dataclass(frozen=True, slots=True)
class CortexClient:
    """Asks one model through a session."""

    session: SqlSession
    model: str

    def ask(self, messages: Sequence[Mapping[str, str]]) -> Answered:
        """Return what the model says.

        Raises:
            ModelError: the account refused, or answered in another form.
        """
        prompt = "\n\n".join(message["content"] for message in messages)
        name = self.model.removeprefix("cortex/")
        sql = (
            f"SELECT AI_COMPLETE(model => {literal(name)}, "
            f"prompt => {literal(prompt)}, model_parameters => "
            f"{{'temperature': 0, 'max_tokens': {MOST_TOKENS}}}, show_details => TRUE)"
        )
        try:
            found = self.session.query(sql)
        except SqlError as problem:
            hint = "check the role's SNOWFLAKE.CORTEX_USER and the model's region"
            raise ModelError(f"cortex: {problem.message}", hint=hint) from problem
        return _answered(found.rows[0][0], name)


def _answered(cell: Any, model: str) -> Answered:
    try:
        document = json.loads(cell) if isinstance(cell, str) else cell
        text = document["choices"][0]["messages"]
        usage = document.get("usage") or {}
    except (ValueError, KeyError, IndexError, TypeError) as problem:
        raise ModelError("cortex: the answer has no choices[0].messages") from problem
    taken = Usage(usage.get("prompt_tokens"), usage.get("completion_tokens"))
    # The account does not say why an answer ended: one of full length was cut.
    is_cut = (taken.completion_tokens or 0) >= MOST_TOKENS
    return Answered(
        str(text),
        "truncated" if is_cut else "complete",
        taken,
        str(document.get("model") or model),
    )
