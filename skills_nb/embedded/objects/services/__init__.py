"""Services: what Snowflake would run, serve or compute, by its code and models.

Room: embedded. Nothing is started for any of it; whatever would run one is refused.
"""
