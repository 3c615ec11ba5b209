"""JavaScript of procedures: whether the SQL it runs stands in it as plain text.

Room: sql. It is not read as a tree, so only what is plain is let through: `snowflake.execute` or
`createStatement` with a constant text, and nothing in the rest that could reach `snowflake` under
another name. Code that merely looks as if it could is not known.
Source: Snowflake manual, "Writing stored procedures in JavaScript".
"""

from __future__ import annotations

import re

_SENT = re.compile(
    r"""\bsnowflake\s*\.\s*(?:execute|createStatement)\s*\(\s*\{\s*sqlText\s*:\s*"""
    r"""(?P<text>'(?:[^'\\\n]|\\[nt'"])*'|"(?:[^"\\\n]|\\[nt'"])*"|`[^`\\$]*`)\s*"""
    r"""(?:,\s*binds\s*:\s*\[[\w\s,.'"-]*\]\s*)?\}\s*\)"""
)
_HIDING = re.compile(
    r"\\[^nt'\"]|\b(?:snowflake|eval|Function|constructor|globalThis|this|window|self|global|import|"
    r"require|Object|Reflect|Proxy|with|setTimeout|setInterval|__\w+)\b",
    re.I,
)
"""What reaches the session, or makes code of text; escapes spell names in another way."""
_COMPUTED = re.compile(r"[\w$)\]'\"`}]\s*\[(?!\s*\d+\s*\])|\[[^\[\]]*\]\s*:")
"""A member or key whose name is made at run time: `a[b]`, but neither `a[0]` nor a list."""
_ESCAPES = {r"\n": "\n", r"\t": "\t", r"\'": "'", r"\"": '"'}


def sql_in_javascript(code: str) -> tuple[str, ...] | None:
    """Return the SQL that a procedure sends, in order; None where that is not known."""
    rest = _SENT.sub(" 0 ", code)
    if _HIDING.search(rest) or _COMPUTED.search(rest):
        return None
    return tuple(_value(found["text"]) for found in _SENT.finditer(code))


def _value(text: str) -> str:
    return re.sub(r"\\.", lambda found: _ESCAPES[found[0]], text[1:-1])
