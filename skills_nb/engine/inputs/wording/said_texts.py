"""Texts that a goal says word for word: a file, a statement, a comment; and how often something is.

Room: laws. Any word could be a text; these are known by their form. `load weather.csv` names a
file, `run DELETE FROM … every Monday` holds a statement, `comment "who lies where"` a comment.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skills_nb.engine.inputs.wording.said_moments import TWO_MONTHS

_FILE = re.compile(
    r"(?<![\w/.'\"-])(?P<text>[\w/-][\w./-]*\.(?:csv|tsv|txt|json|jsonl|ndjson|parquet)(?:\.gz)?)\b",
    re.IGNORECASE,
)
_OFTEN = (
    r"(?:every|each|once an?|nightly|hourly|daily|weekly|monthly|on (?:warehouse|[A-Z]\w*_WH)"
    r"|as (?:a )?task)\b"
)
STATEMENT = re.compile(
    r"(?<![\w.\"])(?P<text>(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|MERGE INTO|TRUNCATE|CALL"
    rf"|COPY INTO|ALTER|CREATE|DROP|EXECUTE) .+?)(?=[,;]? {_OFTEN}|;?\s*$)",
    re.DOTALL,
)
"""A statement in capitals, up to what says how often it runs."""
_COMMENT = re.compile(
    r"(?:\bcomment(?:s|ed)?(?: (?:that says|saying|of|as|with))?:? |: ?|\b(?:to|as|saying|says) )"
    r"(?P<quote>['\"])(?P<text>[^'\"\n]+)(?P=quote)",
    re.IGNORECASE,
)
_ADDRESSES = re.compile(r"(?<![\w.])(?P<text>\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?)(?![\w/]|\.\d)")
_QUERY = re.compile(r"\b(?P<text>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b", re.IGNORECASE)
_FORMS = {
    "file": _FILE,
    "statement": STATEMENT,
    "text": _COMMENT,
    "network": _ADDRESSES,
    "query_id": _QUERY,
}
"""How each input is said, by its name."""
_DOINGS = tuple(
    (re.compile(rf"\b(?:{form})\b", re.IGNORECASE), privilege)
    for form, privilege in (
        ("write (?:a |the )?files?|put (?:a |the )?files?|upload", "write-stage"),
        ("create (?:a |new )?views?", "create-view"),
        ("create (?:a |new )?tables?|make (?:a |new )?tables?", "create-table"),
        ("call|execute the procedure|run the procedure", "run-procedure"),
        ("use (?:the )?warehouse|run (?:on|queries)", "use-warehouse"),
        ("load into|write to|append|add rows", "insert"),
        ("change|edit|modify", "update"),
        ("remove rows", "delete"),
        ("read(?:ing|s)?|see(?:ing|s)?|query|querying|look at|open", "select"),
    )
)
"""How people say what needs a privilege; the narrower first."""
_EACH = re.compile(r"\b(?:every|each) (\d+ )?(minute|hour|day)", re.IGNORECASE)
_REGULARLY = {"hourly": "1 hour", "daily": "1 day"}


def texts_said(goal: str, name: str) -> Iterator[str]:
    """Yield what a goal says word for word of an input of this name."""
    form = _FORMS.get(name)
    found = {one["text"].strip() for one in form.finditer(goal)} if form is not None else set()
    # Of several files not one is meant.
    yield from found if len(found) == 1 else ()


def with_privileges(words: str) -> str:
    """Return words in which `cannot read` says `select`, too, and so with other doings."""
    said = [privilege for form, privilege in _DOINGS if form.search(words)]
    return " ; ".join((words, *said[:1]))


def with_spans(words: str) -> str:
    """Return words in which `every hour` says `1 hour`, too, and two months say `month`."""
    said = [f"{found[1] or '1 '}{found[2]}" for found in _EACH.finditer(words)]
    said += [span for word, span in _REGULARLY.items() if re.search(rf"\b{word}\b", words, re.I)]
    said += ["month"] if TWO_MONTHS.search(words) is not None else []
    return " ; ".join((words, *said))
