"""Reports tell what was not measured from what scored nothing."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from skills_nb.bench.models import Answer
from skills_nb.bench.reports.report_files import read_results, write_reports
from skills_nb.bench.reports.results import result_document
from skills_nb.bench.scoring import (
    Difference,
    Evidence,
    Scorecard,
    State,
    card_document,
    card_of,
    failed,
    graded,
    passed,
    unmeasured,
)
from skills_nb.errors import UsageError
from skills_nb.llm import Usage
from skills_nb.views import evaluation_report, render_html, render_text
from skills_nb.views.evaluation.wrongs import wrongs

RAN = Evidence("ran", command="run", exit_status=0, count=1)
IDENTITY = {
    "model": "a <model>",
    "provider": "stub",
    "tasks": "sha256:0",
    "backend": "embedded",
    "functional": True,
    "attempts": 1,
    "skills": False,
}
PATCH = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old <b>\n+new\n"


@pytest.fixture
def results(mask_emails):
    half = Scorecard(
        deploy=passed(RAN),
        tests=failed("nothing held"),
        functional=unmeasured(State.NOT_RUN, "not asked for"),
        bulk=unmeasured(State.UNSUPPORTED, "an engine gap"),
        no_tweaks=unmeasured(State.ERROR, "the org vanished"),
    )
    full = Scorecard.all_of(passed(RAN))
    answer = Answer(PATCH, usage=Usage(10, 20, 0.5))
    return [
        result_document("a <model>", mask_emails, 1, answer, half),
        result_document("a <model>", mask_emails, 2, answer, full),
    ]


def _written(tmp_path, results, **changes):
    return write_reports(tmp_path, {**IDENTITY, **changes}, results, [])


def test_numbers_are_kept_apart(tmp_path, results):
    report, _ = _written(tmp_path, results)
    numbers = report["summary"]
    assert (numbers["instances"], numbers["resolved"], numbers["errors"]) == (2, 1, 1)
    assert numbers["verdicts"] == {"pass": 1, "undetermined": 1}
    assert (numbers["lower"], numbers["upper"], numbers["coverage"]) == (0.55, 0.9, 0.65)
    tests = report["components"]["tests"]
    assert (tests["measured"], tests["mean"]) == (2, 0.5)
    bulk = report["components"]["bulk"]
    assert (bulk["measured"], bulk["mean"], bulk["states"]) == (
        1,
        1.0,
        {"pass": 1, "unsupported": 1},
    )
    assert report["usage"] == {
        "prompt_tokens": 20,
        "completion_tokens": 40,
        "cost_usd": 1.0,
        "seconds": None,
        "seconds_measuring": None,
        "asked_again": 0,
        "turns": 2,
        "statements": 2,
    }


def test_one_unknown_price_makes_the_sum_unknown(tmp_path, mask_emails, results):
    free = result_document("m", mask_emails, 1, Answer(""), Scorecard.all_of(failed("empty")))
    report, _ = _written(tmp_path, [results[0], free])
    assert report["usage"]["cost_usd"] is None


class _Cells(HTMLParser):
    def __init__(self):
        super().__init__()
        self.cells, self.inside, self.tags = [], False, set()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        kind = dict(attributes).get("class") or ""
        self.inside = tag == "td" and kind.startswith("s-")

    def handle_data(self, data):
        if self.inside:
            self.cells.append(data)

    def handle_endtag(self, tag):
        self.inside = False


def test_a_cell_tells_not_run_from_zero(tmp_path, results):
    _written(tmp_path, results)
    page = (tmp_path / "report.html").read_text()
    reader = _Cells()
    reader.feed(page)
    assert reader.cells[:5] == ["100\xa0%", "0\xa0%", "not run", "unsupported", "error"]


def test_the_page_stands_alone_and_escapes_everything(tmp_path, results):
    _written(tmp_path, results)
    page = (tmp_path / "report.html").read_text()
    reader = _Cells()
    reader.feed(page)
    assert not reader.tags & {"script", "link", "img", "iframe"}
    assert "http" not in page.replace("http-equiv", "")
    assert "a &lt;model&gt;" in page
    assert "a <model>" not in page
    assert "<del>-old &lt;b&gt;</del>" in page
    assert "<ins>+new</ins>" in page
    assert "prefers-color-scheme:dark" in page


def test_filters_hide_rows_of_other_values(tmp_path, results):
    _written(tmp_path, results)
    page = (tmp_path / "report.html").read_text()
    assert page.count('name="ev-verdict"') == 3
    assert ".ev:has(.f-verdict-1:checked) .rows tbody:not(.verdict-1){display:none}" in page
    assert 'name="ev-type"' not in page


def test_the_same_results_make_the_same_files(tmp_path, results):
    first, second = tmp_path / "1", tmp_path / "2"
    for place in (first, second):
        place.mkdir()
        _written(place, results)
    names = sorted(p.name for p in first.iterdir())
    assert [(first / n).read_bytes() for n in names] == [(second / n).read_bytes() for n in names]


def test_a_simulated_run_says_so_wherever_it_is_shown(tmp_path, results):
    report, summary = _written(tmp_path, results, backend="simulated")
    assert report["simulated"] is True
    assert "not a result" in summary
    assert "not a result" in (tmp_path / "report.html").read_text()


def test_results_are_read_back(tmp_path, results):
    _written(tmp_path, results)
    assert read_results(tmp_path) == results
    (tmp_path / "results.jsonl").write_text('{"instance_id": "x"}\n')
    with pytest.raises(UsageError, match=r"results\.jsonl:1 is not a result"):
        read_results(tmp_path)
    with pytest.raises(UsageError, match="holds no results"):
        read_results(tmp_path / "nowhere")


def test_a_notebook_shows_the_page_and_a_terminal_its_words(tmp_path, results):
    report, summary = _written(tmp_path, results)
    view = evaluation_report(report, results, summary, "out")
    shown = render_html(view)
    assert '<div class="ev">' in shown
    text = render_text(view)
    assert "1 of 2 resolved" in text
    assert "| mask-emails | undetermined | 10 % to 80 % | 100 % | 0 % | not run |" in text


def test_a_report_leads_with_what_is_right(tmp_path, mask_emails, results):
    beside = replace(
        Scorecard.all_of(passed(RAN)), collateral=failed("user BACK_DOOR was created", RAN)
    )
    gone = replace(beside, is_destructive=True)
    more = [
        result_document("m", mask_emails, n, Answer("x"), c) for n, c in ((3, beside), (4, gone))
    ]
    report, _ = _written(tmp_path, [*results, *more])
    numbers = report["summary"]
    assert (numbers["right"], numbers["right_told"], numbers["resolved"]) == (1, 4, 2)
    summary = (tmp_path / "summary.md").read_text()
    assert summary.index("1 of 4 right") < summary.index("2 of 4 resolved")
    page = (tmp_path / "report.html").read_text()
    assert page.index("1 of 4 right") < page.index("2 of 4 resolved")
    assert "user BACK_DOOR was created" in page


# ---- what was wrong


def _wrong(mask_emails, **parts):
    held = Difference(
        "rows",
        "Analysts see one row per shop.",
        "row 2 is (b, 3)",
        "(a, 1)\n(b, 2)",
        "(a, 1)\n(b, <3>)",
    )
    tests = replace(graded(1, 2, "rows: row 2 is (b, 3)", RAN), differences=(held,))
    card = replace(Scorecard.all_of(passed(RAN)), **{"functional": tests, **parts})
    return result_document("m", mask_emails, 1, Answer("x"), card)


def test_what_was_wrong_stands_there_in_words_and_as_a_difference(tmp_path, mask_emails):
    result = _wrong(mask_emails)
    _written(tmp_path, [result])
    page = (tmp_path / "report.html").read_text()
    assert "What was asked for (1 of 2 points)" in page
    assert "Does not hold: Analysts see one row per shop. (rows: row 2 is (b, 3))" in page
    assert "  (a, 1)\n<del>- (b, 2)</del>\n<ins>+ (b, &lt;3&gt;)</ins>" in page
    assert read_results(tmp_path) == [result], "the difference is in the record"


def test_an_answer_that_is_right_has_nothing_wrong(tmp_path, mask_emails):
    right = result_document("m", mask_emails, 1, Answer("x"), Scorecard.all_of(passed(RAN)))
    assert list(wrongs(right["components"])) == []


def test_what_is_not_in_place_is_said_once(mask_emails):
    card = replace(Scorecard.all_of(failed("not deployed: line 1")), deploy=failed("line 1"))
    found = result_document("m", mask_emails, 1, Answer("x"), card)
    assert list(wrongs(found["components"])) == [
        "<h4>It could not be put in place</h4>",
        "<p>line 1</p>",
    ]


def test_an_attempt_at_cheating_is_in_every_report(tmp_path, mask_emails):
    card = Scorecard.all_of(passed(RAN)).with_tampering(["changes package.json"])
    assert card.is_right is False
    assert card_of(card_document(card)) == card
    result = result_document("m", mask_emails, 1, Answer("x"), card)
    report, summary = _written(tmp_path, [result])
    assert report["summary"]["cheating"] == 1
    assert "Attempt at cheating in mask-emails: changes package.json" in summary
    assert "An attempt at cheating" in (tmp_path / "report.html").read_text()


def test_rates_by_domain_and_level_have_intervals_and_a_picture(tmp_path, mask_emails):
    right, wrong = Scorecard.all_of(passed(RAN)), Scorecard.all_of(failed("no", RAN))
    tasks = [
        replace(mask_emails, id=f"{domain}-{n}", domain=domain, level=level)
        for domain, level in (("security", 1), ("cost", 2))
        for n in range(4)
    ]
    results = [
        result_document("m", t, 1, Answer("x"), right if t.domain == "security" else wrong)
        for t in tasks
    ]
    report, _ = _written(tmp_path, results)
    numbers = report["by"]["domain"]["security"]
    assert (numbers["tasks"], numbers["right_rate"]) == (4, 1.0)
    assert numbers["score_interval"][0] < 0.6, "four tasks do not show a rate of one"
    page = (tmp_path / "report.html").read_text()
    assert "By domain" in page
    assert "By level" in page
    assert page.count('<svg role="img" aria-label="right ') == 4
    assert 'aria-label="right 0 percent, 0 to 49, score 0 percent, 0 to 49"' in page
