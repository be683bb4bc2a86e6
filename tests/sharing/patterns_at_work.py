"""The patterns of a module with the ways they are tried, and texts that would keep a careless one busy."""

import ast
import importlib
import inspect
import pkgutil
import re
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from random import Random
from types import FrameType, ModuleType
from typing import Any, NamedTuple

import misstep

_parser: Any = importlib.import_module("re._parser")
_AT_START = frozenset({"match", "fullmatch"})
_ANYWHERE = frozenset({"finditer"})
_DEEP = 6
_ENDS = ("", "\n", " ", "!", "~", "7", "a", "é")
_OFTEN = 8
"""What may be said more often than this can be said without end."""
_SIZES = (32, 128, 512, 2048, 8192)
"""From short to long, for some take for ever on a long text; each is four times the one before."""
_LITTLE_S, _LITTLE_A_CHARACTER_S = 0.003, 0.0000015
"""So little says nothing about growth."""
_SLACK = 1.8
"""What grows with the square comes to 4."""
_STOPPED = float("inf")

Text = tuple[str, str, str]
"""A beginning, a piece that is said over and over, and an end."""

DULL = (
    "\n", " ", "\t \n", "a", "a ", "ab", "Ab ", "9", "9 ", "9,", "1.", ".", ". ", ", ", "-", "_", "a-", "a.", "[", "(",
    "{", "<", '{"a":', '"', "' ", "\\", "/", "@", "#", "*", "|", "=", ":", "```", "**a ", "\n1. a", "\n- ", "a, ",
    "not ", "you must ", "I have done ", "do not touch a ", "I will do a. ", "and ", "of the ", "2024-01-01 ",
    "5 euros ", "a@", "a@b.", "http://a.b/", "a/b/", "<a>", "é",
)  # fmt: skip
"""Pieces of any text whatever."""


class Known(NamedTuple):
    """One pattern, where it stands, and how it is tried: at every place of a text, or at its start alone."""

    name: str
    pattern: re.Pattern[Any]
    ways: frozenset[str]


def modules() -> list[str]:
    """The names of all modules of the package."""
    return [found.name for found in pkgutil.walk_packages(misstep.__path__, "misstep.")]


def patterns_in(module: ModuleType) -> list[Known]:
    """Those it holds, those that its tables yield when they are first read, those that stand where they are tried."""
    known: dict[tuple[Any, int, frozenset[str]], Known] = {}
    ways, written = _ways(module)
    for name, value in list(vars(module).items()):
        seen = ways.get(name, set())
        for pattern in _held_in(value):
            tried = frozenset(seen) if value is pattern and seen and seen <= _AT_START else _ANYWHERE
            known[pattern.pattern, pattern.flags, tried] = Known(f"{module.__name__}.{name}", pattern, tried)
    for text, way, line in written:
        pattern, tried = re.compile(text), frozenset({way}) if way in _AT_START else _ANYWHERE
        known.setdefault((text, pattern.flags, tried), Known(f"{module.__name__}:{line}", pattern, tried))
    return list(known.values())


def texts_for(pattern: re.Pattern[Any], tries: int, seed: int = 0) -> list[Text]:
    """What the pattern itself would take, or nearly, again and again and with each repeated part said without end."""
    random = Random(seed)
    is_text = isinstance(pattern.pattern, str)
    parsed = _parser.parse(
        pattern.pattern if is_text else pattern.pattern.decode("latin-1"),
        pattern.flags if is_text else pattern.flags & ~re.UNICODE,
    )
    made: dict[Text, None] = {}
    for _ in range(tries):
        pieces = list(_taken_by(parsed, random))
        whole = "".join(piece for piece, _ in pieces)
        if not whole:
            continue
        for text in (("", whole, "~"), ("", whole[:-1] or whole, ""), ("", f"{whole} ", ""), ("", _first(whole), "")):
            made[text] = None
        so_far = ""
        for piece, again in pieces:
            if again:
                made[so_far, again, random.choice(_ENDS)] = None
                made["", so_far + again, ""] = None
            so_far += piece
    return list(made)


def excess(known: Known, made: Text, longest: int = 2048) -> float | None:
    """How much more than in proportion to its length a text takes; None where it is in proportion."""
    for size in _SIZES:
        if size > longest:
            return None
        text, shorter = said(made, size), said(made, size // 4)
        found = growth(lambda: _try(known, text), lambda: _try(known, shorter), size)  # noqa: B023
        if found is not None:
            return found
    return None


def growth(long: Callable[[], object], short: Callable[[], object], size: int, little_s: float = 0) -> float | None:
    """How much more than four times the short work the long one takes; None where it does not, or takes little."""
    little_s = little_s or max(_LITTLE_S, size * _LITTLE_A_CHARACTER_S)
    took = cpu(long)
    if took < little_s:
        return None
    took = min(took, *(cpu(long) for _ in range(1 if took == _STOPPED else 4)))
    if took < little_s:
        return None
    times = took / min(cpu(short) for _ in range(3)) / 4 if took < _STOPPED else _STOPPED
    return times if times > _SLACK else None


def said(made: Text, length: int) -> str:
    """The piece until so many characters are full, between beginning and end."""
    beginning, piece, end = made
    return beginning + (piece * (length // len(piece) + 1))[:length] + end


class _TooLongError(Exception):
    """Raised in the midst of a match, which looks for signals now and then."""


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise _TooLongError


def cpu(work: Callable[[], object], most_s: float = 2.0) -> float:
    """The seconds that it took this thread and nobody else; it is stopped where it takes more than so many."""
    before = signal.signal(signal.SIGVTALRM, _stop)
    started = time.thread_time()
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, most_s)
        work()
    except _TooLongError:
        return _STOPPED
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return time.thread_time() - started


def _try(known: Known, text: str) -> None:
    """As it is tried at work, through to the end of the text."""
    held: Any = text.encode() if isinstance(known.pattern.pattern, bytes) else text
    for way in known.ways:
        if way == "finditer":
            deque(known.pattern.finditer(held), 0)
        else:
            getattr(known.pattern, way)(held)


def _held_in(value: object, deep: int = _DEEP) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif not deep:
        return
    elif isinstance(value, dict):
        for pair in value.items():
            yield from _held_in(pair, deep - 1)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _held_in(each, deep - 1)
    elif callable(getattr(value, "cache_info", None)) and not inspect.signature(value).parameters:
        yield from _held_in(value(), deep - 1)
    elif type(value).__module__.startswith("misstep") and not isinstance(value, type):
        for name in getattr(value, "__struct_fields__", None) or list(getattr(value, "__dict__", ())):
            yield from _held_in(getattr(value, name, None), deep - 1)


def _ways(module: ModuleType) -> tuple[dict[str, set[str]], list[tuple[str, str, int]]]:
    """How each name of a module is tried, and the patterns that are written where they are tried."""
    ways: dict[str, set[str]] = {}
    written: list[tuple[str, str, int]] = []
    owners: set[ast.AST] = set()
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=way):
                ways.setdefault(name, set()).add(way)
                owners.add(node.value)
            case ast.Name(id=name, ctx=ast.Load()) if node not in owners:
                ways.setdefault(name, set()).add("handed on")
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=way), args=[ast.Constant(value=str() as text), *_]
            ) if way not in ("compile", "escape"):
                written.append((text, way, node.lineno))
            case _:
                pass
    return ways, written


def _first(text: str) -> str:
    return f"{text.split(maxsplit=1)[0]} " if text.split() else text


def _taken_by(parsed: Any, random: Random) -> Iterator[tuple[str, str]]:
    """What a pattern would take, piece by piece, and beside a piece that may be said without end its repeated part."""
    for op, what in parsed:
        match str(op):
            case "LITERAL":
                yield chr(what), ""
            case "NOT_LITERAL":
                yield "a" if chr(what) != "a" else "b", ""
            case "ANY":
                yield "a", ""
            case "IN":
                yield _one_of(what, random), ""
            case "BRANCH":
                yield from _taken_by(random.choice(what[1]), random)
            case "SUBPATTERN":
                yield from _taken_by(what[3], random)
            case "ATOMIC_GROUP":
                yield from _taken_by(what, random)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, most, body = what
                if int(most) > _OFTEN:
                    piece = "".join(each for each, _ in _taken_by(body, random))
                    yield piece * max(1, least), piece
                else:
                    for _ in range(max(least, random.randint(0, 1))):
                        yield from _taken_by(body, random)
            case _:
                pass  # what looks around takes nothing


_OF_A_KIND = {"DIGIT": "7", "SPACE": " ", "WORD": "a", "NOT_DIGIT": "a", "NOT_SPACE": "a", "NOT_WORD": " "}


def _one_of(items: Sequence[tuple[Any, Any]], random: Random) -> str:
    if str(items[0][0]) == "NEGATE":
        return next((each for each in "ab 7.~" if not any(_holds(item, each) for item in items[1:])), "~")
    op, what = random.choice(items)
    if str(op) == "CATEGORY":
        return _OF_A_KIND.get(str(what).removeprefix("CATEGORY_"), "a")
    return chr(random.choice(what) if str(op) == "RANGE" else what)


def _holds(item: tuple[Any, Any], letter: str) -> bool:
    op, what = item
    match str(op):
        case "LITERAL":
            return chr(what) == letter
        case "RANGE":
            return what[0] <= ord(letter) <= what[1]
        case _:
            tests = {"SPACE": letter.isspace(), "WORD": letter.isalnum(), "DIGIT": letter.isdigit()}
            kind = str(what).removeprefix("CATEGORY_")
            return not tests[kind.removeprefix("NOT_")] if kind.startswith("NOT_") else tests[kind]
