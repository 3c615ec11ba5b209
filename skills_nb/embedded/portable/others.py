"""CREATE statements of the other kinds: what moves data, code, and what is only kept.

Room: embedded. Each kind stands behind those that it may name. Sequences go on where they are; a
stream begins with the import; a secret comes without its value. Files in stages cannot be written
as SQL, so a stage that holds some is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from skills_nb.embedded import refusals
from skills_nb.embedded.account import Account
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail
from skills_nb.embedded.catalog.object_details import EntryDetail, PipeDetail, StageDetail
from skills_nb.embedded.catalog.pipeline_details import AlertDetail, SequenceDetail, TaskDetail
from skills_nb.embedded.files.files import found
from skills_nb.embedded.files.opening import key_of
from skills_nb.embedded.portable.objects import lasting
from skills_nb.embedded.versions.numbers import next_of
from skills_nb.embedded.writing import moving
from skills_nb.embedded.writing.created import created
from skills_nb.embedded.writing.entries import afterwards
from skills_nb.sql.identifiers import render_name

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

EARLY = (Kind.SEQUENCE, Kind.FILE_FORMAT)
"""What tables may name."""
CODE = (Kind.FUNCTION,)
"""What views and policies may call."""
LATE = (
    Kind.EXTERNAL_VOLUME,
    Kind.NETWORK_RULE,
    Kind.SECRET,
    Kind.INTEGRATION,
    Kind.NETWORK_POLICY,
    Kind.PASSWORD_POLICY,
    Kind.SESSION_POLICY,
    Kind.AUTHENTICATION_POLICY,
    Kind.STAGE,
    Kind.PROCEDURE,
    Kind.DYNAMIC_TABLE,
    Kind.SEMANTIC_VIEW,
    Kind.STREAM,
    Kind.PIPE,
    Kind.TASK,
    Kind.ALERT,
    Kind.COMPUTE_POOL,
    Kind.IMAGE_REPOSITORY,
    Kind.SERVICE,
    Kind.STREAMLIT,
    Kind.NOTEBOOK,
    Kind.MODEL,
    Kind.DBT_PROJECT,
    Kind.AGENT,
    Kind.CORTEX_SEARCH_SERVICE,
    Kind.GIT_REPOSITORY,
    Kind.APPLICATION_PACKAGE,
    Kind.LISTING,
    Kind.REPLICATION_GROUP,
    Kind.FAILOVER_GROUP,
)
KINDS = (*EARLY, *CODE, *LATE)
"""Every kind that is written here."""


def creations(account: Account, kinds: tuple[Kind, ...]) -> Iterator[str]:
    """Make the objects of some kinds, in this order."""
    session = account.session("ADMIN", "ACCOUNTADMIN")
    for kind in kinds:
        listed = lasting(account, kind)
        for entity in moving.graph_order(listed) if kind is Kind.TASK else listed:
            _refuse_files(account, entity)
            if kind.depth == 3:
                yield f"USE SCHEMA {render_name(entity.path[:-1])}"
            yield _creation(session, entity)
    session.close()


def _creation(session: AccountSession, entity: Entity) -> str:
    name = render_name(entity.path)
    if isinstance(entity.detail, SequenceDetail):
        return moving.sequence(entity, entity.detail, name, next_of(session, entity.detail))
    if isinstance(entity.detail, TableDetail):
        return moving.dynamic_table(entity, entity.detail, name, "")
    return created(session.account.catalog, entity, name)


def _refuse_files(account: Account, entity: Entity) -> None:
    if isinstance(entity.detail, StageDetail) and found(account.files.folder(key_of(entity))):
        raise refusals.unsupported(f"export of the files in STAGE {render_name(entity.path)}")


def states(account: Account) -> Iterator[str]:
    """Bring new objects to the state that they are in: started, paused, suspended, published."""
    for kind in LATE:
        listed = lasting(account, kind)
        if kind is Kind.TASK:
            listed = list(reversed(moving.graph_order(listed)))  # the root of a graph comes last
        for entity in listed:
            yield from _state(entity)


def _state(entity: Entity) -> list[str]:
    alter = f"ALTER {entity.kind.value} {render_name(entity.path)}"
    match entity.detail:
        case TaskDetail(started=True) | AlertDetail(started=True):
            return [f"{alter} RESUME"]
        case PipeDetail(paused=True):
            return [f"{alter} SET PIPE_EXECUTION_PAUSED = TRUE"]
        case TableDetail(dynamic=part) if part is not None and part.suspended:
            return [f"{alter} SUSPEND"]
        case EntryDetail():
            return afterwards(entity)
        case _:
            return []
