"""Every import of the package, whatever stands around it: read from the source, nothing is run."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

import networkx as nx

import skills_nb

PACKAGE = "skills_nb"
Kind = Literal["module", "typing", "function"]


@dataclass(frozen=True, slots=True, order=True)
class Import:
    """That one module imports another."""

    importer: str
    imported: str
    line: int
    kind: Kind
    """Where it stands: at the module's level, under `TYPE_CHECKING`, or inside a function."""


@cache
def package_imports() -> tuple[Import, ...]:
    return imports_of(sources())


@cache
def sources() -> Mapping[str, tuple[str, bool]]:
    """Module to its text, and whether it is a package's own file."""
    root = Path(skills_nb.__file__).parent
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root.parent).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        found[name] = (path.read_text(encoding="utf-8"), is_package)
    return found


def imports_of(modules: Mapping[str, tuple[str, bool]]) -> tuple[Import, ...]:
    return tuple(
        Import(name, target, line, kind)
        for name, (text, is_package) in modules.items()
        for target, line, kind in _found(ast.parse(text), _folder(name, is_package), modules)
        if target != name
    )


def _folder(name: str, is_package: bool) -> str:
    return name if is_package else name.rpartition(".")[0]


def _found(
    tree: ast.AST, folder: str, modules: Mapping[str, object], kind: Kind = "module"
) -> Iterator[tuple[str, int, Kind]]:
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    yield _known(alias.name, modules), node.lineno, kind
            case ast.ImportFrom(module=module, names=names, level=level):
                base = _absolute(module or "", level, folder)
                for alias in names:
                    yield _known(f"{base}.{alias.name}", modules, base), node.lineno, kind
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                yield from _found(node, folder, modules, "function")
            case ast.If(test=test) if kind == "module" and "TYPE_CHECKING" in ast.dump(test):
                yield from _found(node, folder, modules, "typing")
            case _:
                yield from _found(node, folder, modules, kind)


def _absolute(module: str, level: int, folder: str) -> str:
    if not level:
        return module
    above = folder.rsplit(".", level - 1)[0]
    return f"{above}.{module}".rstrip(".")


def _known(name: str, modules: Mapping[str, object], otherwise: str = "") -> str:
    """The module that a name is, or is in; a stranger is named as far as the import says it."""
    if name.partition(".")[0] != PACKAGE:
        return otherwise or name
    while name not in modules and "." in name:
        name = name.rpartition(".")[0]
    return name


def circles(imports: tuple[Import, ...]) -> list[set[str]]:
    """The groups of modules that import their way back to themselves."""
    ours = nx.DiGraph(
        (one.importer, one.imported) for one in imports if one.imported.startswith(PACKAGE)
    )
    return [group for group in nx.strongly_connected_components(ours) if len(group) > 1]


def lifted(imports: tuple[Import, ...], parent: str) -> tuple[Import, ...]:
    """The imports between the children of a package, each child with all that is in it."""

    def child(module: str) -> str:
        inside = module.removeprefix(f"{parent}.")
        return f"{parent}.{inside.partition('.')[0]}" if inside != module else ""

    between = (
        replace(one, importer=child(one.importer), imported=child(one.imported)) for one in imports
    )
    return tuple(
        one for one in between if one.importer and one.imported and one.importer != one.imported
    )
