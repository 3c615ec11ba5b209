"""What a change of a name reaches."""

from hypothesis import given, settings
from hypothesis import strategies as st

from skills_nb.engine.changed_inputs.step_dependencies import Reach, reach_of
from skills_nb.model.skills import ForEach, OptionSpec, ProbeCheck, ProbeSpec
from tests.builders import checkpoint, playbook, step, text_input


def reaching(name, *steps, **fields):
    fields.setdefault("inputs", (text_input(name),))
    return reach_of(playbook(*steps, **fields), [name])


def test_a_name_reaches_the_steps_that_read_it_in_any_place():
    steps = (
        step("1", "SELECT {{ x }} AS N"),
        step("2", "SELECT 1 AS N"),
        step("3", "SELECT 1 AS N", when="X IS NOT NULL"),
        step("4", "SELECT 1 AS N", role="{x}"),
        step("5", "SELECT 1 AS N", for_each=ForEach("one", "[other, x]")),
        step("6", "SELECT 1 AS N", verify="SELECT {{ x }}"),
        step("7", "SELECT {% for y in x %}{{ y }}, {% endfor %}1 AS N"),
    )
    assert reaching("x", *steps) == Reach(steps=("1", "3", "4", "5", "6", "7"))


def test_a_name_reaches_what_reads_the_results_of_what_it_reaches():
    steps = (
        step("1", "SELECT {{ x }} AS N", binds={"found": "rows"}),
        step("2", "SELECT {{ found[0].N }} AS M", binds={"more": "first.M"}),
        step("3", "SELECT {{ step_2.more }} AS M"),
        step("4", "SELECT 1 AS M", binds={"alone": "first.M"}),
        step("5", "SELECT {{ alone }} AS M"),
    )
    assert reaching("x", *steps).steps == ("1", "2", "3")


def test_what_a_template_or_a_loop_names_itself_is_not_read():
    steps = (
        step("1", "SELECT {% for x in things %}{{ x }},{% endfor %} 1 AS N"),
        step("2", "{% set x = 1 %}SELECT {{ x }} AS N"),
        step("3", "SELECT {{ x }} AS N", for_each=ForEach("x", "things")),
        step("4", "{% set x = x %}SELECT {{ x }} AS N"),
    )
    assert reaching("x", *steps).steps == ("4",)


def test_a_step_that_only_tells_of_a_name_is_shown_again():
    told = checkpoint("critical", "For {x}.", phrase="protect {x}")
    offered = checkpoint(options=(OptionSpec("more", "More", when="x = 1"),))
    steps = (
        step("1", "SELECT 1 AS N", checkpoint=told, binds={"found": "rows"}),
        step("2", "SELECT {{ found }} AS N"),
        step("3", "SELECT 1 AS N", checkpoint=offered),
    )
    assert reaching("x", *steps) == Reach(shown=("1", "3"))


def test_what_cannot_be_read_is_taken_to_read_everything():
    steps = (step("1", "SELECT {{ 'x' "), step("2", "SELECT 1 AS N", when="CASE WHEN"))
    assert reaching("x", *steps).steps == ("1", "2")


def test_a_probe_looks_at_what_its_query_its_conditions_and_its_messages_name():
    def probing(query="SELECT 1", **check):
        return (ProbeSpec("p", query, True, (ProbeCheck(**check),) if check else ()),)

    for probes in (
        probing("SELECT {{ x }}"),
        probing(condition="count = X", action="warn"),
        probing(condition="count = 1", action="warn", message="mind {x}"),
    ):
        assert reaching("x", step("1", "SELECT 1 AS N"), probes=probes) == Reach(probes=True)
    assert reaching("y", step("1", "SELECT 1 AS N"), probes=probing("SELECT {{ x }}")) == Reach()


def test_the_expected_account_of_a_probe_is_an_input_by_another_name():
    check = ProbeCheck("account != expected_account", "block")
    probes = (ProbeSpec("p", "SELECT CURRENT_ACCOUNT()", True, (check,)),)
    assert reaching("target_account", step("1", "SELECT 1 AS N"), probes=probes).probes


def test_an_input_that_hangs_on_a_result_carries_a_change_on():
    book = playbook(
        step("1", "SELECT {{ x }} AS N", binds={"found": "first.N"}),
        step("2", "SELECT {{ y }} AS N"),
        inputs=(text_input("x"), text_input("y")),
    )
    assert reach_of(book, ["x"], sources={"y": {"found"}}) == Reach(("1", "2"), inputs=("y",))
    assert reach_of(book, ["x"]) == Reach(("1",))


def test_only_steps_within_a_limit_count_and_carry_on():
    book = playbook(
        step("1", "SELECT {{ x }} AS N", binds={"found": "first.N"}),
        step("2", "SELECT {{ found }} AS N"),
    )
    assert reach_of(book, ["x"], within=["2"]) == Reach()
    assert reach_of(book, [], steps=["1"]) == Reach(("1", "2"))


NAMES = ("a", "b", "c", "d", "e", "f")


@st.composite
def books(draw):
    """A playbook whose steps read some names and bind one each."""
    made = []
    for number, bound in enumerate(NAMES[2:], 1):
        read = draw(st.sets(st.sampled_from(NAMES), max_size=2))
        sql = "SELECT " + ", ".join([*(f"{{{{ {name} }}}}" for name in sorted(read)), "1 AS N"])
        made.append((read, bound, step(str(number), sql, binds={bound: "rows"})))
    return made


@settings(max_examples=60, deadline=None)
@given(books(), st.sets(st.sampled_from(NAMES[:2])))
def test_law_a_step_is_reached_exactly_where_a_path_of_names_leads_to_it(made, changed):
    told, found = set(changed), set()
    for _ in made:
        for read, bound, one in made:
            if read & told:
                found.add(one.id)
                told.add(bound)
    steps = [one for _, _, one in made]
    assert set(reach_of(playbook(*steps), changed).steps) == found
