"""CREATE statements of the other kinds: what moves data, code, and what is only kept.

Room: embedded. Each kind stands behind those that it may name. Sequences go on where they are; a
stream begins with the import; a secret comes without its value. Files in stages cannot be written
as SQL, so a stage that holds some is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.catalog.object_details import StageDetail
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.objects.object_kind import KINDS, ObjectKind, Phase, in_order, write
from skills_nb.embedded.storage.files.files import found
from skills_nb.embedded.storage.files.opening import key_of
from skills_nb.embedded.tools.export.objects import lasting
from skills_nb.sql.identifiers import render_name

if TYPE_CHECKING:
    from skills_nb.embedded.engine.session import AccountSession


def creations(
    account: Account, phase: Phase, is_meant: Callable[[Entity], bool] = lambda _: True
) -> Iterator[str]:
    """Make the objects of a phase that are meant, each kind behind those that it may name."""
    session = account.session("ADMIN", "ACCOUNTADMIN")
    for one in _kinds(phase):
        for entity in filter(is_meant, one.in_order(lasting(account, one.kind))):
            _refuse_files(account, entity)
            if one.kind.depth == 3:
                yield f"USE SCHEMA {render_name(entity.path[:-1])}"
            yield _creation(session, one, entity)
    session.close()


def _kinds(phase: Phase) -> list[ObjectKind]:
    kinds = [k for k, one in KINDS.items() if one.export is not None and one.export.phase is phase]
    return in_order(kinds)


def _creation(session: AccountSession, one: ObjectKind, entity: Entity) -> str:
    own = one.export.create if one.export is not None else None
    return own(session, entity) if own is not None else write(session, entity, qualified=True)


def _refuse_files(account: Account, entity: Entity) -> None:
    if isinstance(entity.detail, StageDetail) and found(account.files.folder(key_of(entity))):
        raise errors.unsupported(f"export of the files in STAGE {render_name(entity.path)}")


def states(account: Account) -> Iterator[str]:
    """Bring new objects to the state that they are in: started, paused, suspended, published."""
    for one in _kinds(Phase.LATE):
        assert one.export is not None
        # The root of a graph of tasks comes last.
        for entity in reversed(one.in_order(lasting(account, one.kind))):
            yield from one.export.state(entity)
