"""The catalog: everything the account knows apart from rows.

Room: embedded. `entities` are the frozen values, `codec` turns them into JSON and back, `catalog`
keeps them in memory with a journal of what a statement changed.
"""
