"""Connections as Snowflake's own clients know them: by name, by variables, or there already.

Room: work (runtime, snowpark). Rules: the connector reads `connections.toml` and `config.toml`, and
with them passwords, keys and tokens; none of our code parses a secret. Only a connection by the
environment's variables is put together here, variable by variable, as Snowflake's command line
names them.
Source: the manual's pages on the connector's connections.toml, and on Snowflake CLI's environment
variables.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skills_nb.errors import UsageError
from skills_nb.runtime.snowpark.login_failures import explain_login_errors
from skills_nb.runtime.snowpark.sql_errors import explain_errors

if TYPE_CHECKING:
    from snowflake.connector import SnowflakeConnection
    from snowflake.snowpark import Session

HOME_VARIABLE = "SNOWFLAKE_HOME"
_VARIABLES: Mapping[str, str] = {
    "SNOWFLAKE_ACCOUNT": "account",
    "SNOWFLAKE_USER": "user",
    "SNOWFLAKE_PASSWORD": "password",
    "SNOWFLAKE_AUTHENTICATOR": "authenticator",
    "SNOWFLAKE_PRIVATE_KEY_FILE": "private_key_file",
    "SNOWFLAKE_PRIVATE_KEY_PATH": "private_key_file",
    "PRIVATE_KEY_PASSPHRASE": "private_key_file_pwd",
    "SNOWFLAKE_TOKEN": "token",
    "SNOWFLAKE_TOKEN_FILE_PATH": "token_file_path",
    "SNOWFLAKE_OAUTH_CLIENT_ID": "oauth_client_id",
    "SNOWFLAKE_OAUTH_CLIENT_SECRET": "oauth_client_secret",
    "SNOWFLAKE_OAUTH_TOKEN_REQUEST_URL": "oauth_token_request_url",
    "SNOWFLAKE_WORKLOAD_IDENTITY_PROVIDER": "workload_identity_provider",
    "SNOWFLAKE_ROLE": "role",
    "SNOWFLAKE_WAREHOUSE": "warehouse",
    "SNOWFLAKE_DATABASE": "database",
    "SNOWFLAKE_SCHEMA": "schema",
    "SNOWFLAKE_HOST": "host",
    "SNOWFLAKE_PORT": "port",
    "SNOWFLAKE_PROTOCOL": "protocol",
}
"""Environment variables and the connector's options that they give."""
_SECRET_OPTIONS = frozenset(
    {"password", "token", "private_key_file_pwd", "private_key_passphrase", "passcode"}
    | {"oauth_client_secret"}
)
_PLACE = ("account", "user", "role", "warehouse", "database", "schema")
_APPLICATION = "skills_nb"


def names() -> tuple[str, ...]:
    """Return the connections that the connector's files name, sorted."""
    return tuple(sorted(_configured()))


def by_name(name: str, standing: Mapping[str, str] | None = None) -> Session:
    """Return a session on a connection of the connector's files.

    Args:
        name: as in `connections.toml` or `config.toml`.
        standing: role, warehouse, database and schema to begin with, in place of the files' own.

    Raises:
        UsageError: no file names it.
        SqlError: the account refused the login, or cannot be reached.
    """
    _refuse_unknown(name)
    return _session({"connection_name": name, **(standing or {})})


def line(name: str, parameters: Mapping[str, Any]) -> SnowflakeConnection:
    """Return a bare connection of the connector's files, whose values are bound at the server.

    Args:
        name: as in `connections.toml` or `config.toml`.
        parameters: of its session.

    Raises:
        UsageError: no file names it.
        SqlError: the account refused the login, or cannot be reached.
    """
    import snowflake.connector

    _refuse_unknown(name)
    with explain_login_errors():
        return snowflake.connector.connect(
            connection_name=name,
            application=_APPLICATION,
            paramstyle="qmark",
            session_parameters=dict(parameters),
        )


def _refuse_unknown(name: str) -> None:
    known = names()
    if name not in known:
        raise UsageError(
            f"no connection '{name}' in {_folder()}",
            hint="one of: " + ", ".join(known) if known else "snow connection add",
        )


def by_environment(standing: Mapping[str, str] | None = None) -> Session:
    """Return a session on the account that the environment's variables tell.

    Raises:
        UsageError: they name no account.
        SqlError: the account refused the login, or cannot be reached.
    """
    options = _told_by_environment()
    if "account" not in options:
        raise UsageError(
            "the environment names no account",
            hint="export SNOWFLAKE_ACCOUNT, SNOWFLAKE_USER and how to log in, "
            "such as SNOWFLAKE_PRIVATE_KEY_FILE",
        )
    return _session({**options, **(standing or {})})


def secrets_of(name: str | None) -> tuple[str, ...]:
    """Return what a connection logs in with, so that it can be kept out of threads.

    Args:
        name: of the connector's files; None: what the environment gives.
    """
    if name is not None:
        options: Mapping[str, Any] = _configured().get(name, {})
    else:
        options = _told_by_environment()
    return tuple(
        str(options[key]) for key in sorted(_SECRET_OPTIONS & options.keys()) if options[key]
    )


def describe_connection(name: str | None) -> Mapping[str, str]:
    """Return what a connection says of where and as whom it works, its secrets left out.

    Args:
        name: of the connector's files; None: what the environment gives.

    Raises:
        UsageError: no file names it.
        SqlError: the connector refuses a file.
    """
    if name is None:
        options: Mapping[str, Any] = {o: os.environ.get(v) for v, o in _VARIABLES.items()}
    else:
        _refuse_unknown(name)
        options = _configured()[name]
    return {key: str(options[key]) for key in _PLACE if options.get(key)}


def _told_by_environment() -> dict[str, str]:
    """Return the options that variables give; an empty one gives none."""
    found = ((option, os.environ.get(variable)) for variable, option in _VARIABLES.items())
    return {option: value for option, value in found if value}


def is_inside_snowflake() -> bool:
    """Return whether this process runs in Snowflake, where a session is active already."""
    return find_spec("_snowflake") is not None or Path("/snowflake/session/token").is_file()


def active() -> Session:
    """Return the session that is active in this process.

    Raises:
        UsageError: there is none, or more than one.
    """
    from snowflake.snowpark.context import get_active_session
    from snowflake.snowpark.exceptions import SnowparkSessionException

    try:
        return get_active_session()
    except SnowparkSessionException as problem:
        raise UsageError(
            f"there is not one active session here: {problem.message}",
            hint="name one: connect --session VAR",
        ) from problem


def sessions_in(variables: Mapping[str, object]) -> list[str]:
    """Return the names of the variables that are Snowpark sessions."""
    from snowflake.snowpark import Session

    return [name for name, value in variables.items() if isinstance(value, Session)]


def session_in_variable(name: str, found: object) -> Session:
    """Return a notebook's variable as the session that it is.

    Raises:
        UsageError: it is no Snowpark session.
    """
    from snowflake.snowpark import Session

    if not isinstance(found, Session):
        raise UsageError(
            f"'{name}' is no Snowpark session but a {type(found).__name__}",
            hint="make one first: Session.builder.config('connection_name', 'NAME').create()",
        )
    return found


def _session(options: Mapping[str, Any]) -> Session:
    import snowflake.connector
    from snowflake.snowpark import Session

    with explain_login_errors():
        connection = snowflake.connector.connect(**{"application": _APPLICATION, **options})
        return Session.builder.configs({"connection": connection}).create()


def _folder() -> Path:
    """Return where the connector's files are."""
    from snowflake.connector.constants import CONNECTIONS_FILE

    # The connector looks at the variable once, when it is imported; a kernel may set it later.
    home = os.environ.get(HOME_VARIABLE)
    return Path(home).expanduser() if home else Path(CONNECTIONS_FILE).parent


def _configured() -> Mapping[str, Mapping[str, Any]]:
    """Return the connections that the connector reads, its own configuration asked anew.

    Raises:
        SqlError: the connector refuses a file, such as one that others may write to.
    """
    from snowflake.connector.config_manager import CONFIG_MANAGER

    folder = _folder()
    with explain_errors():
        CONFIG_MANAGER.file_path = folder / "config.toml"
        for at, part in enumerate(CONFIG_MANAGER._slices):
            CONFIG_MANAGER._slices[at] = part._replace(path=folder / f"{part.section}.toml")
        CONFIG_MANAGER.read_config()
        return dict(CONFIG_MANAGER["connections"])
