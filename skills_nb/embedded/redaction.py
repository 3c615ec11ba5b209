"""Redaction: secrets in a statement's text before it is kept in the history.

Room: embedded. Pure.
"""

from __future__ import annotations

from skills_nb.sql.tokens import TokenKind, tokenize

_SECRET = frozenset(
    {
        "PASSWORD",
        "OLD_PASSWORD",
        "SECRET_STRING",
        "OAUTH_CLIENT_SECRET",
        "CLIENT_SECRET",
        "AWS_KEY_ID",
        "AWS_SECRET_KEY",
        "AWS_TOKEN",
        "AZURE_SAS_TOKEN",
        "MASTER_KEY",
        "OAUTH_REFRESH_TOKEN",
        "API_KEY",
        "RSA_PUBLIC_KEY",
        "RSA_PUBLIC_KEY_2",
        "MINS_TO_BYPASS_MFA",
    }
)
_LITERALS = (TokenKind.STRING, TokenKind.DOLLAR, TokenKind.VARIABLE)


def without_secrets(sql: str) -> str:
    """Replace the value behind `PASSWORD =` and its like."""
    upper = sql.upper()
    if not any(word in upper for word in _SECRET):
        return sql
    out: list[str] = []
    position, last, before = 0, "", ""
    for token in tokenize(sql):
        if token.kind in _LITERALS and before == "=" and last in _SECRET:
            out += [sql[position : token.start], "'«redacted»'"]
            position = token.end
        if token.kind in (TokenKind.SPACE, TokenKind.COMMENT):
            continue
        last, before = token.word or last, token.text
    return "".join([*out, sql[position:]])
