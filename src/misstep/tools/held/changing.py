"""Functions → those whose code changes data that outlives a call: code is read, never run."""

import ast
import builtins
import inspect
import textwrap
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, MappingProxyType
from typing import cast

from misstep.tools.held.reaching import is_own

_CHANGING = frozenset(
    {name for kind in (list, dict, set, deque) for name in dir(kind) if not name.startswith("_")}
    - {name for kind in (tuple, MappingProxyType, frozenset) for name in dir(kind)}
)
"""What containers that change have in common with none that does not: append, update, pop …"""
_SHOWING = frozenset({"get", "items", "values", "setdefault"})
"""Methods of a container that hand out what is in it."""


def changing(functions: Mapping[str, Callable[..., object]]) -> frozenset[str]:
    """Whose source cannot be had is left out."""
    return frozenset(name for name, function in functions.items() if _changes(function, set()))


def _changes(function: Callable[..., object], seen: set[object]) -> bool:
    bare = inspect.unwrap(cast("Callable[..., object]", getattr(function, "__func__", function)))
    if not isinstance(bare, FunctionType) or bare.__code__ in seen or not is_own(bare.__module__):
        return False
    seen.add(bare.__code__)
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(bare)))
    except (OSError, TypeError, SyntaxError):
        return False
    reading = _Reading(tree, bare.__globals__)
    if inspect.ismethod(function):
        reading.own.discard(bare.__code__.co_varnames[0])
    reading.follow_names()
    return any(map(reading.changes, ast.walk(tree))) or any(
        _changes(cast("Callable[..., object]", called), seen) for called in reading.called()
    )


class _Reading:
    def __init__(self, tree: ast.Module, names: Mapping[str, object]) -> None:
        self._tree = tree
        self._names = names
        stored = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        taken = {each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)}
        self._outer = {
            name for each in ast.walk(tree) if isinstance(each, (ast.Global, ast.Nonlocal)) for name in each.names
        }
        self.own = (stored | taken) - self._outer
        """Names that stand for nothing but what the call has made or was given."""

    def follow_names(self) -> None:
        """A name that was given what outlives the call stands for that."""
        before = -1
        while before != len(self.own):
            before = len(self.own)
            for target, value in self._given():
                if self._lasts(value):
                    self.own -= {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}

    def _given(self) -> Iterator[tuple[ast.expr, ast.expr]]:
        for each in ast.walk(self._tree):
            if isinstance(each, ast.Assign):
                yield from ((target, each.value) for target in each.targets if isinstance(target, ast.Name))
            elif isinstance(each, (ast.AnnAssign, ast.NamedExpr)) and isinstance(each.target, ast.Name):
                if each.value is not None:
                    yield each.target, each.value
            elif isinstance(each, (ast.For, ast.AsyncFor, ast.comprehension)):
                yield each.target, each.iter

    def _lasts(self, value: ast.expr) -> bool:
        match value:
            case ast.Name(id=name):
                return name not in self.own and (name in self._names or not hasattr(builtins, name))
            case ast.Subscript(value=holder) | ast.Attribute(value=holder) | ast.NamedExpr(value=holder):
                return self._lasts(holder)
            case ast.BoolOp(values=several):
                return any(map(self._lasts, several))
            case ast.IfExp(body=one, orelse=other):
                return self._lasts(one) or self._lasts(other)
            case ast.Call(func=ast.Attribute(value=holder, attr=name)):
                return name in _SHOWING and self._lasts(holder)
            case ast.Call(func=ast.Name(id="next"), args=[ast.GeneratorExp(elt=each), *_]):
                return self._lasts(each)
            case _:
                return False

    def changes(self, node: ast.AST) -> bool:
        match node:
            case ast.Subscript(value=holder, ctx=ast.Store() | ast.Del()):
                return self._lasts(holder)
            case ast.Attribute(value=holder, ctx=ast.Store() | ast.Del()):
                return self._lasts(holder)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                return name in self._outer
            case ast.Call(func=ast.Attribute(value=holder, attr=name)):
                return name in _CHANGING and self._lasts(holder)
            case _:
                return False

    def called(self) -> Iterator[object]:
        for each in ast.walk(self._tree):
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id not in self.own:
                yield self._names.get(each.func.id)
