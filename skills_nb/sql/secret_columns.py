"""Finds texts that are secrets by the column or key they are for: INSERT, MERGE, objects, rows.

Room: sql. Pure, never raises. A list of names and the rows that are told behind or before it are
read by their commas; nothing else of a statement is understood. What stands in parentheses is
passed over in one step, so that deep nesting costs no more than its length.
Source: the manual's INSERT, MERGE, VALUES, OBJECT_CONSTRUCT, OBJECT_INSERT, ENCRYPT.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from skills_nb.sql.secret_patterns import is_long_number, is_pin_name, is_secret_name
from skills_nb.sql.tokens import Token, TokenKind

_TEXTS = frozenset({TokenKind.STRING, TokenKind.DOLLAR, TokenKind.BROKEN})
_NAMED = frozenset({TokenKind.WORD, TokenKind.QUOTED})
_CLOSES = {")": "(", "]": "[", "}": "{"}
_ENDS = frozenset({"FROM", "UNION", "EXCEPT", "MINUS", "INTERSECT", "WHERE", "QUALIFY", "LIMIT"})
"""What a list of selected values ends before."""
_KEYED = {"OBJECT_CONSTRUCT": 0, "OBJECT_CONSTRUCT_KEEP_NULL": 0, "OBJECT_INSERT": 1}
"""Functions that are given keys, and the argument that is the first of them."""
_PASSPHRASES = frozenset(
    f"{name}{end}" for name in ("ENCRYPT", "DECRYPT", "TRY_DECRYPT") for end in ("", "_RAW")
)
"""Functions whose second argument is a passphrase or a key."""

Columns = frozenset[int]
"""Numbers of columns or arguments, from zero."""


def texts_for_secrets(layout: Layout) -> set[int]:
    """Return the places of the texts that a column or a key says are secrets."""
    found: set[int] = set()
    covered = bytearray(len(layout.said))
    for at, token in enumerate(layout.said):
        # What stands inside of what is hidden is hidden; to look again would take its time twice.
        for place in () if covered[at] else _places(layout, at, token):
            covered[place.start : place.stop] = b"x" * len(place)
            found.update(each for each in place if may_be_secret(layout.said[each]))
    return found


def may_be_secret(token: Token) -> bool:
    """Tell whether a token is a value that may be one: a text, or a number long enough."""
    if token.kind is TokenKind.NUMBER:
        return is_long_number(token.text)
    return token.kind in _TEXTS


def _places(layout: Layout, at: int, token: Token) -> Iterator[range]:
    if token.text == "(":
        yield from _behind_names(layout, at)
    elif token.word == "VALUES":
        yield from _before_names(layout, at)
    elif layout.text(at + 1) == "(" and token.word in _PASSPHRASES:
        yield from layout.items(at + 2).wanted(frozenset({1}))
    elif layout.text(at + 1) == "(" and token.word in _KEYED:
        items = layout.items(at + 2)
        yield from items.wanted(_keyed(layout, items, _KEYED[token.word]))


@dataclass(frozen=True, slots=True)
class _Items:
    """What stands between commas, and where it ends."""

    places: tuple[range, ...]
    """The tokens of each item."""
    end: int
    """The token behind the last item: what closes or ends the list."""

    def wanted(self, numbers: Columns) -> Iterator[range]:
        """Return the items of these numbers that there are."""
        return (self.places[number] for number in numbers if number < len(self.places))


@dataclass(frozen=True, slots=True)
class Layout:
    """Tokens, and where their parentheses close."""

    said: Sequence[Token]
    """Without spaces and comments."""
    closes: Mapping[int, int]
    """Where each parenthesis, bracket and brace closes; behind all tokens where none does."""

    @classmethod
    def of(cls, said: Sequence[Token]) -> Layout:
        """Return the tokens with the places where their parentheses close."""
        closes: dict[int, int] = {}
        opened: list[int] = []
        for at, token in enumerate(said):
            if token.text in ("(", "[", "{"):
                opened.append(at)
            elif opened and _CLOSES.get(token.text) == said[opened[-1]].text:
                closes[opened.pop()] = at
        closes |= dict.fromkeys(opened, len(said))
        return cls(said, closes)

    def text(self, at: int) -> str:
        """Return the text of a token, and nothing behind the last one."""
        return self.said[at].text if 0 <= at < len(self.said) else ""

    def word(self, at: int) -> str:
        """Return the word of a token, and nothing behind the last one."""
        return self.said[at].word if 0 <= at < len(self.said) else ""

    def items(self, at: int, ends: frozenset[str] = frozenset()) -> _Items:
        """Read what commas divide, from a place on up to what closes it or one of these words."""
        places: list[range] = []
        begun = at
        while at < len(self.said):
            text = self.said[at].text
            if text in _CLOSES or text == ";" or self.said[at].word in ends:
                break
            if text == ",":
                places.append(range(begun, at))
                begun = at + 1
            at = self.closes.get(at, at) + 1
        at = min(at, len(self.said))
        return _Items((*places, range(begun, at)), at)


def _behind_names(layout: Layout, at: int) -> Iterator[range]:
    """Return texts of the rows behind a list: `(NAME, PASSWORD) VALUES …`, `… AS SELECT …`."""
    begun = layout.closes.get(at, len(layout.said)) + 1
    if layout.word(begun) not in ("VALUES", "AS", "SELECT", "WITH") and layout.text(begun) != "(":
        return
    if wanted := _secret_columns(layout, layout.items(at + 1)):
        while layout.text(begun) == "(" or layout.word(begun) == "AS":
            begun += 1
        if layout.word(begun) == "VALUES":
            yield from _in_tuples(layout, begun + 1, wanted)
        elif layout.word(begun) in ("SELECT", "WITH"):
            yield from _selected(layout, begun, wanted)


def _before_names(layout: Layout, at: int) -> Iterator[range]:
    """Return texts of rows that are named afterwards: `VALUES ('eve', '…') AS T (NAME, PW)`."""
    end = at + 1
    while layout.text(end) in ("(", ","):
        end = layout.closes.get(end, end) + 1
    for _ in range(3):
        is_name = end < len(layout.said) and layout.said[end].kind in _NAMED
        end += is_name or layout.text(end) == ")"
    if layout.text(end) == "(":
        yield from _in_tuples(layout, at + 1, _secret_columns(layout, layout.items(end + 1)))


def _in_tuples(layout: Layout, at: int, wanted: Columns) -> Iterator[range]:
    while wanted and layout.text(at) == "(":
        items = layout.items(at + 1)
        yield from items.wanted(wanted)
        at = items.end + (2 if layout.text(items.end + 1) == "," else 1)


def _selected(layout: Layout, at: int, wanted: Columns) -> Iterator[range]:
    """Return the texts that a SELECT, and those united with it, put into the columns."""
    while at < len(layout.said) and layout.said[at].text not in (")", ";"):
        if layout.said[at].word == "SELECT":
            items = layout.items(at + 1, _ENDS)
            yield from items.wanted(wanted)
            at = items.end
        else:
            at = layout.closes.get(at, at) + 1


def _names_secret(name: str) -> bool:
    return is_secret_name(name) or is_pin_name(name)


def _secret_columns(layout: Layout, names: _Items) -> Columns:
    """Return which of the names in a list, types behind them or not, are secrets' names."""
    begun = [layout.said[place.start] if place else None for place in names.places]
    return frozenset(
        number
        for number, token in enumerate(begun)
        if token and token.kind in _NAMED and _names_secret(token.text.strip('"'))
    )


def _keyed(layout: Layout, items: _Items, first: int) -> Columns:
    """Return the arguments that stand behind a key that is a secret's name."""
    return frozenset(
        number + 1
        for number in range(first, len(items.places), 2)
        for place in [items.places[number]]
        if len(place) == 1
        and layout.said[place.start].kind in _TEXTS
        and _names_secret(layout.said[place.start].value)
    )
