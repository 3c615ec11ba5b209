"""Processes of their own for Python that users wrote: they hold its values and nothing else.

Room: embedded. A starter, which runs no user's code, forks a worker for each owner of routines and
each caller, for one statement. `inside` is what those processes run: it imports nothing of this
package, and what it says is data of a stranger, checked before it is used.
"""
