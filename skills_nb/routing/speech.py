"""Tell what kind of answer the speaker wants: an outcome, a piece of work, or a fact.

Room: routing. Grammar only: how a sentence begins, its auxiliaries, the words that report trouble.
Spec: Agent Traversal > Three routing modes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from skills_nb.routing.words import Word, even_out

_ASKING = frozenset("what which how why when where whose whats hows wheres".split())
_AUXILIARY = frozenset(
    "is are was were does do did can could will would should has have may am must".split()
)
_OWN = re.compile(
    r"\b(our|us|my|we|yesterday|today|tonight|currently|right now|recently|"
    r"last (night|week|month|quarter|year|days?|\d+)|this (week|month|quarter|year|morning)|"
    r"past (week|month|quarter|year|\d+)|since (yesterday|monday|sunday|last)|"
    r"in (january|february|march|april|may|june|july|august|september|october|november|december))\b"
)
_REQUEST = re.compile(
    r"\b(can|could|would|will) you\b|\bplease\b|\bpls\b|\bguide me\b|\bhelp me\b|\bmake it happen\b|"
    r"\b(i|we) (also |just |only |really |now |all |simply )?(want|need|must|would like|have to|d like|"
    r"should|plan|wish|are trying|am trying|try|intend|currently use)\b|"
    r"\b(i|we) (would |d )?like (to )?|"
    r"\b(needs?|wants?|has|have|had|ought) to\b|\b(must|shall)( also| only| not| never)? \w+|"
    r"\b(should|may) (only |be |not |never |always |also |run |get |see |have |go |consume |now )|"
    r"\bneeds? (a|an|the|our|their|to|direct|live|read|some|proper|figures|help|control|it)\b|"
    r"\b(wants?|asks?) (a|an|the|for|our|proof|to|stock|us)\b|\bmake sure\b|\bensure\b|\blets?\b|"
    r"\bfor me\b|\bshow me\b|\bgive (me|us)\b|\btell (me|us)\b|\bwarn (me|us)\b|\bso that\b"
)
_FACT = re.compile(
    r"\b(syntax|default|defaults|limits?|limitations?|maximum|minimum|max|min|meaning|means?|"
    r"versus|difference|differences|differ|different from|supported|supports?|allowed values|"
    r"options?|parameters?|arguments?|propert(y|ies)|(which|what|required) fields|columns of|threshold|latency|"
    r"equivalent|required|documentation|docs|undocumented|examples? of|best practices?|"
    r"quotas?|precedence|wins|deterministic|possible|enforced|semantics|example|best|explain|explanation)\b"
)
_TROUBLE = re.compile(
    r"\b(errors?|fail(s|ed|ing|ure|ures)?|can not|unable|un(expected|authorized|authorised|supported|"
    r"caught|known|recognized)|invalid|denied|exception|missing|stuck|stalled|stopped|hangs?|"
    r"complains?|crash(es|ed)?|exceeded|reached|mismatch|ignored|broken|wrong|bug|insufficient|"
    r"(do|does|did|is|are|was|were|could|be|has|have) not|not (allowed|supported|recognized|found|"
    r"authorized|available|valid|working|permitted|loaded|possible|match|apply|enabled|accessible)|"
    r"nothing|no longer|already (has|have|exists|attached)|returns? (nothing|empty|null|\d{3})|"
    r"timed? ?out|timeout|rejected|refused|suspended|too large|\d{5,6}|is stale|warns?|warning)\b"
)
_HOW_TO = re.compile(
    r"^(so |and |ok |hi |hello )*how (do|can|could|would|should|to|does one|is|are)\b|"
    r"\bhow (do|can|could|would|should) (i|we|one|you)\b|\bhow to\b"
)
_ABOUT_STATE = re.compile(
    r"^(which|what|how (much|many)|who|where|list|show|top|find|report)\b.*\b("
    r"most|least|largest|biggest|highest|longest|unused|idle|expensive|slowest|top|nobody|"
    r"cost us|last|yesterday|this (week|month|quarter|year)|our|my|we|us)\b"
)
_BROAD = re.compile(
    r"\b(end to end|e2e|everything|everywhere|whole|entire|all|completely?|full|fully|from scratch|"
    r"wherever|every|each|any|nobody|everyone|overall|across)\b"
)
_WORK = frozenset(
    """create build set setup make add give grant revoke drop delete remove change alter modify update
    rename resize suspend resume run execute schedule load reload copy move migrate convert rewrite
    translate export unload upload download put get attach detach apply assign mask hide show list
    find scan classify tag label filter restrict limit limited let allow allowlist block deny enable
    disable turn enforce rotate transfer share publish offer prepare hand send email mail notify
    warn alert monitor track capture stream ingest sync replicate refresh keep clone restore undo
    undrop recover bring take deploy push pull register log train score predict package wrap
    write generate draft summarise summarize extract parse analyze analyse sort categorise
    categorize query search define describe design plan assess estimate compare diff validate
    verify prove check audit review evaluate measure benchmark investigate explain look tell put
    cap stop hard connect open point ship recluster cluster swap merge insert precompute count report break lock protect secure discover store save manage configure install test
    provide split separate replace shift leave land pick surface turn use upgrade fix reset
    start restart trigger retry bundle combine fetch call reach host serve expose aggregate
    clean dedupe deduplicate transform wire hook implement introduce organise organize""".split()
)


@dataclass(frozen=True, slots=True)
class Speech:
    """How something was said."""

    asks: bool
    """A question by its form."""
    asks_how: bool
    requests: bool
    """Somebody is asked to do something."""
    commands: bool
    """It begins with a verb of work."""
    names_fact: bool
    """Syntax, a default, a limit, a difference, an option."""
    reports_trouble: bool
    about_own: bool
    """The answer lies in the speaker's account, not in a manual."""
    broad: bool

    @property
    def wants_fact(self) -> bool:
        """Whether an answer is wanted rather than a change."""
        if self.asks_how:
            return True
        if self.asks:
            return not self.requests and not self.about_own
        if self.commands or self.requests:
            return False
        return self.names_fact or self.reports_trouble


def listen(text: str, words: Sequence[Word]) -> Speech:
    """Return how an intent, or a part of it, was said."""
    plain = even_out(text).strip()
    said = [word.text for word in words if not word.is_mark]
    first = next((word for word in said if word not in _FILLERS), "")
    requests = bool(_REQUEST.search(plain))
    asks_how = bool(_HOW_TO.search(plain))
    return Speech(
        asks=_asks(plain, first, said),
        asks_how=asks_how,
        requests=requests,
        commands=first in _WORK,
        names_fact=bool(_FACT.search(plain)),
        reports_trouble=bool(_TROUBLE.search(plain)),
        about_own=bool(_ABOUT_STATE.search(plain))
        or bool(
            _OWN.search(plain)
            and first in ("why", "who", "did", "was", "were", "what", "which", "how")
        ),
        broad=bool(_BROAD.search(plain)),
    )


_FILLERS = frozenset("so and ok hi hello hey now then also first next just please but well".split())


def _asks(plain: str, first: str, said: Sequence[str]) -> bool:
    if first in _ASKING or first == "who":
        return True
    if first in _AUXILIARY and len(said) > 2:
        return True
    return plain.endswith("?") or bool(
        re.search(r"[,;.] *(is|are|does|do|can|what|which|how|why|where|when|who) ", plain)
    )
