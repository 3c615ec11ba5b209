"""Figures on labelled intents; the floors are what the product promises, or better.

`dev_intents` were given. `intents` were labelled before the first word of a router was written, and
every second one was left alone while tuning. `later_intents` and `asked_intents` were labelled in
lots, each before the router had seen one of it, half of `asked_intents` after what people ask in
public; then the routers were widened. As the six lots of `asked_intents` were first met, 86, 82,
79, 78, 85 and 90 of 100 targets were right. `held_out_intents` were labelled last, nothing was
changed after them, and 92 of 100 targets were right: that is what to expect of new intents.

Later somebody who had read neither rules nor keywords wrote 160 `examined_intents`: at first sight
97 of 100 targets and 73 of 100 chains were right. After repairs 96 `reexamined_intents` had 96 and
65 of 100 at first sight, and after repairs of these 35 `ordered_intents`, most of them chains, had
97 and 79. Phrases of time were still added after the last, so its floors are loose too.

Then somebody else wrote 486 `worded_intents` in four lots and 100 `reworded_intents`, 40 or more of
every lot chains said in as many ways as could be thought of, each before the router had seen one of
it. As the five lots were first met, 92, 90, 89, 91 and 90 of 100 targets were right, all three of
69, 80, 77, 76 and 78 intents, 46, 60, 60, 68 and 65 of 100 chains, and of what is vague or not ours
84, 96, 95, 75 and 90 were asked about. The router as it was before had 46, 56, 38, 48 and 45 of 100
chains. So 65 of 100 is what to expect of chains that are said in unusual ways. Two rules were still
added after the last lot, so its floors are loose.

Last came `named_intents` and `named_held_out_intents`: 200 wishes, every second of which names
tables, columns or roles, as analysts, engineers and managers say them in a few words. At first
sight 86 and 80 of 100 targets were right, all three of 82 and 82 intents. Only the former were
looked at afterwards, and 240 `short_intents` in two lots, of which 75 and 74 of 100 targets were
right at first sight: so short a wish in a person's own words is where routing is weakest.

At last the misses of `worded`, `reworded`, `short`, `later` and `asked_intents` were read together
and their causes repaired, class by class. What these files measure since then is known ground; the
two files of `held_out` intents were not opened, and stayed where they were.

Then 149 `unseen_intents` were labelled by somebody who had not seen the rules: 89 of 100 targets
and all three of 85 intents were right at first sight. They have been read since, so they are known
ground too. So are 294 `looked_intents` in two lots (85 and 83 of 100 targets at first sight, each
after what had been read before it was repaired). Of 244 `fresh_intents`, labelled before all this,
every first one of two was looked at. The others are locked: only their score, some ten times, and
how many miss in which way have been seen: 87 of 100 targets before and 91 after, all three of 86
and 91 intents. What still goes wrong in them is not known, and should not be looked up.

The last are 303 `voiced_intents`, in the voices of analysts, administrators, managers, data
scientists, support engineers and people who speak English as a foreign language. At first sight 86
of 100 targets and all three of 85 intents were right, 95 of 100 chains were in order, and all of
what is vague was asked about, as was 1.8 % of what is clear. The even half was read afterwards.
The odd half is locked like that of `fresh_intents`: 85 of 100 targets and all three of 82 intents
before the repairs, of 83 after them. That is what to expect of intents in other people's voices.

Of 240 `overheard_intents`, every second of which names something of the speaker's, written before
the routers were read, 85 of 100 targets and all three of 81 intents were right at first sight. The
even half was read, and so were some 540 further wishes that are kept nowhere; the odd half is
locked, and was scored twice: 87 of 100 targets and all three of 83 intents before the repairs, 91
and 90 after them. The voices that nobody read stand at 86 and 83. A few misses of the `held_out`
intents were seen on the way, so they are less unknown than they were.

Of 500 `spoken_intents`, everyday sentences, 73 of 100 targets were right once routing had learned
from `utterances.md`. The even half was read, and 87 of 100 are right there now; of the odd half,
which nobody read, 74. So words that are added for what was read hardly help what was not.
"""

import pytest

from skills_nb.routing.words import read_words
from tests.routing.score import HERE, LOCKED, main, measure, read_intents

PROMISED = {"target": 0.90, "all": 0.80, "chain_order": 0.75, "vague_asked": 0.85}
MOST_CLEAR_ASKED = 0.05
MET = (
    *("dev_intents", "intents", "later_intents", "asked_intents", "named_intents"),
    *("unseen_intents", "looked_intents"),
)
LOOSE = {"target": 0.85, "all": 0.75, "chain_order": 0.6, "vague_asked": 0.75}
MOST_UNSEEN_ASKED = 0.08
"""Floors for what must not be tuned for: a change may cost a few, not many."""
UNREAD = {"target": 0.91, "all": 0.9, "chain_order": 0.9, "vague_asked": 0.9}
MOST_UNREAD_ASKED = 0.02
"""A little below what was measured on intents of which only the score has been seen."""
VOICED = {"target": 0.84, "all": 0.81, "chain_order": 0.8, "vague_asked": 0.9}
MOST_VOICED_ASKED = 0.04
"""The same for other people's voices."""
OVERHEARD = {"target": 0.88, "all": 0.87, "chain_order": 0.8, "vague_asked": 0.9}
"""And for what is overheard."""
SPOKEN = {"target": 0.84, "all": 0.81}
MOST_SPOKEN_ASKED = 0.05
UNREAD_SPOKEN = {"target": 0.71, "all": 0.69}
MOST_UNREAD_SPOKEN_ASKED = 0.08
"""For everyday sentences, where routing is weakest: those that were read, and those that were not.
Only clear single wishes are among them."""


@pytest.mark.parametrize("name", [*MET, "examined_intents", "worded_intents"])
def test_the_labelled_intents_meet_the_promised_figures(library, name):
    figures = measure(read_intents(HERE / f"{name}.jsonl"), library)
    assert {part: figures[part] for part, floor in PROMISED.items() if figures[part] < floor} == {}
    assert figures["clear_asked"] <= MOST_CLEAR_ASKED


def test_the_half_that_was_held_out_while_tuning_meets_them_too(library):
    figures = measure(read_intents(HERE / "intents.jsonl", "odd"), library)
    assert figures["target"] >= PROMISED["target"]
    assert figures["all"] >= PROMISED["all"]
    assert figures["clear_asked"] <= MOST_CLEAR_ASKED


@pytest.mark.parametrize(
    "name",
    [
        "held_out_intents",
        "named_held_out_intents",
        "reexamined_intents",
        "ordered_intents",
        "reworded_intents",
        "short_intents",
    ],
)
def test_intents_that_hardly_anything_was_tuned_for_are_answered_nearly_as_well(library, name):
    figures = measure(read_intents(HERE / f"{name}.jsonl"), library)
    assert {part: figures[part] for part, floor in LOOSE.items() if figures[part] < floor} == {}
    assert figures["clear_asked"] <= MOST_UNSEEN_ASKED


@pytest.mark.parametrize("name", sorted(LOCKED - {"spoken_intents.jsonl"}))
def test_the_half_that_was_looked_at_is_answered_like_known_ones(library, name):
    figures = measure(read_intents(HERE / name, "even"), library)
    assert {part: figures[part] for part, floor in PROMISED.items() if figures[part] < floor} == {}
    assert figures["clear_asked"] <= MOST_CLEAR_ASKED


def test_locked_intents_that_nobody_ever_looked_at_keep_their_score(library):
    figures = measure(read_intents(HERE / "fresh_intents.jsonl", "odd"), library)
    assert {part: figures[part] for part, floor in UNREAD.items() if figures[part] < floor} == {}
    assert figures["clear_asked"] <= MOST_UNREAD_ASKED


def test_voiced_intents_that_nobody_looked_at_keep_their_score(library):
    figures = measure(read_intents(HERE / "voiced_intents.jsonl", "odd"), library)
    assert {part: figures[part] for part, floor in VOICED.items() if figures[part] < floor} == {}
    assert figures["clear_asked"] <= MOST_VOICED_ASKED


def test_overheard_intents_that_nobody_looked_at_keep_their_score(library):
    figures = measure(read_intents(HERE / "overheard_intents.jsonl", "odd"), library)
    assert {part: figures[part] for part, floor in OVERHEARD.items() if figures[part] < floor} == {}
    assert figures["clear_asked"] <= MOST_VOICED_ASKED


@pytest.mark.parametrize(
    ("half", "floors", "most_asked"),
    [
        ("even", SPOKEN, MOST_SPOKEN_ASKED),
        ("odd", UNREAD_SPOKEN, MOST_UNREAD_SPOKEN_ASKED),
    ],
)
def test_everyday_sentences_keep_their_score(library, half, floors, most_asked):
    figures = measure(read_intents(HERE / "spoken_intents.jsonl", half), library)
    assert {part: figures[part] for part, floor in floors.items() if figures[part] < floor} == {}
    assert figures["clear_asked"] <= most_asked


@pytest.mark.parametrize("name", sorted(LOCKED))
@pytest.mark.parametrize("half", [[], ["--half", "odd"]])
def test_the_half_that_is_never_read_is_not_printed(name, half, capsys):
    with pytest.raises(SystemExit):
        main([*half, "-v", str(HERE / name)])
    assert capsys.readouterr().out == ""


def test_no_keyword_or_example_is_a_labelled_intent(library):
    said = {
        " ".join(word.text for word in read_words(row["intent"]))
        for path in sorted(HERE.glob("*.jsonl"))
        for row in read_intents(path)
    }
    texts = {
        " ".join(word.text for word in read_words(text))
        for router in library.routers.values()
        for parameter in router.parameters
        for option in parameter.options
        for text in (*option.keywords, *option.examples)
    }
    assert {text for text in texts & said if len(text.split()) > 3} == set()


def test_every_label_names_what_the_library_has(library):
    rows = [row for path in sorted(HERE.glob("*.jsonl")) for row in read_intents(path)]
    named = {target for row in rows for target in row["targets"] if target}
    assert named - set(library.index) == set()
    assert {domain for row in rows for domain in row["domains"]} == set(library.meta.domains)


def test_there_are_at_least_three_hundred_intents_of_our_own():
    assert len(read_intents(HERE / "intents.jsonl")) >= 300


def test_every_target_has_a_labelled_intent(library):
    rows = [row for path in sorted(HERE.glob("*.jsonl")) for row in read_intents(path)]
    skills = {ref for ref, entry in library.index.items() if entry.kind != "routers"}
    assert skills - {target for row in rows for target in row["targets"]} == set()
