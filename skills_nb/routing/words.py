"""Turn a sentence into words that can be compared: spelling evened out, stems, clause marks.

Room: routing. Pure and deterministic; nothing here knows a skill or a domain.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from skills_nb.sql.names_in_text import ObjectName, object_names


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list that is written as one text."""
    return frozenset(text.split())


FUNCTION_WORDS = word_set(
    """a an the this that these those there here and or but nor so of to in on at by for with from
    into onto as is are was were be been being am do does did done doing have has had having
    will would shall should can could may might must i you he she it we they me him her us them
    my your his its our their mine yours ours theirs who whom whose which what when where why
    how if then than too very just also only some any each every all both such own same other
    please etc via per about after before while during until once let lets get gets got like
    want wants need needs make makes made im ive id well not no now ok hi hello thanks thank
    really actually currently already still yet ever even much many more most one two three"""
)
"""Words that carry grammar, not subject; they take part in phrases but not in evidence."""

_WRITTEN_OUT = {
    "w/o": "without",
    "can't": "can not",
    "cant": "can not",
    "cannot": "can not",
    "won't": "will not",
    **dict.fromkeys(("dont", "doesnt", "isnt", "didnt"), "do not"),
    **{"page us": "notify us", "page me": "notify me", "followed by": "and then"},
    **dict.fromkeys(("as well as", "along with", "together with"), "and also"),
    "droped": "dropped",
    **{"next.js": "nextjs", "next js": "nextjs"},
    **{"wich": "which", "hwo": "how", "hw": "how", "wat": "what"},
    **dict.fromkeys(("whats", "wats", "what's"), "what is"),
    **{"as soon as": "once"},
    **{"plz": "please", "ppl": "people", "teh": "the", "adn": "and", "hte": "the"},
    **dict.fromkeys(("right-size", "right size", "right-sizing"), "rightsize"),
    **{"whs": "warehouses", "svc": "service", "pwd": "password", "pwds": "passwords"},
    **{"tbl": "table", "tbls": "tables", "col": "column", "cols": "columns"},
    **{"perms": "permissions", "dept": "department", "depts": "departments"},
    **{"proc": "procedure", "procs": "procedures", "sproc": "procedure"},
    **{"mins": "minutes", "hrs": "hours", "txns": "transactions", "wk": "week"},
}
"""Short forms, set phrases, and usual slips of the words of grammar, which are too short to be
recognised."""
_GLUE = dict(
    pair.split(":")
    for pair in word_set(
        """und:and oder:or dann:then danach:then nachher:afterwards vorher:first
    zuerst:first bevor:before nachdem:after sobald:once mit:with ohne:without fur:for von:from
    aus:from auf:on wir:we ich:i uns:us unsere:our mein:my meine:my der:the den:the das:the dem:the
    eine:a einen:a ist:is sind:are soll:should sollen:should muss:must brauchen:need mochten:want
    wollen:want bitte:please nicht:not auch:also aber:but wie:how welche:which warum:why"""
    )
)
"""German words of grammar, which stay behind when the rest is said in English. Those that are
English words too ("die", "was", "so") are left alone."""
_OFTEN = "every few minutes"
"""What any interval of minutes or hours is read as; the number is a detail of the schedule."""
ONE_BY_ONE = "one after the other"
"""What "in that order" is read as: these words say nothing of a subject."""
_WAREHOUSE = "our warehouse"
"""What the name of a warehouse is read as: only the account knows what ran on it."""
_STANDS_FOR_NAME = "name_of_an_object"
_SHORTHANDS = (
    (re.compile(r"\b(?:query|statement) [0-9a-f]{8}-[0-9a-f-]{20,}"), "our query"),
    (
        re.compile(
            r"^((?:my|our|the|this|that|these|those) [^,;.!?]{1,60}?) (is|are|was|were|does|do|did)"
            r" ([^;.!?]*?),? (?:why|how come)\W*$"
        ),
        lambda found: f"why {found[2]} {found[1]} {found[3]}",
    ),
    (re.compile(r"\bin (?:exactly )?(?:that|this) (?:order|sequence)\b"), ONE_BY_ONE),
    (re.compile(r"[\u2018\u2019\u02bc`´]"), "'"),
    (
        re.compile(rf"\b(?:{'|'.join(map(re.escape, _WRITTEN_OUT))})\b"),
        lambda found: _WRITTEN_OUT[found[0]],
    ),
    (re.compile(r"(?:(?<= )|^)(?:\d{1,2}[).]|[*•])(?= )", re.MULTILINE), " ; "),
    (re.compile(r"[\u2013\u2014]|--+(?=\s|$)"), " , "),
    (re.compile(r"\b(?:warehouse )?[a-z]\w*_wh\b"), _WAREHOUSE),
    (re.compile(r"\bw/(?=\s|[a-z])"), "with "),
    (re.compile(r"\bvs\.?(?=\s|$)"), "versus"),
    (re.compile(r"\bincl\b\.?"), "including"),
    (re.compile(r"\bexcl\b\.?"), "excluding"),
    (re.compile(r"\b(approx|avg|resp|max|min|no|nr)\.(?=\s+[a-z0-9])"), lambda found: found[1]),
    (re.compile(r"\be\.g\.|\bi\.e\."), " "),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'(s|re|ve|ll|d|m)\b"), " "),
    (
        re.compile(
            r"\bwhy (?:can|could|may|does|do|did) "
            r"(?:not ((?:[^\s,.;:!?]+ ){1,5}?)|((?:[^\s,.;:!?]+ ){1,5}?)not )"
            r"(?=(?:read|see|query|select|insert|open|access|use|write|update|delete|load)\b)"
        ),
        lambda found: f"why {found[1] or found[2]}can not ",
    ),
    (
        re.compile(
            r"\bwhy (?:am|is|are|was|were) ((?:[^\s,.;:!?]+ ){1,5}?)"
            r"not (?:allowed|able|permitted|authori[sz]ed) to "
        ),
        lambda found: f"why {found[1]}can not ",
    ),
    (
        re.compile(
            r"^((?:please |pls |then |and )?)make (?:me |us )?"
            r"(?=an? (?:new |small |empty |simple )*"
            r"(?:table|view|schema|database|role|user|task)\b)"
        ),
        lambda found: f"{found[1]}create ",
    ),
    (
        re.compile(r"\b(d(?:id|o|oes) (?:we|they|it|(?:each|every|the) \w+) )sell\b"),
        lambda found: f"{found[1]}sold",
    ),
    (
        re.compile(
            rf"\b(?:get(?:ting)? rid of|throw(?:ing)? away) ((?:the |this |that |our |my |a )*)"
            rf"(?=(?:table|column|view|schema|task|stream|stage|pipe|user|role|{_STANDS_FOR_NAME})\b)"
        ),
        lambda found: f"drop {found[1]}",
    ),
    (re.compile(r"\bcosts? us (?=money|time|customers|nerves|sleep)"), "hurts us "),
    (
        re.compile(r"(?:(?<=^)|(?<=the )|(?<=what )|(?<=[:,] ))share of (?![^.;]*\b(?:to|with)\b)"),
        "percentage of ",
    ),
    (
        re.compile(
            r"\b(?:saved|exported|stored|kept|delivered|sent|available) as (?:an? )?"
            r"(?=(?:csv|json|parquet|xml|excel|avro)\b)"
        ),
        "",
    ),
    (
        re.compile(rf"^what is (?:in|inside) (?=(?:the table )?{_STANDS_FOR_NAME}\b)"),
        "show rows of ",
    ),
    (re.compile(r"->|=>|→|⇒"), " , to "),
    (re.compile(r"&"), " and "),
    (re.compile(r"\(\)"), " "),
    (re.compile(r"(?<![a-z0-9])\+(?![a-z0-9])|(?<=[a-z])\+(?=[^\S\n])"), " plus "),
    (re.compile(r"\b(?:ticket|case|incident|request|issue|jira) (?:#|no\.? ?)?\d+\b"), " "),
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}(?:/\d+)?\b"), " ipaddress "),
    (
        re.compile(r"\be?-?mail(?: address(?: is|:)?| is|:) (?=[\w.+-]+@[\w-]+\.\w)"),
        "",
    ),
    (
        re.compile(
            r"\b(e?mail|notify|warn|alert|tell|inform|ping) (?:to )?[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b"
        ),
        lambda found: f"{found[1]} me",
    ),
    (re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b"), " emailaddress "),
    (re.compile(r"\bwho (?:has|have|had) (?=\w{2,}ed\b)"), "who "),
    (
        re.compile(r"\bevery (?:\d+|two|five|ten|thirty) ?(?:m|min|mins|minutes?|h|hours?)\b"),
        _OFTEN,
    ),
    (re.compile(r"\b[a-z0-9]+://"), lambda found: f" {found.group()[:-3]} "),
)
_BLANKS = re.compile(r"[^\S\n]{2,}")
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_INSIDE = re.compile(r"(?<=\w)[.:](?=\w)|'")
"""Marks that end no clause: they stand inside a name, or are apostrophes."""
_PIECE = re.compile(r"[a-z0-9_$]+|[.,;:!?()\n]")
_MARKS = frozenset(".,;:!?()\n")
_NAMELESS = "\N{SECTION SIGN}name"
"""Stem and lemma of every name, so that it is like no word that means something."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the intent, or a mark that ends a clause."""

    text: str
    """Lower case, accents gone."""
    stem: str
    """What words of one family share: `masking` and `masked` have the same."""
    lemma: str
    """Without its inflection only: `controls` is `control`, `controller` stays what it is."""
    is_mark: bool = False
    """Whether it is punctuation."""
    is_function: bool = False
    """Whether it says nothing of a subject: `the`, `of`, `please`, the name of a table."""
    is_name: bool = False
    """Whether it is (part of) the name of somebody's object."""


def even_out(text: str) -> str:
    """Return the text in lower case without accents, its shorthands written out."""
    plain = _BLANKS.sub(" ", text.casefold())
    if not plain.isascii():
        plain = _FOREIGN.sub(lambda found: _without_accents(found[0]), plain)
    for pattern, written_out in _SHORTHANDS:
        plain = pattern.sub(written_out, plain)
    return plain


def _without_accents(letters: str) -> str:
    apart = unicodedata.normalize("NFKD", letters)
    return "".join(char for char in apart if not unicodedata.combining(char))


def read_words(text: str) -> tuple[Word, ...]:
    """Split a text into words and clause marks; a full stop inside a name is no mark."""
    return _pieces(_INSIDE.sub(" ", even_out(text)))


def read_intent(text: str) -> tuple[Word, ...]:
    """Split what a person said into words and clause marks; names of objects are no subjects."""
    names = object_names(text)
    if not names or _STANDS_FOR_NAME in text:
        return read_words(text)
    pieces, at = [], 0
    for name in names:
        pieces += [text[at : name.start], f" {_STANDS_FOR_NAME} "]
        at = name.end
    left = iter(names)
    return tuple(
        meant
        for word in read_words("".join([*pieces, text[at:]]))
        for meant in (_words_of(next(left), text) if word.text == _STANDS_FOR_NAME else (word,))
    )


def nameless(said: str) -> Word:
    """Return a word of a name, which says nothing of a subject."""
    return Word(said, _NAMELESS, _NAMELESS, is_function=True, is_name=True)


def _words_of(name: ObjectName, text: str) -> tuple[Word, ...]:
    said = [
        piece for piece in _PIECE.findall(even_out(" ".join(name.parts))) if piece[0] not in _MARKS
    ]
    words = [nameless(each) for each in said]
    thing = _FILES if text[: name.start].endswith("@") else _THING
    if words and (len(name.parts) == _WHOLE or thing == _FILES):
        words[-1] = Word(said[-1], stem(thing), lemma(thing), is_name=True)
    return tuple(words)


_WHOLE, _THING = 3, "table"
"""A name of three parts is that of a table, or of something that is like one."""
_FILES = "stage"
"""What stands behind an `@` is a place of files."""


def read_lines(texts: Iterable[str]) -> list[tuple[Word, ...]]:
    """Read many short texts at once, which is much faster than one by one."""
    lines = [text.replace("\n", " ") for text in texts]
    plain = _INSIDE.sub(" ", even_out("\n".join(lines)))
    return [_pieces(line) for line in plain.split("\n")] if lines else []


def _pieces(plain: str) -> tuple[Word, ...]:
    return tuple(map(_word, _PIECE.findall(plain)))


@lru_cache(maxsize=16384)
def _word(said: str) -> Word:
    if said in _MARKS:
        return Word(said, said, said, is_mark=True)
    piece = _GLUE.get(said, said)
    return Word(piece, stem(piece), lemma(piece), is_function=piece in FUNCTION_WORDS)


_ENDINGS = {
    "ifications": "ify",
    "ification": "ify",
    "isations": "ize",
    "izations": "ize",
    "isation": "ize",
    "ization": "ize",
    "ations": "",
    "nesses": "",
    "ating": "",
    "ation": "",
    "ingly": "",
    "ising": "ize",
    "ities": "",
    "ments": "",
    "ally": "",
    "ated": "",
    "ates": "",
    "edly": "",
    "ings": "",
    "ions": "",
    "ised": "ize",
    "ises": "ize",
    "ment": "",
    "ness": "",
    "ate": "",
    "ers": "",
    "ied": "y",
    "ies": "y",
    "ing": "",
    "ion": "",
    "ise": "ize",
    "ity": "",
    "tors": "t",
    "ed": "",
    "er": "",
    "es": "",
    "ly": "",
    "tor": "t",
    "ss": "ss",
    "e": "",
    "s": "",
}
_LONGEST_ENDING = max(map(len, _ENDINGS))
_SHORTEST_STEM = 3
_SHORTEST_ROOT = 4
"""What must be left where an ending makes another word ("notion" is no form of "not")."""
_DERIVING = word_set(
    """ations ation ating ated ates ate nesses ness ments ment ions ion ities ity ers er tors
    tor ally"""
)


_INFLECTIONS = re.compile(
    r"(?<=..)ies$|(?<=..)ied$|(?<=...)(?:ing|ed)$|(?<=[sxz])es$|(?<=[cs]h)es$|(?<=..)s$"
)


_FINISHED = word_set("dropped deleted truncated emptied")
"""What somebody dropped is lost, and what is to be dropped is not: the tense is the meaning."""
_OWN_NOUNS = {"listing": "listing", "listings": "listing"}
"""What is no form of the verb that it looks like: a list is no listing."""


@lru_cache(maxsize=16384)
def lemma(word: str) -> str:
    """Return a word without plural, tense and silent e; what derives from it stays another word."""
    if word in _OWN_NOUNS:
        return _OWN_NOUNS[word]
    if not word.isalpha() or word in _FINISHED or word.endswith(("ss", "us", "is")):
        return word
    root = _INFLECTIONS.sub(lambda found: "y" if found[0][:2] == "ie" else "", word)
    return _tidy(root)


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """Return the part of a word that its grammatical forms share; names keep their shape."""
    if not word.isalpha() or word in _OWN_NOUNS:
        return _OWN_NOUNS.get(word, word)
    once = _without_ending(word)
    return once if once == word else _without_ending(once)


def _without_ending(word: str) -> str:
    if len(word) <= _SHORTEST_STEM:
        return word
    for length in range(_LONGEST_ENDING, 0, -1):
        ending = word[-length:]
        instead = _ENDINGS.get(ending)
        shortest = _SHORTEST_ROOT if ending in _DERIVING else _SHORTEST_STEM
        if instead is not None and len(word) - length >= shortest:
            return _tidy(word[:-length] + instead)
    return _tidy(word)


def _tidy(root: str) -> str:
    if len(root) > _SHORTEST_STEM and root[-1] == root[-2] and root[-1] not in "sl":
        root = root[:-1]
    if len(root) > _SHORTEST_STEM and root[-1] == "e":
        root = root[:-1]
    return root[:-1] + "i" if len(root) > _SHORTEST_STEM and root[-1] == "y" else root
