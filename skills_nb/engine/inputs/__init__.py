"""Inputs: their types and sources, the question that asks for one, and what is secret of them.

Room: laws. Spec: Agent Traversal > gather, probe, execute.
"""
