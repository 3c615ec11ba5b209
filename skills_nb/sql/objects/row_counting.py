"""The question how many rows a statement would change, where a query can ask it.

Room: sql. The statement's own words are asked, so that nothing is understood in another way; and
only where they are provably a read, because nobody has approved anything yet.
"""

from __future__ import annotations

from skills_nb.sql.classify import why_no_probe
from skills_nb.sql.tokens import Token, tokenize

_COUNT = "SELECT COUNT(*) AS CHANGED_ROWS FROM "


def counting_query(sql: str) -> str | None:
    """Return a query for the number of rows that a DELETE, UPDATE or INSERT would change.

    None where the statement joins other tables, so that one row may count twice, or where no read
    would tell.
    """
    tokens = [token for token in tokenize(sql) if token.text]
    asked = _asked(sql, tokens) if tokens else None
    return asked if asked is not None and why_no_probe(asked) is None else None


def _asked(sql: str, tokens: list[Token]) -> str | None:
    words = [token.word for token in tokens[:2]]
    outer = _outer(tokens)
    end = tokens[-2].end if tokens[-1].text == ";" else tokens[-1].end
    if words == ["DELETE", "FROM"] and "USING" not in outer:
        return _COUNT + sql[tokens[2].start : end]
    if words[:1] == ["UPDATE"] and "SET" in outer and "FROM" not in outer:
        where = f" {sql[outer['WHERE'].start : end]}" if "WHERE" in outer else ""
        return _COUNT + sql[tokens[1].start : outer["SET"].start].rstrip() + where
    if words == ["INSERT", "INTO"]:
        query = outer.get("WITH") or outer.get("SELECT")
        return f"{_COUNT}({sql[query.start : end]})" if query is not None else None
    return None


def _outer(tokens: list[Token]) -> dict[str, Token]:
    """Return the first of each word that stands outside of parentheses."""
    depth, found = 0, dict[str, Token]()
    for token in tokens:
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0 and token.word:
            found.setdefault(token.word, token)
    return found
