"""Skills for Snowflake: route an intent, preview it, do it step by step, with every decision kept.

Heavy packages load on first use, so importing this costs next to nothing.
"""

from __future__ import annotations

__version__ = "0.1.0"
