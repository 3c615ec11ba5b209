"""Files of another account, to rehearse on: a stage is copied when it is first looked at.

Room: embedded. Never linked: a rehearsed REMOVE or PUT must not reach the files themselves.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from skills_nb.embedded.storage.files.files import StageFiles


class BorrowedFiles(StageFiles):
    """Copies of stages that belong to somebody else."""

    def __init__(self, lender: StageFiles) -> None:
        """Borrow from the folders of an account; nothing is copied yet."""
        super().__init__(None)
        self._lender = lender
        self._looked_at: set[str] = set()

    def folder(self, key: str) -> Path:
        """Return a copy of a stage's folder, made at the first call."""
        if key not in self._looked_at:
            self._looked_at.add(key)
            lent = self._lender.root() / key
            if lent.is_dir():
                shutil.copytree(lent, self.root() / key, symlinks=True)
        return super().folder(key)
