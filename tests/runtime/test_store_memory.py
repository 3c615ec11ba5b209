"""The fake meets the same contract as the real stores, so tests may trust it."""

from __future__ import annotations

from tests.fakes import MemoryThreadStore
from tests.runtime.store_contract import ThreadStoreContract


class TestMemoryThreadStore(ThreadStoreContract):
    def open(self):
        return MemoryThreadStore()

    def another(self, store):
        return store

    def test_an_abandoned_thread_is_told_once(self):
        store = MemoryThreadStore()
        store.abandoned.add("thr_1")
        with store.hold("thr_1") as first, store.hold("thr_1") as second:
            assert (first, second) == (True, False)
