"""Playbooks that are not what they look like: found with their place, and never begun."""

import pytest

from skills_nb.lint import lint
from skills_nb.model.events import ValidationError
from skills_nb.reading import open_library, read_both
from tests.commands.authored import TARGET, opened, probing, step
from tests.runtime.test_start_objections import begun

STOP = "checkpoint: {severity: review, present: See.}"
SQL = "CREATE TABLE PROD.PUBLIC.T (A INT)"
DROP = "DROP TABLE PROD.PUBLIC.T"


def fenced(fence, info="sql", sql=DROP):
    return f"{fence}{info}\n{sql}\n{fence}"


HIDDEN_FENCES = {
    "folded": f"<details>\n\n{fenced('~~~')}\n\n</details>",
    "folded, never closed": f"<details><summary>Why</summary>\n\n{fenced('~~~')}",
    "folded deeper": f"<div>\n<details>\n\n</div>\n\n<details>\n\n{fenced('~~~')}\n\n</details>",
    "without an end": f"<details/>\n\n{fenced('~~~')}",
    "of no display": f'<div style="display:none">\n\n{fenced("~~~")}\n\n</div>',
    "hidden by an attribute": f"<p hidden>\n\n{fenced('~~~')}\n\n</p>",
    "hidden by a class": f"<span class='x'>\n\n{fenced('```')}\n\n</span>",
    "in a template": f"<template>\n\n{fenced('~~~')}\n\n</template>",
    "in upper case": f"<DETAILS>\n\n{fenced('~~~')}\n\n</DETAILS>",
    "struck out": f"<del>\n\n{fenced('~~~')}\n\n</del>",
    "commented out of a list": f"- <!-- note\n{fenced('~~~')}\n-->",
    "commented out of a quotation": f"> <!-- note\n\n{fenced('~~~')}\n\n-->",
    "commented out of a paragraph": f"See <!-- note\n{fenced('~~~')}\n-->",
    "in a list of a fold": "<details>\n\n- a\n\n  ~~~sql\n  DROP TABLE T\n  ~~~",
    "a command": f"<details>\n\n{fenced('~~~', 'bash', 'snow sql -q 1')}\n\n</details>",
    "another yaml": f"<details>\n\n{fenced('~~~', 'yaml', 'compensation: []')}\n\n</details>",
    "the compensation": f"Compensation:\n\n<details>\n\n{fenced('~~~')}\n\n</details>",
}
SHOWN = {
    "tildes": fenced("~~~", sql="SELECT 1"),
    "in a list": "- one\n\n  ~~~sql\n  SELECT 1\n  ~~~",
    "an example in longer tildes": "~~~~text\n```sql\nDROP SCHEMA X\n```\n~~~~",
    "tildes in backticks": "```text\n~~~sql\nDROP SCHEMA X\n~~~\n```",
    "a comment around it": "<!--\n~~~sql\nDROP SCHEMA X\n~~~\n-->",
    "a fold before it": f"<details>\n\nWhy.\n\n</details>\n\n{fenced('~~~', sql='SELECT 1')}",
    "an aligned block": f'<div align="center">\n\n{fenced("~~~", sql="SELECT 1")}\n\n</div>',
    "a tag that is named": f"`<details>`, `` `<!--` ``\n\n{fenced('~~~', sql='SELECT 1')}",
    "a break": f"One<br>two\n\n{fenced('~~~', sql='SELECT 1')}",
}
UNSEEN = {
    "a zero-width space in a keyword": ("DRO\u200bP TABLE T", "SK018"),
    "a joiner in a keyword": ("DRO\u200dP TABLE T", "SK018"),
    "a line turned around": ("SELECT 1 -- \u202e;T ELBAT PORD", "SK018"),
    "an isolate": ("SELECT '\u2066a\u2069'", "SK018"),
    "a mark of direction in a literal": ("SELECT 'a\u200fb'", "SK018"),
    "a line separator": ("SELECT 1 -- a\u2028; DROP TABLE T", "SK018"),
    "a next line": ("SELECT 1 -- a\x85; DROP TABLE T", "SK018"),
    "a byte order mark": ("SELECT 1;\ufeffDROP TABLE T", "SK018"),
    "tags": ("SELECT 1 -- \U000e0044\U000e0052", "SK018"),
    "a selector": ("SELECT A\ufe0f FROM T", "SK018"),
    "a filler": ("SELECT A\u3164 FROM T", "SK018"),
    "an escape of the terminal": ("SELECT 1 -- \x1b[8mhidden\x1b[0m", "SK018"),
    "a backspace": ("SELECT 1 -- \x08\x08", "SK018"),
    "a soft hyphen": ("SELECT A\u00ad FROM T", "SK018"),
    "a Cyrillic letter": ("SELECT * FROM \u041eRDERS", "SK020"),
    "Cyrillic letters alone": ("SELECT * FROM \u0430\u0440\u0435", "SK020"),
    "a Greek letter": ("SELECT * FROM \u039fRDERS", "SK020"),
    "wide letters": ("\uff24\uff32\uff2f\uff30 TABLE T", "SK020"),
    "bold letters": ("\U0001d403ROP TABLE T", "SK020"),
    "a long s": ("\u017fELECT 1", "SK020"),
    "an i without a dot": ("SELECT D\u0131ST FROM T", "SK020"),
    "Hebrew outside of quotes": ("SELECT \u05d0\u05d1 FROM T", "SK020"),
}
SEEN = [
    "SELECT 'Größe, 日本語, \U0001f469\u200d\U0001f4bb, עברית'",
    "SELECT 'می\u200cخواهم' AS \"Имя\"",
    "SELECT 1 -- הערה, имя",
    "SELECT '\\u202e'",
    "SELECT 1 AS größe",
    "SELECT 1 AS 名前",
]


def codes(root):
    library, documents = read_both(root)
    return {found.code for found in lint(documents, library)}


def refusal(root):
    _, store, state = begun(open_library(root), TARGET)
    found = next(e for e in store.load("t") if isinstance(e, ValidationError))
    assert state.status == "failed"
    assert not any(event.type.startswith("statement") for event in store.load("t"))
    return found


def crafted(tmp_path, *steps, front=""):
    opened(tmp_path / "home", tmp_path / "library", *steps, front=front)
    return tmp_path / "library"


@pytest.mark.parametrize("text", HIDDEN_FENCES.values(), ids=HIDDEN_FENCES)
def test_code_that_a_page_may_hide_is_found_and_never_sent(text, tmp_path):
    root = crafted(tmp_path, step("1", SQL, STOP) + f"\n{text}\n")
    assert "SK019" in codes(root)
    found = refusal(root)
    assert found.check == "SK019"
    assert found.message.startswith("playbooks/protect-columns/playbook.md:")
    assert found.resolution == "Take the HTML around it away."


@pytest.mark.parametrize("text", SHOWN.values(), ids=SHOWN)
def test_code_that_every_page_shows_is_fine(text, tmp_path):
    root = crafted(tmp_path, step("1", "SELECT 1", STOP) + f"\n{text}\n")
    assert not {"SK013", "SK018", "SK019", "SK020", "SK421", "SK424"} & codes(root)
    assert "DROP" not in "".join(
        b.text for b in open_library(root).playbook("protect-columns").steps[0].sql
    )


@pytest.mark.parametrize(("sql", "code"), UNSEEN.values(), ids=UNSEEN)
def test_a_statement_that_is_not_what_it_looks_like_is_found_and_never_sent(sql, code, tmp_path):
    root = crafted(tmp_path, step("1", sql, STOP))
    assert code in codes(root)
    found = refusal(root)
    assert (found.check, "playbook.md:" in found.message) == (code, True)
    shown = found.message + found.resolution
    assert all(char.isprintable() for char in shown if char not in "\u2028")


@pytest.mark.parametrize("sql", SEEN)
def test_letters_of_every_script_stay_where_they_are_honest(sql, tmp_path):
    root = crafted(tmp_path, step("1", sql, STOP))
    assert not {"SK018", "SK020"} & codes(root)


@pytest.mark.parametrize(
    "block",
    [
        'verify: "SELECT 1 FROM T\\u200b"',
        'compensation: ["DROP TABLE T\\u202e"]',
        'creates: [{type: table, name: "T\\u200b"}]',
        'role: "ANALYST\\u200b"',
        'when: "1 = 1\\u2066"',
    ],
)
def test_an_escape_of_yaml_hides_nothing(block, tmp_path):
    root = crafted(tmp_path, step("1", "SELECT 1", f"{block}\n{STOP}"))
    assert "SK018" in codes(root)
    assert refusal(root).check == "SK018"


def test_a_probe_is_held_to_the_same(tmp_path):
    root = crafted(tmp_path, step("1", "SELECT 1", STOP), front=probing("SELECT \u0410 FROM T"))
    assert "SK020" in codes(root)
    assert refusal(root).check == "SK020"


def test_an_allowance_does_not_silence_what_deceives(tmp_path):
    allow = "<!-- lint: allow SK018 because I say so -->"
    root = crafted(tmp_path, f"{allow}\n\n" + step("1", "DRO\u200bP TABLE T", STOP))
    assert "SK018" in codes(root)


def test_a_dry_run_refuses_it_too(tmp_path):
    app = opened(tmp_path / "home", tmp_path / "library", step("1", "SELECT 1 -- \u202ex", STOP))
    reply = app.invoke(["run", TARGET, "--dry-run", "--thread", "d"])
    assert (reply.status, "SK018" in str(app.invoke(["show", "d"]).document)) == (5, True)
    app.close()
