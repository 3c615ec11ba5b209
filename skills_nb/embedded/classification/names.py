"""What a column's name says: phrases of whole words, with their head where a head belongs.

Room: embedded (classification). Pure. The rules of this file:

- A name is split into words (`CustomerEMailAddr2` is customer, e, mail, addr, 2); a phrase matches
  whole words only, however they are joined (`e_mail`, `email`, `EMail`), never part of one.
- The phrase must end the name, save for words that change nothing (`PHONE_NUMBER_HOME_2`): what
  follows it otherwise is what the column is about (`phone_model`, `card_type`, `ssn_verified`).
- A word in front that makes it a fact *about* the thing (`has_email`, `count_phone`) takes the
  evidence away.
- A name in two languages of the data (German, French, Spanish, Japanese) is as good as English.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from skills_nb.embedded.classification.vocabulary import spaced

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")
_LONGEST_PHRASE = 5

_NEUTRAL = spaced(
    "number numbers no nr num nbr value val text txt str string raw clean cleaned normalized "
    "normalised primary secondary home work office private business main default billing shipping "
    "mailing current new old full orig original alt alternate alternative utc local col column "
    "nummer privat dienstlich"
)
_INDICES = frozenset("0123456789")
_ABOUT = spaced(
    "is has had have can should was allow allows allowed show enable enabled use uses count num nb "
    "total avg average mean median min max sum days hours validated verified"
)
_PERSONS = spaced(
    "customer client employee person people patient contact user member subscriber owner holder "
    "cardholder guest student teacher doctor nurse manager applicant beneficiary recipient sender "
    "buyer seller passenger driver tenant insured claimant candidate staff worker author parent "
    "child spouse emergency kunde kunden mitarbeiter patienten the cust emp usr"
)


class NameEvidence(IntEnum):
    """How much a column's name says for a category."""

    NONE = 0
    """Nothing."""
    HINT = 1
    """A word that also means other things: `name`, `state`, `account`."""
    LIKELY = 2
    """Means the category in most tables: `age`, `city`, `salary`."""
    UNAMBIGUOUS = 3
    """Means nothing else: `email`, `date_of_birth`, `iban`; a prediction without any value."""


@dataclass(frozen=True)
class ReadName:
    """A column name, split into words, with the phrases that it can be taken for."""

    words: tuple[str, ...]
    """Lower-case words, accents folded."""
    phrases: tuple[tuple[str, ...], ...]
    """Per place where the name may end, the joined runs of words that end there, longest first."""
    person: NameEvidence
    """What a final `name` says: LIKELY after persons, HINT after nothing or letters, else NONE."""


@lru_cache(maxsize=4096)
def read_name(name: str) -> ReadName:
    """Split a column name and collect the phrases it can be taken for."""
    words = _words(name)
    end = _head_end(words)
    stops = () if _ABOUT.intersection(words[:1]) else range(end, len(words) + 1)
    phrases = tuple(
        tuple("".join(words[start:stop]) for start in range(max(0, stop - _LONGEST_PHRASE), stop))
        for stop in stops
    )
    return ReadName(words, phrases, _person(words[: max(end - 1, 0)]))


def _person(before: tuple[str, ...]) -> NameEvidence:
    if all(len(word) == 1 for word in before):
        return NameEvidence.HINT
    return NameEvidence.LIKELY if _PERSONS.issuperset(before) else NameEvidence.NONE


def _words(name: str) -> tuple[str, ...]:
    folded = unicodedata.normalize("NFKD", name.replace("ß", "ss"))
    if folded.isascii() or not any("\u3040" <= char <= "\u9fff" for char in folded):
        folded = "".join(char for char in folded if not unicodedata.combining(char))
    else:
        folded = unicodedata.normalize("NFC", folded)
    return tuple(word.lower() for word in _WORD.findall(folded))


def _head_end(words: tuple[str, ...]) -> int:
    """Find where the name ends once neutral words, small indices and `of PERSON` are dropped."""
    end = len(words)
    if end > 2 and words[-2] in {"of", "de", "von"} and words[-1] in _PERSONS:
        end -= 2
    while end > 1 and (words[end - 1] in _NEUTRAL or words[end - 1] in _INDICES):
        end -= 1
    return end
