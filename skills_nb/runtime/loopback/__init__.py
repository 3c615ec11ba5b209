"""The loopback: an account's wire on a port of this machine, for its other processes.

Room: work (runtime). Rules: nothing listens beyond 127.0.0.1; nobody enters without the token,
which is in a file that only its owner may read; whoever holds the account's folder serves it, and
the next one takes over when the holder is gone.

- `address_file`: where the server is, as a file in the account's folder
- `client_settings`: what Snowflake's own clients need to know of it
- `request_head`: what stands before a request's body, read once
- `gate`: who may enter, by that head
- `request_body`: the document in a body, within bounds
- `client_line`: bytes from and to a client, within time and size
- `served_account`: the wire, its gate, who is connected and what is being answered
- `requests`: these in their order, for one client
- `server`: a `Wire` on a port
- `remote_wire`: a `Wire` that is somewhere else, reached over HTTP
- `shared_wire`: a `Wire` that is here or somewhere else, whoever holds the folder
- `connection`: the connector on a served account
"""
