"""The phrases by which a sentence shows what it wants, as patterns over evened-out text.

Room: routing. English grammar and the words of trouble; no product, no skill, no subject.
"""

from __future__ import annotations

import re

from skills_nb.routing.words import word_set


def _any_of(*phrases: str) -> re.Pattern[str]:
    """Return a pattern that finds any of the phrases as whole words."""
    return re.compile(r"\b(?:" + "|".join(phrases) + r")\b")


ASKING = word_set("what which who how why when where whose whats hows wheres whos whom")
AUXILIARY = word_set("is are was were does did do can could will would should has have may am must")
RELATIVE = word_set("which who where whose whom")
"""After a comma they begin a question only where an auxiliary or a question mark follows."""
SUBJECTS = word_set("i we you they he she it any anyone somebody there")
"""After `have` they make a question; else `have` gives an order ("have it checked")."""
SEQUENCE = word_set("then afterwards finally next")
"""Who says what comes next wants work."""
BEFORE_ASKING = word_set("at in on for to from with under by into since after and or but then")
"""They may stand before the word that asks ("at which level")."""
FILLERS = word_set(
    """so and ok hi hello hey now then also first next just please pls but well kindly finally
    afterwards later plus or yes thanks quickly simply only already again therefore hence"""
)
PARTICLES = word_set("in over out off across")
"""At the end of a clause they stand for the verb: "tickets in", "Synapse over"."""
DETERMINERS = word_set(
    """a an the all each every it them our my this that these those only new everything one two
    three me us rid from to on up in out at with for your his her their any some what who whom
    whether"""
)
TELLING = word_set(
    """is are was were has had does did look looks wait waits come comes arrive arrives sit sits
    gets complain complains ends ended says said asks think knows uses used types works grew
    stays remains became took went costs eats burns hurts complained reported noticed bought left"""
)
"""Verbs of sentences that say how things are."""
BRINGING = word_set(
    """delivers deliver sends send drops hands uploads upload provides writes pushes lands leaves
    publishes produces brings puts dump dumps writes stores saves copies exports syncs mails"""
)
"""So do these behind a subject ("our agency drops files"); at the beginning they may be wishes."""
LASTING = re.compile(
    r"\b(?:needs?|takes?|runs?)(?: for)? \d+ (?:secs?|seconds?|mins?|minutes?|hours?)\b"
)
"""So does how long something takes."""
LACKING = re.compile(r"^(?:but |and )?(?:no|nothing|none) .*\b(?:since|for|yet|any more|anymore)\b")
"""What has not come for some time ("no rows since Monday") tells how things are, too."""
RELATING = word_set("what which that who where whose")
"""A verb right after them belongs to a relative clause ("checks on what arrives")."""
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
    wire hook implement introduce organise organize go continue retire decommission promote correct
    watch observe detect kill cancel abort backfill rebuild recompute recalculate rerun recreate
    redo pause activate deactivate redact anonymise anonymize pseudonymise encrypt hash archive
    purge standardise harmonise consolidate unify join link map route forward deliver visualise
    visualize plot display embed integrate mirror subscribe allocate attribute charge forecast tune
    optimise optimize speed accelerate reduce shrink downsize scale increase decrease lower raise
    cut curb throttle ensure certify reconcile trace profile sample rank group bucket annotate
    normalise flatten pivot chunk index submit override onboard offboard delegate invite wipe ask
    look locate figure work switch roll lift rotate fail compile propose materialise materialize
    partition compute derive join enrich tell describe explain inform populate seed script automate
    ping teach agree finish conclude begin tidy shield strip pin bump retain persist record feed
    dump crawl fill"""
)
"""Verbs that ask for work when a sentence begins with them."""
ALSO_NOUNS = word_set(
    """share load copy alert limit mask tag label filter schedule report test plan design log train
    score stream clone cluster export transfer cap stop query search host point secure index group
    sample profile charge update change map link pin record script bucket partition compute
    correct"""
)
"""Verbs of work that are just as often nouns, or qualify one ("secure view")."""
EXPLAINING = word_set("explain describe tell show")
"""They ask for words rather than work where what follows stands in a manual."""
ASKED_FOR_WORDS = re.compile(r"^(?:please |pls )?give (?:me|us) ")
"""So does this; "give the warehouse a limit" asks for work."""

ANYTHING = word_set(
    """data project projects thing things stuff team teams business company department manager boss
    requirement requirements issue issues problem problems update updates change changes setup
    environment environments dev test prod system systems platform idea ideas question questions
    mess work situation request requests everything something anything solution process processes
    new old good bad better nicer nice different usual normal right today yesterday
    week month last next soon asap possible time people person someone somebody everyone
    set handle fix adjust do help look manage improve optimise optimize start sort sorted told take
    care check clean go use using used try talk discuss discussed finish continue begin tell know
    prepare configure configured configuration arrange organise organize deal please snowflake
    database databases account faster quicker cheaper slow slower
    expensive costly since like way ways again up ready stopped tidy"""
)
"""Words that could be about anything: who says only these has not said what it is about."""

GRAMMAR = """which what where when whose while does should would could difference between default
minimum maximum limit meaning syntax supported possible allowed required parameter option value
please create change remove without because before after first then afterwards finally error
failed missing invalid every everything"""
"""Words of these patterns that are recognised when misspelt."""

REQUEST = _any_of(
    r"(?:can|could|would|will) (?:you|someone|somebody|anyone)",
    "please",
    "pls",
    r"(?:guide|help|show|give|tell|warn) (?:me|us)",
    r"make (?:it|this) happen",
    "make sure",
    r"lets? (?:me|us|my|our)",
    r"^(?:and |then |just )?do (?:it|this|that)",
)
"""Somebody is asked to act."""
WISH = _any_of(
    r"(?:i|we) (?:also |just |only |really |now |all |simply |still |already )?"
    r"(?:want|need|would like|have to|plan|wish|intend|would rather|rather|must|should"
    r"|would love|would prefer|are looking|am looking|am trying|are trying)",
    r"(?:i|we) (?:am|are) (?:going|about|planning|supposed|asked) to",
    r"looking (?:for|to)",
    r"trying to",
    r"is there (?:someone|anybody)",
)
"""Somebody says what is wanted."""
OBLIGATION = _any_of(
    r"(?:needs?|wants?|has|have|had|ought|loves?|likes?|prefer|wishes|is|are) to",
    "must",
    "shall",
    "should",
    r"needs?(?! \d+ (?:s|sec|secs|seconds?|min|mins|minutes?|h|hours?)\b)",
    "wants?",
    r"(?:asks?|asked|asking|demands?|insists?|expects?) (?:for|that|on)",
    r"(?:demands?|expects?|insists?)",
    r"may (?:only|look|see|not|never|always|just)",
    r"may\b.*\bonly",
    r"only .*\bmay",
    r"(?:gets?|sees?|has|have|reads?) (?:just|only|nothing)",
    r"only (?:gets?|sees?|reads?)",
    "ensure",
    "for me",
    "so that",
    "would like",
    r"(?:is|are|be) supposed to",
    r"can not (?:go on|stay|continue)|sort (?:it|that|this) out|not acceptable",
    r"(?:is|are) due",
)
"""Something ought to be so; in a question it is only part of what is asked."""
FACT = _any_of(
    "syntax",
    "defaults?",
    "limits?",
    "limitations?",
    "restrictions?",
    "maximum",
    "minimum",
    r"(?<!\d )(?:max|min)(?! of)(?! \d)(?: \w+){1,2}",
    r"(?<!by )meaning",
    "means?",
    "versus",
    "differences?",
    "differ",
    "different from",
    "distinction",
    "compared (?:to|with)",
    "supported",
    "supports",
    r"support (?:for|of)",
    "unsupported",
    "allowed values",
    "possible values",
    "valid values",
    "options?",
    "parameters?",
    "arguments?",
    r"propert(?:y|ies)",
    r"(?:which|what|required) (?:fields|columns|keys)",
    "columns of",
    "threshold",
    r"latency of|(?:what|which) latency",
    "equivalents?",
    "required",
    r"privileges? (?:needed|for|to)",
    r"needed (?:for|to)",
    r"(?:in|by) the (?:docs|documentation|manual)",
    "documentation (?:of|for|on|says)",
    r"(?<!new )(?<!another )(?<!a )version (?:of|for|in)",
    r"editions?",
    r"requirements?$",
    r"^\w+ (?:and|or) \w+ of an? \w+(?: \w+)?$",
    r"^(?:fields|keys|parts|contents|columns) of",
    "undocumented",
    "examples? of",
    "example for",
    "example",
    "best practices?",
    r"(?:best|fastest|right|correct) (?:way|usage|practice|\w+ size|size|type)",
    "recommended",
    "quotas?",
    "precedence",
    "wins",
    "deterministic",
    "possible",
    "enforced",
    "semantics",
    "purpose",
    r"usage of \w*_\w*",
    r"(?:price|pricing|cost|costs) (?:of|per|for) (?:an? )?\w+(?: \w+)? (?:per|function|service)",
    "pricing",
    r"price of \w+",
    r"(?:price|rate) per \w+",
    r"what (?:is|are|does)",
    r"(?:^|[:,;.?]|and) *(?:how|what|why) (?:\w+ ){1,4}(?:is|are|was|does|do|works?|costs?|billed"
    r"|charged|mean)",
    r"how many",
    "anatomy",
    "pros and cons",
    r"(?:in|support in) snowflake$",
    "trade-?offs?",
    "explanation",
)
"""What stands in a manual."""
GIVEN = re.compile(
    r"\b(?:an?|new|set|with|own|daily|monthly|weekly|hard|put|another) (?:\w+ ){0,2}"
    r"(?:limits?|defaults?|parameters?|options?|thresholds?|quotas?|propert(?:y|ies)|examples?)\b"
    r"|\b(?:to|by|as) (?:the )?default\b"
    r"|\b(?:max|min|maximum|minimum|limit|quota|threshold)(?: \w+){0,3} (?:of |is |to |at )?\d+"
    r"|\b\d+ (?:\w+ )?(?:max|min|maximum|minimum|limit|quota)\b"
    r"|\bsample options?\b|\bdefault (?:role|warehouse|wh|namespace|database|schema) \w"
)
"""A value that the speaker brings along, or a thing that is to be made, is no question about it."""
TROUBLE = _any_of(
    "errors?",
    r"fail(?:s|ed|ing)?(?! (?:safe|over))",
    "failure",
    "can not",
    "unable",
    r"un(?:expected|authorized|authorised|supported|caught|known|recognized)",
    "invalid",
    "denied",
    "exception",
    r"(?<!where it )(?<!where )(?<!what is )(?<!is )missing",
    "stuck",
    "stalled",
    "stopped",
    "hangs?",
    "freezes",
    "frozen",
    "complains",
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
    r"returns? (?:empty|stale|old|null|\d{3}|an?)",
    r"timed out|time out",
    r"timeout(?! (?:of|to|at|after) \d)",
    "rejected",
    "refused",
    "suspended",
    "too large",
    r"\d{5,6}",
    "is stale",
    "warns?",
    "warnings?",
    "throws?",
    "never (?:becomes|finishes|ends|suspends|starts|runs)",
    "stays",
)
"""Something does not go as it should, or an error message is quoted."""
CONDITION = re.compile(
    r"(?<=\w )(?:when|if|whenever|every time|as soon as|once) (?:\w+ ){1,5}?"
    r"(?:fail(?:s|ed)?|stop(?:s|ped)?|breaks?|crash(?:es|ed)?|hangs?|does not|did not"
    r"|is (?:missing|stuck|wrong|stale|broken))(?: \w+){0,3}$"
)
"""What a speaker wants to happen in case of trouble ("page me when a load fails") is none yet."""
HOW_TO = re.compile(
    r"^(?:so |and |ok |hi |hello )*how (?:do|can|could|would|should|to|does one|is|are)\b"
    r"|\bhow (?:do|can|could|would|should) (?:i|we|one|you)\b|\bhow to\b"
    r"|\bis there (?:a|any|some) (?:way|option|setting|function|parameter)\b"
)
INDIRECT = re.compile(
    r"^(?:how|what|which|when|where) .*\b(?:is up to you|does not matter|is all the same)$"
    r"|^what (?:matters|counts|we need|i need|we want|i want)\b"
)
"""It begins like a question, but leaves something open or says what is wanted."""
ADVICE = re.compile(
    r"\b(?:do|should|can|could|must|may|would) (?:i|we|you|one|it|they)\b(?! have\b(?! to\b))"
    r"|\b(?:need|have) to\b"
    r"|\b(?:my|our) (?:options|choices|alternatives)\b"
)
"""What one is to do, or what something can do, stands in a manual whoever asks."""
MEANING = re.compile(r"^what (?:does|do) .*\b(?:mean|default to)\b")
"""What a message means stands in a manual, even where one's own query got it."""
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
    "anywhere",
    "no one",
)
"""Words of quantity: a whole scope is meant."""
