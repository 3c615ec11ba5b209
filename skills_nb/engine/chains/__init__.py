"""Chains: several domains in order, what each hands to the next, and what happens between them.

Room: laws. Spec: Cross-domain execution; Re-routing.
"""
