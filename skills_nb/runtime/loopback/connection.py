"""The connector on a served account, over real HTTP.

Room: work (runtime, loopback). The only difference to the connector's own transport is that proxies
of the environment are not used: the address is this machine's, and the password stays on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from snowflake.connector import SnowflakeConnection

from skills_nb.runtime import mounted_connection
from skills_nb.runtime.loopback.address_file import HOST, Address


class _DirectAdapter(mounted_connection.ProxySupportAdapter):  # type: ignore[misc]
    """Sends requests past every proxy."""

    def send(self, request: Any, **options: Any) -> Any:
        """Send one prepared request."""
        return super().send(request, **{**options, "proxies": {}})


class LoopbackConnection(mounted_connection.MountedConnection):
    """A connection to an account that is served on this machine."""

    def __init__(self, **options: Any) -> None:
        """Connect; the options are the connector's own."""
        self._adapter_factory = _DirectAdapter
        SnowflakeConnection.__init__(self, **options)


def connect(
    address: Address,
    *,
    user: str,
    role: str | None = None,
    database: str | None = None,
    schema: str | None = None,
    warehouse: str | None = None,
    session_parameters: Mapping[str, Any] | None = None,
    **options: Any,
) -> SnowflakeConnection:
    """Log in to a served account.

    Raises:
        snowflake.connector.errors.DatabaseError: the token is not the server's, the user is
            unknown, or does not hold the role.
        snowflake.connector.errors.OperationalError: nobody answers at the address.
    """
    place = {"role": role, "database": database, "schema": schema, "warehouse": warehouse}
    served = {"host": HOST, "port": address.port, "password": address.token}
    return LoopbackConnection(
        user=user,
        **mounted_connection.connector_options(place, session_parameters, {**served, **options}),
    )
