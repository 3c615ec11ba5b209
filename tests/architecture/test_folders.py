"""A folder is small enough to be read as a list, and a name in a room means one module."""

from collections import Counter, defaultdict

import pytest

from tests.architecture.imports import PACKAGE, circles, lifted, package_imports, sources

MOST_MODULES = 25


def modules():
    return [name for name, (_, is_package) in sources().items() if not is_package]


def room_of(module):
    """The folder of the floor plan; those of the embedded account are rooms of their own."""
    parts = module.removeprefix(f"{PACKAGE}.").split(".")
    return ".".join(parts[: 2 if parts[0] == "embedded" else 1])


def test_a_folder_holds_few_modules():
    sizes = Counter(name.rpartition(".")[0] for name in modules())
    assert {name: size for name, size in sizes.items() if size > MOST_MODULES} == {}


def test_the_name_of_a_module_is_its_own_in_its_room():
    named = defaultdict(list)
    for name in modules():
        named[room_of(name), name.rpartition(".")[2]].append(name)
    assert [same for same in named.values() if len(same) > 1] == []


@pytest.mark.slow
def test_no_circle_between_the_parts_of_a_package():
    found = {
        name: [sorted(one) for one in circles(lifted(package_imports(), name))]
        for name, (_, is_package) in sources().items()
        if is_package
    }
    assert {name: loops for name, loops in found.items() if loops} == {}
