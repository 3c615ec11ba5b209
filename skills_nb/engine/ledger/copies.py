"""Schemas and databases that the thread made by CLONE: what is looked at behind it, and when again.

Room: laws. Everything is looked at right behind the CLONE. Behind what the thread itself does in a
copy later, only that is looked at again which it may have changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skills_nb.sql.objects import ObjectRef, Touch
from skills_nb.sql.objects.clone_images import (
    images_after_grants,
    images_of,
    inventory_of,
    readers_of_copy,
)

_GRANTED = frozenset({"grants", "all grants", "future grants"})


def looks_behind_clone(copies: Sequence[ObjectRef]) -> Iterator[str]:
    """Yield the queries that tell what copies hold, and what elsewhere reads something in them."""
    for ref in copies:
        yield from (image.query for image in images_of(ref))
        yield from (one.query for one in (*inventory_of(ref), *readers_of_copy(ref)))


def looks_behind_touches(copies: Sequence[ObjectRef], touched: Sequence[Touch]) -> Iterator[str]:
    """Yield the queries that tell what is left in a copy by what is done there."""
    for ref in copies:
        facets = {touch.ref.facet for touch in touched if _is_in(touch.ref, ref)}
        if facets and facets <= _GRANTED:
            yield from images_after_grants(ref)
        elif facets:
            yield from (one.query for one in images_of(ref))


def _is_in(ref: ObjectRef, copy: ObjectRef) -> bool:
    """Return whether something lies in a copy, or is a privilege on the copy or all in it."""
    is_same = ref.name == copy.name
    return ref.name[: len(copy.name)] == copy.name and (not is_same or ref.facet in _GRANTED)
