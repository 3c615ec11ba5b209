"""`lint --fix`: the diagnostic goes, the meaning stays, twice is once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.authoring.fixing import Fixed, fix
from skills_nb.authoring.text_fixes import plain_references, tidy
from skills_nb.reading.files import RawFile
from skills_nb.reading.source import Source
from tests.authoring.conftest import found

TAGS = "primitives/tags/skill.md"


def edit(place, path, old, new):
    file = place.root / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8", newline="\n")


def meaning(text):
    document = Source(RawFile(TAGS, text, b""), "primitive").document
    front = document.front.value if document.front else None
    return front, [(s.title, s.level) for s in document.sections], [f.text for f in document.fences]


def test_a_sound_library_is_left_alone(place):
    before = {p: p.stat().st_mtime_ns for p in place.root.rglob("*")}
    assert fix(place) == ()
    assert {p: p.stat().st_mtime_ns for p in place.root.rglob("*")} == before


def test_the_index_agrees_again(place):
    edit(place, "skill-index.yaml", "[tags, masking-policies]", "[tags]")
    assert [code for _, code in found(place)] == ["SK103"]
    assert fix(place) == (Fixed("skill-index.yaml", ("rows as the files have them",)),)
    assert (found(place), fix(place)) == ([], ())


def test_paths_become_references(place):
    edit(
        place,
        TAGS,
        "## Examples",
        "See [stages](../stages/skill.md), `../masking-policies/skill.md` and "
        "primitives/stages/skill.md.\n\n## Examples",
    )
    assert [code for _, code in found(place)] == ["SK132", "SK132", "SK132"]
    assert fix(place) == (Fixed(TAGS, ("references as {type}/{name}",)),)
    said = "See stages (`primitives/stages`), `primitives/masking-policies` and primitives/stages."
    assert said in (place.root / TAGS).read_text()
    assert (found(place), fix(place)) == ([], ())


@pytest.mark.parametrize(
    "text",
    [
        "[x](../nowhere/skill.md)",
        "[x](../stages/skill.md#syntax)",
        "[x](https://example.org/primitives/stages/skill.md)",
        "`cat ../stages/skill.md`",
        "a/b and c/d",
        "../stages/examples/more.md",
    ],
)
def test_what_leads_elsewhere_is_left_to_its_author(text):
    document = Source(RawFile(TAGS, f"# Tags\n\n{text}\n", b""), "primitive").document
    assert plain_references(document, {"primitives/stages"}) == document.text


def test_code_keeps_its_paths():
    text = "# Tags\n\n```bash\ncat ../stages/skill.md\n```\n"
    document = Source(RawFile(TAGS, text, b""), "primitive").document
    assert plain_references(document, {"primitives/stages"}) == text


def test_an_alias_becomes_the_domain_and_the_library_the_same(beside):
    place = type(beside)(beside.library)
    library, _ = place.read()
    alias = next(a for a, d in library.vocabulary.aliases.items() if d == "data-security")
    edit(place, TAGS, "domain: data-security", f"domain: '{alias}'  # ours")
    before = place.read()[0].primitives["tags"].domain
    assert fix(place) == (Fixed(TAGS, ("domain by its own name",)),)
    assert "domain: 'data-security'  # ours" in (place.root / TAGS).read_text()
    assert place.read()[0].primitives["tags"].domain == before == "data-security"
    assert fix(place) == ()


def test_bytes_are_tidied_and_the_text_means_the_same(place):
    file = place.root / TAGS
    before = file.read_text()
    file.write_bytes(b"\xef\xbb\xbf" + before.replace("\n", " \r\n").encode())
    spoilt = place.read()[0].primitives["tags"]
    assert fix(place)[0] == Fixed(TAGS, ("line ends and trailing spaces",))
    assert b"\r" not in file.read_bytes()
    assert not file.read_bytes().startswith(b"\xef")
    assert meaning(file.read_text())[:2] == meaning(before)[:2]
    assert place.read()[0].primitives["tags"].title == spoilt.title
    assert fix(place) == ()


def test_spaces_that_mean_something_stay():
    text = "# T\n\nbreaks here  \nand goes on. \n\n```sql\nSELECT ' \n';  \n```\n\n    code  \n"
    assert tidy(text) == text.replace("on. \n", "on.\n")


@given(st.text(alphabet="#- `~ab\t\n\r\ufeff", max_size=80))
def test_tidying_twice_is_tidying_once_and_keeps_structure(text):
    once = tidy(text)
    assert tidy(once) == once
    plain = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    assert meaning(once) == meaning(plain)


def test_a_file_that_is_not_utf_8_and_a_doubtful_index_are_not_touched(place):
    (place.root / TAGS).write_bytes(b"---\nname: \xff\n---\r\n")
    (place.root / "skill-index.yaml").write_text(place.index_text() + "version: '2.0'\n")
    before = {p: p.read_bytes() for p in place.root.rglob("*") if p.is_file()}
    assert fix(place) == ()
    assert {p: p.read_bytes() for p in place.root.rglob("*") if p.is_file()} == before
