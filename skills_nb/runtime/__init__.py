"""Work with the world: interpreters, the conductor, thread stores, the Snowpark session.

Room: work. It may touch snowflake and sqlalchemy, loaded on first use; take what you need from
its submodules, so that importing one never pays for another.
"""
