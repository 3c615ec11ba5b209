"""Regular expressions with a position, an occurrence, a group or parameters.

Room: embedded. Pure. What DuckDB says alike is left to DuckDB.

See https://docs.snowflake.com/en/sql-reference/functions-regexp
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from sqlglot import exp

from skills_nb.embedded.errors.python_refusals import RefusalError
from skills_nb.embedded.translator.python_functions.calls import Call, Named
from skills_nb.embedded.translator.python_functions.ending import heeded
from skills_nb.embedded.translator.python_functions.json_values import written

_FLAGS = {"c": ("case_sensitive", True), "i": ("case_sensitive", False), "s": ("dot_nl", True)}
_LOOKS = re.compile(r"\(\?(?:=|!|<=|<!)")


@lru_cache(maxsize=512)
def _compiled(pattern: str, parameters: str) -> re.Pattern[str]:
    """Compile with RE2, as DuckDB does: whatever the pattern, the time is linear in the text."""
    import re2  # loaded by the first statement that needs it

    options = re2.Options()
    options.log_errors = False
    for letter in parameters:
        if letter not in "cimse":
            raise RefusalError(100050, "22023", f"Invalid regular expression parameter: '{letter}'")
        if letter in _FLAGS:
            setattr(options, *_FLAGS[letter])
    if _LOOKS.search(pattern):
        raise _invalid(pattern, "no argument for repetition operator: ?")
    try:
        compiled: re.Pattern[str] = re2.compile(
            f"(?m){pattern}" if "m" in parameters else pattern, options
        )
    except re2.error as error:
        raise _invalid(pattern, error.args[0].decode(errors="replace")) from error
    return compiled


def is_pattern(text: str) -> bool:
    """Tell whether a text can be looked for: it says something, and RE2 reads it."""
    try:
        return bool(text) and _compiled(text, "c") is not None
    except RefusalError:
        return False


def _invalid(pattern: str, why: str) -> RefusalError:
    return RefusalError(100048, "2201B", f"Invalid regular expression: '{pattern}', {why}")


def _matches(
    text: str, pattern: str, position: int | None, parameters: str | None
) -> Iterator[re.Match[str]]:
    """Look for a pattern in the text from a position on, as if it began there."""
    if not pattern:
        return iter(())
    found = _compiled(pattern, parameters or "c").finditer(text[_before(position) :])
    return heeded(found)


def _before(position: int | None) -> int:
    """Return how many characters stand before a position."""
    if position is not None and position < 1:
        raise RefusalError(100047, "22023", f"Invalid position: {position}")
    return int(position or 1) - 1


def _from(found: Iterator[re.Match[str]], occurrence: int | None) -> Iterator[re.Match[str]]:
    """Return the matches from an occurrence on, the first one where none is said."""
    first = int(occurrence or 1) - 1
    return islice(found, first, None) if first >= 0 else iter(list(found)[first:])


def _group(parameters: str | None, group: int | None) -> int:
    """A group needs no parameter `e`; that parameter alone means the first one."""
    return int(group) if group else int("e" in (parameters or ""))


def _part(found: re.Match[str], group: int) -> str | None:
    return found[group] if group <= (found.re.groups or 0) else found[0] if group == 1 else None


def _substr(
    text: str | None,
    pattern: str | None,
    position: int | None = None,
    occurrence: int | None = None,
    parameters: str | None = None,
    group: int | None = None,
) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/regexp_substr."""
    if text is None or pattern is None:
        return None
    found = next(_from(_matches(text, pattern, position, parameters), occurrence), None)
    return _part(found, _group(parameters, group)) if found is not None else None


def _substr_all(
    text: str | None,
    pattern: str | None,
    position: int | None = None,
    occurrence: int | None = None,
    parameters: str | None = None,
    group: int | None = None,
) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/regexp_substr_all."""
    if text is None or pattern is None:
        return None
    found = _from(_matches(text, pattern, position, parameters), occurrence)
    return written([_part(match, _group(parameters, group)) for match in found])


def _instr(
    text: str | None,
    pattern: str | None,
    position: int | None = None,
    occurrence: int | None = None,
    option: int | None = None,
    parameters: str | None = None,
    group: int | None = None,
) -> int | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/regexp_instr."""
    if text is None or pattern is None:
        return None
    found = next(_from(_matches(text, pattern, position, parameters), occurrence), None)
    wanted = _group(parameters, group)
    if found is None or wanted > (found.re.groups or 0):
        return 0
    return _before(position) + (found.end(wanted) if option else found.start(wanted)) + 1


def _count(
    text: str | None,
    pattern: str | None,
    position: int | None = None,
    parameters: str | None = None,
) -> int | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/regexp_count."""
    if text is None or pattern is None:
        return None
    return sum(1 for _ in _matches(text, pattern, position, parameters))


def _replace(
    text: str | None,
    pattern: str | None,
    replacement: str | None = "",
    position: int | None = None,
    occurrence: int | None = None,
    parameters: str | None = None,
) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/regexp_replace."""
    if text is None or pattern is None or replacement is None:
        return None
    made: list[str] = []
    skipped = last = _before(position)
    for number, found in enumerate(_matches(text, pattern, position, parameters), 1):
        if not occurrence or occurrence == number:
            made += (text[last : skipped + found.start()], _filled(replacement, found))
            last = skipped + found.end()
    return "".join((text[:skipped], *made, text[last:]))


def _filled(replacement: str, found: re.Match[str]) -> str:
    def part(reference: re.Match[str]) -> str:
        number = int(reference[1])
        return found[number] or "" if number <= (found.re.groups or 0) else ""

    return re.sub(r"\\(\d)", part, replacement)


def _like(text: str | None, pattern: str | None, parameters: str | None = None) -> bool | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/regexp_like: the whole text."""
    if text is None or pattern is None:
        return None
    return _compiled(pattern, parameters or "c").fullmatch(text) is not None


CALLS: Mapping[Named, Call] = {
    exp.RegexpCount: Call(_count, "this expression position parameters", "HUGEINT"),
    exp.RegexpExtractAll: Call(_substr_all, "this expression position occurrence parameters group"),
    exp.RegexpInstr: Call(
        _instr, "this expression position occurrence option parameters group", "HUGEINT"
    ),
}
"""Functions of SQL, by name or by the class that sqlglot has for them."""
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "regexp_like": _like,
    "regexp_replace": _replace,
    "regexp_substr": _substr,
}
"""What other translations call."""
