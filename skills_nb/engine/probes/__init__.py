"""Probes: what a playbook looks at before it begins, and what changed since a dry run.

Room: laws. A probe only reads.
"""
