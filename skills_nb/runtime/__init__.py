"""Effects at the edge: interpreters, the conductor, thread stores, the session.

Room: work. Import the submodule you need; Snowpark and the connector load on first use.
"""
