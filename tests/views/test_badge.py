"""Where and as whom: on every card, loud where people depend on it."""

import pytest

from skills_nb.model.events import AccountContext
from skills_nb.model.routes import Route
from skills_nb.views import (
    Badge,
    account_card,
    badge_ahead,
    badge_of,
    message,
    render_html,
    render_text,
    route_card,
    thread_card,
    thread_list,
    timeline,
)
from tests.views import states as s

ROUTE = Route("playbook", ("d",), ("playbooks/p",), 0.9, ("why",), ())
HERE = Badge("Account SHOP-DEV · role R")
LOUD = Badge("Account SHOP-PROD · role R", is_loud=True)


@pytest.mark.parametrize("view", [route_card(ROUTE), thread_list([])])
def test_a_view_without_an_account_of_its_own_stands_under_the_sessions(view):
    assert render_text(view, account=HERE).splitlines()[1] == "Account SHOP-DEV · role R"
    assert "SHOP-DEV" not in render_text(view)
    assert '<p class="sk-badge">Account SHOP-DEV · role R</p>' in render_html(view, account=HERE)
    assert "!! PRODUCTION !! Account SHOP-PROD" in render_text(view, account=LOUD)
    assert '<p class="sk-loud">! PRODUCTION: Account SHOP-PROD' in render_html(view, account=LOUD)


@pytest.mark.parametrize(
    "view",
    [
        thread_card(s.state(), s.PLAYBOOK, s.REVIEW),
        timeline(s.state(), []),
        account_card(s.CONTEXT),
    ],
)
def test_a_view_of_one_account_keeps_it_whatever_the_session_is_on(view):
    assert render_html(view, account=LOUD) == render_html(view)
    assert "SHOP-DEV" in render_text(view, account=LOUD)


def test_a_timeline_is_as_loud_as_its_threads_account():
    context = s.CONTEXT.model_copy(update={"account_name": "SHOP-PROD"})
    view = timeline(s.state(run=s.run(context=context)), [])
    assert "!! PRODUCTION !! Account SHOP-PROD · role SECURITYADMIN" in render_text(view)


def test_a_few_words_are_no_card():
    assert render_text(message("Done."), account=LOUD) == "Done."


def test_the_badge_of_a_session_names_what_a_command_works_with():
    assert badge_of(s.CONTEXT) == Badge(
        "Account SHOP-DEV · role SECURITYADMIN · warehouse WH", is_loud=False
    )


@pytest.mark.parametrize(
    ("context", "badge"),
    [
        (
            AccountContext(account_name="acme-prod", current_role="R", current_warehouse="W"),
            Badge("Account acme-prod · role R · warehouse W · not opened yet", is_loud=True),
        ),
        (AccountContext(account_name="x1"), Badge("Account x1 · not opened yet")),
    ],
)
def test_an_account_that_is_not_open_says_what_is_known_and_no_more(context, badge):
    assert badge_ahead(context) == badge
