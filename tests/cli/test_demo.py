"""The demo, as README's first command runs it: nobody at the terminal."""

import pytest

from skills_nb.cli import terminal as cli

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    import contextlib
    import io

    out = io.StringIO()
    home = str(tmp_path_factory.mktemp("demo"))
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
        patch.setenv("SKILLS_NB_HOME", home)
        # A narrower terminal cuts the e-mail addresses off.
        patch.setenv("COLUMNS", "100")
        status = cli.main(["demo"])
    return status, out.getvalue()


def scene(text, title):
    """The text of the last scene with that title."""
    return text.rpartition(f"━━ {title} ")[2].partition("\n━━ ")[0].strip(" ━\n")


def test_it_ends_well(shown):
    assert shown[0] == 0


def test_it_says_which_answer_it_gives_at_every_pause(shown):
    answers = [line for line in shown[1].splitlines() if line.startswith("→ The demo answers")]
    assert answers[:3] == [
        "→ The demo answers: PROD.CUSTOMER_DATA",
        "→ The demo answers: execute",
        "→ The demo answers: approve",
    ]


def test_the_same_query_shows_clear_values_before_and_none_after(shown):
    before = scene(shown[1], "Before: what ANALYST sees")
    after = scene(shown[1], "After: what ANALYST sees")
    assert before.partition("$")[2].partition("\n")[0] == after.partition("$")[2].partition("\n")[0]
    assert (before.count("@example"), after.count("@example")) == (3, 0)


def test_the_authorised_role_sees_the_same_before_and_after(shown):
    before = scene(shown[1], "Before: what PII_READER sees")
    assert before == scene(shown[1], "After: what PII_READER sees")


def test_the_dry_run_summary_is_shown_before_anything_is_done(shown):
    text = shown[1]
    assert 0 < text.index("Would create") < text.index("→ The demo answers: execute")
