"""`new`: a file that lacks only what its author must say."""

import pytest

from skills_nb.authoring.create import new_skill
from skills_nb.authoring.workspace import Workspace, begin_overlay
from skills_nb.errors import LibraryError, UsageError
from tests.authoring.conftest import TODAY, found

PRIMITIVE = ["SK116", "SK204", "SK206", "SK206", "SK206", "SK313"]
PLAYBOOK = ["SK116", "SK204", "SK206", "SK206", "SK403", "SK408", "SK418", "SK419"]
ROUTER = ["SK204"]


def codes(place, path):
    return sorted(code for at, code in found(place) if at == path)


@pytest.mark.parametrize(
    ("kind", "path", "open_places"),
    [
        ("primitive", "primitives/row-counts/skill.md", PRIMITIVE),
        ("playbook", "playbooks/row-counts/playbook.md", PLAYBOOK),
        ("router", "routers/row-counts/router.md", ["SK116", *ROUTER]),
    ],
)
def test_a_new_skill_lacks_only_what_its_author_must_say(place, kind, path, open_places):
    made = new_skill(place, kind, "row-counts", today=TODAY, domain="data-security")
    assert (made.path, made.written) == (path, (path, "skill-index.yaml"))
    assert codes(place, path) == open_places
    assert {at for at, _ in found(place)} == {path}


def test_a_new_router_in_an_overlay_brings_its_domain(beside):
    made = new_skill(beside, "router", "row-counts", today=TODAY)
    assert made.domain == "row-counts"
    assert found(beside) == [("mine/routers/row-counts/router.md", "SK204")]


def test_the_only_domain_of_an_overlay_need_not_be_said(beside):
    new_skill(beside, "router", "row-counts", today=TODAY)
    assert new_skill(beside, "playbook", "count-rows", today=TODAY).domain == "row-counts"


def test_a_new_router_of_a_library_is_declared_in_its_meta_router(place):
    vocabulary = place.root / "spec" / "controlled-vocabulary.md"
    text = vocabulary.read_text()
    row = next(line for line in text.split("\n") if line.startswith("| `data-security`"))
    added = row.replace("data-security", "row-counts").split("|")
    added[2] = " "
    vocabulary.write_text(text.replace(row, row + "\n" + "|".join(added)))
    before = (place.root / "router.md").read_text()
    made = new_skill(place, "router", "row-counts", today=TODAY)
    assert made.written == ("routers/row-counts/router.md", "skill-index.yaml", "router.md")
    assert codes(place, made.path) == ROUTER
    assert place.read()[0].meta.domains["row-counts"].router == "routers/row-counts"
    after = (place.root / "router.md").read_text()
    assert [line for line in after.split("\n") if line in before.split("\n")] == before.split("\n")


@pytest.mark.parametrize(
    ("kind", "name", "domain", "words"),
    [
        ("primitive", "Row_Counts", "data-security", "kebab-case"),
        ("primitive", "../escape", "data-security", "kebab-case"),
        ("primitive", "tags", "data-security", "exists already"),
        ("primitive", "row-counts", "nowhere", "no domain 'nowhere'"),
        ("primitive", "row-counts", None, "a domain is needed"),
        ("router", "row-counts", None, "controlled vocabulary"),
    ],
)
def test_what_cannot_be_made_is_refused_and_nothing_is_written(place, kind, name, domain, words):
    before = {p: p.read_bytes() for p in place.root.rglob("*") if p.is_file()}
    with pytest.raises(UsageError, match=words):
        new_skill(place, kind, name, today=TODAY, domain=domain)
    assert {p: p.read_bytes() for p in place.root.rglob("*") if p.is_file()} == before


def test_a_skill_of_the_library_is_not_made_again_beside_it(beside):
    with pytest.raises(UsageError, match="exists already"):
        new_skill(beside, "primitive", "tags", today=TODAY, domain="data-security")


def test_an_overlay_begins_in_an_empty_or_new_directory_only(tmp_path, place):
    assert begin_overlay(tmp_path / "new") is True
    assert begin_overlay(tmp_path / "new") is False
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "data.csv").write_text("x")
    with pytest.raises(UsageError, match="holds files"):
        begin_overlay(tmp_path / "full")
    with pytest.raises(UsageError, match="is a file"):
        begin_overlay(tmp_path / "full" / "data.csv")
    assert found(Workspace(place.library, tmp_path / "new")) == found(place) == []


def test_a_place_that_is_no_directory_is_said(tmp_path, place):
    with pytest.raises(LibraryError, match="no library"):
        new_skill(Workspace(place.library, tmp_path / "gone"), "primitive", "x", today=TODAY)
