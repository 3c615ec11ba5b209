"""Public keys of users: what is kept of them, and what is shown.

Room: embedded. Pure.

See https://docs.snowflake.com/en/user-guide/key-pair-auth
"""

from __future__ import annotations

import base64
import binascii
import hashlib

_FINGERPRINT = "SHA256:"
_AROUND_A_KEY = ("BEGIN", "END", "PUBLIC", "KEY")


def fingerprint(key: str) -> str:
    """Return a public key's fingerprint, which is what is shown of it.

    One that is no key does no harm: nobody can log in with it.
    """
    text = in_one_line(key)
    if text.startswith(_FINGERPRINT):
        return text
    try:
        body = base64.b64decode(text, validate=True)
    except binascii.Error:
        body = text.encode()
    return _FINGERPRINT + base64.b64encode(hashlib.sha256(body).digest()).decode()


def in_one_line(key: str) -> str:
    """Return a key in one line, without the lines around it in a file."""
    return "".join(line for line in key.split() if line.strip("-") not in _AROUND_A_KEY)
