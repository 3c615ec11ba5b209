"""Tell what kind of answer the speaker wants: an outcome, a piece of work, or a fact.

Room: routing. Grammar only: how a sentence begins, its auxiliaries, the words that report trouble.
Spec: Agent Traversal > Three routing modes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skills_nb.routing import phrases
from skills_nb.routing.words import Word, even_out

_SHORTEST_QUESTION = 3


@dataclass(frozen=True, slots=True)
class Speech:
    """How something was said."""

    asks: bool
    """A question by its form."""
    asks_how: bool
    """How something is done."""
    requests: bool
    """Somebody is asked to do something."""
    obliges: bool
    """Something must or should be so."""
    commands: bool
    """A sentence begins with a verb of work."""
    names_fact: bool
    """Syntax, a default, a limit, a difference, an option."""
    reports_trouble: bool
    """Something does not work, or an error is quoted."""
    about_own: bool
    """The answer lies in the speaker's account, not in a manual."""
    broad: bool
    """Words of quantity: everything, each, end to end."""

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
    """Return how an intent was said."""
    plain = even_out(text).strip()
    names_fact = bool(phrases.FACT.search(plain))
    return Speech(
        asks=_asks(plain, words),
        asks_how=bool(phrases.HOW_TO.search(plain)),
        requests=bool(phrases.REQUEST.search(plain)),
        obliges=bool(phrases.OBLIGATION.search(plain)),
        commands=_commands(words, names_fact),
        names_fact=names_fact,
        reports_trouble=bool(phrases.TROUBLE.search(plain)),
        about_own=bool(phrases.ABOUT_OWN.search(plain)),
        broad=bool(phrases.BROAD.search(plain)),
    )


def is_wish(words: Sequence[Word]) -> bool:
    """Tell whether a clause says, by its grammar, that something is to be done or to be so."""
    plain = " ".join(word.text for word in words if not word.is_mark)
    first = _first(words)
    return (
        first in phrases.WORK
        or first in ("who", "why")
        or bool(phrases.REQUEST.search(plain) or phrases.OBLIGATION.search(plain))
        or plain.rpartition(" ")[2] in phrases.PARTICLES
    )


def tells_circumstances(words: Sequence[Word]) -> bool:
    """Tell whether a clause says how things are: it has a verb and is no wish."""
    return not is_wish(words) and any(word.text in phrases.TELLING for word in words)


def _first(words: Sequence[Word]) -> str:
    texts = (word.text for word in words if not word.is_mark)
    return next((text for text in texts if text not in phrases.FILLERS), "")


def _asks(plain: str, words: Sequence[Word]) -> bool:
    first = _first(words)
    long_enough = sum(not word.is_mark for word in words) >= _SHORTEST_QUESTION
    return (
        plain.endswith("?")
        or first in phrases.ASKING
        or (first in phrases.AUXILIARY and long_enough)
        or bool(phrases.QUESTION_INSIDE.search(plain))
    )


def _commands(words: Sequence[Word], names_fact: bool) -> bool:
    """Tell whether a sentence begins with a verb of work, and not with a noun spelt like one."""
    begins, in_first_sentence = True, True
    for at, word in enumerate(words):
        if word.is_mark:
            begins, in_first_sentence = True, False
        elif word.text in phrases.FILLERS:
            begins = True
        elif begins:
            after = words[at + 1].text if at + 1 < len(words) else ""
            doubtful = names_fact and word.text in phrases.ALSO_NOUNS
            certain = after in phrases.DETERMINERS or (in_first_sentence and not doubtful)
            if word.text in phrases.WORK and certain:
                return True
            begins = False
    return False
