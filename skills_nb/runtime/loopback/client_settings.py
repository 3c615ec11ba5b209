"""Settings of Snowflake's clients for a served account: two files, a profile and a URL.

Room: work (runtime, loopback). The files hold the token of this start, and only their owner can
read them; what is printed names the variable that holds the password, never the password.
"""

from __future__ import annotations

from pathlib import Path

from skills_nb.runtime.loopback.address_file import HOST, Address, write_private

CONNECTIONS, PROFILES = "connections.toml", "profiles.yml"
NAME = "embedded"
"""What the account is called: its account name, the connection, and the profile."""
DBT_VARIABLE = "DBT_ENV_SECRET_PASSWORD"
"""What dbt reads the password from; it keeps variables that begin so out of its logs."""
SQLALCHEMY_ARGUMENTS = {"protocol": "http"}
"""What `create_engine` takes as its `connect_args` beside the URL."""
_USER, _ROLE, _WAREHOUSE, _DATABASE, _SCHEMA = (
    "ADMIN",
    "ACCOUNTADMIN",
    "COMPUTE_WH",
    "PROD",
    "PUBLIC",
)


def connections_toml(address: Address) -> str:
    """Return the connection file that any Snowflake client on this machine understands."""
    return (
        "# The embedded account, as long as its process runs. Behind an HTTP proxy, set\n"
        f"# NO_PROXY={HOST}, or the proxy would see the password.\n"
        f"[{NAME}]\n"
        f'account = "{NAME}"\n'
        f'host = "{HOST}"\n'
        f"port = {address.port}\n"
        'protocol = "http"\n'
        f'user = "{_USER}"\n'
        f'password = "{address.token}"\n'
        f'role = "{_ROLE}"\n'
        f'warehouse = "{_WAREHOUSE}"\n'
    )


def dbt_profile(port: int, password: str | None = None) -> str:
    """Return a profile of dbt; without a password, one that takes it from a variable."""
    said = password or f"{{{{ env_var('{DBT_VARIABLE}') }}}}"
    return (
        f"{NAME}:\n"
        "  target: dev\n"
        "  outputs:\n"
        "    dev:\n"
        "      type: snowflake\n"
        f"      account: {NAME}\n"
        f"      host: {HOST}\n"
        f"      port: {port}\n"
        "      protocol: http\n"
        f"      user: {_USER}\n"
        f'      password: "{said}"\n'
        f"      role: {_ROLE}\n"
        f"      warehouse: {_WAREHOUSE}\n"
        f"      database: {_DATABASE}\n"
        f"      schema: {_SCHEMA}\n"
        "      threads: 4\n"
    )


def sqlalchemy_url(port: int) -> str:
    """Return the URL for SQLAlchemy, with a word where the percent-encoded password belongs.

    The protocol stands in `SQLALCHEMY_ARGUMENTS`: its dialect takes none out of a URL.
    """
    return (
        f"snowflake://{_USER}:PASSWORD@{HOST}:{port}/{_DATABASE}/{_SCHEMA}"
        f"?account={NAME}&role={_ROLE}&warehouse={_WAREHOUSE}"
    )


def write_settings(folder: Path, address: Address) -> None:
    """Write the connection file and the profile into the folder.

    Raises:
        OSError: the folder cannot be written.
    """
    write_private(folder / CONNECTIONS, connections_toml(address))
    write_private(folder / PROFILES, dbt_profile(address.port, address.token))
