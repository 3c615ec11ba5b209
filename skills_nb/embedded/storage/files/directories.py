"""Directory tables: `DIRECTORY(@stage)` in FROM, the files that a stage had at its last refresh.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/data-load-dirtables-query
"""

from __future__ import annotations

import json
from datetime import datetime

from sqlglot import exp

from skills_nb.embedded.errors import files as wrong
from skills_nb.embedded.parser import stage_locations
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files.opening import opened
from skills_nb.embedded.types.result_columns import columns_of
from skills_nb.embedded.types.scope import Env
from skills_nb.embedded.types.system_rows import Table

_COLUMNS = "RELATIVE_PATH SIZE:n LAST_MODIFIED:t MD5 ETAG FILE_URL"


def directory(session: Context, node: exp.DirectoryStage, env: Env) -> Table:
    """Return the rows of a stage's directory table.

    Raises:
        SqlError: the stage keeps no directory (3001).
    """
    location = stage_locations.read(str(node.name))
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
    return columns_of(_COLUMNS), rows
