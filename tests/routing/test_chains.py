"""Order of the domains in a chain."""

from itertools import permutations

from skills_nb.model.routers import Domain
from skills_nb.routing import resolve
from skills_nb.routing.chains import Phase, in_order
from skills_nb.routing.ranking import RankedTarget

DOMAINS = {
    "load": Domain("load", "routers/load", produces=("tables",)),
    "secure": Domain("secure", "routers/secure", requires=("tables",), produces=("policies",)),
    "share": Domain("share", "routers/share", requires=("tables",), uses=("policies",)),
    "cost": Domain("cost", "routers/cost", produces=("reports",)),
}


def phase(domain, place, **said):
    return Phase(domain, RankedTarget(0, "", domain, "guided", "", 1.0, 1.0), place, **said)


def order(*phases):
    return [each.domain for each in in_order(phases, DOMAINS)]


def test_what_requires_comes_after_what_produces_however_it_was_said():
    assert order(phase("secure", 0), phase("load", 1, comes_later=True)) == ["load", "secure"]


def test_nobody_waits_for_what_only_takes_something_out():
    taken = phase("load", 1, takes_out=True)
    assert order(phase("secure", 0), taken) == ["secure", "load"]
    assert order(taken, phase("secure", 2)) == ["load", "secure"]


def test_what_is_unloaded_comes_after_what_was_made_and_what_is_loaded_before(library):
    route = resolve("translate SHOP.RAW.NOTES to english, then export it as csv to s3", library)
    assert route.domains == ("ml-ai", "data-integration")
    route = resolve("translate the notes to english, but first load them from s3", library)
    assert route.domains == ("data-integration", "ml-ai")


def test_what_uses_comes_after_what_produces_unless_the_speaker_says_otherwise():
    assert order(phase("share", 0), phase("secure", 1)) == ["secure", "share"]
    assert order(phase("share", 0), phase("secure", 1, comes_later=True)) == ["share", "secure"]


def test_what_the_speaker_wants_first_comes_first():
    assert order(phase("cost", 0), phase("load", 1, comes_first=True)) == ["load", "cost"]


def test_without_any_rule_the_order_of_speaking_counts():
    assert order(phase("cost", 0), phase("load", 1)) == ["cost", "load"]


def test_every_phase_is_kept_once_in_any_order_of_speaking():
    for names in permutations(DOMAINS):
        assert sorted(order(*(phase(name, at) for at, name in enumerate(names)))) == sorted(names)


def test_domains_that_require_each_other_do_not_hang():
    circle = {
        "a": Domain("a", "routers/a", requires=("y",), produces=("x",)),
        "b": Domain("b", "routers/b", requires=("x",), produces=("y",)),
    }
    assert [each.domain for each in in_order([phase("a", 0), phase("b", 1)], circle)] == ["a", "b"]


def test_two_wishes_inside_one_domain_are_no_chain(library):
    route = resolve("mask the email column and tag the table with its owner", library)
    assert route.mode != "chain"


def test_a_question_of_fact_about_two_domains_is_no_chain(library):
    route = resolve("can a masking policy be used in a dynamic table and in a share?", library)
    assert route.mode == "reference"


def test_a_wish_that_says_too_little_alone_is_about_what_the_others_need(library):
    words = "Get CRM exports into tables, mask what is personal, build a dashboard"
    route = resolve(words, library)
    assert route.domains == ("data-integration", "data-security", "app-development")
    assert route.targets[0] == "playbooks/load-files-from-stage"


def test_what_others_need_is_not_read_into_words_that_point_elsewhere(library):
    words = "Build a React app over the forecast tables, and it must not leave Snowflake."
    assert resolve(words, library).domains == ("app-development",)


def test_every_clause_of_a_list_without_verbs_is_a_wish(library):
    route = resolve("CSV files from the bucket, personal fields hidden, KPIs on top.", library)
    assert route.domains == ("data-integration", "data-security", "semantic-modeling")


def test_checking_what_was_made_is_no_phase_of_its_own(library):
    route = resolve("load the parquet files from S3 into a new table and check the counts", library)
    assert route.domains == ("data-integration",)


def test_what_the_best_answer_leaves_unexplained_is_a_wish_of_its_own(library):
    route = resolve("share the masked patient table with the university", library)
    assert route.domains == ("data-security", "data-sharing")


def test_what_is_left_over_without_the_word_of_a_domain_is_none(library):
    assert resolve("resume the evaluation from where it was cut off", library).domains == (
        "agent-evaluation",
    )


def test_wishes_are_heard_beside_a_question_about_the_account(library):
    words = "Which warehouse used most credits last month? And mask the salary column, please."
    assert resolve(words, library).domains == ("cost-operations", "data-security")


def test_two_wishes_in_what_sounds_like_a_question_make_a_chain_and_two_facts_do_not(library):
    wishes = "kindly do the needful: load csv files from s3 and then mask the card numbers"
    assert resolve(wishes, library).domains == ("data-integration", "data-security")
    facts = "is a masking policy applied to clones, and can a share hold a clone?"
    assert resolve(facts, library).mode == "reference"
