"""What must stay light: heavy packages load on first use."""

import subprocess
import sys

import pytest

HEAVY = (
    "duckdb",
    "httpx",
    "ipywidgets",
    "networkx",
    "pandas",
    "pydantic",
    "snowflake.connector",
    "snowflake.snowpark",
    "sqlalchemy",
    "sqlglot",
)


def loaded(code, *arguments):
    """The heavy packages that are loaded after some code ran in a new process."""
    probe = f"{code}\nimport sys\nprint(*[m for m in {HEAVY} if m in sys.modules])"
    command = [sys.executable, "-c", probe, *arguments]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()[-1].split()


@pytest.mark.parametrize(
    "code",
    [
        "import skills_nb",
        "from skills_nb.commands import App; App()",
        "from skills_nb.commands.grammar.parser import build_parser; build_parser('x')",
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "import skills_nb; skills_nb.load_ipython_extension(InteractiveShell.instance())",
        "import skills_nb; skills_nb.route('secure my data')",
        "from skills_nb import cli; cli.main(['route', 'secure my data'])",
        "from skills_nb import cli; cli.main(['library'])",
    ],
)
def test_a_door_opens_and_an_intent_is_routed_without_a_heavy_package(code):
    assert loaded(code) == []


def test_listing_threads_loads_the_event_models_and_nothing_else(tmp_path):
    code = (
        "import sys; from pathlib import Path; from skills_nb.commands import App\n"
        "App(Path(sys.argv[1])).invoke(['threads'])"
    )
    assert loaded(code, str(tmp_path)) == ["pydantic"]
