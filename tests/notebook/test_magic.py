"""`%skill` where nobody can click: one display a command, no widget, no update."""

import pytest

from skills_nb.commands.grammar.parser import COMMANDS, build_parser
from skills_nb.commands.hints import typed_hint
from skills_nb.errors import PendingError, ThreadError, UsageError
from skills_nb.notebook.line_words import parsers_in, split_line
from skills_nb.notebook.magic import keep_questions

PLAYBOOK = "playbooks/secure-sensitive-data --input target_scope=PROD.CUSTOMER_DATA"
at_review = pytest.mark.parametrize("home", ["at_review"], indirect=True)


@pytest.mark.slow
def test_route_keeps_braces_dollars_and_apostrophes(shell, screen):
    x = "WRONG"
    shell.user_ns["x"] = x
    shell.run_cell("%skill route what's the syntax for {x} and $x masking")

    assert "WRONG" not in screen.texts[0]
    assert "primitives/masking-policies" in screen.texts[0]


@pytest.mark.slow
def test_a_thread_is_run_by_commands_with_one_display_each(skill, screen):
    skill(f"run {PLAYBOOK} --thread t")
    skill("respond approve --at 5 --thread t")

    assert len(screen.outputs) == 2
    assert screen.updates == 0
    assert all(set(output) == {"text/html", "text/plain"} for output in screen.outputs)
    assert "waits for you: CRITICAL" in screen.texts[1]


@pytest.mark.slow
@at_review
def test_outputs_hold_no_clock_and_no_id(skill, screen):
    skill("status t")
    skill("show t")

    for output in screen.outputs:
        for text in output.values():
            assert "2026" not in text
            assert "thr_" not in text


@pytest.mark.slow
@at_review
def test_the_same_command_shows_the_same_again(skill, screen):
    skill("status t")
    skill("status t")

    assert screen.outputs[0] == screen.outputs[1]


@at_review
def test_require_names_the_command_that_answers(skill):
    with pytest.raises(PendingError) as refusal:
        skill("require t")
    assert refusal.value._render_traceback_() == [
        "PendingError: thread 't' is paused at '5'",
        "  hint: %skill respond approve --at 5 --thread t",
    ]


@at_review
def test_an_unknown_option_is_refused_in_one_line(skill):
    with pytest.raises(UsageError, match="'maybe' is not an option at '5'"):
        skill("respond maybe")


@at_review
def test_an_answer_to_another_pause_is_refused(skill):
    with pytest.raises(UsageError, match="the thread waits at '5', not at '8'"):
        skill("respond approve --at 8")


@pytest.mark.slow
@at_review
def test_an_answer_that_was_another_then_is_refused_later(skill):
    skill("respond approve --at 5")

    with pytest.raises(ThreadError, match="'5' is answered already: approve"):
        skill("respond abort --at 5")


@at_review
def test_the_same_answer_again_is_no_error(skill, screen):
    skill("respond approve --at 5")
    skill("respond approve --at 5")

    assert screen.texts[0] == screen.texts[1]


def test_a_misspelt_command_names_the_right_one(skill):
    with pytest.raises(UsageError) as refusal:
        skill("respnd approve")
    assert refusal.value.hint == "did you mean 'respond'?"


def test_an_injected_scope_is_refused_and_nothing_is_executed(skill, door):
    evil = 'target_scope=PROD"; DROP DATABASE PROD; --'
    with pytest.raises(UsageError):
        skill(f"run playbooks/secure-sensitive-data --input '{evil}' --thread t")
    events = door.app.wiring.store.load("t")
    assert not {"statement_started", "environment_probed"} & {event.type for event in events}


def test_help_is_shown_at_every_level(skill, capsys):
    skill("--help")
    skill("respond --help")
    skill("")
    shown = capsys.readouterr().out

    assert "Say what you want from Snowflake" in shown
    assert "%skill respond approve" in shown


def test_json_gives_the_document(skill, screen):
    assert skill("route secure my data --json")["targets"] == ["playbooks/secure-sensitive-data"]
    assert screen.outputs == []


@at_review
def test_sql_of_a_cell_is_asked_as_a_role(shell, screen):
    shell.run_cell_magic(
        "skill", "sql --role ANALYST", "SELECT COUNT(*) AS N FROM PROD.CUSTOMER_DATA.CUSTOMERS"
    )

    assert "1 row as ANALYST" in screen.texts[0]


def test_a_cell_that_would_be_ignored_is_refused(shell):
    with pytest.raises(UsageError, match="'status' takes no cell"):
        shell.run_cell_magic("skill", "status", "SELECT 1")


def test_debug_shows_the_last_traceback(skill, capsys):
    skill("debug")
    with pytest.raises(UsageError):
        skill("respnd")
    skill("debug")
    shown = capsys.readouterr().out

    assert shown.startswith("Nothing has gone wrong yet.\n")
    assert "Traceback (most recent call last)" in shown


def test_another_home_is_opened_at_the_next_command(skill, shell, screen, tmp_path):
    shell._skills_nb_magics.settings.home = str(tmp_path / "elsewhere")
    skill("threads")

    assert "No threads yet" in screen.texts[0]
    assert (tmp_path / "elsewhere").exists()


def test_a_home_named_again_in_another_folder_is_another(
    skill, shell, screen, tmp_path, monkeypatch
):
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        shell.run_line_magic("config", "SkillsNB.home = '.skills'")
        skill("threads")

    assert (tmp_path / "second" / ".skills").exists()


def test_config_lists_the_settings(shell, capsys):
    shell.run_line_magic("config", "SkillsNB")

    assert "auto_proceed_s" in capsys.readouterr().out


def test_an_interrupt_keeps_the_thread_and_stops_the_cell(skill, door, monkeypatch):
    def interrupted(self, statement, **more):
        raise KeyboardInterrupt

    session = door.app.wiring.snowpark  # opened before, so that only statements are interrupted
    monkeypatch.setattr(type(door.app.wiring.session), "query", interrupted)
    with pytest.raises(PendingError) as refusal:
        skill(f"run {PLAYBOOK} --thread t")
    monkeypatch.undo()

    assert session is not None
    assert refusal.value.hint == "%skill resume"
    skill("resume t")
    assert door.app.wiring.conductor.load("t").pause.at == "5"


PLAN = """goal: Follow the customers
steps:
  - step: 1
    action: Make a stream
    primitive: streams
    sql: |
      CREATE STREAM PROD.CUSTOMER_DATA.FOLLOWED
        ON TABLE PROD.CUSTOMER_DATA.CUSTOMERS
"""


def test_a_plan_in_a_cell_shows_every_statement_before_it_is_approved(shell, screen):
    shell.run_cell_magic("skill", "plan --thread p", PLAN)

    (text,) = screen.texts
    assert "CREATE STREAM PROD.CUSTOMER_DATA.FOLLOWED" in text
    assert "from primitives/streams" in text
    assert "respond approve --at plan --thread p" in text


def test_a_plan_that_breaks_a_guardrail_says_so(shell, screen):
    shell.run_cell_magic("skill", "plan --thread p", PLAN.replace("CREATE STREAM", "DROP SCHEMA"))

    (text,) = screen.texts
    assert "PLAN REFUSED" in text
    assert "Step 1 does 'DROP SCHEMA'" in text


def test_a_form_offers_the_sql_of_a_plan(shell):
    shell.run_cell_magic("skill", "plan --thread p", PLAN)
    door = shell.magics_manager.registry["SkillMagics"].door
    (field,) = door.threads.fields("p")
    assert (field.name, field.description, field.is_long) == ("step_1", "Make a stream", True)
    assert field.value.startswith("CREATE STREAM PROD.CUSTOMER_DATA.FOLLOWED\n")


def test_a_question_keeps_its_sign(shell, screen):
    done = shell.run_cell("%skill route what's the syntax for a masking policy?")

    assert done.success
    assert "primitives/masking-policies" in screen.texts[0]


@pytest.mark.parametrize("line", ["%skill?\n", "%skill ?\n", "print?\n", "x = 1  # %skill a?\n"])
def test_help_of_ipython_stays_what_it_is(line):
    assert keep_questions([line]) == [line]


def test_unloading_gives_the_question_mark_back(shell):
    from skills_nb.notebook import unload_ipython_extension

    assert keep_questions in shell.input_transformers_cleanup
    unload_ipython_extension(shell)
    assert keep_questions not in shell.input_transformers_cleanup


def parsers(parser, name):
    yield name, parser
    for verb, inner in parsers_in(parser).items():
        yield from parsers(inner, f"{name} {verb}".strip())


@pytest.mark.parametrize("name", [n for n, _ in parsers(build_parser("%skill"), "") if n])
def test_help_at_every_level_has_examples_that_parse(name, skill, capsys):
    skill(f"{name} --help")
    told = capsys.readouterr().out
    assert told.startswith(f"usage: %skill {name}")
    examples = told.partition("examples:\n")[2].splitlines()
    assert examples
    for example in examples:
        assert example.startswith("  %skill ")
        build_parser("%skill").parse_args(split_line(example.removeprefix("  %skill ")))


def test_help_of_all_names_every_command(skill, capsys):
    skill("--help")
    told = capsys.readouterr().out
    assert all(f"\n    {name} " in told or f"\n    {name}\n" in told for name in COMMANDS)


@pytest.mark.parametrize(
    ("hint", "typed"),
    [
        ("resume t", "%skill resume t"),
        ("list them with: threads", "list them with: %skill threads"),
        (
            "lay your own over it: library --overlay x",
            "lay your own over it: %skill library --overlay x",
        ),
        ("one of: run", "one of: run"),
        ("its inputs: step", "its inputs: step"),
        ("sql: |\n  CREATE …", "sql: |\n  CREATE …"),
        ("Grant USAGE to ANALYST", "Grant USAGE to ANALYST"),
        (None, ""),
    ],
)
def test_a_hint_is_what_is_typed_in_a_notebook(hint, typed):
    assert typed_hint(UsageError("no", hint=hint)) == typed
