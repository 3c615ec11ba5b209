"""Redaction: secrets in a statement's text before it is kept in the history.

Room: embedded. Pure.
"""

from __future__ import annotations

from skills_nb.sql.tokens import TokenKind, tokenize

_SECRET = frozenset({
    "PASSWORD", "OLD_PASSWORD", "SECRET_STRING", "OAUTH_CLIENT_SECRET", "CLIENT_SECRET",
    "AWS_SECRET_KEY", "AZURE_SAS_TOKEN", "MASTER_KEY", "OAUTH_REFRESH_TOKEN", "API_KEY",
    "RSA_PUBLIC_KEY", "RSA_PUBLIC_KEY_2", "MINS_TO_BYPASS_MFA",
})  # fmt: skip
_LITERALS = (TokenKind.STRING, TokenKind.DOLLAR, TokenKind.VARIABLE)


def without_secrets(sql: str) -> str:
    """Replace the value behind `PASSWORD =` and its like."""
    if not any(word in sql.upper() for word in _SECRET):
        return sql
    out: list[str] = []
    last = ""
    before = ""
    for token in tokenize(sql):
        hidden = token.kind in _LITERALS and before == "=" and last in _SECRET
        out.append("'«redacted»'" if hidden else token.text)
        if token.kind in (TokenKind.SPACE, TokenKind.COMMENT):
            continue
        if token.word:
            last = token.word
        before = token.text
    return "".join(out)
