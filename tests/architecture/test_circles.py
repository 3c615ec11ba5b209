"""Nothing imports its way back to itself: at a module's level, for its types, or in a function."""

import pytest

from tests.architecture.imports import Import, circles, imports_of, lifted, package_imports


@pytest.mark.slow
def test_no_circle_anywhere():
    assert [sorted(one) for one in circles(package_imports())] == []


def test_no_circle_between_the_folders_of_the_embedded_account():
    between = lifted(package_imports(), "skills_nb.embedded")
    assert [sorted(one) for one in circles(between)] == []


def test_nobody_inside_imports_the_face():
    assert [one for one in package_imports() if one.imported == "skills_nb"] == []


# ---- the measure itself


def test_an_import_is_found_wherever_it_stands():
    text = """
from __future__ import annotations
import os.path
from . import one
from .two import Two
if TYPE_CHECKING:
    from skills_nb.b.three import Three
try:
    import skills_nb.a.one as first
except ImportError:
    pass
def late():
    if True:
        from ..b import three
        import yaml
class Value:
    async def later(self):
        from skills_nb.b.three import Three
"""
    known = {"skills_nb.a": ("", True), "skills_nb.a.one": ("", False)}
    known |= {"skills_nb.a.two": ("", False), "skills_nb.b": ("", True)}
    known |= {"skills_nb.b.three": ("", False), "skills_nb.a.here": (text, False)}
    assert imports_of(known) == tuple(
        Import("skills_nb.a.here", imported, line, kind)
        for imported, line, kind in (
            ("__future__", 2, "module"),
            ("os.path", 3, "module"),
            ("skills_nb.a.one", 4, "module"),
            ("skills_nb.a.two", 5, "module"),
            ("skills_nb.b.three", 7, "typing"),
            ("skills_nb.a.one", 9, "module"),
            ("skills_nb.b.three", 14, "function"),
            ("yaml", 15, "function"),
            ("skills_nb.b.three", 18, "function"),
        )
    )


def test_a_package_s_own_file_imports_from_its_folder():
    known = {"skills_nb.a": ("from .one import x", True), "skills_nb.a.one": ("x = 1", False)}
    assert imports_of(known) == (Import("skills_nb.a", "skills_nb.a.one", 1, "module"),)


def test_a_circle_closes_over_kinds_of_imports():
    here, there = "skills_nb.here", "skills_nb.there"
    one, back = Import(here, there, 1, "module"), Import(there, here, 1, "typing")
    assert circles((one, back)) == [{here, there}]
    assert circles((one,)) == []


def test_a_folder_is_taken_as_one_with_all_that_is_in_it():
    imports = (
        Import("skills_nb.a.b.one", "skills_nb.a.c.two", 1, "module"),
        Import("skills_nb.a.b.one", "skills_nb.a.b.three", 2, "module"),
        Import("skills_nb.a.c", "skills_nb.a.b.one", 3, "typing"),
        Import("skills_nb.a.c", "skills_nb.elsewhere", 4, "module"),
    )
    assert lifted(imports, "skills_nb.a") == (
        Import("skills_nb.a.b", "skills_nb.a.c", 1, "module"),
        Import("skills_nb.a.c", "skills_nb.a.b", 3, "typing"),
    )
