"""Find clauses that say something beside the wish: a place for its result, a setting, a quote.

Room: routing. Grammar only. "Score them and write the result to a table" is one wish, and so is
"merge them, source STG.IN.DELTA, target DW.DIM.ITEM".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from skills_nb.routing import phrases
from skills_nb.routing.words import Word, word_set

_NAME = "\N{SECTION SIGN}"
"""What the name of an object is read as, whatever it is called."""
_ARTICLES = r"(?:(?:an?|the|one|my|our|its|another|new|separate|own|same|all|these|those) )*"
_KEEPS_RESULT = re.compile(
    r"^(?:(?:and|then|also|plus|just|please|with) )*"
    rf"(?:(?:write|writes|store|save|put|keep|insert|have) )?{_ARTICLES}"
    r"(?:results?|outcomes?|outputs?|answers?|scores)"
    rf" (?:(?:back|go|goes|should|must|written|stored|saved) )*(?:in|into|to|as|next to|beside)"
    rf" {_ARTICLES}(?:tables?|columns?|it|them|{_NAME})(?: (?!in\b|to\b|of\b|for\b).*)?$"
)
"""What comes of a wish stays in the account, which every skill sees to."""
_SETTING = re.compile(
    r"^(?:(?:and|then|should|must|it|which|auto) )*"
    r"(?:pauses?|suspends?|sleeps?|expires?|times? out)(?: (?:it|itself|automatically))*"
    r" (?:after|within|in) \d+ ?(?:s|m|h|secs?|seconds?|minutes?|hours?|days?)\b"
)
"""A setting of what is made beside it ("a pool, pause after 10 minutes")."""
_SETS_IT = re.compile(r"^(?:(?:and|then|also|please) )*set (?:it|them) (?:to|on|at) \w+$")
_MENDS_IT = re.compile(
    r"^(?:(?:and|so|please|we|you|must|should|can|now|let us|to|want to|need to|i) )*"
    r"(?:clean|tidy|sort|fix|change|stop|end|solve|improve|handle|settle) (?:that|this|it|those)"
    r"(?: (?:up|out|please|now|soon))*(?: (?:for|in) (?:\w+ ){0,4}\w+)?$"
    r"|^(?:that|this|it) (?:should|must|has to|needs to|shall) (?:stop|end|change|improve)\b"
)
"""What is to be mended was told before: "interns can read pay, clean that up"."""
_WHERE = word_set(
    "source target origin destination from to into in on is are the our table tables key keys and"
)
"""Words that beside names only say what is worked on, and where the rest goes."""
_REPAIRING = word_set("check correct repair fix adjust adapt improve solve")
"""Verbs that need an object; without one they are about what was said before."""
_SQL = word_set("select merge")
"""What a statement begins with that somebody quotes rather than wants."""
_QUOTING = frozenset({":", "\n"})
"""Marks behind which somebody quotes."""


def is_aside(words: Sequence[Word], *, begins: bool) -> bool:
    """Tell whether a clause wants nothing of its own; `begins` where nothing is said before it."""
    plain = " ".join(_NAME if word.is_name else word.text for word in words)
    if phrases.LACKING.search(plain) or _KEEPS_RESULT.search(plain) or _only_repairs(words):
        return True
    return not begins and (
        _only_says_where(words)
        or any(pattern.search(plain) for pattern in (_SETTING, _SETS_IT, _MENDS_IT))
    )


def quote_in(words: Sequence[Word]) -> int:
    """Return where a statement begins that is quoted ("why so slow: select …"), else the end."""
    at = next((at for at, (one, other) in enumerate(pairwise(words)) if _quotes(one, other)), None)
    is_statement = at and any(word.text in ("from", "into", "set") for word in words[at:])
    return at + 1 if at and is_statement else len(words)


def _quotes(one: Word, other: Word) -> bool:
    return one.text in _QUOTING and other.text in _SQL


def _only_repairs(words: Sequence[Word]) -> bool:
    """Tell whether a clause has no object: "check and correct" is said of what was told before."""
    said = [word.text for word in words if not word.is_function]
    return bool(said) and _REPAIRING.issuperset(said)


def _only_says_where(words: Sequence[Word]) -> bool:
    """Tell whether a clause is names, with nothing but words of direction beside them."""
    beside = [word.text for word in words if not word.is_name]
    return 0 < len(beside) < len(words) and _WHERE.issuperset(beside)
