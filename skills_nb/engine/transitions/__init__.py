"""What each event does to the state: the transition table and its larger entries.

Room: laws. `evolve` reads the table; nothing in here decides what comes next.
"""
