"""How an intent is said."""

import pytest

from skills_nb.routing.clauses import split_clauses
from skills_nb.routing.negation import negated_words
from skills_nb.routing.reasons import dry_run_reason
from skills_nb.routing.speech_acts import is_wish, listen, tells_circumstances
from skills_nb.routing.words import read_words


def wants_fact(intent):
    return listen(read_words(intent)).wants_fact


@pytest.mark.parametrize(
    "intent",
    [
        "what does TARGET_LAG mean?",
        "how do I detach a policy",
        "standard versus append-only stream",
        "Insufficient privileges to operate on schema 'X'",
        "does the role need the privilege to create a pipe?",
        "maximum length of a string",
        "share restrictions: meaning",
        "call a procedure with a table: what does $$ mean",
        "where do I push my docker image",
        "secure view vs normal view, slower?",
        "at which level can a monitor be set",
        "do we need a stage for the app?",
        "what do our service users need to do",
        "explain the difference of TRUE and FALSE",
        "when does a stream become stale",
        "prompts with pictures, which models take them",
        "replacement of MFA prompts: what are my options",
        "edition for object tags",
        "NVL and DECODE equivalents",
        "python version of streamlit",
        "fields of the report",
        "load the files: can they be split?",
        "does the view cover the last 30 days?",
    ],
)
def test_a_fact_is_wanted(intent):
    assert wants_fact(intent)


@pytest.mark.parametrize(
    "intent",
    [
        "create a stream on ORDERS",
        "can you suspend the warehouse?",
        "we want to see the ten longest queries",
        "each dealer should only get his own rows",
        "The run crashed. Continue it.",
        "which of our warehouses were idle last week?",
        "what size is REPORT_WH",
        "failed logins of the last week",
        "who read the payroll tables?",
        "role hierarchy for finance",
        "are all rows here? check each table",
        "which rows of A are missing in B",
        "how big are our ten largest tables",
        "load the feed, which has umlauts in it",
        "what changed between the two tables",
        "500 credits gone, by whom?",
        "scan our code, and what would the compute cost us?",
        "when the licence ends, move everything",
        "have an llm answer twenty questions on each",
        "a replica in another region, 15 min RPO",
        "a monthly credit limit for each team",
        "SQL Server to Snowflake, then limits on spend",
        "do not protect anything, list the columns",
        "explain the rise in May",
        "add column tier varchar default 'none'",
        "only afterwards do we offer the data",
        "move the tables, after which a nightly task calls them",
        "the stream fills a table, which feeds the model",
        "how it is moved is up to you, what matters: only HR may see it",
        "refresh failing? no. we want a new table",
        "can you load the files, and mask the names?",
        "timeout of 10 minutes for the adhoc warehouse",
        "put descriptions into an index by meaning",
    ],
)
def test_something_is_to_be_done(intent):
    assert not wants_fact(intent)


def away(intent):
    words = read_words(intent)
    return {words[at].text: sign for at, sign in negated_words(words).items()}


def test_what_is_refused_counts_against_and_what_is_replaced_counts_less():
    assert away("filter the rows, not masking") == {"masking": -0.6}
    assert away("don't protect anything yet") == {"protect": -0.6, "anything": -0.6, "yet": -0.6}
    assert away("a stream instead of a batch") == {"a": 0.3, "batch": 0.3}


@pytest.mark.parametrize("intent", ["it does not work", "object does not exist or not authorized"])
def test_a_report_turns_nothing_away(intent):
    assert away(intent) == {}


@pytest.mark.parametrize("intent", ["mask it but not for auditors", "mask all, except for HR"])
def test_whom_a_wish_leaves_out_turns_nothing_away(intent):
    assert away(intent) == {}


def clauses(intent):
    return [
        " ".join(word.text for word in each.words) for each in split_clauses(read_words(intent))
    ]


def test_clauses_begin_at_marks_and_joints_and_a_bare_verb_joins_the_next():
    assert clauses("Classify and summarise the reviews, then share them with partners") == [
        "classify and summarise the reviews",
        "then share them with partners",
    ]


def test_a_relative_clause_and_an_attribute_make_no_wish_of_their_own():
    assert not tells_circumstances(read_words("quality checks on what arrives"))
    (model, attribute) = split_clauses(read_words("add a cost model, with the metadata parsed out"))
    assert (model.is_context, attribute.is_context) == (False, True)


def test_what_only_checks_is_told_from_what_makes():
    (load, check) = split_clauses(read_words("load the files, and check the row counts"))
    assert (load.checks, check.checks) == (False, True)


def test_what_is_added_is_a_wish_without_a_verb():
    (*_, added) = split_clauses(read_words("postgres over to snowflake plus quality checks"))
    assert added.is_wish


@pytest.mark.parametrize(
    "part",
    ["no front end needed", "partition pruning is not important", "lineage doesn't matter"],
)
def test_what_is_not_asked_for_counts_against(part):
    said = part.replace("doesn't", "does not").split()
    assert away(f"load the files, {part}; then mask them") == dict.fromkeys(said, -0.6)


def test_a_list_with_numbers_or_arrows_is_cut_into_its_items():
    assert clauses("1) audit the reads 2) mask the rest") == ["audit the reads", "mask the rest"]
    assert clauses("json files -> daily totals -> reader account") == [
        "json files",
        "to daily totals",
        "to reader account",
    ]
    assert clauses("kafka -> table -> agent") == ["kafka", "to table", "to agent"]
    assert clauses("oracle -> snowflake") == ["oracle to snowflake"]


def test_a_last_word_after_a_mark_stands_alone_and_after_a_joint_does_not():
    assert clauses("load the files, mask columns, dashboard") == [
        "load the files",
        "mask columns",
        "dashboard",
    ]
    assert clauses("sort the mails by topic and urgency") == ["sort the mails by topic and urgency"]


def test_who_begins_with_the_time_comes_to_the_point_with_himself():
    assert clauses("after the big audit we publish the tables") == [
        "after the big audit",
        "we publish the tables",
    ]
    assert clauses("after we publish the tables") == ["after we publish the tables"]


def test_words_that_could_be_about_anything_say_nothing():
    assert not listen(read_words("please fix the problem for the team")).says_what
    assert listen(read_words("please fix the masking for the team")).says_what
    (mail, look) = split_clauses(read_words("classify the mails, look into that problem"))
    assert (mail.says_nothing, look.says_nothing) == (False, True)


def test_circumstances_are_told_from_wishes():
    assert tells_circumstances(read_words("the feeds are in the account"))
    assert is_wish(read_words("tickets in"))
    assert not is_wish(read_words("the finance tables"))
    (context, wish) = split_clauses(read_words("because audits are near, mask the columns"))
    assert (context.is_context, wish.is_context) == (True, False)


@pytest.mark.parametrize(
    ("intent", "modes", "reason"),
    [
        ("drop the column in PROD", ["guided"], "it touches production data"),
        ("I'm not sure whether to mask it", ["guided"], "the request sounds unsure"),
        (
            "create a tag and drop the old one",
            ["guided"],
            "it creates, changes or drops several things",
        ),
        ("secure my data", ["playbook"], "a playbook changes the account in several steps"),
        ("tag the table", ["guided"], ""),
        ("syntax of DROP in production", ["reference"], ""),
    ],
)
def test_a_dry_run_is_suggested_with_its_reason(intent, modes, reason):
    assert dry_run_reason(intent, modes) == reason


def test_who_announces_several_wishes_wishes_each_of_them():
    for intent in (
        "two things: a view on orders; a page showing it",
        "view -> page -> share",
        "load, mask, share, in that order",
    ):
        assert all(clause.is_wish for clause in split_clauses(read_words(intent))), intent


def test_who_asks_how_many_or_which_asks_for_a_figure_and_who_asks_why_does_not():
    assert listen(read_words("how many credits did we burn?")).asks_figure
    assert listen(read_words("and which query takes longest?")).asks_figure
    assert not listen(read_words("why did we burn so many credits?")).asks_figure


def test_one_thing_more_is_a_clause_though_a_single_noun_names_it():
    (_, page) = split_clauses(read_words("load the bank files and a dashboard"))
    assert [word.text for word in page.words] == ["and", "a", "dashboard"]
    (whole,) = split_clauses(read_words("load the bank files and dashboard"))
    assert len(whole.words) == 6


@pytest.mark.parametrize(
    "intent",
    [
        "are our warehouses too big",
        "whats snowpipe costing us",
        "give LOAD_WH a limit of 40 credits",
    ],
)
def test_who_asks_of_their_own_things_or_gives_a_limit_wants_no_fact(intent):
    assert not wants_fact(intent)


def test_what_a_message_about_ones_own_query_means_is_a_fact():
    assert wants_fact("what does the error mean that my query is not aggregated?")


def test_a_trial_on_a_few_rows_is_no_wish_but_a_check_of_the_keys_is():
    trial = split_clauses(read_words("classify the reviews, but try it on a few rows first"))[-1]
    check = split_clauses(read_words("classify the reviews, but check the keys first"))[-1]
    assert (trial.is_wish, trial.says_nothing) == (False, True)
    assert (check.is_wish, check.says_nothing) == (True, False)


def test_a_clause_that_says_that_history_of_a_history_told_before_points_back():
    after = "keep changes in a history table, and unload {} history to s3"
    assert split_clauses(read_words(after.format("that")))[-1].points_back
    assert not split_clauses(read_words(after.format("a")))[-1].points_back


def test_who_skips_broken_rows_turns_nothing_away_and_who_skips_masking_does():
    assert negated_words(read_words("skip broken lines")) == {}
    assert negated_words(read_words("skip masking policies")) != {}


@pytest.mark.parametrize(
    "intent",
    [
        "page on-call when a load fails",
        "I have a file on my laptop, how does it get into a table? do it for me",
        "user airflow with key, default warehouse ETL",
        "all the analysts have one password, that can not go on",
        "which roles does lisa have",
        "when did the pipe last load something",
        "how many orders per customer on average",
        "are the warehouses too big",
    ],
)
def test_a_condition_a_complaint_and_a_question_of_ones_own_want_no_fact(intent):
    assert not wants_fact(intent)


@pytest.mark.parametrize(
    "intent", ["the load fails", "what does DATA_RETENTION default to", "when does a task start"]
)
def test_trouble_itself_and_a_default_are_still_facts(intent):
    assert wants_fact(intent)


def test_who_delivers_something_tells_circumstances_and_who_asks_to_deliver_wishes():
    assert tells_circumstances(read_words("our agency drops a file"))
    assert tells_circumstances(read_words("my query needs 20 minutes"))
    assert not tells_circumstances(read_words("drops the file"))
    assert not tells_circumstances(read_words("a task that writes totals"))


def test_a_promise_to_be_kept_informed_only_checks():
    clauses = split_clauses(read_words("deploy the model, and let us know when it gets worse"))
    assert [clause.checks for clause in clauses] == [False, True]


@pytest.mark.parametrize(
    "intent",
    [
        "which databases do we have",
        "what did the pipes burn in march",
        "how many credits go to clustering",
        "why is the storage so big",
        "which grant is missing",
        "auditors complain about old passwords",
        "does the new schema hold anything",
    ],
)
def test_what_only_the_account_knows_is_no_fact_of_a_manual(intent):
    assert not wants_fact(intent)


@pytest.mark.parametrize(
    "intent", ["which editions do we need", "why did it choose full", "which privileges are needed"]
)
def test_what_stands_in_a_manual_is_one_still(intent):
    assert wants_fact(intent)
