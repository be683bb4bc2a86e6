"""What functions hold ↔ copies of it: taken as one, and put back into the very objects that the code knows."""

import io
import marshal
import pickle
from collections import deque
from collections.abc import Mapping
from itertools import count
from random import Random
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import force_setattr

from misstep.tools.held.data import fields_of, is_atom, is_collection, is_members, is_shared, is_source
from misstep.tools.held.reaching import Reach

_PLAIN = frozenset({str, int, float, bool, bytes, type(None)})
_TREE = frozenset({dict, list, tuple})
_WITHOUT_REFERENCES = 2
"""The form of marshal in which the same data has the same bytes, however often something else refers to it."""

_Contents = tuple[object, dict[str, object]]
"""What is in a container, and the attributes of an object."""


class Copy(Struct, frozen=True, eq=False):
    """The data at one moment."""

    known: tuple[object, ...]
    """What the bindings stood for, as the code knows it."""
    kept: tuple[object, ...]
    """Code, classes and locks in the data, which every copy has in common."""
    data: bytes
    """All the rest. Two copies with the same bytes are of the same data."""
    plain: bool
    """Whether it is a tree of plain values, which is written and read ten times as fast."""


class Holdings:
    """The data of some functions, of which there is only one: whoever works with it brings in a copy of their own."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    @property
    def named(self) -> list[tuple[str, object]]:
        """Name and value, each value once."""
        found: dict[int, tuple[str, object]] = {}
        for each in self._reach.bindings:
            value = each.get()
            found.setdefault(id(value), (each.name, value))
        return list(found.values())

    def copy(self) -> Copy:
        known = tuple(each.get() for each in self._reach.bindings)
        contents = [_contents(each) if _can_be_refilled(each) else each for each in known]
        if _is_plain_tree(known, contents):
            return Copy(known, (), marshal.dumps(contents, _WITHOUT_REFERENCES), plain=True)
        buffer = io.BytesIO()
        writer = _Writer(buffer, known)
        writer.dump(contents)
        return Copy(known, tuple(writer.kept), buffer.getvalue(), plain=False)

    def put(self, copy: Copy) -> None:
        """Objects stay the same, their contents become those of the copy; the copy can be used again."""
        values: list[object] = marshal.loads(copy.data) if copy.plain else _Reader(io.BytesIO(copy.data), copy).load()
        for binding, known, value in zip(self._reach.bindings, copy.known, values, strict=True):
            if _can_be_refilled(known):
                _refill(known, cast("_Contents", value))
                binding.put(known)
            else:
                binding.put(value)
        for clear in self._reach.clear:
            clear()


class _Writer(pickle.Pickler):
    """Writes data that is one's own, in this process and for it: names of code need not be found again."""

    def __init__(self, buffer: io.BytesIO, known: tuple[object, ...]) -> None:
        super().__init__(buffer, protocol=pickle.HIGHEST_PROTOCOL)
        self._known = {id(each): at for at, each in enumerate(known) if _can_be_refilled(each)}
        self._places: dict[int, int] = {}
        self.kept: list[object] = []

    def persistent_id(self, obj: object) -> tuple[bool, int] | None:
        kind = type(obj)
        if kind is str or kind is int:
            return None
        if id(obj) in self._known:
            return True, self._known[id(obj)]
        if callable(obj) or is_shared(obj):
            at = self._places.setdefault(id(obj), len(self.kept))
            self.kept += [obj] if at == len(self.kept) else []
            return False, at
        return None

    def reducer_override(self, obj: object) -> Any:
        """A counter goes on from where it stands; only its text, `count(7)`, says where that is."""
        told = repr(obj) if is_source(obj) else ""
        if not told.startswith("count("):
            return NotImplemented
        numbers = told.removeprefix("count(").removesuffix(")").split(",")
        return count, tuple(int(each) if each.strip().lstrip("-").isdigit() else float(each) for each in numbers)


class _Reader(pickle.Unpickler):
    def __init__(self, buffer: io.BytesIO, copy: Copy) -> None:
        super().__init__(buffer)
        self._copy = copy

    def persistent_load(self, pid: tuple[bool, int]) -> object:
        known, at = pid
        return self._copy.known[at] if known else self._copy.kept[at]


def _is_plain_tree(known: tuple[object, ...], contents: list[object]) -> bool:
    """Nothing but plain values in dicts and lists, none of which is in two places."""
    seen = {id(each) for each in known}
    waiting: list[object] = [contents]
    while waiting:
        thing = waiting.pop()
        named = type(thing) is dict
        if named and not _PLAIN.issuperset(map(type, cast("list[object]", thing))):
            return False
        for each in cast("dict[object, object]", thing).values() if named else cast("list[object]", thing):
            kind = type(each)
            if kind in _PLAIN:
                continue
            if kind not in _TREE or id(each) in seen:
                return False
            if each:
                seen.add(id(each))
                waiting.append(each)
    return True


def _can_be_refilled(value: object) -> bool:
    return is_collection(value) and not isinstance(value, (tuple, frozenset, count)) and not is_atom(value)


def _contents(value: object) -> _Contents:
    if isinstance(value, Random):
        return value.getstate(), {}
    if isinstance(value, Mapping):
        return list(cast("Mapping[object, object]", value).items()), fields_of(cast("object", value))
    if isinstance(value, bytearray):
        return bytes(value), {}
    return list(cast("list[object]", value)) if is_members(value) else None, fields_of(value)


def _refill(known: object, contents: _Contents) -> None:
    inner, fields = contents
    if isinstance(known, Random):
        known.setstate(cast("tuple[Any, ...]", inner))
        return
    if isinstance(known, bytearray):
        known[:] = cast("bytes", inner)
        return
    if isinstance(known, (dict, set)):
        cast("set[object]", known).clear()
        cast("set[object]", known).update(cast("list[object]", inner))
    elif isinstance(known, (list, deque)):
        cast("list[object]", known).clear()
        cast("list[object]", known).extend(cast("list[object]", inner))
    _refill_fields(cast("object", known), fields)


def _refill_fields(known: object, fields: dict[str, object]) -> None:
    own: dict[str, object] | None = getattr(known, "__dict__", None)
    if own is not None:
        for name in own.keys() - fields.keys():
            del own[name]
    for name, value in fields.items():
        if own is not None and name in own:
            own[name] = value
        elif isinstance(known, Struct):
            force_setattr(known, name, value)
        else:
            object.__setattr__(known, name, value)
