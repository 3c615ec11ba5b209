"""What clients send with a login for themselves; it asks nothing of the account.

Room: embedded. Pure. A connector hands options that it does not know to the account: the fifth one,
for instance, those of its predecessors that it has no use for.

See https://docs.snowflake.com/en/developer-guide/python-connector/python-connector-api
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_BEGINNINGS = ("CLIENT_", "PYTHON_", "JDBC_", "GO_", "ODBC_", "NODEJS_", "ENABLE_", "OCSP_", "CRL_")

_LISTED = """
ALLOW_CERTIFICATES_WITHOUT_CRL_URL APPLICATION ARROW_NUMBER_TO_DECIMAL BACKOFF_POLICY
CERT_REVOCATION_CHECK_MODE CHECK_ARROW_CONVERSION_ERROR_ON_EVERY_COLUMN CONSENT_CACHE_ID_TOKEN
CONVERTER_CLASS DEBUG_ARROW_CHUNK DISABLE_CONSOLE_LOGIN DISABLE_OCSP_CHECKS
DISABLE_QUERY_CONTEXT_CACHE DISABLE_REQUEST_POOLING DISABLE_SAML_URL_CHECK
EXTERNAL_BROWSER_TIMEOUT FORCE_MICROSECOND_PRECISION INSECURE_MODE INTERNAL_APPLICATION_NAME
INTERNAL_APPLICATION_VERSION INTERPOLATE_EMPTY_SEQUENCES IOBOUND_TPE_LIMIT
JSON_RESULT_FORCE_UTF8_DECODING LOGIN_TIMEOUT LOG_IMPORTED_PACKAGES_IN_TELEMETRY
LOG_MAX_QUERY_LENGTH NETWORK_TIMEOUT NO_PROXY NUMPY PARAMSTYLE
PLATFORM_DETECTION_TIMEOUT_SECONDS PROBE_CONNECTION PROXY_HOST PROXY_PASSWORD PROXY_PORT
PROXY_USER RERAISE_ERROR_IN_FILE_TRANSFER_WORK_FUNCTION REUSE_RESULTS
SERVER_SESSION_KEEP_ALIVE SNOWFLAKE_SERVER_DOP_CAP_FOR_FILE_TRANSFER SOCKET_TIMEOUT
SUPPORT_NEGATIVE_YEAR UNSAFE_FILE_WRITE UNSAFE_SKIP_FILE_PERMISSIONS_CHECK USE_OPENSSL_ONLY
VALIDATE_DEFAULT_PARAMETERS
"""
_OPTIONS = frozenset(_LISTED.split())


def is_clients_own(name: str) -> bool:
    """Tell whether a parameter of a login is an option of the client that logs in."""
    return name.startswith(_BEGINNINGS) or name in _OPTIONS


_OF_FIFTH_CONNECTOR = re.compile(r"PythonConnector (?:[5-9]|[1-9][0-9])\.")
_CORE, _CORE_BESIDE = "CORE_VERSION", "CORE_FILE_NAME"
"""The fourth connector tells a version, too: of a first piece of that core, in a file beside it."""


def knows_clouds_alone(client: str, login: Mapping[str, Any]) -> bool:
    """Tell whether a client moves files through a cloud's storage alone.

    All do that are built on the drivers' common core, which tells its version whatever the program
    around it calls itself.
    """
    around = login.get("CLIENT_ENVIRONMENT")
    told = around if isinstance(around, Mapping) else {}
    has_core = told.get(_CORE) is not None and told.get(_CORE_BESIDE) is None
    return has_core or _OF_FIFTH_CONNECTOR.match(client) is not None
