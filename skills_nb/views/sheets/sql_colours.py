"""SQL as HTML: words, strings, names and comments told apart, everything escaped.

Room: laws (views). Colour only helps to read: the text is the same, letter by letter, so what is
selected and copied is the SQL itself. Comments are set in italics and words in bold, for whoever
does not see the colours.
"""

from __future__ import annotations

from html import escape

from skills_nb.sql.tokens import Token, TokenKind, scan
from skills_nb.views.sheets.style import DARK, LIGHT

_MOST_COLOURED = 60_000
"""Characters of one block; a longer one is shown plain, so that the page stays quick."""

_CLASSES = {
    TokenKind.COMMENT: "c",
    TokenKind.STRING: "s",
    TokenKind.DOLLAR: "s",
    TokenKind.QUOTED: "q",
    TokenKind.NUMBER: "n",
}

_KEYWORDS = """
    ADD ADMIN AFTER ALL ALTER AND APPLY AS ASC AT BEFORE BEGIN BETWEEN BY CASCADE CASE CLONE CLUSTER
    COLUMN COMMENT COPY CREATE CROSS CURRENT_ROLE DATABASE DATABASES DEFAULT DELETE DESC DESCRIBE
    DISTINCT DROP DYNAMIC ELSE END EXCEPT EXECUTE EXISTS FALSE FILE FOR FORCE FORMAT FROM FULL
    FUNCTION FUTURE GRANT GRANTS GROUP HAVING IF ILIKE IMMEDIATE IN INNER INSERT INTEGRATION
    INTERSECT INTO IS JOIN LATERAL LEFT LIKE LIMIT MASKING MATCHED MATERIALIZED MERGE MODIFY MONITOR
    NOT NULL OF ON OPTION OR ORDER OUTER OVER OWNERSHIP PARTITION PIPE POLICY PRIVILEGES PROCEDURE
    PUBLIC QUALIFY REPLACE RESOURCE RESTRICT RETURNS REVOKE RIGHT ROLE ROLES ROW ACCESS SCHEMA
    SCHEMAS SELECT SEQUENCE SET SHARE SHOW STAGE STREAM SUSPEND RESUME TABLE TABLES TAG TASK
    TEMPORARY THEN TO TRANSIENT TRUE TRUNCATE UNDROP UNION UNIQUE UNSET UPDATE USAGE USE USER USING
    VALUES VIEW VIEWS WAREHOUSE WHEN WHERE WITH
    """
"""Words of statements as playbooks send them; a word that is missing is shown plain."""
_WORDS = frozenset(_KEYWORDS.split())

SQL_CSS = f"""
.sk .sk-sql{{--sk-str:{LIGHT["ok"]};--sk-key:{LIGHT["info"]};--sk-num:{LIGHT["review"]};
user-select:all;-webkit-user-select:all}}
[data-jp-theme-light="false"] .sk .sk-sql,.vscode-dark .sk .sk-sql,
.vscode-high-contrast .sk .sk-sql{{--sk-str:{DARK["ok"]};--sk-key:{DARK["info"]};
--sk-num:{DARK["review"]}}}
.sk .sk-sql b{{color:var(--sk-key);font-weight:600}}
.sk .sk-sql i{{color:var(--sk-soft);font-style:italic}}
.sk .sk-sql .s{{color:var(--sk-str)}}.sk .sk-sql .n{{color:var(--sk-num)}}
.sk .sk-sql .q{{text-decoration:underline dotted 1px;text-underline-offset:3px}}
"""
"""A click selects a block as a whole: a saved notebook runs no script that could copy it."""


def sql_html(sql: str) -> str:
    """Return SQL as HTML that shows the same text."""
    if len(sql) > _MOST_COLOURED:
        return escape(sql)
    return "".join(map(_token, scan(sql)))


def _token(token: Token) -> str:
    text = escape(token.text)
    if token.kind is TokenKind.WORD:
        return f"<b>{text}</b>" if token.text.upper() in _WORDS else text
    if token.kind is TokenKind.COMMENT:
        return f"<i>{text}</i>"
    mark = _CLASSES.get(token.kind)
    return f'<span class="{mark}">{text}</span>' if mark else text
