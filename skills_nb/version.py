"""Which version this is.

Room: none; it stands at the ground, so that whoever tells it needs nothing of the package's face.
"""

from __future__ import annotations

__version__ = "0.1.0"
