"""`%load_ext skills_nb` costs next to nothing, and leaves nothing behind."""

import json
import statistics
import subprocess
import sys

from IPython.core.interactiveshell import InteractiveShell

from skills_nb.notebook import load_ipython_extension, unload_ipython_extension

_HEAVY = (
    "ipywidgets pydantic networkx snowflake duckdb sqlglot pandas yaml jinja2 httpx markdown_it"
)
_LOADS = f"""
import sys, time, json
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
before = set(sys.modules)
began = time.process_time()
shell.run_line_magic("load_ext", "skills_nb")
took = time.process_time() - began
new = {{name.split(".")[0] for name in set(sys.modules) - before}}
print(json.dumps({{"took": took, "heavy": sorted(new & set("{_HEAVY}".split()))}}))
"""


def _load():
    done = subprocess.run(
        [sys.executable, "-c", _LOADS], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def test_loading_takes_a_blink_and_imports_nothing_heavy():
    loads = [_load() for _ in range(5)]

    assert loads[0]["heavy"] == []
    assert statistics.median(load["took"] for load in loads) < 0.15


def test_loading_twice_registers_once(shell):
    matchers = len(shell.Completer.custom_matchers)
    load_ipython_extension(shell)

    assert len(shell.Completer.custom_matchers) == matchers


def test_unloading_takes_everything_away():
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    configurables = list(shell.configurables)
    load_ipython_extension(shell)
    unload_ipython_extension(shell)
    unload_ipython_extension(shell)

    assert shell.configurables == configurables
    assert "skill" not in shell.magics_manager.magics["line"]
    assert shell.Completer.custom_matchers == []
    InteractiveShell.clear_instance()
