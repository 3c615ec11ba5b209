"""Any view as a sheet, and any sheet as HTML or text.

Room: laws (views).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from skills_nb.views.account import AccountCard, Badge, lay_out_account
from skills_nb.views.evaluation.report_view import EvaluationReport, lay_out_evaluation
from skills_nb.views.graph.picture import GraphPicture, lay_out_picture
from skills_nb.views.messages import (
    Busy,
    ErrorCard,
    Message,
    lay_out_busy,
    lay_out_error,
    lay_out_message,
)
from skills_nb.views.route import RouteCard, lay_out_route
from skills_nb.views.rows import RowsTable, lay_out_rows
from skills_nb.views.sheets.blocks import Sheet
from skills_nb.views.sheets.unfolding import How, unfold_blocks
from skills_nb.views.skill import LibraryList, SkillPage, lay_out_library, lay_out_skill
from skills_nb.views.threads.thread_card import ThreadCard, lay_out_thread
from skills_nb.views.threads.thread_list import ThreadList, lay_out_threads
from skills_nb.views.threads.timeline import Timeline, lay_out_timeline


@dataclass(frozen=True, slots=True)
class Unfolded:
    """A view with in the open what a terminal folds or cuts."""

    view: View
    """What is shown."""
    how: How
    """What of it is unfolded."""


View: TypeAlias = (
    AccountCard
    | Busy
    | ErrorCard
    | EvaluationReport
    | GraphPicture
    | LibraryList
    | Message
    | RouteCard
    | RowsTable
    | SkillPage
    | ThreadCard
    | ThreadList
    | Timeline
    | Unfolded
)


def lay_out(view: View) -> Sheet:
    """Return the blocks of a view."""
    match view:
        case AccountCard():
            return lay_out_account(view)
        case Busy():
            return lay_out_busy(view)
        case ErrorCard():
            return lay_out_error(view)
        case EvaluationReport():
            return lay_out_evaluation(view)
        case GraphPicture():
            return lay_out_picture(view)
        case LibraryList():
            return lay_out_library(view)
        case Message():
            return lay_out_message(view)
        case RouteCard():
            return lay_out_route(view)
        case RowsTable():
            return lay_out_rows(view)
        case SkillPage():
            return lay_out_skill(view)
        case ThreadCard():
            return lay_out_thread(view)
        case ThreadList():
            return lay_out_threads(view)
        case Timeline():
            return lay_out_timeline(view)
        case Unfolded():
            sheet = lay_out(view.view)
            return replace(sheet, blocks=unfold_blocks(sheet.blocks, view.how))
        case _:
            assert_never(view)


def unfold_view(view: View, how: How) -> View:
    """Return a view that shows what a terminal folds."""
    # A card of a thread stays one: what holds its buttons looks at it.
    return replace(view, unfolds=how) if isinstance(view, ThreadCard) else Unfolded(view, how)


def add_badge(view: View, account: Badge | None) -> Sheet:
    """Return the blocks of a view under the account; one that has its own account keeps it."""
    sheet = lay_out(view)
    if account is None or sheet.badge or not sheet.title or isinstance(view, AccountCard):
        return sheet
    return replace(sheet, badge=account.text, is_loud=account.is_loud)


def render_html(view: View, prompt: str = "%skill", account: Badge | None = None) -> str:
    """Return a view as one self-contained HTML element.

    Args:
        view: what to show.
        prompt: what commands are typed after.
        account: where and as whom commands work, for views that do not say it.
    """
    from skills_nb.views.sheets.html import to_html

    return to_html(add_badge(view, account), prompt)


def render_text(
    view: View, width: int = 100, prompt: str = "skills-nb", account: Badge | None = None
) -> str:
    """Return a view as plain text.

    Args:
        view: what to show.
        width: the widest line, in columns.
        prompt: what commands are typed after.
        account: where and as whom commands work, for views that do not say it.
    """
    from skills_nb.views.sheets.text import to_text

    return to_text(add_badge(view, account), width, prompt)
