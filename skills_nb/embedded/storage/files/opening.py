"""Opening: which folder a location means, and who may look into it.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/security-access-control-privileges (stages)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access, name_resolution
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail
from skills_nb.embedded.catalog.object_details import StageDetail
from skills_nb.embedded.errors import files as wrong
from skills_nb.embedded.parser.stage_locations import Location
from skills_nb.embedded.physical.connection import Connection
from skills_nb.embedded.physical.matching import matched
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files import files
from skills_nb.embedded.storage.files.files import StagedFile

if TYPE_CHECKING:
    from skills_nb.embedded.types.scope import Env


@dataclass(frozen=True, slots=True)
class OpenStage:
    """A stage that a statement may use."""

    folder: Path
    """Where its files are on disk."""
    prefix: str
    """What the location says behind the stage."""
    shown: str
    """What precedes file names in answers: `stage/` for named stages."""
    title: str
    """The location as the load history shows it."""
    detail: StageDetail
    """Its options; for a table's or user's stage the defaults."""

    connection: Connection
    """What patterns are matched with."""

    def files(self, pattern: str | None = None) -> list[StagedFile]:
        """List files at the location, those whose whole names match where a pattern is given.

        Raises:
            SqlError: the pattern is no regular expression (1014).
        """
        listed = files.found(self.folder, self.prefix)
        if pattern is None:
            return listed
        names = matched(self.connection, pattern, [file.name for file in listed])
        return [file for file in listed if file.name in names]

    def named(self, names: tuple[str, ...]) -> list[StagedFile]:
        """Return these files, named relative to the location.

        Raises:
            SqlError: one of them is not there (100181).
        """
        prefix = self.prefix if not self.prefix or self.prefix.endswith("/") else f"{self.prefix}/"
        known = {file.name: file for file in files.found(self.folder)}
        missing = next((name for name in names if prefix + name not in known), None)
        if missing is not None:
            raise wrong.file_missing(self.shown + prefix + missing)
        return [known[prefix + name] for name in names]


def opened(session: Context, location: Location, privilege: str, env: Env) -> OpenStage:
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


def _user_stage(session: Context, location: Location, env: Env) -> OpenStage:
    if env.depth:
        raise errors.unsupported("user stages in views and policies")
    if session.frame.borrowed:
        raise errors.unsupported("user stages in what runs with its owner's rights")
    folder = session.account.files.folder(f"user-{session.user_id}")
    return OpenStage(folder, location.path, "", "@~/", StageDetail(), session.connection)


def _table_stage(session: Context, location: Location, env: Env) -> OpenStage:
    """Only a table's owner may use the table's stage."""
    path = session.qualify(location.name, env)
    entity = session.relation(path)
    if entity is None or not name_resolution.reaches(session, entity, env.roles):
        raise name_resolution.missing_relation(session, path, env.roles)
    if not isinstance(entity.detail, TableDetail):
        raise errors.not_found("Stage", path)
    access.require_owner(session, entity, env.roles)
    folder = session.account.files.folder(key_of(entity))
    title = f"@{'.'.join((*path[:2], '%' + path[2]))}/"
    return OpenStage(folder, location.path, "", title, StageDetail(), session.connection)


def _named_stage(session: Context, location: Location, privilege: str, env: Env) -> OpenStage:
    path = session.qualify(location.name, env)
    entity = name_resolution.usable(session, Kind.STAGE, path, privilege, env.roles)
    assert isinstance(entity.detail, StageDetail)
    if entity.detail.url:
        raise errors.unsupported("files of external stages")
    folder = session.account.files.folder(key_of(entity))
    shown = f"{entity.name.lower()}/"
    title = f"@{'.'.join(path)}/"
    return OpenStage(folder, location.path, shown, title, entity.detail, session.connection)
