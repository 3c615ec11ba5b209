"""The floor plan down to single modules: nothing imports its way back to itself."""

import grimp
import networkx as nx


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
