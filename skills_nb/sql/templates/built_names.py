"""`ident(…)` and `name(…)` of a template: identifiers built from texts, values and names.

Room: sql.
"""

from __future__ import annotations

from typing import Any

from jinja2 import Undefined

from skills_nb.sql.identifiers import SqlNameError, resolve
from skills_nb.sql.templates.identifier_values import Name
from skills_nb.sql.templates.template_error import refuse


def build_identifier(*arguments: Any) -> Name:
    """Build one identifier: the parts joined, within the name that comes first, if one does.

    Text that stands in the template is typed, so what is joined with it is upper-cased where it
    needs no quotes; a value alone is a stored name and kept as it is.
    """
    within = arguments[0].parts if len(arguments) > 1 and isinstance(arguments[0], Name) else ()
    rest = arguments[1:] if within else arguments
    if len(rest) == 1 and isinstance(rest[0], Name) and not within:
        return rest[0]
    text = "".join(_part(argument) for argument in rest)
    is_typed = any(isinstance(argument, tuple) for argument in rest)
    return _named((*within, _folded(text) if is_typed else text))


def build_name(*arguments: Any) -> Name:
    """Build a dotted name from parts, each a text or a name."""
    parts: list[str] = []
    for argument in arguments:
        if isinstance(argument, Name):
            parts += argument.parts
        else:
            text = _part(argument)
            parts.append(_folded(text) if isinstance(argument, tuple) else text)
    return _named(tuple(parts))


def _named(parts: tuple[str, ...]) -> Name:
    try:
        return Name(parts)
    except SqlNameError as error:
        raise refuse(error.message, error.hint) from error


def _part(argument: Any) -> str:
    """Return one part's text: a value, a template's own text, a number, or a name of one part."""
    match argument:
        case (True, str(text)):
            return text
        case str() | int() if not isinstance(argument, bool):
            return str(argument)
        case Name(parts=(part,)):
            return part
        case Undefined():
            raise refuse(f"an identifier is built from an undefined value: {_why(argument)}")
        case _:
            raise refuse(f"an identifier cannot be built from {argument!r}"[:200])


def _why(value: Undefined) -> str:
    return str(value._undefined_name)


def _folded(text: str) -> str:
    """Upper-case a text that needs no quotes; keep one that does."""
    try:
        return resolve(text)
    except SqlNameError:
        return text
