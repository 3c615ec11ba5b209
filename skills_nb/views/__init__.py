"""State to view model to HTML and plain text.

Room: laws. Pure: no clock, no ids, no IPython; what a view shows comes from the values it was
built from, and every view has both forms. Builders return frozen view models (`route_card`,
`thread_card`, …); `render_html` and `render_text` show them.
"""

from skills_nb.views.account import AccountCard, Badge, account_card, badge_ahead, badge_of
from skills_nb.views.evaluation import EvaluationReport, evaluation_report
from skills_nb.views.messages import Busy, ErrorCard, Message, busy, error_card, message
from skills_nb.views.render import View, render_html, render_text, unfold_view
from skills_nb.views.route import RouteCard, route_card
from skills_nb.views.rows import RowsTable, rows_table
from skills_nb.views.skill import LibraryList, SkillPage, library_list, skill_page
from skills_nb.views.threads.dry_run_plan import DryRunPlan, dry_run_plan
from skills_nb.views.threads.guided_plan import GuidedPlan, guided_plan
from skills_nb.views.threads.pause_panel import PausePanel, pause_panel
from skills_nb.views.threads.thread_card import ThreadCard, thread_card
from skills_nb.views.threads.thread_list import ThreadList, ThreadRow, thread_list
from skills_nb.views.threads.timeline import Timeline, timeline

__all__ = [
    "AccountCard",
    "Badge",
    "Busy",
    "DryRunPlan",
    "ErrorCard",
    "EvaluationReport",
    "GuidedPlan",
    "LibraryList",
    "Message",
    "PausePanel",
    "RouteCard",
    "RowsTable",
    "SkillPage",
    "ThreadCard",
    "ThreadList",
    "ThreadRow",
    "Timeline",
    "View",
    "account_card",
    "badge_ahead",
    "badge_of",
    "busy",
    "dry_run_plan",
    "error_card",
    "evaluation_report",
    "guided_plan",
    "library_list",
    "message",
    "pause_panel",
    "render_html",
    "render_text",
    "route_card",
    "rows_table",
    "skill_page",
    "thread_card",
    "thread_list",
    "timeline",
    "unfold_view",
]
