"""Where the session of a thread is: its database and schema, and what it keeps for itself.

Room: laws. Whatever changes the session ends when the session ends.
"""
