"""The floor plan down to single modules: nothing imports its way back to itself."""

import re
from pathlib import Path

import grimp
import networkx as nx

import skills_nb


def test_no_module_imports_its_way_back():
    graph = grimp.build_graph("skills_nb", exclude_type_checking_imports=True, cache_dir=None)
    edges = nx.DiGraph(
        (module, imported)
        for module in graph.modules
        for imported in graph.find_modules_directly_imported_by(module)
        # The package itself is the front door: it leads to everything, on first use.
        if "skills_nb" not in (module, imported)
    )
    loops = [sorted(group) for group in nx.strongly_connected_components(edges) if len(group) > 1]
    assert loops == []


def sources():
    root = Path(skills_nb.__file__).parent
    return {str(p.relative_to(root)): p.read_text(encoding="utf-8") for p in root.rglob("*.py")}


def test_only_what_shows_visibly_escapes_markup():
    # `visible.visible_html` is the escape of everything else; what is put on the clipboard is SQL.
    found = {path for path, text in sources().items() if "from html import escape" in text}
    assert found == {
        "visible.py",
        "views/sheets/html.py",
        "views/sheets/sql_colours.py",
        "notebook/plan_tools.py",
    }


def test_only_doors_print():
    # Each of them shows text through `visible`: `tests/cli/test_hostile_words.py` tries them.
    prints = re.compile(r"(?<![\w.])print\(|sys\.std(?:out|err)\.write\(|stream\.write\(")
    found = {path for path, text in sources().items() if prints.search(text)}
    assert found == {
        "cli/keys.py",
        "cli/screen.py",
        "cli/terminal.py",
        "notebook/__init__.py",
        "notebook/door.py",
        "commands/verbs/evaluation.py",
        "commands/verbs/account_verbs.py",
    }
