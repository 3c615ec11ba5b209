"""Tell what kind of answer the speaker wants: an outcome, a piece of work, or a fact.

Room: routing. Grammar only: how its parts begin, its auxiliaries, the words that report trouble.
An intent is cut at its marks; every part asks, commands, or only tells, and the last one that asks
or commands says what the speaker is after: "call a procedure: what does $$ mean?" wants a fact,
"are all rows here? check each table" wants work.
Spec: Agent Traversal > Three routing modes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from skills_nb.routing import phrases
from skills_nb.routing.account_questions import FIGURE, is_about_account
from skills_nb.routing.words import Word

_SHORTEST_QUESTION = 3
_INVERSION = 6
"""Within so many words an auxiliary follows, where `which` and `who` ask instead of relating."""

Part = Literal["asks", "commands", "tells"]


@dataclass(frozen=True, slots=True)
class Speech:
    """How something was said."""

    turn: Part
    """What the last part that asks or commands does; `tells` where none does."""
    wishes: bool
    """Something is wanted, or must or should be so."""
    asks_for_words: bool
    """It says "explain" or "show" of something that stands in a manual."""
    names_fact: bool
    """Syntax, a default, a limit, a difference, an option."""
    reports_trouble: bool
    """Something does not work, or an error is quoted."""
    about_own: bool
    """The answer lies in the speaker's account, not in a manual."""
    broad: bool
    """Words of quantity: everything, each, end to end."""
    names_object: bool = False
    """An object of the account is named."""
    says_what: bool = True
    """At least one word could not be about anything."""
    asks_figure: bool = False
    """It begins as who asks for a number or a list does."""

    @property
    def wants_fact(self) -> bool:
        """Whether an answer is wanted rather than a change."""
        if self.turn == "commands":
            return self.asks_for_words
        if self.turn == "asks":
            return not self.about_own
        if self.wishes or self.about_own:
            return False
        return self.names_fact or self.reports_trouble


def listen(words: Sequence[Word]) -> Speech:
    """Return how an intent was said."""
    plain = " ".join(word.text for word in words)
    names_fact = bool(phrases.FACT.search(phrases.GIVEN.sub(" ", plain)))
    parts = [*_parts(words)]
    kinds: list[Part] = []
    for at, part in enumerate(parts):
        kinds.append(_kind(part, names_fact, first=not at))
        if kinds[-1] == "asks" and _ends_request(parts[at - 1 : at + 1], kinds[-2:]):
            kinds[-1] = "commands"
    first = _first(words)
    return Speech(
        turn=next((kind for kind in reversed(kinds) if kind != "tells"), "tells"),
        wishes=bool(phrases.WISH.search(plain) or phrases.OBLIGATION.search(plain)),
        asks_for_words=names_fact
        and (first in phrases.EXPLAINING or bool(phrases.ASKED_FOR_WORDS.search(plain))),
        names_fact=names_fact,
        reports_trouble=bool(phrases.TROUBLE.search(phrases.CONDITION.sub(" ", plain))),
        about_own=any(is_about_account(part, _plain(part).removeprefix("and ")) for part in parts),
        broad=bool(phrases.BROAD.search(plain)),
        names_object=any(word.is_name for word in words),
        says_what=not says_nothing(words),
        asks_figure=bool(FIGURE.search(plain)),
    )


def says_nothing(words: Sequence[Word]) -> bool:
    """Tell whether every word could be about anything."""
    return all(
        word.is_mark or word.is_function or word.is_name or word.text in phrases.ANYTHING
        for word in words
    )


def is_wish(words: Sequence[Word]) -> bool:
    """Tell whether a clause says, by its grammar, that something is to be done or to be so."""
    plain = _plain(words)
    first = _first(words)
    said = (phrases.REQUEST, phrases.WISH, phrases.OBLIGATION)
    return (
        first in phrases.WORK
        or first in ("who", "why")
        or any(pattern.search(plain) for pattern in said)
        or plain.rpartition(" ")[2] in phrases.PARTICLES
    )


def tells_circumstances(words: Sequence[Word]) -> bool:
    """Tell whether a clause says how things are: it has a verb and is no wish."""
    texts = ["", *(word.text for word in words)]
    plain = _plain(words)
    if phrases.LACKING.search(plain) or phrases.LASTING.search(plain):
        return True
    told = any(
        text in phrases.TELLING and before not in phrases.RELATING
        for before, text in pairwise(texts)
    )
    return (told or brings(texts[1:])) and not is_wish(words)


def brings(texts: Sequence[str]) -> bool:
    """Tell whether somebody is said to deliver something: "the till system drops files"."""
    at = next((at for at, text in enumerate(texts) if text in phrases.BRINGING), 0)
    return at > 0 and phrases.RELATING.isdisjoint(texts[:at]) and texts[0] not in phrases.WORK


def _parts(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """Yield the words up to each mark, the mark with them."""
    start = 0
    for at, word in enumerate(words):
        if word.is_mark:
            yield words[start : at + 1]
            start = at + 1
    yield words[start:]


def _kind(part: Sequence[Word], names_fact: bool, *, first: bool) -> Part:
    if phrases.REQUEST.search(_plain(part)):
        return "commands"
    ends = bool(part) and part[-1].text == "?"
    if ends or _asks(part, first=first):
        return "asks"
    if phrases.WISH.search(_plain(part)):
        return "commands"
    if not part or part[0].text in phrases.SEQUENCE:
        return "commands" if part else "tells"
    return "commands" if _commands(part, names_fact, first=first) else "tells"


def _ends_request(parts: Sequence[Sequence[Word]], kinds: Sequence[Part]) -> bool:
    """Tell whether a question mark only ends a request: "can you load it, and mask it?"."""
    if kinds[0] != "commands" or len(parts) < len(kinds) or parts[0][-1].text != ",":
        return False
    return not _asks(parts[1], first=False)


def _asks(part: Sequence[Word], *, first: bool) -> bool:
    """Tell whether a part is a question by how it begins, or by `how` and `why` inside it."""
    texts = said = [word.text for word in part if not word.is_mark]
    while texts and texts[0] in phrases.FILLERS:
        texts = texts[1:]
    if texts[1:] and texts[0] in phrases.BEFORE_ASKING and texts[1] in phrases.ASKING:
        return texts[0] != "after"
    if said[:1] == ["only"] or phrases.INDIRECT.search(" ".join(texts)):
        return False
    begins, after = (*texts[:2], "", "")[:2]
    if begins in phrases.AUXILIARY:
        orders = begins == "have" and after not in phrases.SUBJECTS
        return len(texts) >= _SHORTEST_QUESTION and not orders and after != "not"
    if begins == "when":
        return after in phrases.AUXILIARY
    if begins in phrases.RELATIVE and not first:
        return _asks_after_a_mark(texts)
    if begins in phrases.ASKING:
        return True
    return bool(phrases.HOW_TO.search(" ".join(texts)))


def _asks_after_a_mark(texts: Sequence[str]) -> bool:
    """Tell ", which models take images" from ", which has umlauts" and ", which feeds a model"."""
    if texts[0] == "which":
        after = texts[1] if len(texts) > 1 else ""
        does = after[-1:] == "s" and after[:-1] in phrases.WORK - phrases.ALSO_NOUNS
        return not does and after not in phrases.SUBJECTS | phrases.TELLING | phrases.AUXILIARY
    return not phrases.AUXILIARY.isdisjoint(texts[1 : 1 + _INVERSION])


def _commands(part: Sequence[Word], names_fact: bool, *, first: bool) -> bool:
    """Tell whether a part begins with a verb of work, and not with a noun spelt like one."""
    rest = [word.text for word in part if not word.is_mark]
    while rest and rest[0] in phrases.FILLERS:
        rest = rest[1:]
    if not rest or rest[0] not in phrases.WORK:
        return False
    doubtful = names_fact and rest[0] in phrases.ALSO_NOUNS
    followed = not phrases.DETERMINERS.isdisjoint(rest[1:2])
    return followed or (first and not doubtful)


def _plain(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words if not word.is_mark)


def _first(words: Sequence[Word]) -> str:
    texts = (word.text for word in words if not word.is_mark)
    return next((text for text in texts if text not in phrases.FILLERS), "")
