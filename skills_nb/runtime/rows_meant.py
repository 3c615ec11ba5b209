"""Words that are about rows of a table that they name, and the columns that they name in passing.

Room: work. `members older than 60` asks for rows, though no word says so; the `late fee` of
`delete loans with a late fee below 1` says nothing of late rows. Both are known once the account
has told its tables and columns. `let ANALYST look at ANIMALS` and `clone VISITS for testing` want
one thing, whatever the name reminds of.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from skills_nb.engine.guided.plan_templates import begins_with_table, recurs
from skills_nb.engine.inputs.wording.named_choices import mentions, spoken_key
from skills_nb.engine.inputs.wording.said_moments import TWO_MONTHS
from skills_nb.sql.names_in_text import object_names

SHOW_ROWS = "show the rows of a table"
"""Words that lead where rows are asked for."""
_VALUE = r"(?:[$€£]?-?\d+(?:[.,]\d+)*|'[^'\n]*')"
_SIGN = (
    r"(?:above|below|over|under|exceeding|between|equal to|exactly|at (?:least|most)"
    r"|no (?:more|less) than|(?:more|less|fewer|greater|higher|lower|larger|bigger|smaller) than"
    r"|missing|empty|null|blank|unknown)\b|[<>=!]+"
)
_BE = r"(?:of |(?:is|are|was|were) )?(?:not )?"
_COMPARED = rf"{_BE}(?:(?:{_SIGN})(?:\s*{_VALUE})?(?: and {_VALUE})?|{_VALUE})"
_IS_COMPARED = re.compile(rf'"?\s*{_COMPARED}', re.IGNORECASE)
_LEADS_TO_COLUMN = re.compile(r"\b(?:where|whose)(?: (?:the|an?|its|their))?\W*$", re.IGNORECASE)
_MEASURES = re.compile(
    r"\b(?:average|mean|median|total|sum of|highest|lowest|by|per|each)(?: (?:the|an?))?\W*$",
    re.IGNORECASE,
)
_MAY_COMPARE = re.compile(rf"\b(?:where|whose|average|total|by|per)\b|\s{_COMPARED}", re.IGNORECASE)
_MAY_BE_COMPARED = re.compile(rf"\b(?:where|whose)\b|\s{_BE}(?:{_SIGN})", re.IGNORECASE)
_TELLS_ROWS = re.compile(
    r"\s*(?:(?:who|that|which) )?(?:(?:is|are|was|were|has|have) )?"
    r"(?:older|younger|cheaper|(?:more|less) expensive|longer|shorter|aged|not|never|already|with"
    r"|without|where|whose|from|since|before|after|in|between|above|below|over|under|more|less"
    r"|joined|made|of the (?:last|past)|per|by|for each|each)\b",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"\W*(?:the )?(?:(?:\d{1,5}|two|three|four|five|six|seven|eight|nine|ten|twelve) )?"
    r"(?:newest|latest|oldest|earliest|highest|lowest|largest|smallest|biggest|longest|shortest"
    r"|cheapest|youngest|heaviest|lightest|most|least)\b",
    re.IGNORECASE,
)
_OF_COLUMN = re.compile(
    r"\W*(?:please )?(?:who|which roles?|mask|hide|redact|blur|obscure|conceal)\b", re.IGNORECASE
)
_BACK = re.compile(
    r"\b(?:undrop|undelete|restore|recover|retrieve|back|gone|missing|vanished|disappeared)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\W*(?:which|what|show|list|see|display|find|give|get)\b", re.IGNORECASE)
_PLEASE = r"\W*(?:please |pls |plz |can you |could you |i want (?:you )?to )*"
_READ = r"(?:read|see|look (?:at|into)|query|select|view|access)\b"
_LETS_READ = re.compile(
    rf"{_PLEASE}(?:let|allow|permit|enable)\b [^,;:]{{1,60}}?(?:to )?{_READ}"
    rf"|(?!\W*(?:who|which|what|why|how|does|do|is|i|we)\b)[^,;:?]{{1,60}}?\b(?:needs?|has|have"
    rf"|should be able|must be able|is supposed) to {_READ}",
    re.IGNORECASE,
)
_COPIES = re.compile(
    rf"{_PLEASE}(?:clone|copy|duplicate|back ?up|(?:make|create|take|give)(?: me| us)? an? "
    r"(?:\w+ )?(?:copy|clone|backup) of)\b(?!.*\b(?:stages?|files?|csv|json|parquet|s3|mask\w*"
    r"|anonym\w*|developers?|environment|sandbox|schema|database|ago|yesterday"
    r"|before(?! (?:i|we|you|they|anyone|anybody|somebody|the \w+ (?:begins|starts|opens))\b))\b)",
    re.IGNORECASE | re.DOTALL,
)
_WHO_READS = re.compile(
    rf"{_PLEASE}(?:who|which roles?|what roles?)\b[^,;:]{{0,40}}?\b(?:can|could|may|is able to"
    rf"|are able to|is allowed to|are allowed to) {_READ}",
    re.IGNORECASE,
)
_OWN_ROWS = re.compile(
    rf"(?:{_PLEASE}(?:show|let|make) (?:each|every) (?:role|team|branch|\w+) (?:only |see )"
    r"|[^,;:?]{1,60}?\b(?:may|can|must|should) (?:only see|see only)\b"
    rf"|{_PLEASE}(?:filter|restrict|limit) [^,;:?]{{1,60}}?\b(?:only sees?|sees? only)\b)"
    r"(?!.*\b(?:columns?|mask\w*)\b)",
    re.IGNORECASE,
)
_LACKS = re.compile(
    rf"{_PLEASE}(?:which|what|whose|show|list|find)\b[^,;]{{1,40}}? (?:have|has|having|with) no ",
    re.IGNORECASE,
)
_REFRESHED = re.compile(
    rf"{_PLEASE}(?:(?:create|make|build|set up|i want|i need|give me) )?(?:an? )?(?:new )?"
    r"dynamic table (?:of|with|for|from|that)\b",
    re.IGNORECASE,
)
_RANKS = re.compile(
    rf"{_PLEASE}(?:which|what|who|whose)\b.*\b(?:most|fewest|least|highest|lowest|largest|smallest"
    r"|biggest|heaviest|lightest|longest|shortest|oldest|cheapest|newest|busiest|popular)\b",
    re.IGNORECASE | re.DOTALL,
)
_KEEPS = re.compile(
    rf"{_PLEASE}(?:keep|maintain|have)\b.*\btable\b.*\b(?:per|by|for each)\b",
    re.IGNORECASE | re.DOTALL,
)
_COLUMN_ADDED = re.compile(
    rf"{_PLEASE}(?:add|create|append)\b [^,;:.]{{0,50}}?\bcolumns?\b"
    r"(?! (?:comment|description|tag))"
    r"(?!.*\b(?:ai|cortex|sentiment|summar\w+|translat\w+|classif\w+|extract\w*|policy)\b)",
    re.IGNORECASE | re.DOTALL,
)
_DUPLICATES = re.compile(
    rf"{_PLEASE}(?:find|show|list|count|check|look for|is there|are there|does|do|has|have|which"
    r"|what|how many|any)\b[^,;:]{0,60}\bduplicate[sd]?\b"
    r"(?!.*\b(?:remove|delete|drop|rid|daily|every|monitor|alert|watch)\b)",
    re.IGNORECASE | re.DOTALL,
)
_ROWS_GO = re.compile(
    rf"{_PLEASE}(?:delete|remove) (?:all )?(?:the |our |my )?(?:[a-z]+ ){{0,3}}[a-z]+s"
    r' (?:from|in|of) (?:table )?"?\w',
    re.IGNORECASE,
)
_SAID_OF_TABLE = re.compile(rf"{_PLEASE}(?:comment|(?:put|set|add) a comment)\b", re.IGNORECASE)
_ALARMS = re.compile(
    rf"{_PLEASE}(?:alert|warn|notify|tell|let)(?: me| us)?(?: know)? (?:when|if|once|as soon as)\b",
    re.IGNORECASE,
)
_ALL_AGAIN = re.compile(r"\b(?:delete|truncate|remove|empty|purge|clear)\b", re.IGNORECASE)
_TRANSFERS = re.compile(
    rf"{_PLEASE}(?:copy|append|insert|add|transfer)\b[^;:?]{{0,80}}? (?:into|to)\b"
    r"(?!.*\b(?:stages?|files?|csv|json|parquet|columns?)\b)",
    re.IGNORECASE | re.DOTALL,
)
_LACKS_MATCH = re.compile(
    rf"{_PLEASE}(?:which|what|whose|show|list|find)\b[^,;]{{1,60}}? "
    r"(?:(?:have|has|having|with|had) no|without(?: any)?|(?:have|has|had) (?:not|never)"
    r"|(?:are|is) not in|missing from)\b",
    re.IGNORECASE,
)
_JOINS = re.compile(
    rf"{_PLEASE}(?:join|combine)\b|[^;:?]{{1,60}}? (?:together |along )?with (?:its|their)\b",
    re.IGNORECASE,
)
_PUTS_BACK = re.compile(
    rf"{_PLEASE}(?:restore|recover|revert|reset|roll|rollback|put|bring|return|take)\b"
    r"(?!.*\b(?:drop\w*|deleted?|lost|missing|clone|copy)\b)[^,;:?]{1,80}?"
    r"\b(?:\d{1,4}|an?|one) (?:minute|hour|day)s? (?:ago|earlier)\b",
    re.IGNORECASE,
)
_COMPARES_MONTHS = re.compile(r".*\b(?:compare|comparison|versus|vs|against)\b", re.I | re.DOTALL)
_FORMS_OF_TWO = (
    (_TRANSFERS, "transfer rows from one table into another table"),
    (_LACKS_MATCH, "show the rows of a table"),
    (_JOINS, "show the rows of a table"),
)
"""What is about two tables, where two are named."""
_FORMS = (
    (_PUTS_BACK, "look at a table as it was an hour ago"),
    (_LETS_READ, "let a role read a table"),
    (_COPIES, "clone a table"),
    (_WHO_READS, "who can read a table"),
    (_OWN_ROWS, "filter rows of a table for a role"),
    (_RANKS, "show the rows of a table"),
    (_LACKS, "show the rows of a table"),
    (_REFRESHED, "create a dynamic table"),
    (_KEEPS, "create a dynamic table"),
    (_COLUMN_ADDED, "add a column to a table"),
    (_DUPLICATES, "show the rows of a table"),
    (_ROWS_GO, "delete rows of a table"),
    (_ALARMS, "log when rows meet a condition"),
    (_SAID_OF_TABLE, "comment on a table"),
)


def changes_again(words: str) -> bool:
    """Tell whether words want rows to go again and again: that is scheduled, and nothing else."""
    return recurs(words) and _ALL_AGAIN.search(words) is not None


def may_compare(words: str) -> bool:
    """Tell whether words speak of something that is compared, whose name may be a column's."""
    return _MAY_BE_COMPARED.search(words) is not None


def brings_back(words: str) -> bool:
    """Tell whether words ask for something that is gone: it may be a table that was dropped."""
    return _BACK.search(words) is not None


def may_be_of_column(words: str) -> bool:
    """Tell whether words ask who reads something, or hide it: it may be one column of a table."""
    return _OF_COLUMN.match(words) is not None


def may_name_columns(words: str) -> bool:
    """Tell whether words speak of something that may be a column in a condition."""
    return _MAY_COMPARE.search(words) is not None


def may_ask_for_rows(words: str) -> bool:
    """Tell whether words begin as if rows were to be shown: `the three cheapest …`."""
    return _MOST.match(words) is not None


def without_columns(words: str, columns: Iterable[str], *, asks_rows: bool) -> str:
    """Return words with the columns in quotes that stand in them as columns: names say nothing.

    What is done to a column is what is wanted: in `mask the email column` it stays a word.

    Args:
        words: a person's words.
        columns: stored names of the columns of the tables that are named.
        asks_rows: whether the words ask for a number over rows, which columns group and measure.
    """
    taken = [(name.start, name.end) for name in object_names(words)]
    pieces, behind = [], 0
    for start, end, column in mentions(words, {spoken_key(name): name for name in columns}):
        is_name = any(begin <= start < stop for begin, stop in taken)
        if is_name or not _stands_as_column(words, start, end, asks_rows=asks_rows):
            continue
        is_quoted = words[start - 1 : start] == '"' == words[end : end + 1]
        name = column.replace('"', '""')
        pieces += [words[behind:start], name if is_quoted else f'"{name}"']
        # With what it is compared says no more of what is wanted.
        compared = None if is_quoted else _IS_COMPARED.match(words, end)
        behind = compared.end() if compared is not None else end
    return "".join((*pieces, words[behind:]))


def _stands_as_column(words: str, start: int, end: int, *, asks_rows: bool) -> bool:
    before, after = words[:start], words[end:]
    is_measured = asks_rows and _MEASURES.search(before) is not None
    is_led = _LEADS_TO_COLUMN.search(before) is not None
    return is_led or is_measured or _IS_COMPARED.match(after) is not None


def asks_for_rows(words: str) -> bool:
    """Tell whether words, their tables in full, are about the rows of the table they begin with."""
    begun = begins_with_table(words)
    if begun is None:
        return False
    is_bare = not words[: begun.start].strip(" \t'\"")
    tells = _TELLS_ROWS.match(words, begun.end) is not None
    return tells if is_bare or _ASKS.match(words) is not None else True


def wanted_by_form(words: str, *, of_two: bool = False) -> str | None:
    """Return words that lead where a form of words is served; None where it is none of them.

    Args:
        words: a person's words.
        of_two: whether they are about two tables.
    """
    if changes_again(words):
        return "schedule a statement as a task"
    if _COMPARES_MONTHS.match(words) is not None and TWO_MONTHS.search(words) is not None:
        return "how many rows per month"
    forms = _FORMS_OF_TWO if of_two else _FORMS
    return next((leads for form, leads in forms if form.match(words) is not None), None)


def has_form(words: str) -> bool:
    """Tell whether words have a form that says what is wanted of the tables that they may name."""
    return any(wanted_by_form(words, of_two=both) is not None for both in (False, True))
