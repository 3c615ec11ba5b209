"""What loads late, and why: an import inside a function hides a dependency, so each has a reason.

Start-up is the usual one: `%load_ext` and a first answer load what they need and nothing else.
`tests/commands/test_imports.py` holds that, `tests/benchmarks/startup.py` measures it.
"""

import sys

import pytest

from tests.architecture.imports import PACKAGE, Import, imports_of, package_imports

LATE_PACKAGES = {
    "IPython": "its completer is heavier than the shell's part that the magic needs",
    "cryptography": "only a login with a key pair reads keys",
    "distributed": "an extra; only an evaluation on a cluster has it",
    "httpx": "only a model that is asked over the network needs a client",
    "jwt": "only a login with a key pair has a token",
    "markdown_it": "only what is parsed anew needs it: an index, a cache do without",
    "networkx": "only the graph of a library and its checks walk one",
    "opentelemetry": "an extra; only who asked for traces has it",
    "pandas": "an extra; only a value in a notebook is a DataFrame",
    "platformdirs": "only routing that is not prepared yet looks for the folder of caches",
    "prompt_toolkit": "only a terminal where something is asked needs it",
    "pyarrow": "an extra; only Parquet, Avro and ORC files need it",
    "re2": "only expressions with a position, an occurrence or parameters need its engine",
    "rich": "only a terminal that shows colours needs it",
    "snowflake": "half a second of connector and Snowpark, for who opens an account",
    "sqlglot": "a quarter of a second of parser, for text that our own does not know",
    "tree_sitter_language_pack": "an extra; only the static part of an evaluation has it",
    "yaml": "only answers, plans and threads as files are YAML at the commands' door",
}
"""Packages of others that are imported inside functions, each with why."""

LATE_STANDARD = {
    "logging": "its handlers are for who asked for a log file",
    "termios": "not every system has terminals of this kind",
}
"""Modules of the standard library that are."""

_VERB = "each verb loads its rooms when it is given"
_DOOR = "loaded with the extension or the program; what a command needs comes with the command"
_FACE = "a package's face: what is asked of it loads what answers"
_ROOT = "plugs in what a home is set to use, and only that"
_SOLVER = "an evaluation loads the product that it measures, in the worker that measures it"
_SYSTEM = "a system view loads with the first query of it"

LATE_OURS = {
    "skills_nb": "the package's face: importing it costs next to nothing",
    "skills_nb.bench.pipeline.instances": _SOLVER,
    "skills_nb.bench.pipeline.preflight": _SOLVER,
    "skills_nb.bench.pipeline.questions": _SOLVER,
    "skills_nb.bench.pipeline.run": _SOLVER,
    "skills_nb.bench.skills.playbook_driver": _SOLVER,
    "skills_nb.bench.skills.library_measurement": _SOLVER,
    "skills_nb.bench.skills.playbook_measurement": _SOLVER,
    "skills_nb.bench.snowflake.embedded_sandboxes": _SOLVER,
    "skills_nb.bench.tasks.task_folders": "only tasks in folders of their own are YAML",
    "skills_nb.bench.tasks.loading": "a set of tasks loads what reads it",
    "skills_nb.bench.tasks.library_tasks": "only our own tasks are YAML",
    "skills_nb.cli.conversation": _DOOR,
    "skills_nb.cli.screen": _DOOR,
    "skills_nb.cli.terminal": _DOOR,
    "skills_nb.commands.api": "the Python door: each call loads its rooms",
    "skills_nb.commands.verbs.load": "a source that cannot be read loads neither engine nor views",
    "skills_nb.commands.app": "an app that gave no command has loaded nothing",
    "skills_nb.commands.completion": "Tab loads what knows the names that it is asked for",
    "skills_nb.commands.documents": _VERB,
    "skills_nb.commands.home.configuration": "only a home that sets when to compact has it read",
    "skills_nb.commands.home.connections": "each kind of connection loads what opens it",
    "skills_nb.commands.home.embedded_accounts": "an account's parts, for who opens one",
    "skills_nb.commands.home.model_choice": "each kind of model loads what asks it",
    "skills_nb.commands.home.store_address": "each kind of store loads its driver",
    "skills_nb.commands.pytest_plugin": "pytest loads it for every project, a fixture the rest",
    "skills_nb.commands.verbs.account_verbs": _VERB,
    "skills_nb.commands.verbs.answer_verbs": _VERB,
    "skills_nb.commands.verbs.asked_models": _VERB,
    "skills_nb.commands.verbs.authoring_verbs": _VERB,
    "skills_nb.commands.verbs.evaluation": _VERB,
    "skills_nb.commands.verbs.library_verbs": _VERB,
    "skills_nb.commands.verbs.needed_grants": _VERB,
    "skills_nb.commands.verbs.program_verbs": _VERB,
    "skills_nb.commands.verbs.session_verbs": _VERB,
    "skills_nb.commands.verbs.thread_reply": _VERB,
    "skills_nb.commands.verbs.thread_rows": "a row that was worked out before needs no engine",
    "skills_nb.commands.verbs.thread_verbs": _VERB,
    "skills_nb.commands.verbs.yaml_answers": "PyYAML is read where somebody hands YAML over",
    "skills_nb.commands.wiring": _ROOT,
    "skills_nb.embedded.system_views": _SYSTEM,
    "skills_nb.embedded.system_views.system_functions": _SYSTEM,
    "skills_nb.embedded.tools.demo": "only a new demo account runs its script",
    "skills_nb.notebook": _DOOR,
    "skills_nb.notebook.cell_view": "ipywidgets loads with the first cell that somebody can click",
    "skills_nb.notebook.door": _DOOR,
    "skills_nb.notebook.threads": _DOOR,
    "skills_nb.runtime.conductor": "a thread that is only looked at performs and routes nothing",
    "skills_nb.runtime.wire_session": "only PUT and GET need the connector, which moves files",
    "skills_nb.sql.classify": _FACE,
    "skills_nb.sql.conditions": _FACE,
    "skills_nb.sql.harm": _FACE,
    "skills_nb.sql.objects": _FACE,
    "skills_nb.sql.qualifying": _FACE,
    "skills_nb.sql.row_conditions": "templates know its values, and few have a condition to read",
    "skills_nb.sql.templates": _FACE,
    "skills_nb.views.render": "a page is shown in one of two ways, and loads that",
    "skills_nb.views.threads.thread_card": "a thread is read with models; a route does without",
}
"""Modules that import others of ours inside functions, each with why."""


def late():
    return [one for one in package_imports() if one.kind == "function"]


def origin(one):
    return one.imported.partition(".")[0]


@pytest.mark.slow
def test_packages_of_others_that_load_late_have_a_reason():
    found = {origin(one) for one in late()} - sys.stdlib_module_names - {PACKAGE}
    assert found == set(LATE_PACKAGES)


def test_modules_of_the_standard_library_that_load_late_have_a_reason():
    found = {origin(one) for one in late()} & sys.stdlib_module_names
    assert found == set(LATE_STANDARD)


def test_modules_of_ours_that_load_others_late_have_a_reason():
    found = {one.importer for one in late() if origin(one) == PACKAGE}
    assert found == set(LATE_OURS)


def test_what_is_imported_at_the_top_is_not_imported_late_again():
    top = {(one.importer, one.imported) for one in package_imports() if one.kind == "module"}
    again = [one for one in late() if (one.importer, one.imported) in top]
    assert [f"{one.importer}:{one.line} imports {one.imported}" for one in again] == []


def test_an_import_in_a_function_is_late_whatever_it_imports():
    text = "import os\ndef late():\n    import json, yaml\n    from skills_nb import two\n"
    modules = {"skills_nb.one": (text, False), "skills_nb.two": ("", False)}
    assert [one for one in imports_of(modules) if one.kind == "function"] == [
        Import("skills_nb.one", "json", 3, "function"),
        Import("skills_nb.one", "yaml", 3, "function"),
        Import("skills_nb.one", "skills_nb.two", 4, "function"),
    ]
