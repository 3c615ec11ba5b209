"""What a home folder is set to: its account, library, model and thread store.

Room: commands. `wiring` makes of it what the app works with.
"""
