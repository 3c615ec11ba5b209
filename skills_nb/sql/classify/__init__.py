"""Classifying: may a statement be repeated, and does it do what is prohibited.

Room: sql. Both answers are cautious: what cannot be read is done once, and text that is built at
run time is no text that anybody could approve.
"""

from __future__ import annotations

from skills_nb.sql.classify.kinds import Kind, kind_of
from skills_nb.sql.classify.prohibition import DynamicSqlError, prohibited

__all__ = ["DynamicSqlError", "Kind", "kind_of", "prohibited"]
