"""Packages that handlers in Python can import here: those of this very process.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/info-schema/packages
"""

from __future__ import annotations

import platform
from importlib.metadata import distributions

from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.system_rows import Rows

REPOSITORY = "snowflake.snowpark.anaconda_shared_repository"
"""What Snowflake answers where nobody chose another one."""


def shown(session: Context, roles: frozenset[str], database: str) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/info-schema/packages."""
    runtime = ".".join(platform.python_version_tuple()[:2])
    found = {
        (name.lower().replace("_", "-"), one.version)
        for one in distributions()
        if (name := one.metadata["Name"])
    }
    spec = "PACKAGE_NAME VERSION LANGUAGE RUNTIME_VERSION"
    return spec, [(name, version, "python", runtime) for name, version in sorted(found)]


def repository(session: object, *asked: str) -> str:
    """Name the repository that packages of handlers come from by default."""
    return REPOSITORY
