"""GET_DDL: statements that would make an object again.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/get_ddl
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.binder import signatures
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.objects import object_kind
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.names import typed_path


def get_ddl(session: Context, kind: str, written: str, *, qualified: bool = False) -> str:
    """Return the DDL of an object that the role may see.

    Raises:
        SqlError: objects of the kind have no DDL here (0A000), it is not there or is hidden
            (2003), or its text is its owner's (3001).
    """
    word = kind.upper().replace("_", " ")
    kinds = _kinds(word)
    if not kinds:
        raise errors.unsupported(f"GET_DDL of {kind.upper()}")
    is_routine = kinds[0] in (Kind.FUNCTION, Kind.PROCEDURE)
    name = signatures.typed_name(written) if is_routine else typed_path(written)
    for one in kinds:
        entity = access.find(session, one, name)
        if entity is not None and entity.kind is one:
            if not access.reads_text(session, entity):
                raise access.refused(session, entity)
            return object_kind.write(session, entity, qualified=qualified) + ";"
    raise access.missing(session, kinds[0], name)


def _kinds(word: str) -> list[Kind]:
    """Return the kinds that a word of GET_DDL means, that of its own name first."""
    found = [
        kind
        for kind, one in object_kind.KINDS.items()
        if one.ddl is not None and one.has_get_ddl and word in (kind.value, *one.ddl_words)
    ]
    return sorted(found, key=lambda kind: kind.value != word)
