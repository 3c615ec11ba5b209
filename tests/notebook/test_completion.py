import pytest
from IPython.core.completer import CompletionContext, provisionalcompleter

from skills_nb.commands.grammar.parser import COMMANDS

at_review = pytest.mark.parametrize("home", ["at_review"], indirect=True)


@pytest.fixture
def offered(shell):
    """What the matcher offers behind a line; None where it stands back."""

    def complete(line):
        context = CompletionContext(
            token=line.split(" ")[-1],
            full_text=line,
            cursor_position=len(line),
            cursor_line=0,
            limit=None,
        )
        with provisionalcompleter():
            found = shell._skills_nb_magics._matcher(context)
        return [c.text for c in found["completions"]] if found["suppress"] else None

    return complete


def test_commands(offered):
    assert offered("%skill ") == list(COMMANDS)
    assert offered("%skill re") == [name for name in COMMANDS if name.startswith("re")]
    assert offered("%%skill s") == [name for name in COMMANDS if name.startswith("s")]


def test_other_lines_are_left_alone(offered):
    assert offered("skills = re") is None
    assert offered("%skills re") is None


def test_targets(offered):
    assert offered("%skill run playbooks/secure") == ["playbooks/secure-sensitive-data"]


def test_options(offered):
    assert offered("%skill run playbooks/secure-sensitive-data --dr") == ["--dry-run"]


def test_inputs_of_the_playbook(offered):
    assert offered("%skill run playbooks/secure-sensitive-data --input target_s") == [
        "target_scope="
    ]


@at_review
def test_option_ids_of_the_open_pause(offered):
    assert offered("%skill respond a") == ["approve", "approve_remaining", "abort"]
    assert offered("%skill respond approve --at ") == ["5"]


@at_review
def test_thread_ids(offered):
    assert offered("%skill resume ") == ["t"]
    assert offered("%skill respond approve --thread ") == ["t"]


@at_review
def test_the_step_at_a_checkpoint_has_a_sub_step_and_inputs_have_values(offered):
    assert offered("%skill step ") == ["5b"]
    assert offered("%skill modify --set conf") == ["confidence="]
    assert offered("%skill modify --set confidence=M") == ["confidence=MEDIUM"]


def test_steps_of_the_playbook_that_is_named(offered):
    found = offered("%skill run playbooks/secure-sensitive-data --until 1")
    assert found == ["1", "10", "11", "12", "12b", "13", "14"]
    assert offered("%skill run --until ") == []


def test_commands_of_a_command_and_what_else_may_stand_there(offered):
    verbs = ["reset", "address", "serve", "export", "import", "support"]
    assert offered("%skill account ") == verbs
    assert offered("%skill threads m") == ["migrate"]
    assert offered("%skill threads migrate --f") == ["--from"]
    assert offered("%skill account serve --po") == ["--port"]


def test_what_an_argument_may_be_by_the_grammar(offered):
    assert offered("%skill new p") == ["primitive", "playbook"]
    assert offered("%skill lint --format ") == ["text", "json", "sarif"]
    assert offered("%skill mcp --delegate ") == ["review"]


def test_connection_names_of_snowflakes_own_files(offered, tmp_path, monkeypatch):
    file = tmp_path / "connections.toml"
    file.write_text('[shop]\naccount = "a"\n[shop-dev]\naccount = "b"\n[other]\naccount = "c"\n')
    file.chmod(0o600)
    monkeypatch.setenv("SNOWFLAKE_HOME", str(tmp_path))
    assert offered("%skill connect sh") == ["shop", "shop-dev"]
    assert offered("%skill eval --connection o") == ["other"]


def test_codes_domains_and_skills(offered):
    assert offered("%skill explain SK42")[0].startswith("SK42")
    assert offered("%skill lint --select SK0")[0].startswith("SK0")
    assert "data-security" in offered("%skill new router x --domain data-s")
    assert offered("%skill show routers/data-sec") == ["routers/data-security"]


def test_roles_once_the_account_has_told_them(offered, skill):
    assert offered("%skill sql --role AN") == []
    skill("connect")
    assert offered("%skill sql --role AN") == ["ANALYST"]


def test_only_sessions_among_the_variables(offered, shell):
    shell.user_ns["just_text"] = "no"
    assert offered("%skill connect --session ") == []
    shell.user_ns["mine"] = shell._skills_nb_magics.door.app.wiring.snowpark
    assert offered("%skill connect --session ") == ["mine"]


def test_paths_where_a_file_is_asked_for(offered, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plans").mkdir()
    (tmp_path / "plans" / "one.yaml").touch()
    (tmp_path / "plan.yaml").touch()
    assert offered("%skill plan pl") == ["plan.yaml", "plans/"]
    assert offered("%skill plan plans/") == ["plans/one.yaml"]
    assert offered("%skill plan nowhere/") == []


def test_nothing_is_made_by_asking(offered, shell, tmp_path):
    shell._skills_nb_magics.settings.home = str(tmp_path / "nowhere")

    assert offered("%skill resume ") == []
    assert not (tmp_path / "nowhere").exists()


@at_review
def test_ipython_itself_shows_only_ours(shell):
    with provisionalcompleter():
        found = list(shell.Completer.completions("%skill respond appr", 19))

    assert [c.text for c in found] == ["approve", "approve_remaining"]
