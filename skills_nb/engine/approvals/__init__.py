"""Approvals: what an answer agrees to, what it lets through, and what asks a person once more.

Room: laws. Spec: Checkpoints; Guided Mode Execution > Guardrails.
"""
