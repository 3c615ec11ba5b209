"""Tell questions that only the speaker's account can answer from those that a manual answers.

Room: routing. English grammar and words of time; no skill.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from skills_nb.routing import phrases
from skills_nb.routing.words import Word

_INSTANCES = (
    r"(?:\d+ |two |three |five |ten |twenty |of (?:our|my|the) )?(?:\w+ ){0,1}"
    r"(?:tables?|rows|lines|users?|people|persons?|accounts|warehouses?|queries|query|files|jobs"
    r"|statements|teams?|departments?|schemas|databases|dashboards|customers|reports|records|tasks"
    r"|pipelines|pipes|employees|colleagues|consumers|partners)"
)
"""Things of which everybody has their own, so that only the account knows the answer."""
WITNESS = re.compile(
    rf"^(?:which|what) {_INSTANCES} (?!does|do|did not|must|will|exist|is there|are there)\w+"
    r"|^(?:which|what) (?:of )?(?:our|my) "
    r"|^which roles (?:does|do|has|have) "
    r"|^which (?:objects|columns) (?!can|may|are|is|do|does|support|types)\w+"
    r"|^(?:who|whose|whos)\b(?! (?:can|may|is|pays|needs|owns) (?!currently))"
    r"|^who (?:can|may) (?:currently |now |already )?(?:see|read|view|access|reach|query)"
    r"|\b(?:by|from|to) whom\b"
    r"|^what (?:changed|happened|caused|drove|broke|went|made|used|ate|burned|drives|eats)\b"
    r"|^(?:did|was|were|has|have) (?:any|some|every|all|our|the|we|it)"
    r"|^(?:is|are|do|does) (?:all )?(?:of )?the (?:tables|rows|warehouses|queries|files|jobs|tasks"
    r"|pipes|dashboards|reports|users) "
    r"|^when (?:did|was|were|has|have) |^what (?:was|were|(?:is|are|was|has been) granted) "
    r"|^why (?:did|has|have|are we|is our|was|were|are our) .*"
    r"\b(?:costs?|spend|bill|credits|paying|pay|spending|invoice|usage|consumption)\b"
    r"|^why (?:does|do) .*\bcosts? (?:us )?(?:so much|more|that much|a lot)\b"
    r"|^why (?:is|are|was|were|does|do|did|has|have) (?:my|our|this|that|these|the) .*"
    r"\b(?:slow|slower|so long|forever|time out|times out|timing out)\b"
)
"""A question that only somebody who knows the account can answer: who did what, which of ours."""
_NO_QUESTION = r"^(?!(?:is|are|does|do|can|could|will|has|have|how|why|when|what|which|where|who) )"
ABOUT_OWN = re.compile(
    r"^(?:is|are|does|do|did|has|have|was|were) (?:all |any |some |one )?(?:of )?(?:our|my) "
    r"|^how (?:much|many) .*\b(?:is|are)\b.*\b\w{2,}ing\b|^what (?:is|are) .*\bcosting\b"
    r"|^how (?:much|many) .*\b(?:each|every)\b"
    r"|^how many (?:\w+ ){0,2}\w+(?: per \w+)?(?: on average)?$|^how many (?:\w+ ){1,3}are there\b"
    r"|^(?:which|what|how (?:much|many|big|large|old)|who|where|list|show|top|find|report"
    r"|explain|analy[sz]e)\b.*\b(?:most|least"
    r"|largest|biggest|highest|longest|unused|idle|expensive|slowest|top|nobody|cost us|last"
    r"|yesterday|this (?:week|month|quarter|year)|our|my|we|us)\b"
    r"|^(?:what|which|where|how) .*\b(?:our|we|us|my)\b.*\b(?:last|this|yesterday|today"
    r"|since|now)\b"
    rf"|{_NO_QUESTION}.*\b(?:(?:of|in|over|during|from) (?:the )?(?:last|past) (?:\d+ |few |two )?"
    r"(?:hours?|days?|nights?|weeks?|months?|quarters?|year)|last (?:night|week|month|quarter)$)"
)
"""A question about the speaker's own things, unless it asks what one is to do."""
FIGURE = re.compile(r"^(?:and )?(?:how (?:much|many)|which|list|top|what (?:have|did) we|where)\b")
"""A number or a list is asked for."""
_READING = r"(?:see|read|query|select|insert|use|write|update|delete|load|open|truncate)\b"
_ASKING_WHY = r"^(?:diagnose |find out |check )?why"
REFUSED = re.compile(
    r"\b(?:which|what) (?:grants?|privileges?|permissions?|rights?) (?:is|are) missing\b|"
    rf"{_ASKING_WHY} (?:can|may) (?:\w+ ){{1,4}}?not {_READING}"
    rf"|{_ASKING_WHY} can not (?:\w+ ){{1,3}}?{_READING}"
    rf"|{_ASKING_WHY} (?:\w+ ){{1,6}}?can not {_READING}"
    rf"|^(?:\w+ ){{0,2}}role (?:\w+ )?can not {_READING}"
    r"|^(?:\w+ )?missing (?:grants?|privileges?|access)\b"
)
"""Somebody is refused: which grant is missing stands in the account, not in a manual."""
_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|20\d\d)"
)
HAPPENED = re.compile(
    r"^(?:what|why|when|where|how (?:much|many)(?: \w+){0,3}?) did (?!(?:i|you|one|it)\b)"
    rf"|^(?:what|which|how|who|where|why|show|list) .*\b(?:in|since|during) {_MONTHS}\b"
    r"|^(?:what|which|how|who|where|why|is|are|did) .*\b(?:tonight|today|this (?:morning|afternoon)"
    r"|right now|at (?:the moment|present)|so far|here)$"
    r"|^(?:do|does|is|are) .*\b(?:cost|costs|costing) us\b"
    r"|^why (?:is|are) (?:the|our|this|that) \w+ so (?:big|large|full|high|expensive|many)\b"
    r"|^(?:which|what) .* (?:in|of) (?:the|this|our) account$"
    r"|^(?:what|which|where|how (?:much|many)) .*\b(?:do|have|are|did) we"
    r" (?!need|have to|want|use\b|get\b|set\b|make|put\b|do\b|choose|pick|call\b|supposed|allowed)"
    r"|^(?:does|do|is|has) (?:the|our|my|this) (?:new |old )?(?:schema|database) "
    r"|^(?:is|are) there (?:anything|something|still) "
    r"|^how (?:much|many) (?:\w+ ){1,3}(?:go|goes|went) "
)
"""What happened, or what somebody has, says nobody's manual."""


def is_about_account(part: Sequence[Word], plain: str) -> bool:
    """Tell whether only the account can answer: nobody asks a manual who read a table.

    `plain` are the words of the part without its marks.
    """
    if WITNESS.search(plain) or REFUSED.search(plain) or HAPPENED.search(plain):
        return True
    is_own = bool(ABOUT_OWN.search(plain)) or any(word.is_name for word in part)
    return is_own and not (phrases.ADVICE.search(plain) or phrases.MEANING.search(plain))
