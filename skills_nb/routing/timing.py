"""Read how a clause stands in time to the others: "before that", "once that is done", "after".

Room: routing. Grammar only. A clause of time tells circumstances ("after the audit"), points at
what was said before ("after that"), or names an act of the speaker's own ("after masking them"),
which is then a wish like the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from skills_nb.routing import phrases
from skills_nb.routing.words import Word, stem, word_set

_TIMES = word_set("before after once until unless only lastly secondly thirdly thereafter")
_LEADING = word_set("and but so then please also plus only")
_POINTING = r"(?:that|this|it|they|everything|all(?: of)? (?:that|this))"
_DONE = (
    r"(?:done|ready|finished|completed?|in place|in|loaded|live|there|over|up|stable|set up"
    r"|tested|checked|running|green|fine|through|available)"
)
_HAPPENS = (
    rf"(?:(?:(?:is|are|has been|have been|was|were|has|have) )?(?:all )?{_DONE}"
    r"|works?|runs?|finish(?:es|ed)|ends?|succeeds?|exists?|stands|completes|passes|arrives?)"
)
_BESIDES = re.compile(
    r"(?:besides|apart from|in addition to|on top of) (?:that|this|it|them|which)\b ?"
    r"|in addition\b ?|besides\b ?"
)
_ENDING = re.compile(
    r" (?:(?P<how>before|after|prior to) (?:that|this)|(?P<last>afterwards|thereafter))$"
)
"""The time may also stand last: "the names have to be masked before that", "a page afterwards"."""
_EARLIER = re.compile(
    r"(?:prior to|before) (?:that|this|(?:it|them)(?= (?:the|our|all)\b)"
    r"|doing (?:so|that|this|it))\b ?"
)
_LATER = re.compile(
    rf"(?:after (?:that|this|which)\b(?: {_HAPPENS}\b)?|with (?:that|this) {_DONE}\b"
    r"|(?:lastly|secondly|thirdly|thereafter)\b"
    r"|(?:in|at) the end\b(?! of)"
    r"|(?:as )?(?:a |the )?(?:last|final|second|third|next) step\b(?: is)?"
    r"|last(?! (?:\d|week|month|year|quarter|night|time))\b"
    rf"|(?:once|after|when|as soon as) (?:{_POINTING} {_HAPPENS}|done|finished|ready|loaded)\b) ?"
)
_CONDITION = re.compile(
    r"(?:(?:not )?until|unless|(?:only|not)(?: when| if| once| after| before)"
    r"|provided(?: that)?|on condition(?: that)?)\b(?! (?:i|we|that|this|then|told|further)\b) ?"
    rf"|once (?!(?:{_POINTING}|i|we|you)\b)(?=(?:\w+ ){{1,8}}(?:is|are|has been|have been)"
    rf" (?:{_DONE}|\w+ed)\b)"
)
"""What has to be so before the rest may happen ("no share until the rows are filtered")."""
_OWN_ACT = re.compile(r"(?P<how>before|after|once) (?P<who>you (?:have )?)?(?P<act>\w+)")
"""What `you` do, or an act without anybody, is asked for. What `we` do is the speaker's plan or
past: "before we hire interns" only tells why."""
_WORK_STEMS = frozenset(stem(verb) for verb in phrases.WORK)


@dataclass(frozen=True, slots=True)
class Timing:
    """How a clause stands in time to what else is said."""

    skipped: int = 0
    """Words at its beginning that only tell the time."""
    is_act: bool = False
    """It names what is to be done, in spite of the word of time."""
    goes_before: bool = False
    """It has to be done before what was said before it."""
    goes_after: bool = False
    """It has to be done after what was said before it."""
    is_condition: bool = False
    """It tells what has to be so before something else may happen."""
    awaits: bool = False
    """Something else has to be done before it, wherever that is said."""

    @property
    def is_wish(self) -> bool:
        """Whether the clause is wanted, even where no verb says so ("after that, a dashboard")."""
        ordered = self.goes_before or self.goes_after
        return self.is_act or (ordered and not self.is_condition)


def read_timing(words: Sequence[Word]) -> Timing:
    """Return how a clause stands in time, by how it begins."""
    lead = 0
    while lead < len(words) and words[lead].text in _LEADING:
        lead += 1
    condition = _condition(words)
    if condition:
        return Timing(condition, goes_before=True, is_condition=True)
    plain = " ".join(word.text for word in words[lead:])
    for pattern, timing in ((_EARLIER, "before"), (_LATER, "after"), (_BESIDES, "")):
        found = pattern.match(plain)
        if found:
            skipped = lead + len(found[0].split())
            said = Timing(skipped, goes_before=timing == "before", goes_after=timing == "after")
            return said if skipped < len(words) else Timing()
    if "then" in (word.text for word in words[:lead]) and lead < len(words):
        return Timing(lead, goes_after=True)
    ending = _ENDING.search(plain)
    if ending:
        earlier = not ending["last"] and ending["how"] != "after"
        return Timing(goes_before=earlier, goes_after=not earlier)
    return _own_act(plain, lead)


def _condition(words: Sequence[Word]) -> int:
    """Return how many words open a condition, 0 where none does."""
    start = 1 if words and words[0].text in ("but", "and") else 0
    found = _CONDITION.match(" ".join(word.text for word in words[start:]))
    length = start + len(found[0].split()) if found else 0
    return length if length < len(words) else 0


def _own_act(plain: str, lead: int) -> Timing:
    found = _OWN_ACT.match(plain)
    if found is None:
        return Timing()
    act = found["act"]
    named = bool(found["who"]) or act.endswith("ing")
    if not named or stem(act) not in _WORK_STEMS:
        return Timing()
    skipped = lead + 1 + len((found["who"] or "").split())
    if found["how"] == "before":
        return Timing(skipped, is_act=True, goes_after=True, awaits=True)
    return Timing(skipped, is_act=True, goes_before=True)


def tells_time(words: Sequence[Word], at: int) -> bool:
    """Tell whether a word inside a clause begins one of time that is more than circumstances."""
    return words[at].text in _TIMES and read_timing(words[at:]) != Timing()
