"""The loopback: an account's wire on a port of this machine, for its other processes.

Room: work (runtime). Rules: nothing listens beyond 127.0.0.1; nobody enters without the token,
which is in a file that only its owner may read; whoever holds the account's folder serves it, and
the next one takes over when the holder is gone.

- `address`: where the server is, as a file in the account's folder
- `gate`: who may enter
- `server`: HTTP requests to a `Wire`
- `remote`: a `Wire` that is somewhere else, reached over HTTP
- `shared`: a `Wire` that is here or somewhere else, whoever holds the folder
- `connection`: the connector on a served account
"""
