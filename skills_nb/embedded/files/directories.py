"""Directory tables: `DIRECTORY(@stage)` in FROM, the files that a stage had at its last refresh.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/data-load-dirtables-query
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded.files import locations
from skills_nb.embedded.files.opening import opened
from skills_nb.embedded.refusals import files as wrong
from skills_nb.embedded.result_columns import columns_of
from skills_nb.embedded.scope import Env, OutColumn

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups

_COLUMNS = "RELATIVE_PATH SIZE:n LAST_MODIFIED:t MD5 ETAG FILE_URL"


def directory(
    session: Lookups, node: exp.DirectoryStage, env: Env
) -> tuple[exp.Query, tuple[OutColumn, ...]]:
    """Return a query over a stage's directory table, and its columns.

    Raises:
        SqlError: the stage keeps no directory.
    """
    location = locations.read(str(node.name))
    stage = opened(session, location, "READ", env)
    if not stage.detail.directory:
        raise wrong.no_directory_table(location.name[-1] if location.name else "~")
    path = "/".join(session.qualify(location.name, env))
    url = f"https://{session.account.info.locator}.snowflakecomputing.com/api/files/{path}/"
    rows = tuple(
        (
            file["path"],
            file["size"],
            datetime.fromisoformat(file["modified"]),
            file["md5"],
            file["md5"],
            url + file["path"],
        )
        for file in json.loads(stage.detail.refreshed)
    )
    return session.as_query(columns_of(_COLUMNS), rows)
