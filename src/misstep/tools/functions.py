"""Plain Python functions → a Toolbox: schemas from hints and docstrings, errors as answers."""

import inspect
from collections.abc import (
    AsyncIterator,
    Callable,
    Collection,
    Coroutine,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    Sequence,
    ValuesView,
)
from functools import lru_cache
from itertools import islice
from typing import TypeVar, cast, overload

import msgspec
from msgspec import Struct, ValidationError, structs

from misstep.core.errors import InvalidTrialError, StartError, UnknownToolError, UsageError, suggestion
from misstep.core.roles import Toolbox
from misstep.core.tool import JSON, Answer, Effect, Tool
from misstep.effects.guessing import guess_effect
from misstep.tools.checked import problem
from misstep.tools.docstrings import read_docstring
from misstep.tools.plain import NotJSONError, clean, plain
from misstep.tools.schemas import Signature, signature_of

Function = Callable[..., object]
_F = TypeVar("_F", bound=Function)
_MARK = "__misstep_tool__"
MOST_YIELDED = 10_000


class _Mark(Struct, frozen=True):
    effect: Effect | None = None
    name: str | None = None
    owner: str | None = None


class _Specification(Struct, frozen=True):
    tool: Tool
    signature: Signature


@overload
def tool(function: _F) -> _F: ...
@overload
def tool(*, effect: Effect | None = None, name: str | None = None, owner: str | None = None) -> Callable[[_F], _F]: ...
def tool(
    function: _F | None = None, *, effect: Effect | None = None, name: str | None = None, owner: str | None = None
) -> _F | Callable[[_F], _F]:
    """Mark a function as a tool, with its effect and name where these cannot be guessed; it stays what it was.

    `owner`: the argument that takes the key of the person whose records it is about."""

    def marked(function: _F) -> _F:
        setattr(function, _MARK, _Mark(effect, name, owner))
        return function

    return marked if function is None else marked(function)


class Functions:
    """A toolbox of functions, marked or plain, sync or async; a mapping gives them other names."""

    def __init__(self, functions: Iterable[Function] | Mapping[str, Function]) -> None:
        self._functions: dict[str, tuple[Function, _Specification]] = {}
        for name, function in _named(functions):
            specification = _specified(function, name)
            if specification.tool.name in self._functions:
                raise UsageError(
                    f"Two functions are called {specification.tool.name!r}. "
                    "Give one of them another name with '@tool(name=…)'."
                )
            self._functions[specification.tool.name] = (function, specification)
        self._tools = tuple(specification.tool for _, specification in self._functions.values())

    def reaching(self, names: Collection[str]) -> "Functions":
        """The same, some of which were seen to reach outside: what they are called does not make them reads.

        What somebody has declared stays."""
        made = Functions({name: function for name, (function, _) in self._functions.items()})
        for name in self.undeclared.intersection(names):
            function, specification = self._functions[name]
            if specification.tool.effect == "reads":
                tool = structs.replace(specification.tool, effect="reaches-outside")
                made._functions[name] = (function, structs.replace(specification, tool=tool))
        made._tools = tuple(specification.tool for _, specification in made._functions.values())
        return made

    @property
    def undeclared(self) -> frozenset[str]:
        """The tools of which nobody has said what they do: that is guessed."""
        marks = {name: getattr(function, _MARK, _Mark()) for name, (function, _) in self._functions.items()}
        return frozenset(name for name, mark in marks.items() if mark.effect is None)

    @property
    def owners(self) -> tuple[str, ...] | None:
        """The arguments and fields that name the person whose a record is; None where nobody has said it."""
        marks = (getattr(function, _MARK, _Mark()).owner for function, _ in self._functions.values())
        return tuple(dict.fromkeys(f"*.{owner}" for owner in marks if owner is not None)) or None

    @property
    def functions(self) -> dict[str, Function]:
        """By the names of the tools that they are."""
        return {name: function for name, (function, _) in self._functions.items()}

    async def tools(self) -> Sequence[Tool]:
        return self._tools

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        found = self._functions.get(tool)
        if found is None:
            raise UnknownToolError(tool, self._functions)
        function, specification = found
        if wrong := problem(specification.tool, arguments):
            return Answer(wrong, is_error=True)
        try:
            placed, named = specification.signature.read(arguments)
        except ValidationError as error:
            return Answer(f"The arguments of {tool!r} do not fit: {error}.", is_error=True)
        return await _answer(function, placed, named, tool)


def _named(functions: Iterable[Function] | Mapping[str, Function]) -> list[tuple[str | None, Function]]:
    if isinstance(functions, Mapping):
        return list(cast("Mapping[str | None, Function]", functions).items())
    return [(None, function) for function in functions]


async def _answer(function: Function, placed: list[object], named: dict[str, object], name: str) -> Answer:
    try:
        result = function(*placed, **named)
        if inspect.isawaitable(result):
            result = cast("object", await result)
        result = await _listed(result)
    except InvalidTrialError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 (foreign code: what it raises is the tool's answer)
        return Answer(_told(error), is_error=True)
    try:
        return Answer(plain(result))
    except NotJSONError as error:
        return Answer(f"{name!r} returned something that is no JSON: {clean(str(error))}.", is_error=True)


async def _listed(result: object) -> object:
    """What comes one by one, as a list of it."""
    if isinstance(result, AsyncIterator):
        found: list[object] = []
        async for each in cast("AsyncIterator[object]", result):
            found.append(each)
            _stop_at_the_most(found)
        return found
    if isinstance(result, (Iterator, KeysView, ValuesView)):
        found = list(islice(cast("Iterable[object]", result), MOST_YIELDED + 1))
        _stop_at_the_most(found)
        return found
    return result


def _stop_at_the_most(found: Sequence[object]) -> None:
    if len(found) > MOST_YIELDED:
        raise ValueError(f"It yields more than {MOST_YIELDED:,} results, and may never end")


def _told(error: BaseException) -> str:
    try:
        message = clean(str(error))
    except BaseException:  # noqa: BLE001 (an exception whose text cannot be had is still an answer)
        message = ""
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


class _Blueprint:
    """A function as the key of its specification: functions made anew from one piece of code are one."""

    def __init__(self, function: Function, name: str | None, mark: _Mark) -> None:
        self.function, self.name, self.mark = function, name, mark
        self._key = (name, mark, inspect.ismethod(function), *_made_of(function))

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Blueprint) and self._key == other._key


def _made_of(function: Function) -> tuple[object, ...]:
    bare = inspect.unwrap(getattr(function, "__func__", function))
    defaults: list[object] = [*(bare.__defaults__ or ()), *(bare.__kwdefaults__ or {}).values()]
    return (
        bare.__code__,
        bare.__module__,
        bare.__qualname__,
        bare.__doc__,
        tuple(cast("dict[str, object]", bare.__annotations__).items()),
        *((type(each).__qualname__, each) for each in defaults),  # 1 and True are equal, and not the same default.
    )


def _specified(function: object, name: str | None) -> _Specification:
    if not (inspect.isfunction(function) or inspect.ismethod(function)):
        raise UsageError(
            f"{_shown(function)} is no function, so it cannot be a tool. Pass functions, as in 'Functions([f, g])'; "
            "wrap a class or any other callable in a function."
        )
    if name is not None and not isinstance(cast("object", name), str):
        raise UsageError(f"A tool's name must be a text; the mapping has the key {_shown(name)}.")
    try:
        blueprint = _Blueprint(function, name, getattr(function, _MARK, _Mark()))
        try:
            return _remembered(blueprint)
        except TypeError:
            return _specify(blueprint)  # A default that cannot be hashed, such as a list.
    except UsageError:
        raise
    except Exception as error:  # foreign code: hints are run to be read, and a docstring may be anything
        raise UsageError(
            f"{_shown(function)} cannot be made a tool: {_told(error)}. Look at its hints, defaults and docstring."
        ) from error


def _specify(blueprint: _Blueprint) -> _Specification:
    function, mark = blueprint.function, blueprint.mark
    name = blueprint.name or mark.name or function.__name__
    docs = read_docstring(function.__doc__)
    signature = signature_of(function, f"Function {name!r}", docs)
    taken = cast("Mapping[str, JSON]", signature.input_schema.get("properties", {}))
    if mark.owner is not None and mark.owner not in taken:
        raise UsageError(
            f"Function {name!r} has no argument {mark.owner!r}, which '@tool(owner=…)' says it has."
            f"{suggestion(mark.owner, taken)}"
        )
    effect = mark.effect or guess_effect(name, docs.summary)
    made = Tool(name, docs.summary, signature.input_schema, signature.output_schema, effect)
    msgspec.json.encode(made)  # raises for what no file can hold
    return _Specification(made, signature)


# Reading a signature costs more than a trial with it; a factory makes new functions of the same code for each trial.
_remembered = lru_cache(maxsize=1024)(_specify)


def as_toolbox(thing: object) -> Toolbox:
    """A toolbox as it is; functions in a list or a mapping; a marked function; or what a factory makes of these."""
    made = _made_toolbox(thing)
    if made is not None:
        return made
    if not callable(thing):
        raise UsageError(
            f"{_shown(thing)} is no toolbox. Give a list of functions, a mapping of names to functions, "
            "a Toolbox, or a function without arguments that returns one of these."
        )
    name = getattr(thing, "__name__", type(thing).__name__)
    if _needs_arguments(thing):
        raise UsageError(
            f"{name!r} takes arguments, so it is no factory of tools. "
            "If it is a tool, mark it with '@tool' or put it in a list."
        )
    made = _made_toolbox(_product(thing, name))
    if made is None:
        raise UsageError(
            f"The factory {name!r} returned no toolbox and no list of functions. If it is itself a tool, "
            "mark it with '@tool' or put it in a list."
        )
    return made


def _made_toolbox(thing: object) -> Toolbox | None:
    if isinstance(thing, (list, tuple, Mapping)) and not thing:
        raise UsageError("there is no tool in it: it is empty. Put the functions in that the agent may call.")
    if isinstance(thing, (list, tuple)):
        return Functions(cast("Sequence[Function]", thing))
    if isinstance(thing, Mapping):
        return Functions(cast("Mapping[str, Function]", thing))
    if hasattr(thing, _MARK):
        return Functions([cast("Function", thing)])
    # A class has its methods too, but is a factory of toolboxes, not one.
    return thing if isinstance(thing, Toolbox) and not isinstance(thing, type) else None


def _needs_arguments(thing: Callable[..., object]) -> bool:
    try:
        inspect.signature(thing).bind()
    except TypeError:
        return True
    except ValueError:
        return False
    return False


def _product(factory: Callable[..., object], name: str) -> object:
    try:
        product = factory()
    except UsageError:
        raise
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        raise StartError(f"The factory of tools {name!r} raised {_told(error)}. Call it alone to see where.") from error
    if inspect.iscoroutine(product):
        cast("Coroutine[object, object, object]", product).close()
        raise UsageError(f"The factory of tools {name!r} is async; make it a plain function.")
    return product


def _shown(thing: object) -> str:
    try:
        text = clean(repr(thing))
    except Exception:  # noqa: BLE001 (foreign code)
        text = f"<{type(thing).__name__}>"
    return text if len(text) <= 60 else f"{text[:60]}…"
