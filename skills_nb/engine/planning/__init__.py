"""What is known of a step before it runs: its names, its missing inputs, its exact statements.

Room: laws. Nothing in here has been sent.
"""
