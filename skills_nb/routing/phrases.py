"""The phrases by which a sentence shows what it wants, as patterns over evened-out text.

Room: routing. English grammar and the words of trouble; no product, no skill, no subject.
"""

from __future__ import annotations

import re

from skills_nb.routing.words import word_set


def _any_of(*phrases: str) -> re.Pattern[str]:
    """Return a pattern that finds any of the phrases as whole words."""
    return re.compile(r"\b(?:" + "|".join(phrases) + r")\b")


_START = r"(?:^|(?<=[:;,.?])|(?<=\band))\s*"
"""Where a question inside an intent may begin."""

ASKING = word_set("what which who how why when where whose whats hows wheres")
AUXILIARY = word_set("is are was were does do did can could will would should has have may am must")
FILLERS = word_set("so and ok hi hello hey now then also first next just please but well")
PARTICLES = word_set("in over out off across")
"""At the end of a clause they stand for the verb: "tickets in", "Synapse over"."""
DETERMINERS = word_set(
    """a an the all each every it them our my this that these those only new everything one two
    three me us from to on up in out at with for your his her their any some"""
)
TELLING = word_set(
    """is are was were has had does did look looks wait waits come comes arrive arrives sit sits
    gets complain complains ends ended says said asks think knows uses used types works"""
)
"""Verbs of sentences that say how things are."""
WORK = word_set(
    """create build set setup make add give grant revoke drop delete remove change alter modify
    update rename resize suspend resume run execute schedule load reload copy move migrate convert
    rewrite translate export unload upload download put get attach detach apply assign mask hide
    show list find scan classify tag label filter restrict limit limited let allow allowlist block
    deny enable disable turn enforce rotate transfer share publish offer prepare hand send email
    mail notify warn alert monitor track capture stream ingest sync replicate refresh keep clone
    restore undo undrop recover bring take deploy push pull register log train score predict package
    wrap write generate draft summarise summarize extract parse analyze analyse sort categorise
    categorize query search define design plan assess estimate compare diff validate
    verify prove check audit review evaluate measure benchmark investigate cap
    stop hard connect open point ship recluster cluster swap merge insert precompute count report
    break lock protect secure discover store save manage configure install test provide split
    separate replace shift leave land pick surface use upgrade fix reset start restart trigger retry
    bundle combine fetch call reach host serve expose aggregate clean dedupe deduplicate transform
    wire hook implement introduce organise organize go continue"""
)
"""Verbs that ask for work when a sentence begins with them."""
ALSO_NOUNS = word_set(
    """share load copy alert limit mask tag label filter schedule report test plan design log train
    score stream clone cluster export transfer cap stop query search host point"""
)
"""Verbs of work that are just as often nouns."""

REQUEST = _any_of(
    r"(?:can|could|would|will) you",
    "please",
    "pls",
    r"(?:guide|help|show|give|tell|warn) (?:me|us)",
    r"make (?:it|this) happen",
    "make sure",
    r"(?:i|we) (?:also |just |only |really |now |all |simply )?"
    r"(?:want|need|would like|have to|plan|wish|intend|would rather|rather)",
    r"lets? (?:me|us|my|our)",
)
"""Somebody is asked to act, or says what is wanted."""
OBLIGATION = _any_of(
    r"(?:needs?|wants?|has|have|had|ought|loves?|likes?|prefer) to",
    "must",
    "shall",
    "should",
    "needs?",
    "wants?",
    r"(?:asks?|asked) for",
    r"may (?:only|look|see|not|never|always|just)",
    r"may\b.*\bonly",
    r"only .*\bmay",
    "ensure",
    "for me",
    "so that",
    "would like",
)
"""Something ought to be so; in a question it is only part of what is asked."""
FACT = _any_of(
    "syntax",
    "defaults?",
    "limits?",
    "limitations?",
    "maximum",
    "minimum",
    "max",
    "min",
    "meaning",
    "means?",
    "versus",
    "differences?",
    "differ",
    "different from",
    "supported",
    "supports",
    r"support (?:for|of)",
    "allowed values",
    "options?",
    "parameters?",
    "arguments?",
    r"propert(?:y|ies)",
    r"(?:which|what|required) fields",
    "columns of",
    "threshold",
    r"latency of|(?:what|which) latency",
    "equivalent",
    "required",
    "documentation",
    "docs",
    "undocumented",
    "examples? of",
    "example",
    "best",
    "quotas?",
    "precedence",
    "wins",
    "deterministic",
    "possible",
    "enforced",
    "semantics",
    "usage of",
    "explain",
    "explanation",
)
"""What stands in a manual."""
TROUBLE = _any_of(
    "errors?",
    r"fail(?:s|ed|ing)?",
    "failure",
    "can not",
    "unable",
    r"un(?:expected|authorized|authorised|supported|caught|known|recognized)",
    "invalid",
    "denied",
    "exception",
    "missing",
    "stuck",
    "stalled",
    "stopped",
    "hangs?",
    "complains?",
    r"crash(?:es|ed)?",
    "exceeded",
    "reached",
    "mismatch",
    "ignored",
    "broken",
    "wrong",
    "bug",
    "insufficient",
    r"(?:does|did|is|are|was|were|could|be|has|have) not",
    r"(?:i|we|they|you|queries|users|files|rows) do not",
    r"not (?:allowed|supported|recognized|found|authorized|available|valid|working|permitted|loaded"
    r"|possible|match|apply|enabled|accessible)",
    r"(?:loads|returns|shows|with|happens|is) nothing",
    r"nothing (?:is|happens|was|gets)",
    "no longer",
    r"already (?:has|have|exists|attached)",
    r"returns? (?:empty|null|\d{3})",
    r"timed? ?out",
    "timeout",
    "rejected",
    "refused",
    "suspended",
    "too large",
    r"\d{5,6}",
    "is stale",
    "warns?",
    "warning",
)
"""Something does not go as it should, or an error message is quoted."""
HOW_TO = re.compile(
    r"^(?:so |and |ok |hi |hello )*how (?:do|can|could|would|should|to|does one|is|are)\b"
    r"|\bhow (?:do|can|could|would|should) (?:i|we|one|you)\b|\bhow to\b"
)
QUESTION_INSIDE = re.compile(r"[,;.] *(?:is|are|does|do|can|what|which|how|why|where|who) (?!not)")
ABOUT_OWN = re.compile(
    r"^(?:which|what|how (?:much|many)|who|where|list|show|top|find|report"
    r"|explain|analy[sz]e)\b.*\b(?:most|least"
    r"|largest|biggest|highest|longest|unused|idle|expensive|slowest|top|nobody|cost us|last"
    r"|yesterday|this (?:week|month|quarter|year)|our|my|we|us)\b"
    rf"|{_START}(?:who|whose)\b"
    r"(?! (?:can|may|is|pays|needs|owns) (?!currently))"
    rf"|{_START}who (?:can|may) (?:currently |now |already )?(?:see|read|view|access|reach|query)"
    rf"|{_START}(?:did|was|were|has|have) (?:any|some|every|all|our|the|we|it)"
    rf"|{_START}why (?:did|has|have|are we|is our|was|were|are our) .*"
    r"\b(?:costs?|spend|bill|credits"
    r"|paying|pay|spending|invoice|usage|consumption)\b"
    rf"|{_START}(?:what|which|where|how) .*\b(?:our|we|us|my)\b.*\b(?:last|this|yesterday|today"
    r"|since|now)\b"
)
"""A question whose answer lies in the speaker's account: a superlative, a past, a person."""
BROAD = _any_of(
    "end to end",
    "e2e",
    "everything",
    "everywhere",
    "whole",
    "entire",
    "all",
    "completely?",
    "full",
    "fully",
    "from scratch",
    "wherever",
    "every",
    "each",
    "any",
    "nobody",
    "everyone",
    "overall",
    "across",
)
