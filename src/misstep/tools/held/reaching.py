"""Functions → all the data that their code can reach, and the first thing beyond it: code is read, never run."""

import dis
import inspect
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import cast

from msgspec import Struct

from misstep.tools.held.data import MOST_VALUES, is_atom, is_collection, is_shared, parts_of
from misstep.tools.held.nesting import is_named_tuple_class

_HARMLESS = frozenset(
    """__future__ _collections_abc abc array base64 binascii bisect builtins calendar cmath collections colorsys
    contextlib copy dataclasses datetime decimal difflib enum fractions functools hashlib heapq html itertools json
    keyword logging math numbers operator random re secrets statistics string struct textwrap types typing unicodedata
    uuid warnings zlib zoneinfo attr attrs dateutil msgspec pydantic pydantic_core typing_extensions misstep _random
    _operator _functools _decimal _datetime _collections _bisect _heapq _json _struct _uuid""".split()
)
"""Modules that change nothing beyond what they are given. Logging says something, as it is asked to."""
_PARTLY: Mapping[str, frozenset[str]] = {
    "asyncio": frozenset({"sleep", "gather", "wait_for", "timeout", "Lock", "Semaphore", "TimeoutError"}),
    "time": frozenset({"time", "time_ns", "monotonic", "perf_counter", "sleep", "strftime", "gmtime", "localtime"}),
    "os": frozenset({"path"}),
    "posixpath": frozenset({"join", "basename", "dirname", "split", "splitext", "normpath"}),
    "threading": frozenset({"Lock", "RLock"}),
}
_FORBIDDEN = frozenset(
    {"open", "exec", "eval", "compile", "input", "__import__", "breakpoint", "globals", "exit", "quit"}
)
_LOADS = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS", "STORE_GLOBAL", "DELETE_GLOBAL"})
_ATTRIBUTES = frozenset({"LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR"})
_OF_CLASSES = frozenset({"_abc_impl", "_member_map_", "_member_names_", "_value2member_map_", "_unhashable_values_"})

_OF_NAMED_TUPLES = frozenset(
    """__new__ __repr__ __getnewargs__ __replace__ _make _replace _asdict _fields _field_defaults""".split()
)
"""What Python writes for them, and nobody else."""


class _BeyondError(Exception):
    """Code can reach something else than its own data; the message says what."""


class Binding(Struct, frozen=True, eq=False):
    """A name that data goes by: a variable of a module, of a closure, or of a class, or an object by its class."""

    name: str
    get: Callable[[], object]
    put: Callable[[object], None]


class Reach(Struct, frozen=True, eq=False):
    """What functions hold."""

    bindings: tuple[Binding, ...]
    """Of containers and objects, and of plain values that the code gives a new value."""
    clear: tuple[Callable[[], None], ...]
    """Forgets what the code has put into its caches."""
    beyond: dict[str, str]
    """A function's name → what it can reach that is no such data."""


def reach_of(functions: Mapping[str, Callable[..., object]]) -> Reach:
    """Each by itself: what one can reach is held against no other that does not call it."""
    reader = _Reader()
    beyond: dict[str, str] = {}
    for name, function in functions.items():
        try:
            reader.follow(function, name)
        except _BeyondError as error:
            beyond[name] = str(error)
            reader.forget()
    return Reach(tuple(reader.bindings.values()), tuple(reader.caches), beyond)


class _Reader:
    def __init__(self) -> None:
        self.bindings: dict[object, Binding] = {}
        self.caches: list[Callable[[], None]] = []
        self._seen: dict[int, object] = {}
        """What was followed, kept alive so that its id stays its own."""
        self._kept: list[object] = []
        self._values = 0

    def forget(self) -> None:
        """What was being followed when something lay beyond is followed anew by the next."""
        self._kept.append(self._seen)
        self._seen = {}

    def follow(self, thing: object, name: str) -> None:
        """Whatever a name stands for: code is read, data is looked through."""
        if id(thing) in self._seen or is_atom(thing) or is_shared(thing):
            return
        self._seen[id(thing)] = thing
        if isinstance(thing, FunctionType):
            self._function(thing, name)
        elif isinstance(thing, MethodType):
            self.follow(thing.__func__, name)
            self._object(thing.__self__)
        elif isinstance(thing, type):
            self._class(thing, name)
        elif isinstance(thing, ModuleType):
            raise _BeyondError(name)
        elif isinstance(thing, BuiltinFunctionType):
            self._builtin(thing, name)
        elif callable(cleared := getattr(thing, "cache_clear", None)):
            self.caches.append(cast("Callable[[], None]", cleared))
            self.follow(getattr(thing, "__wrapped__", None), name)
        else:
            self._data(thing, name)

    def _object(self, thing: object) -> None:
        """What a method belongs to goes by its class."""
        if isinstance(thing, type):
            self.follow(thing, thing.__name__)
            return
        name = type(thing).__name__
        self._bind(("object", id(thing)), Binding(name, lambda: thing, lambda value: None), thing)
        self.follow(thing, name)

    def _function(self, function: FunctionType, name: str) -> None:
        module = str(function.__globals__.get("__name__"))  # a wrapper bears the name of what it wraps
        own = is_own(module)
        if not own and not _is_harmless(module, function.__name__):
            raise _BeyondError(f"{module}.{function.__name__}")
        for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            if is_collection(value):
                self._bind(("default", id(value)), Binding(name, lambda value=value: value, lambda _: None), value)
            self.follow(value, name)
        rebound = set(_rebound(function.__code__))
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        for variable, cell in cells.items():
            self._cell(variable, cell, rebound=variable in rebound)
        if own:
            self._code(function.__code__, function.__globals__)

    def _cell(self, name: str, cell: CellType, *, rebound: bool) -> None:
        try:
            value = cell.cell_contents
        except ValueError:
            return  # nothing is in it yet
        if rebound or is_collection(value):
            binding = Binding(name, lambda: cell.cell_contents, lambda value: setattr(cell, "cell_contents", value))
            self._bind(("cell", id(cell)), binding, cell)
        self.follow(value, name)

    def _code(self, code: CodeType, names: dict[str, object]) -> None:
        instructions = list(dis.get_instructions(code))
        for at, each in enumerate(instructions):
            if each.opname == "IMPORT_NAME" and not _is_harmless(str(each.argval)):
                raise _BeyondError(str(each.argval))
            if each.opname in _LOADS:
                following = instructions[at + 1] if at + 1 < len(instructions) else None
                attribute = following.argval if following is not None and following.opname in _ATTRIBUTES else None
                self._name(str(each.argval), names, attribute, rebound=each.opname != "LOAD_GLOBAL")
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                self._code(inner, names)

    def _name(self, name: str, names: dict[str, object], attribute: str | None, *, rebound: bool) -> None:
        if name not in names:
            if name in _FORBIDDEN:
                raise _BeyondError(f"`{name}`")
            if not rebound:
                return  # a builtin, or nothing yet
        value = names.get(name)
        if isinstance(value, ModuleType):
            self._module(value, attribute)
            return
        if rebound or is_collection(value):
            binding = Binding(name, lambda: names.get(name), lambda value: names.__setitem__(name, value))
            self._bind(("global", id(names), name), binding, names)
        self.follow(value, name)

    def _module(self, module: ModuleType, attribute: str | None) -> None:
        if _is_harmless(module.__name__, attribute):
            return
        if attribute is None or not is_own(module.__name__):
            raise _BeyondError(module.__name__)
        self._name(attribute, vars(module), None, rebound=False)

    def _builtin(self, function: BuiltinFunctionType, name: str) -> None:
        """A function of C, or a method of a builtin object."""
        owner = function.__self__
        if owner is not None and not isinstance(owner, (ModuleType, type)):
            self.follow(owner, name)
        elif function.__name__ in _FORBIDDEN or not _is_harmless(function.__module__ or "builtins", function.__name__):
            raise _BeyondError(f"{function.__module__}.{function.__name__}")

    def _class(self, kind: type, name: str) -> None:
        if not is_own(kind.__module__):
            if not _is_harmless(kind.__module__, kind.__name__):
                raise _BeyondError(f"{kind.__module__}.{kind.__name__}")
            return
        for base in kind.__mro__[1:]:
            self.follow(base, name)
        generated = is_named_tuple_class(kind)
        for attribute, value in list(vars(kind).items()):
            for inner in _behind(value):
                if (
                    attribute in _OF_CLASSES
                    or (generated and attribute in _OF_NAMED_TUPLES)
                    or (attribute.startswith("__") and not isinstance(inner, FunctionType))
                ):
                    continue
                if is_collection(inner):
                    binding = Binding(
                        attribute,
                        lambda attribute=attribute: vars(kind).get(attribute),
                        lambda value, attribute=attribute: setattr(kind, attribute, value),
                    )
                    self._bind(("class", id(kind), attribute), binding, kind)
                self.follow(inner, attribute)

    def _data(self, thing: object, name: str) -> None:
        self._values += 1
        if self._values > MOST_VALUES:
            raise _BeyondError(f"more than {MOST_VALUES:,} values ({name})")
        if not is_collection(thing) or not _is_own_or_harmless(type(thing)):
            raise _BeyondError(f"{name}, a {type(thing).__module__}.{type(thing).__qualname__}")
        self.follow(type(thing), name)
        for part in parts_of(thing):
            self.follow(part, name)

    def _bind(self, key: object, binding: Binding, kept: object) -> None:
        self.bindings.setdefault(key, binding)
        self._kept.append(kept)  # its id is in the key


def _rebound(code: CodeType) -> Iterator[str]:
    """The variables of outer functions that code, or code in it, gives a new value."""
    for each in dis.get_instructions(code):
        if each.opname in ("STORE_DEREF", "DELETE_DEREF") and each.argval in code.co_freevars:
            yield str(each.argval)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from (name for name in _rebound(inner) if name in code.co_freevars)


def _behind(value: object) -> tuple[object, ...]:
    """What a class keeps under a name: functions come wrapped."""
    if isinstance(value, (staticmethod, classmethod)):
        return (cast("object", value.__func__),)
    if isinstance(value, property):
        return tuple(each for each in (value.fget, value.fset, value.fdel) if each is not None)
    if inspect.ismethoddescriptor(value) or inspect.isdatadescriptor(value):
        wrapped = getattr(value, "func", None)
        return (wrapped,) if wrapped is not None else ()
    return (value,)


def _is_harmless(module: str, attribute: str | None = None) -> bool:
    top = module.partition(".")[0]
    return top in _HARMLESS or (attribute is not None and attribute in _PARTLY.get(top, ()))


def _is_own_or_harmless(kind: type) -> bool:
    return _is_harmless(kind.__module__) or is_own(kind.__module__)


@cache
def _foreign() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    return tuple({Path(paths[name]).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib")})


def is_own(module: str) -> bool:
    """Code that lies neither with Python nor with what was installed."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return module == "__main__"
    path = Path(file).resolve()
    return not any(part in ("site-packages", "dist-packages") for part in path.parts) and not any(
        path.is_relative_to(each) for each in _foreign()
    )
