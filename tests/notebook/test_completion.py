import pytest
from IPython.core.completer import CompletionContext, provisionalcompleter

from skills_nb.commands.grammar import COMMANDS

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
    assert offered("%skill ") == [*COMMANDS, "debug"]
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


def test_nothing_is_made_by_asking(offered, shell, tmp_path):
    shell._skills_nb_magics.settings.home = str(tmp_path / "nowhere")

    assert offered("%skill resume ") == []
    assert not (tmp_path / "nowhere").exists()


@at_review
def test_ipython_itself_shows_only_ours(shell):
    with provisionalcompleter():
        found = list(shell.Completer.completions("%skill respond appr", 19))

    assert [c.text for c in found] == ["approve", "approve_remaining"]
