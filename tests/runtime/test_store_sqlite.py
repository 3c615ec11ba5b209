"""The SQLite store meets the contract, and what only a file can suffer."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from skills_nb.runtime.stores.sqlite import SqliteThreadStore
from tests.runtime.store_contract import ThreadStoreContract


class TestSqliteThreadStore(ThreadStoreContract):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path):
        self.folders = (tmp_path / str(number) for number in itertools.count())
        self.opened: list[SqliteThreadStore] = []
        yield
        for store in self.opened:
            store.close()

    def open(self):
        return self._keep(next(self.folders))

    def another(self, store):
        return self._keep(store.directory)

    def _keep(self, directory: Path) -> SqliteThreadStore:
        store = SqliteThreadStore(directory)
        self.opened.append(store)
        return store
