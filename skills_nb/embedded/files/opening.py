"""Opening: which folder a location means, and who may look into it.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/security-access-control-privileges (stages)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail
from skills_nb.embedded.catalog.object_details import StageDetail
from skills_nb.embedded.files import files
from skills_nb.embedded.files.files import StagedFile
from skills_nb.embedded.files.locations import Location
from skills_nb.embedded.refusals import files as wrong

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups
    from skills_nb.embedded.scope import Env


@dataclass(frozen=True, slots=True)
class OpenStage:
    """A stage that a statement may use."""

    folder: Path
    prefix: str
    """What the location says behind the stage."""
    shown: str
    """What precedes file names in answers: `stage/` for named stages."""
    title: str
    """The location as the load history shows it."""
    detail: StageDetail

    def files(self, pattern: str | None = None) -> list[StagedFile]:
        """List files at the location."""
        return files.found(self.folder, self.prefix, pattern)

    def named(self, names: tuple[str, ...]) -> list[StagedFile]:
        """Return these files, named relative to the location."""
        prefix = self.prefix if not self.prefix or self.prefix.endswith("/") else f"{self.prefix}/"
        known = {file.name: file for file in files.found(self.folder)}
        missing = next((name for name in names if prefix + name not in known), None)
        if missing is not None:
            raise wrong.file_missing(self.shown + prefix + missing)
        return [known[prefix + name] for name in names]


def opened(session: Lookups, location: Location, privilege: str, env: Env) -> OpenStage:
    """Return the stage of a location; `privilege` is READ or WRITE.

    Raises:
        SqlError: it does not exist or is not visible (2003), or the privilege is missing (3001).
    """
    match location.kind:
        case "USER":
            return _user_stage(session, location, env)
        case "TABLE":
            return _table_stage(session, location, env)
        case "NAMED":
            return _named_stage(session, location, privilege, env)


def key_of(entity: Entity) -> str:
    """Name the folder of a stage's or table's files; no two objects ever share one."""
    moment = int(entity.created_on.timestamp() * 1_000_000)
    return f"{'stage' if entity.kind is Kind.STAGE else 'table'}-{entity.id}-{moment}"


def _user_stage(session: Lookups, location: Location, env: Env) -> OpenStage:
    if env.depth:
        raise refusals.unsupported("user stages in views and policies")
    folder = session.account.files.folder(f"user-{session.user_id}")
    return OpenStage(folder, location.path, "", "@~/", StageDetail())


def _table_stage(session: Lookups, location: Location, env: Env) -> OpenStage:
    """Only a table's owner may use the table's stage."""
    path = session.qualify(location.name, env)
    entity = session.relation(path)
    rights = session.account.rights
    if entity is None or not rights.reachable(env.roles, entity):
        raise session.missing_relation(path, env)
    if not isinstance(entity.detail, TableDetail) or not rights.has_any(env.roles, entity):
        raise refusals.not_found("Stage", path)
    if not rights.owns(env.roles, entity):
        raise refusals.insufficient_privileges("TABLE", entity.name)
    folder = session.account.files.folder(key_of(entity))
    title = f"@{'.'.join((*path[:2], '%' + path[2]))}/"
    return OpenStage(folder, location.path, "", title, StageDetail())


def _named_stage(session: Lookups, location: Location, privilege: str, env: Env) -> OpenStage:
    path = session.qualify(location.name, env)
    entity = session.account.catalog.find(Kind.STAGE, path)
    rights = session.account.rights
    if entity is None or not session.sees(entity):
        raise _missing(session, path, env)
    if not rights.reachable(env.roles, entity) or not rights.has_any(env.roles, entity):
        raise _missing(session, path, env)
    if not rights.has(env.roles, privilege, entity):
        raise refusals.insufficient_privileges("STAGE", entity.name)
    assert isinstance(entity.detail, StageDetail)
    if entity.detail.url:
        raise refusals.unsupported("files of external stages")
    folder = session.account.files.folder(key_of(entity))
    shown = f"{entity.name.lower()}/"
    return OpenStage(folder, location.path, shown, f"@{'.'.join(path)}/", entity.detail)


def _missing(session: Lookups, path: tuple[str, ...], env: Env) -> Exception:
    for kind, depth in ((Kind.DATABASE, 1), (Kind.SCHEMA, 2)):
        parent = session.account.catalog.find(kind, path[:depth])
        if parent is None or not session.account.rights.has_any(env.roles, parent):
            return refusals.not_found(kind.title, path[:depth])
    return refusals.not_found("Stage", path)
