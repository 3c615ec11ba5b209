"""What a run of words is about."""

from skills_nb.routing.features import build_lexicon, features, subjects
from skills_nb.routing.words import read_words

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
