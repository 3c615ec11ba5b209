"""Unread bodies: what an error tells of a text that whoever asks may not read.

Room: embedded. The text of a secure view or function is its owner's, a policy's that of whoever may
know of the policy, and what a provider lends shows a consumer nothing. A text that names something
which is gone, or which its owner may not use any more, then fails without a word about it.

See https://docs.snowflake.com/en/user-guide/views-secure
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, PolicyDetail
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.scope import Env
from skills_nb.errors import SqlError

_NAMING = (904, 2003, 2037, 2057, 2140, 2141, 3001)
"""Numbers of the errors that name what a text reads."""


@contextmanager
def unread(session: Context, entity: Entity, shown: str, env: Env) -> Iterator[None]:
    """Keep what the text of a view, function or policy names from who may not read it.

    Args:
        session: whose statement it is.
        entity: what has the text.
        shown: what the error calls it.
        env: where the text is read.

    Raises:
        SqlError: the text names what is not there (2037), in place of an error that says what.
    """
    try:
        yield
    except SqlError as error:
        if error.errno not in _NAMING or _may_read(session, entity, env):
            raise
        raise errors.unread_broken(shown) from error


def _may_read(session: Context, entity: Entity, env: Env) -> bool:
    if env.share is not None:
        return False
    if isinstance(entity.detail, PolicyDetail):
        return access.sees(session, entity)
    return access.reads_text(session, entity)
