"""Where and as whom a session works; loud where that is production.

Room: laws (views).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from skills_nb.views.sheets import blocks as b

if TYPE_CHECKING:
    from skills_nb.model.events import AccountContext

_PRODUCTION = re.compile(r"(^|[^a-z])(prod|prd|production|live)([^a-z]|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AccountCard:
    """The connected account."""

    account: str
    """Its name; the locator where it has none."""
    locator: str
    """As CURRENT_ACCOUNT tells it."""
    region: str
    """As CURRENT_REGION tells it."""
    user: str
    """Who is logged in."""
    role: str
    """The session's."""
    warehouse: str
    """The current one; empty where there is none."""
    place: str
    """`DATABASE.SCHEMA`, as far as set."""
    edition: str
    """Empty where it is not known."""
    roles: tuple[str, ...]
    """Roles that the user may assume, sorted."""
    is_production: bool
    """Whether people depend on it."""


@dataclass(frozen=True, slots=True)
class Badge:
    """Where and as whom a card's command works, in one line."""

    text: str
    """Account, role and warehouse."""
    is_loud: bool = False
    """Whether people depend on the account."""


def account_card(context: AccountContext) -> AccountCard:
    """Return the card of a session's account."""
    place = ".".join(p for p in (context.current_database, context.current_schema) if p)
    return AccountCard(
        account=context.account_name or context.account_locator,
        locator=context.account_locator,
        region=context.region,
        user=context.current_user,
        role=context.current_role,
        warehouse=context.current_warehouse or "",
        place=place,
        edition=context.edition or "",
        roles=context.available_roles,
        is_production=is_production(context),
    )


def is_production(context: AccountContext) -> bool:
    """Return whether people depend on it: a person's pattern decides, else the account's name."""
    if context.is_production is not None:
        return context.is_production
    return _PRODUCTION.search(context.account_name or context.account_locator) is not None


def badge(context: AccountContext, role: str | None = None) -> str:
    """Return account, role and warehouse in one line; the session's role where none is given."""
    parts = [
        f"Account {context.account_name or context.account_locator}",
        f"role {role or context.current_role}",
        f"warehouse {context.current_warehouse}" if context.current_warehouse else "no warehouse",
    ]
    return " · ".join(parts)


def badge_of(context: AccountContext) -> Badge:
    """Return the badge of a session."""
    return Badge(badge(context), is_production(context))


def badge_ahead(context: AccountContext) -> Badge:
    """Return the badge of an account that was not opened: what is known of it beforehand."""
    parts = [
        f"Account {context.account_name}",
        f"role {context.current_role}" if context.current_role else "",
        f"warehouse {context.current_warehouse}" if context.current_warehouse else "",
        "not opened yet",
    ]
    return Badge(" · ".join(part for part in parts if part), is_production(context))


def lay_out_account(view: AccountCard) -> b.Sheet:
    """Return the blocks of an account."""
    pairs = (
        ("User", view.user),
        ("Role", view.role),
        ("Warehouse", view.warehouse or "none"),
        ("Database and schema", view.place or "none"),
        ("Locator", view.locator),
        ("Region", view.region),
        ("Edition", view.edition or "not told"),
        ("Roles it may take", ", ".join(view.roles)),
    )
    loud = (
        b.Notice("critical", "PRODUCTION", "People depend on this account.", is_alert=True)
        if view.is_production
        else None
    )
    blocks: tuple[b.Block, ...] = (b.Facts(tuple((n, v) for n, v in pairs if v)),)
    return b.Sheet(
        f"Account {view.account}",
        "production" if view.is_production else "connected",
        "critical" if view.is_production else "ok",
        blocks=(loud, *blocks) if loud else blocks,
    )
