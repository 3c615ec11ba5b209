"""Chains in other processes, with plans in them, and where their targets are open."""

from dataclasses import replace

import pytest

from skills_nb.errors import ThreadError
from skills_nb.model.library import IndexEntry
from skills_nb.model.routes import Route
from tests.builders import CONTEXT, checkpoint, offered, primitive, step, text_input
from tests.engine.chaining import LOAD, ChainDrive, toy_library, toy_router

BOARD = replace(
    primitive("board"),
    domain="showing",
    plans=(
        offered(
            "board",
            "CREATE VIEW {{ ident(table.container, 'BOARD') }} AS SELECT * FROM {{ table }}",
            inputs=(text_input("table", type="table", infer_from=("intent",)),),
        ),
    ),
)


def with_board(library):
    index = {**library.index, BOARD.ref: IndexEntry("primitives", BOARD.name, BOARD.domain)}
    return replace(library, primitives={"board": BOARD}, index=index)


def board_router(intent, library):
    """Know the playbooks by name, and the board, which is guided."""
    route = toy_router(intent, library)
    if "board" not in intent:
        return route
    domains, targets = (*route.domains, "showing"), (*route.targets, "primitives/board")
    modes = (*route.modes, "guided")
    return Route("chain" if len(domains) > 1 else "guided", domains, targets, 0.9, modes)


def drive_of(goal, router=toy_router, **inputs):
    drive = ChainDrive(goal, **(inputs or {"target_table": "DB.S.T"}))
    drive.library, drive.router = with_board(drive.library), router
    return drive


# ---- plans


def test_what_a_phase_made_flows_into_the_plan_of_the_next():
    drive = drive_of("load then board", board_router)
    drive.run()
    drive.approve_to("plan")
    (mapped,) = drive.events("context_mapped")
    assert mapped.mappings == [{"from": "tables", "to": "table", "value": "DB.S.T"}]
    assert [s.sql for s in drive.events("plan_proposed")[0].steps] == [
        "CREATE VIEW DB.S.BOARD AS SELECT * FROM DB.S.T"
    ]
    drive.approve_to("the end")
    assert (drive.state.status, drive.ran[-1]) == (
        "completed",
        "CREATE VIEW DB.S.BOARD AS SELECT * FROM DB.S.T",
    )


def test_a_phase_goes_from_a_plan_to_a_playbook_and_back():
    drive = drive_of("load then board", board_router)
    drive.run()
    drive.approve_to("plan")
    drive.respond("different-approach", comment="show")
    assert drive.chain[1] == ("showing", "playbooks/show", "running")
    assert drive.state.run.inputs == {"source": "DB.S.T"}
    drive = drive_of("load then show", board_router)
    drive.run()
    drive.approve_to("1#2")
    drive.respond("different-approach", comment="board")
    assert (drive.pause.kind, drive.chain[1][1]) == ("plan_proposed", "primitives/board")


# ---- open targets


def open_router(intent, library):
    route = toy_router(intent, library)
    targets = tuple(None if "mask" in target else target for target in route.targets)
    return replace(route, targets=targets)


def test_a_target_that_is_left_open_is_asked_for_before_the_chain_begins():
    drive = drive_of("load then mask", open_router)
    drive.run()
    assert (drive.pause.kind, [option.id for option in drive.pause.options]) == (
        "routing_ambiguous",
        ["playbooks/mask", "playbooks/audit", "none-of-these", "abort"],
    )
    drive.respond("playbooks/audit")
    assert drive.chain == [
        ("loading", "playbooks/load", "running"),
        ("guarding", "playbooks/audit", "pending"),
    ]


def test_a_question_of_fact_within_a_chain_is_done_when_its_page_is_named():
    def router(intent, library):
        found = toy_router(intent, library)
        return replace(found, modes=("playbook", "reference"))

    drive = drive_of("load then show", router)
    drive.run()
    drive.approve_to("the end")
    assert drive.events("phase_completed")[-1].outputs == {"reference": "playbooks/show"}
    assert drive.state.summary.endswith("2. showing.")


# ---- other processes


def moving():
    """A chain whose first phase leaves its session elsewhere."""
    load = replace(
        LOAD,
        steps=(
            step("1", "CREATE TABLE {{ target_table }} (A INT)", checkpoint=checkpoint()),
            step("2", "USE SECONDARY ROLES NONE", "USE SCHEMA DB.OTHER"),
        ),
    )
    drive = ChainDrive("load then mask", target_table="DB.S.T")
    drive.library = toy_library(load, drive.library.playbooks["mask"])
    execute = drive.account.execute

    def moved(sql, **how):
        if sql.startswith("USE SCHEMA"):
            schema = sql.rpartition(".")[2]
            drive.account.where = drive.account.where.model_copy(update={"current_schema": schema})
        return execute(sql, **how)

    drive.account.execute = moved
    return drive


def test_every_phase_begins_where_the_first_one_did():
    drive = moving()
    drive.run()
    drive.respond("approve")
    assert drive.ran[1:] == ["USE SECONDARY ROLES NONE", "USE SCHEMA DB.OTHER", "USE SCHEMA DB.S"]
    assert drive.state.run.context.current_schema == "S"


def test_another_process_does_to_its_session_what_the_finished_phases_did():
    drive = moving()
    drive.run()
    drive.respond("approve")
    drive.account.where = CONTEXT
    before = len(drive.ran)
    drive.respond("approve")
    assert drive.ran[before : before + 3] == [
        "USE SECONDARY ROLES NONE",
        "USE SCHEMA DB.OTHER",
        "USE SCHEMA DB.S",
    ]


def test_a_phase_does_not_begin_in_another_account():
    drive = ChainDrive("load then mask", target_table="DB.S.T")
    drive.run()
    drive.approve_to("2")
    drive.account.where = CONTEXT.model_copy(update={"account_locator": "ELSEWHERE"})
    with pytest.raises(ThreadError, match="connected to account ELSEWHERE"):
        drive.respond("approve")
    drive.account.where = CONTEXT
    assert drive.resume().pause.at == "1#2"
