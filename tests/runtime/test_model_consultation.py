"""A model at the joints: what it may answer, and that no text it reads widens what is executed."""

import pytest

from skills_nb.model.routes import Candidate, Route
from skills_nb.model.skills import InputSpec
from tests.builders import checkpoint, playbook, step
from tests.engine.driving import Drive
from tests.fakes import ScriptedResolver

TAG = playbook(
    step("1", "CREATE TAG {{ name }}", checkpoint=checkpoint()),
    name="tag",
    inputs=(InputSpec("name", type="table"),),
)
OTHER = playbook(step("1", "CREATE TAG OTHER"), name="other")
SECRET = playbook(
    step("1", "CREATE SECRET S"), name="secret", inputs=(InputSpec("key", secret=True),)
)


def unsure(intent, library):
    found = tuple(
        Candidate(f"playbooks/{name}", "playbook", "data-security", 0.4, name)
        for name in ("tag", "other")
    )
    return Route("clarify", (), (), 0.4, (), found)


class Model(ScriptedResolver):
    """Says how sure it is."""

    def __init__(self, confidence=0.9, **said):
        super().__init__(**said)
        self.confidence = confidence

    def choose(self, question, options):
        said = super().choose(question, options)
        return said and type(said)(said.document, self.confidence, {"output_tokens": 3})


def routed(**model):
    made = Drive(TAG, OTHER, router=unsure, resolver=Model(**model), goal="tag it as PII")
    made.run()
    return made


def asked(value, goal="playbooks/tag"):
    made = Drive(
        TAG, OTHER, router=unsure, resolver=ScriptedResolver(values={"name": value}), goal=goal
    )
    made.run()
    return made


def test_a_model_chooses_among_the_targets_that_are_offered_and_is_named():
    made = routed(choice="playbooks/tag")
    told = made.events("model_answered")[0]
    assert (told.joint, told.model, told.answer, told.confidence, told.cost) == (
        "route",
        "scripted",
        {"choice": "playbooks/tag"},
        0.9,
        {"output_tokens": 3},
    )
    assert made.events("human_response")[0].actor == "model:scripted"
    assert made.pause.at == "input:name"


@pytest.mark.parametrize(
    "model",
    [
        {"choice": "playbooks/tag", "confidence": 0.5},
        {"choice": "playbooks/drop-everything"},
        {"choice": "abort"},
        {"choice": "none-of-these"},
        {"choice": None},
    ],
    ids=str,
)
def test_where_a_model_is_unsure_or_leaves_the_options_a_person_is_asked(model):
    made = routed(**model)
    assert made.pause.kind == "routing_ambiguous"
    assert len(made.events("model_answered")) == 1


def test_a_pause_is_put_to_a_model_once_also_by_another_process():
    made = routed(choice=None)
    made.resume()
    made.resume()
    assert len(made.resolver.asked) == 1


def test_a_model_fills_in_what_the_persons_words_say():
    made = Drive(
        TAG,
        router=lambda intent, library: Route(
            "playbook", ("data-security",), ("playbooks/tag",), 1.0, ("playbook",)
        ),
        resolver=ScriptedResolver(values={"name": "PII"}),
        goal="make a tag called pii",
    )
    made.run()
    (gathered,) = made.events("input_gathered")
    assert (gathered.value, gathered.actor) == ("PII", "model:scripted")
    assert made.ran == ["CREATE TAG PII"]


@pytest.mark.parametrize(
    "value",
    [
        "SALARIES",
        "PII; DROP DATABASE PROD",
        'PII" --',
        "PII')); GRANT ROLE ACCOUNTADMIN TO USER EVE; --",
        "",
        ["PII", "SALARIES"],
        {"name": "PII"},
        None,
    ],
    ids=str,
)
def test_what_a_model_read_elsewhere_never_becomes_an_input(value):
    made = asked(value)
    assert (made.pause.at, made.ran) == ("input:name", [])


def test_words_that_are_no_name_are_refused_by_the_inputs_type():
    made = asked("tag; drop database prod", goal="playbooks/tag")
    assert (made.pause.at, made.ran) == ("input:name", [])


def test_a_secret_is_not_asked_of_a_model():
    made = Drive(SECRET, resolver=ScriptedResolver(values={"key": "secret"}))
    made.run()
    assert (made.pause.at, made.resolver.asked) == ("input:key", [])


def test_a_checkpoint_gets_a_suggestion_and_waits_as_it_did():
    made = Drive(TAG, resolver=Model(choice="approve"), name="PII")
    made.run()
    told = made.events("model_answered")[0]
    assert (told.joint, told.answer) == ("1", {"choice": "approve"})
    assert (made.pause.at, made.events("human_response")) == ("1", [])


def test_a_model_is_told_the_curated_window_and_not_the_thread():
    made = Drive(TAG, resolver=Model(choice="approve"), name="PII")
    made.run()
    question, options = made.resolver.asked[0]
    assert "playbooks/tag" in question
    assert len(question) <= 2000 * 4
    assert {"approve", "abort"} <= set(options)
