"""Logins that fail: what to repair, by Snowflake's number; a key file that cannot be used.

Room: work (runtime, snowpark). The numbers are the connector's and the manual's, in their pages on
key-pair authentication, OAuth, programmatic access tokens and network policies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from skills_nb.errors import SqlError, UsageError
from skills_nb.runtime.snowpark.sql_errors import explain_errors

REPAIRS: Mapping[int, str] = {
    390100: "check user and password in connections.toml; a person with MFA needs "
    'authenticator = "username_password_mfa" or a key pair',
    390101: "see that the user is not disabled: ALTER USER … SET DISABLED = FALSE",
    390114: "the login is too old: connect again",
    390127: "log in with a key pair or a token: the password must be changed first",
    390144: "give the user the public half: ALTER USER … SET RSA_PUBLIC_KEY = '…'; see that "
    "account and user are the account's own names, and that this machine's clock is right",
    390189: "name a role that the user holds: role = … in connections.toml",
    390303: "get a new OAuth token from the identity provider, and put it where token or "
    "token_file_path says",
    390318: "get a new OAuth token from the identity provider: this one has expired",
    390422: "ask for this machine's address in the account's network policy",
    394304: "the single sign-on page must say the same user as connections.toml",
    394400: "make a new token: ALTER USER … ADD PROGRAMMATIC ACCESS TOKEN …; it needs a network "
    "policy, and its role restriction must be the connection's role",
    250001: "check account and host in connections.toml, and the way there: snow connection test",
    250003: "check account and host in connections.toml, and the way there: snow connection test",
    251006: "add a password, a key or a token to the connection: snow connection add",
    251008: "private_key_file must be a PKCS#8 key in PEM form",
}
"""What repairs a refused login."""


@contextmanager
def explain_login_errors() -> Iterator[None]:
    """Turn what a login raises into one line with its repair.

    Raises:
        SqlError: the account refused it, or cannot be reached.
        UsageError: the key or token file cannot be used.
    """
    try:
        with explain_errors():
            yield
    except SqlError as problem:
        raise SqlError(
            " ".join(problem.message.split()),
            errno=problem.errno,
            sqlstate=problem.sqlstate,
            hint=problem.hint or REPAIRS.get(problem.errno or 0),
        ) from problem
    except OSError as problem:
        raise UsageError(
            f"a file that the connection names cannot be read: {problem}",
            hint="correct private_key_file or token_file_path in connections.toml",
        ) from problem
    except (TypeError, ValueError) as problem:
        # The connector lets its key reader's own words through.
        raise UsageError(
            f"the connection's private key cannot be used: {problem}",
            hint="set private_key_file_pwd, or export PRIVATE_KEY_PASSPHRASE, where the key has "
            "one; the file must be a PKCS#8 key in PEM form",
        ) from problem
