"""The account as a port: a Snowpark session behind `ports.SqlSession`.

Room: work (runtime). Snowpark itself is imported by whoever opens the session, never here.
"""

from skills_nb.runtime.snowpark.snowpark_session import SnowparkSession

__all__ = ["SnowparkSession"]
