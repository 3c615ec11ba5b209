"""Do no harm across playbooks and changed inputs: a chain given up in its second phase, `modify`.

Others work behind every step of the way, on what the thread has made by then.
"""

from dataclasses import replace

import pytest

from skills_nb.model.routes import Route
from tests.builders import checkpoint, playbook, step
from tests.engine.chaining import DOMAINS, toy_library
from tests.harm.judge import verdict
from tests.harm.workplace import Workplace, approvable

_MADE = 'SHOP.OPS."loaded"'
_POLICY = 'SHOP.OPS."hide it"'
_MAKE = f'CREATE TABLE {_MADE} ("a" INT, "b c" STRING)'
_MASK = f'ALTER TABLE {_MADE} MODIFY COLUMN "b c" SET MASKING POLICY {_POLICY}'
LOAD = replace(
    playbook(
        step("1", _MAKE, checkpoint=checkpoint()),
        step("2", f"INSERT INTO {_MADE} VALUES (1, 'x')", checkpoint=checkpoint()),
        name="load",
    ),
    domain="loading",
)
GUARD = replace(
    playbook(
        step(
            "1",
            f"CREATE MASKING POLICY {_POLICY} AS (V STRING) RETURNS STRING -> '##'",
            _MASK,
            checkpoint=checkpoint(),
        ),
        step("2", f"GRANT SELECT ON TABLE {_MADE} TO ROLE KEEPER", checkpoint=checkpoint()),
        name="guard",
    ),
    domain="guarding",
)
_OTHERS = {
    "nothing": "",
    "adds rows": f"INSERT INTO {_MADE} VALUES (7, 'theirs')",
    "grants on it": f"GRANT SELECT ON TABLE {_MADE} TO ROLE CLERK",
    "looks through a view": f"CREATE VIEW SHOP.OPS.THEIRS AS SELECT * FROM {_MADE}",
    "tags it": f"ALTER TABLE {_MADE} SET TAG SHOP.OPS.TIER = 'gold'",
    "replaces it": f"CREATE OR REPLACE TABLE {_MADE} (Z INT); INSERT INTO {_MADE} VALUES (9)",
    "drops it": f"DROP TABLE {_MADE}",
}


def _routed(intent, library):
    books = (LOAD, GUARD)
    targets = tuple(book.ref for book in books)
    modes = ("playbook",) * len(books)
    domains = tuple(book.domain for book in books)
    return Route("chain", domains, targets, 0.9, modes, why=("as said",))


@pytest.fixture
def chained(tmp_path, monkeypatch):
    """A thread of two phases; the first makes what the second one guards."""
    monkeypatch.setattr("skills_nb.commands.home.prepared_routing.resolve_prepared", _routed)
    work = Workplace(tmp_path)
    made = toy_library(LOAD, GUARD)
    meta = replace(
        made.meta, domains={key: replace(DOMAINS[key], context_mapping=()) for key in DOMAINS}
    )
    work.app.wiring.__dict__["library"] = replace(made, meta=meta)
    work.invoke("run", "load then guard")
    yield work
    work.close()


@pytest.mark.slow
@pytest.mark.parametrize("word", _OTHERS)
@pytest.mark.parametrize("when", ["in phase 1", "between the phases", "in phase 2", "while asked"])
def test_a_chain_given_up_in_its_second_phase_takes_back_its_own_and_names_the_rest(
    chained, word, when
):
    work, script = chained, _OTHERS[word]
    for place in ("in phase 1", "between the phases", "in phase 2"):
        assert work.reply is not None
        if when == place and script:
            work.others(script)
        if place == "in phase 2" or not approvable(work.reply):
            break
        work.answer()
    work.clean(meanwhile=script if when == "while asked" else "")
    if word == "nothing":
        (proposed,) = work.events("cleanup_proposed")
        assert [one.created_in_step for one in proposed.orphaned_objects] == ["2.1", "2.1", "1.1"]
        assert work.said().status == "cleaned"
    assert work.refused == []
    assert verdict(work) == []


# ---- a changed input at step 5


_BOOK = """---
type: playbook
name: change-the-shop
domain: data-transformation
depends_on: [tables]
inputs:
  - {name: place, type: schema, default: SHOP.OPS, description: d}
  - {name: copy, type: string, default: "first one", description: d}
  - {name: copy_v, type: string, default: "first one v", description: d}
probes:
  - {id: standing, query: "SELECT CURRENT_ACCOUNT(), CURRENT_ROLE()"}
---

# Change the shop

## Objective

The shop is different.

## Steps

### Step 1: Agree

Say what is to come.

```yaml
checkpoint: {severity: critical, present: "It is to begin.", phrase: "change the shop"}
```
"""
_STEPS = (
    'CREATE TABLE {{ ident(place, copy) }} ("a" INT, "b c" STRING);',
    "INSERT INTO {{ ident(place, copy) }} VALUES (1, 'x');",
    "GRANT SELECT ON TABLE {{ ident(place, copy) }} TO ROLE KEEPER;",
    'CREATE VIEW {{ ident(place, copy_v) }} AS SELECT "a" FROM {{ ident(place, copy) }};',
)
_STEP = """
### Step {number}: Part {number}

Change it.

Reference: `primitives/tables`

```yaml
checkpoint: {{severity: review, present: "It is done."}}
```

```sql
{sql}
```
"""
_FIRST = 'SHOP.OPS."first one"'
_ON_FIRST = {
    "nothing": "",
    "adds rows": f"INSERT INTO {_FIRST} VALUES (7, 'theirs')",
    "grants on it": f"GRANT SELECT ON TABLE {_FIRST} TO ROLE CLERK",
    "looks through a view": f"CREATE VIEW SHOP.OPS.THEIRS AS SELECT * FROM {_FIRST}",
    "looks through the view": 'CREATE VIEW SHOP.OPS.THEIRS AS SELECT * FROM SHOP.OPS."first one v"',
    "grants on the view": 'GRANT SELECT ON VIEW SHOP.OPS."first one v" TO ROLE CLERK',
}


@pytest.mark.slow
@pytest.mark.parametrize("word", _ON_FIRST)
@pytest.mark.parametrize("behind", ["2", "5"])
@pytest.mark.parametrize("then", ["cleanup", "keep"])
def test_what_was_made_before_an_input_changed_goes_only_as_far_as_it_is_the_threads(
    tmp_path, word, behind, then
):
    work = Workplace(tmp_path)
    steps = (_STEP.format(number=n, sql=sql) for n, sql in enumerate(_STEPS, 2))
    work.begin(_BOOK + "\n".join(steps))
    work.approve_until(lambda reply: reply.pause is not None and reply.pause.at == behind)
    if word != "nothing" and not (behind == "2" and "the view" in word):
        work.others(_ON_FIRST[word])
    work.approve_until(lambda reply: reply.pause is not None and reply.pause.at == "5")
    work.invoke("respond", "modify", "--set", "copy=second one", "--set", "copy_v=second v")
    asked = work.reply.pause
    assert (asked.kind, asked.option(then) is not None) == ("cleanup_proposed", True)
    while work.reply.pause is not None and work.reply.pause.kind == "cleanup_proposed":
        work.answer(then)
    work.finish()
    work.clean()
    assert work.refused == []
    assert verdict(work) == []
    work.close()
