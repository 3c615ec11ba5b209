"""Refusals about AI functions.

Room: embedded. Pure.
"""

from __future__ import annotations

from skills_nb.embedded.errors.words import COMPILATION
from skills_nb.errors import SqlError


def no_ai_handler(function: str) -> SqlError:
    """Say that nobody answers for this function."""
    return SqlError(
        f"{COMPILATION}Unsupported feature '{function}'.",
        errno=2,
        sqlstate="0A000",
        hint="register a handler for AI functions: account.answer_ai(lambda call: …)",
    )


def failed_handler(function: str, error: BaseException) -> SqlError:
    """Say that the handler raised."""
    return SqlError(
        f"{function} failed in its handler: {type(error).__name__}: {error}",
        errno=100351,
        sqlstate="P0000",
    )


def wrong_ai_answer(function: str, wanted: str, answer: object) -> SqlError:
    """Say that the handler's answer is of another type than the function's."""
    return SqlError(
        f"{function} must be answered with {wanted}, not with {type(answer).__name__}.",
        errno=100351,
        sqlstate="P0000",
    )
