"""Whatever a file became: fixing raises nothing new, makes nothing worse, and ends."""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from skills_nb.authoring.fixing import fix
from skills_nb.authoring.workspace import Workspace
from skills_nb.errors import LibraryError
from skills_nb.lint import lint
from tests.authoring.conftest import BASE, TODAY

FILES = sorted(str(path.relative_to(BASE)) for path in BASE.rglob("*.md"))
FILES.append("skill-index.yaml")
PIECES = [
    b"\r\n",
    b"  \n",
    b"\xef\xbb\xbf",
    b"---\n",
    b"```",
    b"\xff",
    b"\t",
    b"[",
    b"]",
    b": ",
    b"#",
]
PIECES += [b"[x](../tags/skill.md)", b"`../stages/skill.md`", b"domain: ingestion\n", b"\x00", b"'"]
CHANGE = st.tuples(st.sampled_from(FILES), st.integers(0, 1200), st.sampled_from(PIECES))


def registered(place):
    return set(place.read()[0].index)


def diagnostics(place, among):
    """The codes found, but for those in skills that are not among the registered ones."""
    library, documents = place.read()
    found = lint(documents, library, today=TODAY)
    hidden = set(library.index) - among
    return {d.code for d in found if "/".join(d.span.path.split("/")[:2]) not in hidden}


@pytest.mark.slow
@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(CHANGE, min_size=1, max_size=4), st.integers(0, 5))
@example([("skill-index.yaml", 0, b"\xff")], 0)
def test_fixing_a_mutated_library_makes_nothing_worse_and_twice_is_once(changes, dropped):
    with tempfile.TemporaryDirectory() as folder:
        place = Workspace(Path(shutil.copytree(BASE, Path(folder) / "library")))
        for path, at, piece in changes:
            file = place.root / path
            data = file.read_bytes()
            file.write_bytes(data[:at] + piece + data[at + dropped :])
        try:
            known = registered(place)
            before = diagnostics(place, known)
        except LibraryError:
            return
        fix(place)
        # A repaired path is followed, and a skill that gets its row is read: both may reveal more.
        assert diagnostics(place, known) <= {*before, "SK131", "SK133", "SK134"}
        assert fix(place) == ()
