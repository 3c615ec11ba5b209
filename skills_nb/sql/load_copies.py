"""Copies of what people load: the one folder of their own stage in which they are kept.

Room: sql. A copy is made by the load itself and is gone when its rows are in the table: to remove
it takes nothing from anybody.
"""

from __future__ import annotations

from skills_nb.sql.tokens import Token, TokenKind, tokenize

OWN_FOLDER = "skills_nb_load"
"""Folder of a person's own stage for copies of what they load: nothing else is kept there."""
_OWN = f"@~/{OWN_FOLDER}/"
_TEXTS = (TokenKind.STRING, TokenKind.DOLLAR)


def own_upload(sql: str) -> str | None:
    """Return the folder of copies to be loaded that a PUT fills; None for any other statement."""
    tokens = tokenize(sql)
    if not tokens or tokens[0].word != "PUT" or not is_own(tokens):
        return None
    return next(token.text[1:-1] for token in tokens if token.text.startswith(f"'{_OWN}"))


def is_own(tokens: tuple[Token, ...]) -> bool:
    """Tell whether the only stage of a statement is the folder of copies to be loaded."""
    texts = [token.text for token in tokens if token.kind in _TEXTS]
    has_other = any(token.text.startswith("@") for token in tokens if token.kind not in _TEXTS)
    staged = [text for text in texts if text.startswith("'@")]
    return not has_other and len(staged) == 1 and _is_plain(staged[0])


def _is_plain(text: str) -> bool:
    """Tell whether a text names a folder in there, and not one beside it."""
    return text.startswith(f"'{_OWN}") and "/.." not in text and len(text) > len(_OWN) + 2
