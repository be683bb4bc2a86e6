"""What counts as data that code may hold: values, containers and objects, with what is in them."""

import logging
import re
import threading
import types
import typing
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, time, timedelta, tzinfo
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from itertools import count
from random import Random
from typing import cast
from uuid import UUID

MOST_VALUES = 200_000
_VALUES = (
    *(bool, int, float, complex, str, bytes, range, type(None), type(...), type(NotImplemented)),
    *(date, time, timedelta, tzinfo, Decimal, Fraction, UUID, re.Pattern, Enum),
    *(types.GenericAlias, types.UnionType, typing.TypeVar, typing.ForwardRef),
)
_SHARED = (logging.Logger, type(threading.Lock()), type(threading.RLock()), types.MappingProxyType)
_MEMBERS = (list, tuple, set, frozenset, deque)
_CONTAINERS = (dict, bytearray, *_MEMBERS)
_OF_LIBRARIES = ("typing", "dataclasses", "typing_extensions", "msgspec", "pydantic", "pydantic_core")


def is_atom(thing: object) -> bool:
    """It never changes, and holds nothing that does."""
    return isinstance(thing, _VALUES) or _is_of_a_library(thing)


def _is_of_a_library(thing: object) -> bool:
    """What stands for a type or for a default in hints and dataclasses."""
    kind = type(thing)
    return not isinstance(thing, type) and kind.__module__.partition(".")[0] in _OF_LIBRARIES


def is_shared(thing: object) -> bool:
    """Loggers and locks are nobody's data: every copy has the same."""
    return isinstance(thing, _SHARED)


def is_collection(thing: object) -> bool:
    """It may hold something, or change: a container, an object with attributes, a counter, a source of chance."""
    if is_atom(thing) or is_shared(thing) or isinstance(thing, (type, types.ModuleType)) or callable(thing):
        return False
    return isinstance(thing, _CONTAINERS) or is_source(thing) or bool(names_of(thing)) or hasattr(thing, "__dict__")


def is_source(thing: object) -> bool:
    """What comes out of it can be seen only by taking it."""
    return isinstance(thing, (Random, count))


def is_members(thing: object) -> bool:
    """A list or a set, of whatever kind."""
    return isinstance(thing, _MEMBERS)


def members_of(thing: object) -> list[object]:
    """In an order that is the same each time."""
    listed = list(cast("Iterable[object]", thing))
    return sorted(listed, key=str) if isinstance(thing, (set, frozenset)) else listed


def parts_of(thing: object) -> Iterator[object]:
    """What is in a container or an object."""
    if is_members(thing):
        yield from members_of(thing)
    elif isinstance(thing, Mapping):
        mapping = cast("Mapping[object, object]", thing)
        yield from mapping.keys()
        yield from mapping.values()
        yield from [factory] if (factory := getattr(mapping, "default_factory", None)) is not None else []
    whole = cast("object", thing)
    if not is_source(whole) and not isinstance(whole, bytearray):
        yield from fields_of(whole).values()


def names_of(thing: object) -> tuple[str, ...]:
    """The attributes that an object's class has given it room for."""
    kind = type(thing)
    if fields := getattr(kind, "__struct_fields__", None):
        return cast("tuple[str, ...]", fields)
    slots: list[str] = []
    for each in kind.__mro__:
        own: object = vars(each).get("__slots__", ())
        slots += [own] if isinstance(own, str) else [str(name) for name in cast("tuple[str, ...]", own)]
    return tuple(name for name in slots if name not in ("__dict__", "__weakref__"))


def fields_of(thing: object) -> dict[str, object]:
    """An object's attributes with their values."""
    own: dict[str, object] = dict(getattr(thing, "__dict__", {}))
    return {**{name: getattr(thing, name) for name in names_of(thing) if hasattr(thing, name)}, **own}
