"""The verbs: one function each, which makes one call and returns a `Reply`.

Room: commands. `thread_verbs` holds the table of all of them.
"""
