"""Frozen values that every room shares: diagnostics, documents, skills, events, state, effects.

Room: ground. Nothing here reads a clock, draws an id, opens a file or imports a room above it.
Import the submodule you need: the event models cost time to build and routing never needs them.
"""
