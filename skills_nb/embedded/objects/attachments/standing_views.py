"""Standing views: a table that a materialized view is built on takes no policy.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/security-column-intro (Materialized views),
https://docs.snowflake.com/en/user-guide/security-row-intro (Materialized views) and
https://docs.snowflake.com/en/user-guide/aggregation-policies
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.binder.dependencies import used_by
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail, ViewDetail
from skills_nb.embedded.session.context import Context


def refuse_policy_beneath(session: Context, entity: Entity) -> None:
    """Refuse a masking, row access or aggregation policy beneath a materialized view.

    Raises:
        SqlError: materialized views are built on the table (0A000).
    """
    if not isinstance(entity.detail, TableDetail):
        return
    count = sum(
        any(source.id == entity.id for source in used_by(session, view))
        for view in session.account.catalog.within(Kind.TABLE)
        if isinstance(view.detail, ViewDetail) and view.detail.materialized
    )
    if count:
        raise errors.materialized_views_exist(entity.name, count)
