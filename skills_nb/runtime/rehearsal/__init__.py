"""The parts of a dry run: what is known while it goes on, long steps, and what is told of it.

Room: work. `preview` is the door.
"""
