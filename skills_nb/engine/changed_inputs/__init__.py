"""Changed inputs: which steps they reach, which are done again, and how that is told.

Room: laws. Spec: Checkpoints > modify.
"""
