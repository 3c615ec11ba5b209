"""Files: what is deleted or overwritten on a stage or here, and rows that leave the account.

Room: sql.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from skills_nb.sql.harm.harm_value import Harm
from skills_nb.sql.harm.unparsed_statements import shorten
from skills_nb.sql.load_copies import is_own
from skills_nb.sql.tokens import Token, TokenKind, tokenize

_NO = frozenset({"FALSE", "0", "'FALSE'", "NO", "OFF"})
_TEXTS = (TokenKind.STRING, TokenKind.DOLLAR)


def of_files(sql: str, tokens: tuple[Token, ...]) -> Iterator[Harm]:
    """Yield what a statement does to files."""
    head = tokens[0].word
    if head in ("REMOVE", "RM"):
        yield Harm(f"remove files ({shorten(sql)})")
    if head == "GET":
        yield Harm(f"write files on this computer ({shorten(sql)})")
    if head in ("COPY", "PUT"):
        if _says(tokens, "PURGE") and not is_own(tokens):
            yield Harm(f"remove the files that it loads ({shorten(sql)})")
        if _says(tokens, "OVERWRITE"):
            yield Harm(f"overwrite files ({shorten(sql)})")
        if head == "COPY" and tokens[2].kind in _TEXTS and not _is_stage(tokens[2].text):
            yield Harm(f"copy rows out of the account to {tokens[2].text[:80]}")


def _is_stage(text: str) -> bool:
    """Tell whether a constant names a stage, as one does whose name needs quotes."""
    return text.startswith("'@")


def purge_place(sql: str) -> str | None:
    """Return the place from which a statement removes the files that it loads, or None."""
    tokens = tokenize(sql)
    if tokens[0].word != "COPY" or not _says(tokens, "PURGE") or is_own(tokens):
        return None
    at = next((n for n, token in enumerate(tokens) if token.text == "@"), None)
    if at is None:
        return shorten(sql)
    found = "@"
    for before, token in pairwise(tokens[at:]):
        if token.text not in (".", "~", "%") and before.text not in ("@", ".", "~", "%"):
            break
        found += token.text
    return found


def _says(tokens: tuple[Token, ...], option: str) -> bool:
    """Tell whether an option is there and not plainly off."""
    return any(
        token.word == option
        and tokens[at + 1].text == "="
        and tokens[at + 2].text.upper() not in _NO
        for at, token in enumerate(tokens[:-2])
    )
