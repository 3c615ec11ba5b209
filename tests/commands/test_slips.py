"""A slip never starts anything: it is refused with the word that was probably meant."""

import pytest

from skills_nb.commands import App
from skills_nb.errors import UsageError

SECURE = "playbooks/secure-sensitive-data"


@pytest.fixture
def app(tmp_path):
    opened = App(tmp_path)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("words", "said", "hint"),
    [
        (["rnu", "x"], "unknown command 'rnu'", "did you mean 'run'?"),
        (["secure", "my data"], "unknown command 'secure'", 'run "secure …"'),
        (["threads", "verfy"], "unknown command 'verfy'", "did you mean 'verify'?"),
        (["run", SECURE, "--inptus", "a=b"], "`run` has no option '--inptus'", "mean --input?"),
        (["run", SECURE, "--dry"], "`run` has no option '--dry'", "did you mean --dry-run?"),
        (["status", "--sqll"], "`status` has no option '--sqll'", "did you mean --sql?"),
        (["status", "--zzz"], "`status` has no option '--zzz'", "its options: --help, --thread"),
        (["run", "x", "--dry-run", "a=b"], "what to do with 'a=b'", "--input a=b"),
        (["approve", "confidence=HIGH"], "with 'confidence=HIGH'", "--set confidence=HIGH"),
        (["run"], "`run` needs to know what you want", "skills-nb run --help"),
        (["run", "x", "--input"], "--input needs a value", "skills-nb run --help"),
        (["new", "playbok", "x"], "kind cannot be 'playbok'", "did you mean 'playbook'?"),
        (["lint", "--format", "jsn"], "--format cannot be 'jsn'", "did you mean 'json'?"),
        (["account", "serve", "--port", "x"], "--port needs a whole number", "serve --help"),
        (["eval", "--compare", "x"], "--compare needs two values", "eval --help"),
        (["status", "thr_a", "--thread", "thr_b"], "two threads are named", "name one of them"),
        (["threads", "accept"], "say which thread", "threads verify"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_line_that_is_not_right_names_the_nearest(app, words, said, hint):
    with pytest.raises(UsageError) as refused:
        app.invoke(words)
    assert said in refused.value.message
    assert hint.replace("skills-nb", "skill") in refused.value.hint
    assert app.invoke(["threads"]).document == []


@pytest.mark.parametrize(
    ("words", "said", "hint"),
    [
        (["secure-sensitive-dta"], "no skill 'secure-sensitive-dta'", f"did you mean '{SECURE}'?"),
        (["playbook/secure-sensitive-data"], "there is no skill", f"did you mean '{SECURE}'?"),
        (["playbooks/secure-sensitive-dta"], "no playbook", f"did you mean '{SECURE}'?"),
        (["primitives/tabels"], "no primitive", "did you mean 'primitives/tables'?"),
        (["secure my data target_scpoe=P"], "among the words", "--input target_scope=P"),
        ([SECURE, "foo=b"], "'foo=b' stands among the words", "--input foo=b"),
        ([SECURE, "--input", "confidnce=HIGH"], "has no input", "did you mean 'confidence'?"),
        ([SECURE, "--input", "confidence=HIHG"], "cannot be 'HIHG'", "confidence=HIGH|MEDIUM"),
        (["secure my data", "--input", "zzz=1"], "has no input 'zzz'", "its inputs: target_scope"),
        (["clone A.B.C", "--input", "zzz=1"], "this goal leads to has an input", "route"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_goal_that_is_not_right_starts_no_thread(app, words, said, hint):
    with pytest.raises(UsageError) as refused:
        app.invoke(["run", *words])
    assert said in refused.value.message
    assert hint in refused.value.hint
    assert app.invoke(["threads"]).document == []


@pytest.mark.slow
def test_an_equals_sign_in_a_persons_words_is_theirs(app):
    reply = app.invoke(["run", "average AMOUNT where STATUS=open of PROD.CUSTOMER_DATA.ORDERS"])
    assert reply.thread_id is not None


@pytest.mark.slow
def test_a_thread_and_an_option_are_named_nearly_right(app):
    app.invoke(["run", SECURE, "--thread", "thr_november"])
    with pytest.raises(UsageError) as refused:
        app.invoke(["status", "thr_novembr"])
    assert refused.value.hint == "did you mean 'thr_november'?"


@pytest.mark.slow
def test_what_a_terminal_folds_is_shown_by_every_command_about_a_thread(app):
    from skills_nb.views import render_text

    scope = ["--input", "target_scope=PROD.CUSTOMER_DATA"]
    begun = app.invoke(["run", SECURE, "--dry-run", *scope])
    assert "CREATE MASKING POLICY" not in render_text(begun.view)
    for words in (["resume", "--sql"], ["next", "--all"], ["status", "--sql"]):
        assert "CREATE MASKING POLICY" in render_text(app.invoke(words).view)
    events = render_text(app.invoke(["show", "--sql"]).view)
    assert "\n    SELECT COUNT(*) AS SEEN" in events
