"""Logins: who proves to be whom.

Room: embedded. A key pair is verified for real: the token must be signed by the private half of a
public key that the user has, and say the account, the user and a moment that is not over. Words
and numbers are Snowflake's. Passwords and bearer tokens are for whoever lets requests in: the
account keeps no password.
See https://docs.snowflake.com/en/user-guide/key-pair-auth
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity, UserDetail
from skills_nb.embedded.objects.principals.public_keys import fingerprint

if TYPE_CHECKING:
    from skills_nb.embedded.engine.account import Account

KEY_PAIR = "SNOWFLAKE_JWT"
_LET_IN = frozenset({"", "SNOWFLAKE", "OAUTH", "PROGRAMMATIC_ACCESS_TOKEN"})
"""What whoever serves the account has looked at."""
_ALGORITHMS = ["RS256", "ES256", "ES384", "ES512"]
_LEEWAY_S = 60
"""How far two clocks may be apart."""


def check(account: Account, user: Entity, given: Mapping[str, Any]) -> None:
    """Refuse a login that does not prove who it is.

    Raises:
        SqlError: the token is not the user's (390144), or the way to log in does not exist here
            (0A000).
    """
    way = str(given.get("AUTHENTICATOR") or "").upper()
    if way == KEY_PAIR:
        _check_key(account, user, str(given.get("TOKEN") or ""))
    elif way not in _LET_IN:
        raise errors.unsupported(f"AUTHENTICATOR = {way}")


def _check_key(account: Account, user: Entity, token: str) -> None:
    import jwt

    key = _key_named(user, token)
    if key is None:
        raise errors.invalid_token(account.ids())
    try:
        told = jwt.decode(
            token,
            key,
            algorithms=_ALGORITHMS,
            leeway=_LEEWAY_S,
            options={"require": ["iss", "sub", "iat", "exp"]},
        )
    except (jwt.PyJWTError, TypeError) as problem:
        raise errors.invalid_token(account.ids()) from problem
    subject, _, named = str(told["iss"]).rpartition(".SHA256:")
    if subject != told["sub"] or not named or subject not in _subjects(account, user):
        raise errors.invalid_token(account.ids())


def _subjects(account: Account, user: Entity) -> tuple[str, ...]:
    """Return what a token may call the user of this account."""
    info, detail = account.info, user.detail
    assert isinstance(detail, UserDetail), "only users log in"
    names = (info.locator, info.name, f"{info.organization}-{info.name}")
    return tuple(f"{name}.{detail.login_name}".upper() for name in names)


def _key_named(user: Entity, token: str) -> Any:
    """Return the user's public key that the token names by its fingerprint, if there is one."""
    import jwt

    detail = user.detail
    assert isinstance(detail, UserDetail), "only users log in"
    try:
        issuer = str(jwt.decode(token, options={"verify_signature": False}).get("iss", ""))
    except jwt.PyJWTError:
        return None
    for key, kept in ((detail.rsa_key, detail.rsa_key_fp), (detail.rsa_key_2, detail.rsa_key_2_fp)):
        # A fingerprint that was taken away takes its key with it.
        if key and kept and fingerprint(key) == kept and issuer.endswith(f".{kept}"):
            return _read(key)
    return None


def _read(key: str) -> Any:
    from cryptography.hazmat.primitives.serialization import load_der_public_key

    try:
        return load_der_public_key(base64.b64decode(key))
    except (ValueError, binascii.Error):
        return None
