"""What a secret looks like in text: SQL options, keys, tokens, URLs.

Room: sql. Pure. When prose and SQL cannot be told apart, a text that may hold a
secret loses it: a record with a gap can be lived with, a leak cannot.
Source: the manual's CREATE USER, CREATE STAGE, CREATE SECRET and CREATE SECURITY INTEGRATION name
the options; RFC 7468 (PEM), RFC 7519 (JWT), RFC 3986 section 3.2.1 (credentials in URLs).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

REDACTED = "«redacted»"
"""What stands where a secret stood."""

_NAMES = (
    r"pass(?:word|wd|phrase|code)|pwd|secret(?:_(?:key|value|string|access_key))?|token|api_?key|"
    r"private_?key|access_?key|account_?key|master_?key|credentials?|authorization|"
    r"connection_string"
)
_PIN_NAMES = r"pin(?:_?code)?"
_PIN = re.compile(rf"(?:.{{0,100}}_)?{_PIN_NAMES}", re.IGNORECASE)
_NAME = re.compile(rf"(?:.{{0,100}}_)?(?:{_NAMES})", re.IGNORECASE)
_FEWEST_DIGITS = 4
_TELLS_ABOUT = re.compile(r"(?:has|is|must|min|max|num|count)_.*", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

_OPTION = re.compile(
    r"""(?<![\w"'])"?(?!(?:has|is|must|min|max|num|count)_)(?:\w*password|\w*passphrase|secret_string|\w*client_secret|"""
    r"oauth_refresh_token|oauth_access_token|aws_secret_key|aws_secret_access_key|aws_token|"
    r"aws_key_id|azure_sas_token|master_key|\w*private_key|api_key|bearer_token)"
    r"""\b"?\s*=>?\s*(?=['$\\])""",
    re.IGNORECASE,
)
_LITERAL = re.compile(r"'(?:[^'\\]|''|\\.)*(?:'|\Z)|\$\$.*?(?:\$\$|\Z)", re.DOTALL)
_INNER_LITERAL = re.compile(r"''[^']+''|\\'[^'\\]+\\'")
_CONTINUES = re.compile(r"'\s*(?:\|\||[,);])")
_CREDENTIALS = re.compile(
    rf"\b(CREDENTIALS\s*=\s*)\((?=\s*\w+\s*=)(?:{_LITERAL.pattern}|[^()'$]|\$(?!\$))*(?:\)|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_JSON_MEMBER = re.compile(
    rf"""(["'](?:\w*_)?(?:{_NAMES}|{_PIN_NAMES})["']\s*:\s*)(?:"(?:[^"\\]|\\.)*(?:"|\Z)|-?\d{{4,}}[\d.]*)""",
    re.IGNORECASE | re.DOTALL,
)
_YAML_MEMBER = re.compile(
    rf"""^([ \t]*(?:- )?["']?(?:\w*[_-])?(?:{_NAMES}|{_PIN_NAMES})["']?[ \t]*:[ \t]+)"""
    r"""(?!["']?[«$<|>{&*])(?![\w.]+[ \t]*=)\S[^\n]*""",
    re.IGNORECASE | re.MULTILINE,
)
"""A line of YAML, not the value's marks for many lines, nor a name to be filled in."""
_QUERY_PARAMETER = re.compile(
    r"([?&#;](?:sig|signature|password|passwd|pwd|(?:\w{1,20}_)?(?:token|secret|password)|api[_-]?key|"
    r"x-(?:amz|goog)-(?:signature|credential|security-token))=)[^&\s'\";]+",
    re.IGNORECASE,
)

_SHAPES: Sequence[tuple[re.Pattern[str], str]] = (
    # A block that was cut off still holds its secret, so a missing end line ends with the text.
    (
        re.compile(r"-----BEGIN ([A-Z0-9 ]{1,40})-----.*?(?:-----END \1-----|\Z)", re.DOTALL),
        REDACTED,
    ),
    (re.compile(r"(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*"), REDACTED),
    (_CREDENTIALS, rf"\1({REDACTED})"),
    (_JSON_MEMBER, rf'\1"{REDACTED}"'),
    (
        re.compile(r"\b([a-z][a-z0-9+.-]{0,20}://[^\s/:@'\"]{0,200}:)[^\s/'\"]+@", re.IGNORECASE),
        rf"\1{REDACTED}@",
    ),
    (re.compile(r"\b(https?://)[^\s/:@'\"]+@", re.IGNORECASE), rf"\1{REDACTED}@"),
    (_QUERY_PARAMETER, rf"\1{REDACTED}"),
    (re.compile(r"\b((?:Bearer|Basic)\s+)[\w.~+/=-]{16,}"), rf"\1{REDACTED}"),
    (
        re.compile(
            r"\b((?:Proxy-)?Authorization\s*:\s*(?:Basic|Bearer|Token)\s+)(?!«)[^\s'\"]+",
            re.IGNORECASE,
        ),
        rf"\1{REDACTED}",
    ),
    (
        re.compile(
            r"((?<![\w-])--?(?:password|passwd|passphrase|token|secret|api-?key|access-token)"
            r"(?:=|[ \t]+)['\"]?)(?![«<$-])[^\s'\";]+",
            re.IGNORECASE,
        ),
        rf"\1{REDACTED}",
    ),
    (
        re.compile(
            r"(\b(?:curl|wget)\b[^\n]{0,200}?\s(?:-u|--user)[ =]['\"]?[^\s:'\"]+:)(?!«)[^\s'\"]+"
        ),
        rf"\1{REDACTED}",
    ),
    (re.compile(r"(Snowflake Token=)\\?\"[^\"]*\"?", re.IGNORECASE), rf'\1"{REDACTED}"'),
    (
        re.compile(
            r"\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|sk-[\w-]{20,}|xox[abprs]-[\w-]{10,}|"
            r"(?:AKIA|ASIA)[A-Z0-9]{16}\b|AIza[\w-]{30,}|ver:\d+-hint:\d+-[\w+/=-]{20,}|"
            r"[rs]k_(?:live|test)_\w{16,}|glpat-[\w-]{16,}|hf_\w{30,}|SG\.[\w-]{16,}\.[\w-]{16,}|"
            r"ya29\.[\w-]{16,}|xapp-\d-[\w-]{10,}|npm_\w{30,}|dapi[0-9a-f]{32}\w*|pypi-[\w-]{16,})"
        ),
        REDACTED,
    ),
    (
        re.compile(r"(https://hooks\.slack\.com/services/)[\w/]{10,}", re.IGNORECASE),
        rf"\1{REDACTED}",
    ),
)
"""Secrets that their shape gives away, and what remains of each; in this order."""

_HINT = re.compile(
    r"-----BEGIN|eyJ|=|://|[\"']\s*:|(?:Bearer|Basic)\s|gh[pousr]_|github_pat_|sk-|xox[abprs]-|"
    r"AKIA|ASIA|AIza|ver:\d|[rs]k_|glpat-|hf_|SG\.|ya29\.|xapp-|npm_|dapi|pypi-|"
    r"[Aa]uthorization\s*:|-(?:password|passwd|passphrase|token|secret|api-?key)|\b(?:curl|wget)\b"
)
"""In every text that one of the shapes fits; most cells of a result hold none of it."""


def is_long_number(text: str) -> bool:
    """Tell whether a number may be a secret, such as a PIN: it has four digits or more."""
    return sum(map(str.isdigit, text)) >= _FEWEST_DIGITS


@lru_cache(maxsize=1024)
def is_secret_name(name: str) -> bool:
    """Return whether a value under this name is a secret: `password`, `AWS_TOKEN`, `apiKey`."""
    snake = _HUMP.sub("_", name.strip()).replace("-", "_").replace(" ", "_")
    return bool(_NAME.fullmatch(snake)) and not _TELLS_ABOUT.fullmatch(snake)


def is_pin_name(name: str) -> bool:
    """Return whether a value under this name may be a PIN: `pin`, `USER_PIN`, `pinCode`.

    What else a pin may be, on a map or a board, has no four digits.
    """
    return bool(_PIN.fullmatch(_HUMP.sub("_", name.strip()).replace("-", "_")))


def without_members(text: str) -> str:
    """Return a text without the secrets of JSON or YAML in it: `{"password": "…"}`."""
    without_json = _JSON_MEMBER.sub(rf'\1"{REDACTED}"', text)
    return _YAML_MEMBER.sub(rf"\1{REDACTED}", without_json) if "\n" in text else without_json


def without_shapes(text: str) -> str:
    """Return a text without what looks like a secret."""
    if not _HINT.search(text):
        return text
    for shape, remains in _SHAPES:
        text = shape.sub(remains, text)
    return _without_options(text)


def _without_options(text: str) -> str:
    """Take out the string of every option that holds a secret: `PASSWORD = '…'`."""
    pieces, done, quotes, counted = [], 0, 0, 0
    for option in _OPTION.finditer(text):
        if option.start() < done:
            continue
        start = option.end()
        quotes, counted = quotes + text.count("'", counted, start), start
        # In dynamic SQL the statement itself is a string, and so its strings have quotes twice.
        end = _secret_end(text, start, is_inner=quotes % 2 == 1)
        if end is not None:
            quote = _quote_at(text, option.end())
            pieces += [text[done : option.end()], quote, REDACTED, quote]
            done = end
    return "".join([*pieces, text[done:]])


def _secret_end(text: str, start: int, *, is_inner: bool) -> int | None:
    """Return where the secret string that begins at `start` ends; None where there is none."""
    inner = _INNER_LITERAL.match(text, start)
    if inner and (is_inner or not re.search(r"\s", inner[0])):
        return inner.end()
    plain = _LITERAL.match(text, start)
    if plain is None or not plain[0].strip("'$"):
        return None
    # The quote may end a text that only speaks of a password: 'the password = ' || name
    return None if is_inner and _CONTINUES.match(text, start) else plain.end()


def _quote_at(text: str, start: int) -> str:
    if _INNER_LITERAL.match(text, start) or text.startswith("$$", start):
        return text[start : start + 2]
    return "'"
