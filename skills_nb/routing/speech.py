"""Tell what kind of answer the speaker wants: an outcome, a piece of work, or a fact.

Room: routing. Grammar only: how a sentence begins, its auxiliaries, the words that report trouble.
Spec: Agent Traversal > Three routing modes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from skills_nb.routing.words import Word, even_out

_ASKING = frozenset(
    ["what", "which", "how", "why", "when", "where", "whose", "whats", "hows", "wheres"]
)
_AUXILIARY = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "does",
        "do",
        "did",
        "can",
        "could",
        "will",
        "would",
        "should",
        "has",
        "have",
        "may",
        "am",
        "must",
    ]
)
_REQUEST = re.compile(
    r"\b(can|could|would|will) you\b|\bplease\b|\bpls\b|\bguide me\b|\bhelp me\b|\bmake it happen\b|"
    r"\b(i|we) (also |just |only |really |now |all |simply )?(want|need|would like|have to|plan|"
    r"wish|intend|would rather|rather)\b|\bi m trying\b|\bmake sure\b|\bshow me\b|\bgive (me|us)\b|"
    r"\btell (me|us)\b|\bwarn (me|us)\b|\blets? (me|us|my|our)\b"
)
"""Somebody is asked to act, or says what is wanted."""
_OBLIGATION = re.compile(
    r"\b(needs?|wants?|has|have|had|ought|love|loves|like|likes|prefer) to\b|\b(must|shall|should)\b|"
    r"\bmay (only|look|see|not|never|always|just)\b|\bmay\b.*\bonly\b|\bonly .*\bmay\b|\bensure\b|"
    r"\b(needs?|wants?|asks?|asked) (a|an|the|our|their|direct|live|read|some|proper|figures|help|for|"
    r"control|it|proof|stock|us|one)\b|\bfor me\b|\bso that\b|\bwould like\b|\bdo not need\b"
)
"""Something ought to be so; in a question it is only part of what is asked."""
_FACT = re.compile(
    r"\b(syntax|default|defaults|limits?|limitations?|maximum|minimum|max|min|meaning|means?|"
    r"versus|difference|differences|differ|different from|supported|supports|support (for|of)|allowed values|"
    r"options?|parameters?|arguments?|propert(y|ies)|(which|what|required) fields|columns of|threshold|latency of|(what|which) latency|"
    r"equivalent|required|documentation|docs|undocumented|examples? of|best practices?|"
    r"quotas?|precedence|wins|deterministic|possible|enforced|semantics|example|best|usage of|explain|explanation)\b"
)
_TROUBLE = re.compile(
    r"\b(errors?|fail(s|ed|ing)?|failure|can not|unable|un(expected|authorized|authorised|supported|"
    r"caught|known|recognized)|invalid|denied|exception|missing|stuck|stalled|stopped|hangs?|"
    r"complains?|crash(es|ed)?|exceeded|reached|mismatch|ignored|broken|wrong|bug|insufficient|"
    r"(does|did|is|are|was|were|could|be|has|have) not|(i|we|they|you|queries|users|files|rows) do not|not (allowed|supported|recognized|found|"
    r"authorized|available|valid|working|permitted|loaded|possible|match|apply|enabled|accessible)|"
    r"(loads|returns|shows|with|happens|is) nothing|nothing (is|happens|was|gets)|no longer|already (has|have|exists|attached)|returns? (nothing|empty|null|\d{3})|"
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
_ABOUT_PAST = re.compile(
    r"(^|[:;,.?] *|\band )(who|whose)\b(?! (can|may|is allowed|is able|pays|needs|owns|is) (?!currently))|"
    r"(^|[:;,.?] *|\band )who (can|may) (currently |now |already )?(see|read|view|access|reach|query)|"
    r"(^|[:;,.?] *|\band )(did|was|were|has|have) (any|some|every|all|our|the|we|it)|"
    r"(^|[:;,.?] *|\band )why (did|has|have|are we|is our|was|were|are our) .*"
    r"\b(cost|costs|spend|bill|credits|paying|pay|spending|invoice|usage|consumption)\b|"
    r"(^|[:;,.?] *|\band )(what|which|where|how) .*\b(our|we|us|my)\b.*\b(last|this|yesterday|today|since|now)\b"
)
_BROAD = re.compile(
    r"\b(end to end|e2e|everything|everywhere|whole|entire|all|completely?|full|fully|from scratch|"
    r"wherever|every|each|any|nobody|everyone|overall|across)\b"
)
_WORK = frozenset(
    [
        "create",
        "build",
        "set",
        "setup",
        "make",
        "add",
        "give",
        "grant",
        "revoke",
        "drop",
        "delete",
        "remove",
        "change",
        "alter",
        "modify",
        "update",
        "rename",
        "resize",
        "suspend",
        "resume",
        "run",
        "execute",
        "schedule",
        "load",
        "reload",
        "copy",
        "move",
        "migrate",
        "convert",
        "rewrite",
        "translate",
        "export",
        "unload",
        "upload",
        "download",
        "put",
        "get",
        "attach",
        "detach",
        "apply",
        "assign",
        "mask",
        "hide",
        "show",
        "list",
        "find",
        "scan",
        "classify",
        "tag",
        "label",
        "filter",
        "restrict",
        "limit",
        "limited",
        "let",
        "allow",
        "allowlist",
        "block",
        "deny",
        "enable",
        "disable",
        "turn",
        "enforce",
        "rotate",
        "transfer",
        "share",
        "publish",
        "offer",
        "prepare",
        "hand",
        "send",
        "email",
        "mail",
        "notify",
        "warn",
        "alert",
        "monitor",
        "track",
        "capture",
        "stream",
        "ingest",
        "sync",
        "replicate",
        "refresh",
        "keep",
        "clone",
        "restore",
        "undo",
        "undrop",
        "recover",
        "bring",
        "take",
        "deploy",
        "push",
        "pull",
        "register",
        "log",
        "train",
        "score",
        "predict",
        "package",
        "wrap",
        "write",
        "generate",
        "draft",
        "summarise",
        "summarize",
        "extract",
        "parse",
        "analyze",
        "analyse",
        "sort",
        "categorise",
        "categorize",
        "query",
        "search",
        "define",
        "describe",
        "design",
        "plan",
        "assess",
        "estimate",
        "compare",
        "diff",
        "validate",
        "verify",
        "prove",
        "check",
        "audit",
        "review",
        "evaluate",
        "measure",
        "benchmark",
        "investigate",
        "explain",
        "look",
        "tell",
        "put",
        "cap",
        "stop",
        "hard",
        "connect",
        "open",
        "point",
        "ship",
        "recluster",
        "cluster",
        "swap",
        "merge",
        "insert",
        "precompute",
        "count",
        "report",
        "break",
        "lock",
        "protect",
        "secure",
        "discover",
        "store",
        "save",
        "manage",
        "configure",
        "install",
        "test",
        "provide",
        "split",
        "separate",
        "replace",
        "shift",
        "leave",
        "land",
        "pick",
        "surface",
        "turn",
        "use",
        "upgrade",
        "fix",
        "reset",
        "start",
        "restart",
        "trigger",
        "retry",
        "bundle",
        "combine",
        "fetch",
        "call",
        "reach",
        "host",
        "serve",
        "expose",
        "aggregate",
        "clean",
        "dedupe",
        "deduplicate",
        "transform",
        "wire",
        "hook",
        "implement",
        "introduce",
        "organise",
        "organize",
    ]
)


@dataclass(frozen=True, slots=True)
class Speech:
    """How something was said."""

    asks: bool
    """A question by its form."""
    asks_how: bool
    requests: bool
    """Somebody is asked to do something."""
    obliges: bool
    """Something must or should be so."""
    commands: bool
    """A sentence begins with a verb of work."""
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
            return not (self.requests or self.about_own or self.commands)
        if self.commands or self.requests or self.obliges:
            return False
        return self.names_fact or self.reports_trouble


def listen(text: str, words: Sequence[Word]) -> Speech:
    """Return how an intent, or a part of it, was said."""
    plain = even_out(text).strip()
    said = [word.text for word in words if not word.is_mark]
    first = next((word for word in said if word not in _FILLERS), "")
    names_fact = bool(_FACT.search(plain))
    return Speech(
        asks=_asks(plain, first, said),
        asks_how=bool(_HOW_TO.search(plain)),
        requests=bool(_REQUEST.search(plain)),
        obliges=bool(_OBLIGATION.search(plain)),
        commands=_commands(words, names_fact),
        names_fact=names_fact,
        reports_trouble=bool(_TROUBLE.search(plain)),
        about_own=bool(_ABOUT_STATE.search(plain) or _ABOUT_PAST.search(plain)),
        broad=bool(_BROAD.search(plain)),
    )


_FILLERS = frozenset("so and ok hi hello hey now then also first next just please but well".split())
_ALSO_NOUNS = frozenset(
    """share load copy alert limit mask tag label filter schedule report test plan design log train
    score stream clone cluster export transfer cap stop query search query file point host""".split()
)
_DETERMINERS = frozenset(
    """a an the all each every it them our my this that these those only new everything one two three
    me us from to on up in out at with for your his her their any some""".split()
)


_PARTICLES = frozenset("in over out off across".split())


def is_wish(words: Sequence[Word]) -> bool:
    """Tell whether a clause says, by its grammar, that something is to be done or to be so."""
    said = [word.text for word in words if not word.is_mark]
    plain = " ".join(said)
    first = next((word for word in said if word not in _FILLERS), "")
    return (
        first in _WORK
        or bool(_REQUEST.search(plain) or _OBLIGATION.search(plain))
        or first in ("who", "why")
        or (bool(said) and said[-1] in _PARTICLES)
    )


_TELLING = frozenset(
    """is are was were has had does did look looks wait waits come comes arrive arrives sit sits
    gets complain complains ends ended says said asks think knows uses used types works""".split()
)


def tells_circumstances(words: Sequence[Word]) -> bool:
    """Tell whether a clause says how things are: it has a verb and is no wish."""
    return not is_wish(words) and any(word.text in _TELLING for word in words)


def _commands(words: Sequence[Word], names_fact: bool) -> bool:
    """Tell whether a sentence begins with a verb of work, and not with a noun spelt like one."""
    fresh, first_sentence = True, True
    for at, word in enumerate(words):
        if word.is_mark:
            fresh = True
            first_sentence = False
        elif word.text in _FILLERS:
            fresh = True
        elif fresh:
            after = words[at + 1].text if at + 1 < len(words) else ""
            certain = after in _DETERMINERS
            doubtful = names_fact and word.text in _ALSO_NOUNS
            if word.text in _WORK and (certain or (first_sentence and not doubtful)):
                return True
            fresh = False
    return False


def _asks(plain: str, first: str, said: Sequence[str]) -> bool:
    if first in _ASKING or first == "who":
        return True
    if first in _AUXILIARY and len(said) > 2:
        return True
    return plain.endswith("?") or bool(
        re.search(r"[,;.] *(is|are|does|do|can|what|which|how|why|where|who) (?!not)", plain)
    )
