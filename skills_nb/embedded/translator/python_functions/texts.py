"""Texts: phonetic codes, digests, and tokens.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions-string
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import takewhile
from typing import Any

from sqlglot import exp

from skills_nb.embedded.errors.python_refusals import RefusalError
from skills_nb.embedded.translator.python_functions.calls import Call, Named
from skills_nb.embedded.translator.python_functions.json_values import listed
from skills_nb.embedded.types.lob_limit import MOST_BYTES, exceeded

_CODES = {
    letter: digit
    for digit, letters in {
        "1": "BFPV",
        "2": "CGJKQSXZ",
        "3": "DT",
        "4": "L",
        "5": "MN",
        "6": "R",
    }.items()
    for letter in letters
}


def _soundex(text: str | None, pair_first: bool = False) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/soundex."""
    if text is None:
        return None
    letters = [c for c in text.upper() if "A" <= c <= "Z"]
    if not letters:
        return ""
    made, last = "", "" if pair_first else _CODES.get(letters[0], "")
    for letter in letters[1:]:
        code = _CODES.get(letter, "")
        if code and code != last:
            made += code
        if letter not in "HW":
            last = code
    return (letters[0] + made + "000")[:4]


def _soundex_p123(text: str | None) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/soundex_p123."""
    return _soundex(text, pair_first=True)


_MOST_LIKE = 10
"""So many equal letters at the beginning make texts as like as can be."""


def _jaro_winkler(one: str | None, other: str | None) -> int | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/jarowinkler_similarity."""
    if one is None or other is None:
        return None
    left, right = one.lower(), other.lower()
    like = _jaro(left, right)
    pairs = zip(left[:_MOST_LIKE], right[:_MOST_LIKE], strict=False)
    equal = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return int(100 * (like + Fraction(equal, 10) * (1 - like)))


def _jaro(left: str, right: str) -> Fraction:
    reach = max(max(len(left), len(right)) // 2 - 1, 0)
    taken: list[int] = []
    places = []
    for place, letter in enumerate(left):
        near = range(max(0, place - reach), min(len(right), place + reach + 1))
        found = next((i for i in near if right[i] == letter and i not in taken), None)
        if found is not None:
            taken.append(found)
            places.append(place)
    if not taken:
        return Fraction(0)
    count = len(taken)
    moved = sum(left[i] != right[j] for i, j in zip(places, sorted(taken), strict=True)) // 2
    return (
        Fraction(count, len(left)) + Fraction(count, len(right)) + Fraction(count - moved, count)
    ) / 3


_DIGESTS = {0: "sha256", 224: "sha224", 256: "sha256", 384: "sha384", 512: "sha512"}


def _bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode()


def _sha2(value: str | bytes | None, length: int) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/sha2."""
    if value is None:
        return None
    if length not in _DIGESTS:
        raise RefusalError(100203, "22023", f"Invalid digest size {length} for function SHA2")
    return hashlib.new(_DIGESTS[length], _bytes(value)).hexdigest()


def _md5_upper(value: str | bytes | None) -> int | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/md5_number_upper64."""
    return None if value is None else int.from_bytes(_md5(value)[:8], "big")


def _md5_lower(value: str | bytes | None) -> int | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/md5_number_lower64."""
    return None if value is None else int.from_bytes(_md5(value)[8:], "big")


def _md5(value: str | bytes) -> bytes:
    return hashlib.md5(_bytes(value), usedforsecurity=False).digest()


def _binary(value: str | None, form: str = "HEX", safe: bool = False) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/to_binary: as hexadecimal text."""
    if value is None:
        return None
    try:
        return _decoded(value, form.upper()).hex()
    except (binascii.Error, ValueError) as error:
        if safe:
            return None
        raise RefusalError(
            100115,
            "22000",
            f"The following string is not a legal {form.lower()}-encoded value: '{value}'",
        ) from error


def _decoded(value: str, form: str) -> bytes:
    match form:
        case "HEX":
            return bytes.fromhex(value)
        case "BASE64":
            return base64.b64decode(value, validate=True)
        case "UTF-8" | "UTF8":
            return value.encode()
        case _:
            raise RefusalError(100125, "22023", f"Invalid binary format '{form}'")


def _from_base64(value: str | None) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/try_base64_decode_string."""
    return _text_of(_binary(value, "BASE64", safe=True))


def _from_hex(value: str | None) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/try_hex_decode_string."""
    return _text_of(_binary(value, "HEX", safe=True))


def _text_of(hexadecimal: str | None) -> str | None:
    if hexadecimal is None:
        return None
    try:
        return bytes.fromhex(hexadecimal).decode()
    except UnicodeDecodeError:
        return None


def _tokens(text: str | None, delimiters: str | None = " ") -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/strtok_to_array."""
    return None if text is None or delimiters is None else listed(_words(text, delimiters))


def _words(text: str, delimiters: str) -> Iterator[str]:
    if not delimiters:
        return iter([text] if text else [])
    return (found[0] for found in re.finditer(f"[^{re.escape(delimiters)}]+", text))


def _split(text: str | None, delimiter: str | None) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/split."""
    if text is None or delimiter is None:
        return None
    # Three characters of each part are quotes and a comma.
    least = 3 * text.count(delimiter) - (text.count(delimiter) * len(delimiter)) + len(text)
    if least > MOST_BYTES:
        raise RefusalError(100082, "22000", exceeded(least))
    return listed(_parts(text, delimiter) if delimiter else [text])


def _parts(text: str, delimiter: str) -> Iterator[str]:
    """Yield the parts of a text, of which a long one has so many that a list takes gigabytes."""
    start = 0
    while (end := text.find(delimiter, start)) >= 0:
        yield text[start:end]
        start = end + len(delimiter)
    yield text[start:]


def _split_rows(text: str | None, delimiter: str | None) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/split_to_table."""
    if text is None or delimiter is None:
        return None
    return listed(_parts(text, delimiter) if delimiter else [text], most=None)


def _token_rows(text: str | None, delimiters: str | None = " ") -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/strtok_split_to_table."""
    if text is None or delimiters is None:
        return None
    return listed(_words(text, delimiters), most=None)


CALLS: Mapping[Named, Call] = {
    exp.JarowinklerSimilarity: Call(_jaro_winkler, "this expression", "HUGEINT"),
    exp.MD5NumberLower64: Call(_md5_lower, "this", "HUGEINT"),
    exp.MD5NumberUpper64: Call(_md5_upper, "this", "HUGEINT"),
    exp.Soundex: Call(_soundex, "this", "VARCHAR"),
    exp.SoundexP123: Call(_soundex_p123, "this", "VARCHAR"),
    exp.StrtokToArray: Call(_tokens, "this expression"),
}
"""Functions of SQL, by name or by the class that sqlglot has for them."""
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "binary": _binary,
    "sha2": _sha2,
    "soundex": _soundex,
    "split": _split,
    "split_rows": _split_rows,
    "token_rows": _token_rows,
    "try_base64": _from_base64,
    "try_hex": _from_hex,
}
"""What other translations call."""
