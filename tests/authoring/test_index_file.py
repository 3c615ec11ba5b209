"""The index, rewritten from the files."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.authoring.index_file import rewrite_index
from skills_nb.authoring.index_rows import IndexRow, rows_of
from skills_nb.errors import LibraryError
from tests.authoring.conftest import found

NAMES = st.from_regex(r"[a-z][a-z0-9]{0,3}(-[a-z0-9]{1,3})?", fullmatch=True)
ROW = st.builds(IndexRow, NAMES, st.lists(NAMES, unique=True, max_size=12).map(tuple))


def rows(**sections):
    return {kind: sections.get(kind, {}) for kind in ("routers", "playbooks", "primitives")}


def test_an_index_that_agrees_stays_letter_by_letter(place):
    library, _ = place.read()
    text = place.index_text()
    aliases = library.vocabulary.aliases
    assert rewrite_index(text, rows_of(place.files(), aliases), aliases) == text


def test_comments_and_order_stay_and_what_differs_is_written_anew():
    text = """\
# whose library this is
version: "1.0"  # in quotes

primitives:
  # the first of all
  tags:  # never moves
    domain: data-security
  gone:
    domain: data-security

  # about stages
  stages:
    # moved in March
    domain: data-security

playbooks: {protect: {domain: data-security, depends_on: [tags, gone]}}
"""
    wanted = rows(
        primitives={
            "stages": IndexRow("data-loading"),
            "tags": IndexRow("data-security"),
            "alerts": IndexRow("data-security"),
        },
        playbooks={"protect": IndexRow("data-security", ("stages", "tags"))},
        routers={"loading": IndexRow("data-loading", ("primitives/stages",))},
    )
    assert (
        rewrite_index(text, wanted, {})
        == """\
# whose library this is
version: "1.0"  # in quotes

primitives:
  # the first of all
  tags:  # never moves
    domain: data-security

  # about stages
    # moved in March
  stages:
    domain: data-loading
  alerts:
    domain: data-security

playbooks:
  protect:
    domain: data-security
    depends_on: [tags, stages]

routers:
  loading:
    domain: data-loading
    routes_to:
      - primitives/stages
"""
    )


@pytest.mark.slow
@given(
    before=st.fixed_dictionaries(
        {k: st.dictionaries(NAMES, ROW, max_size=4) for k in ("routers", "playbooks", "primitives")}
    ),
    after=st.fixed_dictionaries(
        {k: st.dictionaries(NAMES, ROW, max_size=4) for k in ("routers", "playbooks", "primitives")}
    ),
)
def test_whatever_it_was_it_says_what_the_files_say_and_twice_is_once(before, after):
    first = rewrite_index('version: "1.0"\n', before, {})
    second = rewrite_index(first, after, {})
    said = yaml.safe_load(second)
    for kind, table in after.items():
        found = said.get(kind) or {}
        assert set(found) == set(table)
        for name, row in table.items():
            assert found[name]["domain"] == row.domain
            assert kind == "primitives" or set(row.links) == set(
                found[name]["routes_to" if kind == "routers" else "depends_on"]
            )
    assert rewrite_index(second, after, {}) == second


def test_a_row_whose_file_cannot_be_read_stays(place):
    (place.root / "primitives" / "tags" / "skill.md").write_text("---\nname: [\n")
    wanted = rows_of(place.files(), {})
    assert wanted["primitives"]["tags"].is_readable is False
    assert rewrite_index(place.index_text(), wanted, place.read()[0].vocabulary.aliases) == (
        place.index_text()
    )


def test_a_doubtful_index_is_not_rewritten():
    for text in ("primitives: [\n", "- a\n", "", "a: 1\na: 2\n"):
        with pytest.raises(LibraryError, match="not rewritten"):
            rewrite_index(text, rows(), {})


def test_an_unregistered_and_a_missing_file_are_put_right(place):
    (place.root / "primitives" / "tags").rename(place.root / "primitives" / "labels")
    skill = place.root / "primitives" / "labels" / "skill.md"
    skill.write_text(skill.read_text().replace("name: tags", "name: labels"))
    codes = {code for _, code in found(place)}
    assert {"SK101", "SK102"} <= codes
    library, _ = place.read()
    aliases = library.vocabulary.aliases
    place.write(
        {
            "skill-index.yaml": rewrite_index(
                place.index_text(), rows_of(place.files(), aliases), aliases
            )
        }
    )
    assert not {"SK101", "SK102", "SK103"} & {code for _, code in found(place)}
