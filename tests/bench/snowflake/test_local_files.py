"""PUT and GET of an answer reach a scratch folder and nothing else."""

import pytest

from skills_nb.bench.scoring import State
from skills_nb.bench.snowflake.embedded_sandboxes import EmbeddedSandboxes
from skills_nb.bench.snowflake.local_files import LocalFiles
from skills_nb.bench.snowflake.snowflake_measurement import measure_script
from skills_nb.errors import SqlError


@pytest.fixture
def files(tmp_path):
    return LocalFiles(tmp_path)


def test_files_are_below_the_scratch_folder(files, tmp_path):
    assert files.contained("PUT file:///tmp/a.csv @s") == f"PUT 'file://{tmp_path}/tmp/a.csv' @s"
    quoted = "put 'file:///tmp/a b.csv' @s auto_compress=false"
    assert files.contained(quoted) == f"put 'file://{tmp_path}/tmp/a b.csv' @s auto_compress=false"
    assert files.contained("GET @s/x file://out/") == f"GET @s/x 'file://{tmp_path}/out/'"
    assert (tmp_path / "out").is_dir()
    assert files.tried == []


@pytest.mark.parametrize(
    "statement",
    [
        "PUT file:///etc/passwd @s",
        "put/* */file:///tmp/../../etc/passwd @s",
        "-- a word\nPUT 'file:///tmp/%2e%2e/%2e%2e/etc/passwd' @s",
        "PUT file://~/.ssh/id_rsa @s",
        "GET @s file:///root/",
        "PUT file:///srv/x//../../../etc/passwd @s",
    ],
)
def test_nothing_leads_out_and_who_tries_is_named(files, tmp_path, statement):
    made = files.contained(statement, 3)
    place = made.partition("file://")[2].partition("'")[0]
    assert place.startswith(str(tmp_path))
    assert ".." not in place
    assert len(files.tried) == 1 or "//.." in statement


def test_other_statements_are_left_as_they_are(files):
    for statement in ("SELECT 'PUT file:///etc/passwd @s'", "COPY INTO t FROM @s", "GRANT x"):
        assert files.contained(statement) == statement


@pytest.mark.parametrize("statement", ["PUT $place @s", "PUT @s", "PUT 'file:///tmp/%25x' @s"])
def test_what_cannot_be_told_is_refused(files, statement):
    with pytest.raises(SqlError):
        files.contained(statement)


# ---- in an answer


def test_an_answer_cannot_put_this_machines_files(mask_emails, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("key")
    body = mask_emails.body
    for path in ("/etc/passwd", str(secret)):
        script = f"CREATE DATABASE Z; CREATE STAGE Z.PUBLIC.S; PUT file://{path} @Z.PUBLIC.S;"
        card = measure_script(body, script + body.gold, EmbeddedSandboxes())
        assert card.deploy.state is State.FAIL
        assert card.deploy.reason == f"line 1: File doesn't exist: {path}"
        assert card.is_right is False


def test_the_attempt_is_in_the_record(mask_emails):
    script = "CREATE DATABASE Z; CREATE STAGE Z.PUBLIC.S; PUT file:///etc/passwd @Z.PUBLIC.S;"
    card = measure_script(mask_emails.body, script, EmbeddedSandboxes())
    assert card.containment.state is State.FAIL
    assert card.containment.reason == "line 1: PUT reaches for /etc/passwd"


def test_an_honest_answer_may_move_its_own_files(mask_emails):
    body = mask_emails.body
    honest = (
        "CREATE DATABASE Z; CREATE STAGE Z.PUBLIC.S; CREATE STAGE Z.PUBLIC.T;\n"
        "COPY INTO @Z.PUBLIC.S/a.csv FROM (SELECT 1) SINGLE = TRUE OVERWRITE = TRUE;\n"
        "GET @Z.PUBLIC.S file:///data/out/;\nPUT file:///data/out/a* @Z.PUBLIC.T;\n"
    )
    card = measure_script(body, honest + body.gold, EmbeddedSandboxes())
    assert (card.deploy.state, card.functional.state) == (State.PASS, State.PASS)
    assert card.containment.state is State.NOT_APPLICABLE


HOSTILE = {
    "the environment": "return os.environ.get('OPENAI_API_KEY', 'none')",
    "a file": "return open('{secret}').read()",
    "a folder": "return str(os.listdir('/'))",
    "a process": "return os.popen('id').read()",
}


@pytest.mark.posix("processes of their own for handlers")
@pytest.mark.parametrize("what", HOSTILE)
def test_python_of_an_answer_finds_nothing(mask_emails, monkeypatch, tmp_path, what):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    (tmp_path / "secret").write_text("sk-secret")
    line = HOSTILE[what].format(secret=tmp_path / "secret")
    function = (
        "CREATE FUNCTION Z.PUBLIC.F() RETURNS STRING LANGUAGE PYTHON RUNTIME_VERSION = '3.11' "
        f"HANDLER = 'f' AS $$\nimport os\ndef f():\n    {line}\n$$"
    )
    with EmbeddedSandboxes().open(mask_emails.body) as sandbox:
        sandbox.run("CREATE DATABASE Z")
        sandbox.run(function)
        try:
            found = sandbox.run("SELECT Z.PUBLIC.F()").rows[0][0]
        except SqlError as refused:
            found = refused.message
    assert "sk-secret" not in found
    assert found == "none" or "ermi" in found, "refused, or not there"


@pytest.mark.posix("processes of their own for handlers")
def test_python_of_an_answer_does_its_work(mask_emails):
    with EmbeddedSandboxes().open(mask_emails.body) as sandbox:
        sandbox.run("CREATE DATABASE Z")
        sandbox.run(
            "CREATE FUNCTION Z.PUBLIC.F(A INT) RETURNS INT LANGUAGE PYTHON "
            "RUNTIME_VERSION = '3.11' HANDLER = 'f' AS 'def f(a):\n    return a + 1'"
        )
        assert sandbox.run("SELECT Z.PUBLIC.F(2)").rows == ((3,),)
