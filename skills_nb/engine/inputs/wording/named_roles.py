"""Roles that a goal names, told apart by what is to become of them.

Room: laws. In `hide it from everyone but BILLING` the role that is named still sees it, in `mask it
for DESK` it no longer does. A role is told from a word by its capitals, and from the name of a
column by the roles that the session knows.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

from skills_nb.model.events import AccountContext
from skills_nb.model.skills import InputSpec
from skills_nb.sql.identifiers import render_name

EXCEPTED, AFFECTED = "intent.excepted", "intent.affected"
"""In `infer_from` of a role: named as the one that a rule spares, or as the one that it is for."""
OWN_ROLES = "{session.available_roles}"
"""In `choices`: the roles that the user may assume."""
_SPARING = re.compile(
    r"\b(?:but|except(?: for)?|excluding|apart from|other than|only|just|unless) "
    r"(?:the |our |by |for |to |role )*\"?$",
    re.IGNORECASE,
)
_CAPITALS = re.compile(
    r"\b(?:for|from|to|let|but|except|only|role|and) \"?[A-Z][A-Z0-9_]+\b(?![.(])"
)
"""Where a role may be named that is not one of the user's."""
_JOINED = re.compile(r"(?:,| and| or|, and) (?:the )?(?:role )?\"?$", re.IGNORECASE)


def own_roles(context: AccountContext) -> Iterator[str]:
    """Yield the roles that the user may assume, as a statement names them."""
    return (render_name((role,)) for role in context.available_roles)


def roles_told(
    goal: str, spec: InputSpec, roles: Iterable[str], taken: Container[object] = ()
) -> tuple[str, ...]:
    """Return the roles that a goal names in the place of an input, those of other inputs left out.

    Empty where the input is not taken from what a goal says of roles.
    """
    place = next((one for one in spec.infer_from if one in (EXCEPTED, AFFECTED)), None)
    if spec.type != "role" or place is None:
        return ()
    return tuple(role for role in roles_at(goal, place, roles) if role not in taken)


def asks_account(goal: str, spec: InputSpec, context: AccountContext) -> bool:
    """Tell whether the roles of the account decide about an input, not those of the user alone.

    That is so where its default is a role that the user has not, a demo's mostly, or where a goal
    may name one.
    """
    if spec.type != "role":
        return False
    reads_goal = EXCEPTED in spec.infer_from or AFFECTED in spec.infer_from
    return is_foreign_default(spec, context) or (reads_goal and bool(_CAPITALS.search(goal)))


def is_foreign_default(spec: InputSpec, context: AccountContext) -> bool:
    """Tell whether the default of an input is a role that this user has not: a demo's, mostly."""
    is_offered = spec.type == "role" and list(spec.choices) == [OWN_ROLES]
    return is_offered and spec.has_default and spec.default not in set(own_roles(context))


def roles_at(goal: str, place: str, roles: Iterable[str]) -> tuple[str, ...]:
    """Return which of these roles a goal names as `EXCEPTED`, or else as `AFFECTED`, as said."""
    spared: dict[str, bool] = {}
    is_spared = False
    for start, role in sorted(_mentioned(goal, roles)):
        follows = bool(spared) and _JOINED.search(goal[:start]) is not None
        is_spared = is_spared if follows else _SPARING.search(goal[:start]) is not None
        spared.setdefault(role, is_spared)
    return tuple(role for role, kept in spared.items() if kept == (place == EXCEPTED))


def _mentioned(goal: str, roles: Iterable[str]) -> Iterator[tuple[int, str]]:
    for role in roles:
        found = re.search(rf"(?<![\w.$\"]){re.escape(role)}(?![\w$\"]|\.\w)", goal)
        if found is not None:
            yield found.start(), role
