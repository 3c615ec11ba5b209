"""Cortex: a model asked through the session, with AI_COMPLETE.

Room: work (llm). See https://docs.snowflake.com/en/sql-reference/functions/ai_complete
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skills_nb.errors import SqlError
from skills_nb.llm.values import Answered, ModelError, Sampling, Usage
from skills_nb.ports import SqlSession
from skills_nb.sql.tokens import literal

MOST_TOKENS = 8192
"""The most that one answer may have."""


@dataclass(frozen=True, slots=True)
class CortexClient:
    """Asks one model through a session."""

    session: SqlSession
    """The account whose Cortex is asked; it is charged for the answer."""
    model: str
    """As Cortex names it, such as `llama3.1-8b`."""
    sampling: Sampling = Sampling(temperature=0.0, max_tokens=MOST_TOKENS)  # noqa: RUF009 - frozen
    """How it is to answer; Cortex knows no reasoning effort."""

    def ask(
        self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any] | None = None
    ) -> Answered:
        """Return what the model says, in the form of a JSON schema where one is given.

        Raises:
            ModelError: the account refused, or answered in another form.
        """
        prompt = "\n\n".join(message["content"] for message in messages)
        name = self.model.removeprefix("cortex/")
        sql = (
            f"SELECT AI_COMPLETE(model => {literal(name)}, "
            f"prompt => {literal(prompt)}, model_parameters => "
            f"{self._parameters()}, {_form(schema)}"
            "show_details => TRUE)"
        )
        return _answered(self._asked(sql), name, self._limit)

    @property
    def _limit(self) -> int:
        return min(self.sampling.max_tokens or MOST_TOKENS, MOST_TOKENS)

    def _parameters(self) -> str:
        asked = {"temperature": self.sampling.temperature or 0, "top_p": self.sampling.top_p}
        asked |= {"max_tokens": self._limit}
        said = [f"{literal(name)}: {value}" for name, value in asked.items() if value is not None]
        return "{" + ", ".join(said) + "}"

    def classify(self, text: str, options: Mapping[str, str]) -> str | None:
        """Return the option that AI_CLASSIFY finds in a text, or None.

        Raises:
            ModelError: the account refused.
        """
        categories = [_category(name, told) for name, told in options.items()]
        sql = f"SELECT AI_CLASSIFY({literal(text)}, [{', '.join(categories)}])"
        cell = self._asked(sql)
        try:
            labels = (json.loads(cell) if isinstance(cell, str) else cell)["labels"]
        except (ValueError, KeyError, TypeError) as problem:
            raise ModelError("cortex: the answer has no labels") from problem
        return str(labels[0]) if labels else None

    def _asked(self, sql: str) -> Any:
        try:
            return self.session.query(sql).rows[0][0]
        except SqlError as problem:
            hint = "check the role's SNOWFLAKE.CORTEX_USER and the model's region"
            raise ModelError(f"cortex: {problem.message}", hint=hint) from problem


_DESCRIPTION_WORDS = 25
"""The manual's limit for a category's description."""


def _category(name: str, told: str) -> str:
    short = " ".join(told.split()[:_DESCRIPTION_WORDS])
    return f"{{'label': {literal(name)}, 'description': {literal(short or name)}}}"


def _form(schema: Mapping[str, Any] | None) -> str:
    if schema is None:
        return ""
    return f"response_format => {{'type': 'json', 'schema': {_constant(schema)}}}, "


def _constant(value: Any) -> str:
    """Write a JSON value as a constant object, which is what the argument must be."""
    match value:
        case Mapping():
            members = (f"{literal(str(key))}: {_constant(one)}" for key, one in value.items())
            return "{" + ", ".join(members) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(_constant, value)) + "]"
        case bool() | int() | float():
            return json.dumps(value)
        case None:
            return "NULL"
        case _:
            return literal(str(value))


def _answered(cell: Any, model: str, limit: int) -> Answered:
    try:
        document = json.loads(cell) if isinstance(cell, str) else cell
        text = _text(document)
        usage = document.get("usage") or {}
    except (ValueError, KeyError, IndexError, TypeError) as problem:
        raise ModelError("cortex: the answer has no choices[0].messages") from problem
    taken = Usage(usage.get("prompt_tokens"), usage.get("completion_tokens"))
    # The account does not say why an answer ended: one of full length was cut.
    is_cut = (taken.completion_tokens or 0) >= limit
    return Answered(
        text,
        "truncated" if is_cut else "complete",
        taken,
        str(document.get("model") or model),
    )


def _text(document: Mapping[str, Any]) -> str:
    """Return the answer's text; a structured one comes as a document of its own."""
    if document.get("structured_output"):
        return json.dumps(document["structured_output"][0]["raw_message"], ensure_ascii=False)
    return str(document["choices"][0]["messages"])
