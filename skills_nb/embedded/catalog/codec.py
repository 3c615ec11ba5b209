"""Records as JSON text and back, driven by their type hints.

Room: embedded. Pure. A record that cannot be read back is damage, and says so.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Callable
from datetime import datetime
from enum import Enum
from functools import lru_cache
from typing import Any

from skills_nb.embedded.catalog import (
    entities,
    object_details,
    pipeline_details,
    semantic_details,
)
from skills_nb.embedded.catalog.entities import Record

_CLASSES: dict[str, type] = {
    name: value
    for module in (entities, object_details, pipeline_details, semantic_details)
    for name, value in vars(module).items()
    if isinstance(value, type) and dataclasses.is_dataclass(value)
}


def dump(record: Record) -> str:
    """Write a record as JSON, its class name under `_`."""
    return json.dumps(_plain(record), ensure_ascii=False, separators=(",", ":"))


def load(body: str) -> Record:
    """Read a record that `dump` wrote."""
    return typing.cast(Record, _built(json.loads(body)))


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        shown = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        return {"_": type(value).__name__} | {k: _plain(v) for k, v in shown.items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def _built(plain: dict[str, Any]) -> Any:
    cls = _CLASSES[plain["_"]]
    readers = _readers(cls)
    return cls(**{k: readers[k](v) for k, v in plain.items() if k != "_"})


@lru_cache
def _readers(cls: type) -> dict[str, Callable[[Any], Any]]:
    hints = typing.get_type_hints(cls)
    return {f.name: _reader(hints[f.name]) for f in dataclasses.fields(cls)}


def _reader(hint: Any) -> Callable[[Any], Any]:
    origin = typing.get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        return _union_reader(typing.get_args(hint))
    if origin is tuple:
        inner = _reader(typing.get_args(hint)[0])
        return lambda value: tuple(inner(item) for item in value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if hint is datetime:
        return datetime.fromisoformat
    if dataclasses.is_dataclass(hint):
        return _built
    return lambda value: value


def _union_reader(options: tuple[Any, ...]) -> Callable[[Any], Any]:
    real = [_reader(option) for option in options if option is not type(None)]
    return lambda value: None if value is None else real[0](value)
