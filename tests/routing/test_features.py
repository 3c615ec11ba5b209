"""What a run of words is about."""

from skills_nb.routing.constructions import APP_OVER, COMPARED, PER_GROUP
from skills_nb.routing.features import build_lexicon, features, subjects
from skills_nb.routing.words import read_intent, read_words

LEXICON = build_lexicon(
    {
        "data quality check": "data quality",
        "data quality": "data quality",
        "data quality of suppliers": "supplier rating",
        "notes": "text column",
        "?!": "nothing",
        "cost of a query": "query cost",
        "cost of storage": "storage cost",
    }
)


def symbols(text):
    return [subject.symbol for subject in subjects(read_words(text), LEXICON)]


def test_the_longest_phrase_of_the_vocabulary_counts_in_any_inflection():
    assert symbols("data quality checks") == ["§data-quality"]
    assert symbols("data quality of suppliers") == ["§supplier-rating"]
    assert symbols("cost of storage") == ["§storage-cost"]
    assert symbols("data quality now soon") == ["§data-quality", "soon"]
    assert symbols("data quality") == ["§data-quality"]


def test_a_word_of_grammar_is_no_phrase_though_it_looks_like_one():
    assert symbols("read the notes") == ["read", "§text-column"]
    assert symbols("or rather not") == ["rath"]
    assert symbols("not soon") == ["soon"]


def test_a_short_number_says_nothing_and_a_long_one_is_an_error():
    assert symbols("error 42") == ["error"]
    assert symbols("error 5023") == ["error", "5023"]


def test_a_term_counts_more_than_the_words_that_it_covers():
    found = features(subjects(read_words("data quality"), LEXICON))
    assert found == {"§data-quality": 1.0, "data": 0.5, "qual": 0.5}


def test_a_place_outside_tells_by_its_preposition_where_things_go():
    lexicon = build_lexicon({"bucket": "cloud storage"})

    def direction(text):
        found = features(subjects(read_words(text), lexicon))
        return {name for name in found if name.endswith("-outside")}

    assert direction("copy it from the bucket") == {"§from-outside"}
    assert direction("copy it into our bucket") == {"§to-outside"}
    assert direction("the bucket") == set()
    assert direction("away from here, the bucket") == set()


def test_who_asks_for_an_answer_gives_nothing_away():
    assert symbols("give me reports") == ["report"]
    assert symbols("give partners reports") == ["giv", "partn", "report"]


def test_who_limits_the_readers_says_so_whoever_may_read_and_however_it_is_put():
    for said in (
        "nobody but HR may see pay",
        "no one except HR can read pay",
        "only HR should see pay",
        "nobody in dev sees pay",
    ):
        assert "§only-some-may-read" in symbols(said), said
    for said in ("each branch sees only its rows", "shops see their own sales only"):
        assert "§only-their-own" in symbols(said), said


def test_what_nobody_reads_and_what_is_only_a_part_limits_no_readers():
    for said in ("tables that nobody reads", "parse only the first page", "nobody; may I see it"):
        assert not {"§only-some-may-read", "§only-their-own"} & {*symbols(said)}, said


def test_a_column_that_may_be_worked_with_but_not_shown_is_told_from_one_that_is_hidden():
    for said in ("join on the id but do not show it", "filter by it without seeing it"):
        assert "§used-but-not-shown" in symbols(said), said
    for said in ("join the tables and show them", "do not show the id", "filter; do not show it"):
        assert "§used-but-not-shown" not in symbols(said), said


def test_rows_summed_up_per_group_are_told_from_an_extreme_that_a_manual_names():
    assert "§figure-per-group" in symbols("maximum temperature per sensor")
    assert "§figure-per-group" in symbols("total amount by month")
    assert "§figure-per-group" not in symbols("maximum length of a string")
    assert "§figure-per-group" not in symbols("a view with the average fee per ward")


def test_a_role_is_let_change_rows_and_a_task_only_does_it():
    assert symbols("let role LOADER truncate it")[0] == "allow"
    assert symbols("let the nightly task delete it")[0] != "allow"


def test_what_is_shared_with_others_is_told_from_a_grant_and_from_what_is_only_shared():
    for said in ("share the forecast with the dealers", "tables shared to their account"):
        assert "§share-with-somebody" in symbols(said), said
    for said in (
        "share it with role BI",
        "the shared pool has to grow",
        "share my screen with her",
    ):
        assert "§share-with-somebody" not in symbols(said), said


def test_an_app_over_tables_is_told_from_an_app_and_from_its_name():
    for said in (
        "a small board over SHOP.MART",
        "dashboard for the managers on top of the tables",
        'an app showing "Trade"."orders" by day',
    ):
        assert APP_OVER in [one.symbol for one in subjects(read_intent(said), LEXICON)], said
    for said in ("deploy the streamlit app.py", "the app TOUR.APPS.BOARD is slow", "an app. Over"):
        assert APP_OVER not in [one.symbol for one in subjects(read_intent(said), LEXICON)], said


STORES = build_lexicon({"s3": "cloud storage", "let role": "grant"})


def directions(text):
    return [one.direction for one in subjects(read_intent(text), STORES) if one.direction]


def test_what_others_bring_to_a_place_outside_is_fetched_and_what_is_to_be_stored_goes_there():
    assert directions("the scanners dump a csv into s3") == ["§from-outside"]
    assert directions("our dealer puts files on sftp -> s3") == ["§from-outside"]
    assert directions("save the old logs as parquet on s3") == ["§to-outside"]
    assert directions("dump the table into s3") == ["§to-outside"]
    assert directions("files on s3") == []


def said_of(text):
    return [subject.symbol for subject in subjects(read_intent(text), STORES)]


def test_two_tables_that_are_named_are_compared_and_one_is_not():
    assert COMPARED in said_of("what is different between A.B.OLD and A.B.NEW")
    assert COMPARED in said_of("rows that are in A.B.OLD but not in A.B.NEW")
    assert COMPARED not in said_of("is A.B.OLD different now")
    assert COMPARED not in said_of("copy A.B.OLD to A.B.NEW")


def test_a_part_per_group_and_the_last_rows_of_a_table_are_figures():
    assert PER_GROUP in said_of("share of orders delivered late per carrier")
    assert PER_GROUP in said_of("the 20 latest entries of A.B.LOGS")
    assert PER_GROUP not in said_of("number of columns")
    assert PER_GROUP not in said_of("the latest entries of A.B.LOGS")


def test_who_has_a_name_is_granted_something_and_a_model_is_let_do_nothing():
    assert "§grant" in said_of("let DEMO.READER query the views")
    assert not {"§grant", "allow"} & set(said_of("let ai write a headline"))
