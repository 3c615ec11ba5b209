"""The journal: a crash may cost it what was never acknowledged, and nothing else."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skills_nb.bench.journal import JOURNAL, Journal, read_journal, write_whole
from skills_nb.bench.schemas import canonical, digest
from skills_nb.errors import UsageError


def _written(folder, count=3):
    journal = Journal(folder)
    for number in range(count):
        journal.append("measured", task=f"t{number}", text="ünï\n\r\u2028", attempt=1)
    journal.close()
    return (folder / JOURNAL).read_bytes()


def test_what_is_written_is_read(tmp_path):
    _written(tmp_path)
    assert [entry["task"] for entry in read_journal(tmp_path)] == ["t0", "t1", "t2"]
    again = Journal(tmp_path)
    assert again.append("more")["kind"] == "more"
    again.close()
    assert len(read_journal(tmp_path)) == 4


def test_lines_are_chained(tmp_path):
    _written(tmp_path)
    previous = ""
    for number, line in enumerate((tmp_path / JOURNAL).read_bytes().splitlines(), 1):
        document = json.loads(line)
        made = document.pop("hash")
        assert (made, document["previous"], document["seq"]) == (digest(document), previous, number)
        previous = made


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_cut_anywhere_it_goes_on_after_the_last_whole_line(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("run")
    whole = _written(folder)
    place = data.draw(st.integers(0, len(whole)))
    (folder / JOURNAL).write_bytes(whole[:place])
    journal = Journal(folder)
    kept = whole[:place].count(b"\n")
    assert [entry["task"] for entry in journal.entries] == [f"t{n}" for n in range(kept)]
    journal.append("next")
    journal.close()
    assert len(read_journal(folder)) == kept + 1
    torn = whole[:place].rpartition(b"\n")[2]
    assert [p.read_bytes() for p in folder.glob("journal.cut-*")] == ([torn] if torn else [])


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: [lines[0].replace(b"t0", b"tX"), *lines[1:]],
        lambda lines: lines[1:],
        lambda lines: [lines[0], lines[2], lines[1]],
        lambda lines: [lines[0], lines[0], *lines[1:]],
        lambda lines: [*lines, b"{}\n"],
        lambda lines: [*lines, b"not json\n"],
    ],
    ids=["changed", "beginning gone", "order", "twice", "foreign", "noise"],
)
def test_a_line_that_was_changed_is_refused(tmp_path, change):
    whole = _written(tmp_path)
    (tmp_path / JOURNAL).write_bytes(b"".join(change(whole.splitlines(keepends=True))))
    with pytest.raises(UsageError, match=r"line \d is not what was written"):
        Journal(tmp_path)
    with pytest.raises(UsageError):
        read_journal(tmp_path)


def test_a_refused_journal_is_let_go(tmp_path):
    _written(tmp_path)
    (tmp_path / JOURNAL).write_bytes(b"{}\n")
    for _ in range(2):
        with pytest.raises(UsageError, match="not what was written"):
            Journal(tmp_path)


def test_one_process_holds_a_run(tmp_path):
    held = Journal(tmp_path)
    with pytest.raises(UsageError, match="in use by process"):
        Journal(tmp_path)
    held.close()
    Journal(tmp_path).close()


def test_a_folder_without_a_run_is_none(tmp_path):
    with pytest.raises(UsageError, match="holds no run"):
        read_journal(tmp_path)


def test_a_file_is_replaced_whole(tmp_path):
    write_whole(tmp_path / "x", b"one")
    write_whole(tmp_path / "x", b"two")
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("x", b"two")]


def test_there_is_one_form_of_a_document():
    assert canonical({"b": [1, None], "a": "ü"}) == '{"a":"ü","b":[1,null]}'.encode()
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical(float("nan"))
