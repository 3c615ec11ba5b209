"""The words that served accounts and their clients have in common.

Room: work (runtime, loopback). Everything else on the wire is the connector's own.
"""

from __future__ import annotations

OWN = "/skills/"
"""Beginning of the paths that are not the connector's; they need the token itself."""
HELLO = "/skills/v1/hello"
"""Answers a nonce with the proof that the token is known here; needs no token."""
TOKEN_HEADER = "Skills-Token"  # noqa: S105 - the header's name, not a token
"""Carries the token where a request is no login."""
ASKS_STATE = "Skills-Session"
"""Asks the wire to put what a session needs elsewhere into its answer, where it can.

The answer's `data` then holds `session`: `state`, to be posted as it is to the path `resume`.
"""
RESULTS = "/results/"
"""Beginning of the paths of a result's pieces; what opens them came with the answer."""
TRANSFERS = "/transfers/"
"""Beginning of the paths of files that a client puts on a stage or fetches; the key that opens them
came with the answer to PUT or GET. What a client sends there is a file, and no document."""
MONITORING = "/monitoring/queries/"
"""Beginning of the paths that tell how far a statement is."""
JSON, BYTES = "application/json", "application/octet-stream"
"""What an answer is; a piece of a result is bytes, everything else a document."""
LOGIN = "/session/v1/login-request"
SINGLE_SIGN_ON = "/session/authenticator-request"
QUERY = "/queries/v1/query-request"
RENEWAL = "/session/token-request"
SESSION = "/session"
LOGOUT = "/session/logout-request"
