"""What runs in the processes that hold users' Python.

Room: embedded. The standard library alone is imported here, and nothing of the package around it:
`starter` is begun with this folder as a package of its own.
"""
