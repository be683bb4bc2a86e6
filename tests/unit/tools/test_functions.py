"""Plain functions as tools: what becomes of a call, and what can be a toolbox."""

import asyncio
import dataclasses
import datetime
import enum
import itertools
from collections.abc import AsyncIterator, Callable, Iterator, Mapping

import pytest

from misstep.core.errors import InvalidTrialError, UnknownToolError, UsageError
from misstep.core.roles import Toolbox
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.functions import Functions, as_toolbox, tool


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


@dataclasses.dataclass
class Line:
    item: str
    count: int = 1


def only_tool(*functions: object) -> Tool:
    (found,) = asyncio.run(Functions(functions).tools())  # pyright: ignore[reportArgumentType]
    return found


def call(box: Toolbox, name: str, arguments: Mapping[str, JSON]) -> Answer:
    return asyncio.run(box.call(name, arguments))


def test_arguments_reach_the_function_in_their_hinted_types() -> None:
    seen: list[object] = []

    def take(size: Size, line: Line, on: datetime.date, ids: set[int], pair: tuple[int, str] = (1, "a")) -> None:
        seen.extend([size, line, on, ids, pair])

    given = {"size": "small", "line": {"item": "pen"}, "on": "2026-01-02", "ids": [2, 1]}
    assert not call(Functions([take]), "take", given).is_error
    assert seen == [Size.SMALL, Line("pen"), datetime.date(2026, 1, 2), {1, 2}, (1, "a")]


def test_an_async_function_is_awaited() -> None:
    async def double(number: int) -> int:
        await asyncio.sleep(0)
        return number * 2

    assert call(Functions([double]), "double", {"number": 4}) == Answer(8)


def test_what_a_function_raises_is_an_error_answer_without_a_traceback() -> None:
    class StockError(Exception): ...

    def sell(item: str) -> None:
        raise StockError(f"no {item} left")

    def leave() -> None:
        raise SystemExit

    box = Functions([sell, leave])
    assert call(box, "sell", {"item": "pen"}) == Answer("StockError: no pen left", is_error=True)
    assert call(box, "leave", {}) == Answer("SystemExit", is_error=True)


def test_a_function_may_say_that_the_trial_is_invalid() -> None:
    def simulate() -> None:
        raise InvalidTrialError("tool-simulator", "not simulated")

    with pytest.raises(InvalidTrialError):
        call(Functions([simulate]), "simulate", {})


def test_results_are_plain_json() -> None:
    def everything() -> object:
        return {"lines": [Line("pen", 2)], "on": datetime.date(2026, 1, 2), "tags": {"b", "a"}, 7: Size.SMALL}

    content = call(Functions([everything]), "everything", {}).content
    assert content == {"lines": [{"item": "pen", "count": 2}], "on": "2026-01-02", "tags": ["a", "b"], "7": "small"}


@pytest.mark.parametrize("result", [object(), float("nan"), [1j], "\ud800", {"deep": float("inf")}])
def test_a_result_that_is_no_json_is_an_error_that_says_so(result: object) -> None:
    def give() -> object:
        return result

    answer = call(Functions([give]), "give", {})
    assert answer.is_error
    assert "no JSON" in str(answer.content)


async def _one_by_one() -> AsyncIterator[int]:
    for each in (1, 2):
        yield each


@pytest.mark.parametrize("make", [lambda: (each for each in (1, 2)), _one_by_one, {1: 0, 2: 0}.keys])
def test_what_comes_one_by_one_is_a_list(make: Callable[[], object]) -> None:
    def give() -> object:
        return make()

    assert call(Functions([give]), "give", {}).content == [1, 2]


def test_what_is_raised_while_yielding_or_never_ends_is_an_error_answer() -> None:
    def stop() -> Iterator[int]:
        yield 1
        raise ValueError("no more")

    def go() -> Iterator[int]:
        yield from itertools.count()

    toolbox = Functions([stop, go])
    assert call(toolbox, "stop", {}) == Answer("ValueError: no more", is_error=True)
    assert "never end" in str(call(toolbox, "go", {}).content)


def test_many_values_are_a_list_that_may_be_left_out_and_options_of_any_name_are_not_offered() -> None:
    def tag(number: int, /, kind: str = "plain", *tags: str, loud: bool = False, **options: object) -> list[object]:
        return [number, kind, *tags, loud, len(options)]

    toolbox = Functions([tag])
    schema = only_tool(tag).input_schema
    assert list(schema["properties"]) == ["number", "kind", "tags", "loud"]  # pyright: ignore
    assert schema["required"] == ["number"]
    assert call(toolbox, "tag", {"number": 1, "tags": ["a", "b"]}).content == [1, "plain", "a", "b", False, 0]
    assert call(toolbox, "tag", {"number": 1, "loud": True}).content == [1, "plain", True, 0]


def test_wrong_arguments_are_answered_and_the_function_is_not_called() -> None:
    calls: list[int] = []

    def cancel(order: int) -> None:
        calls.append(order)

    box = Functions([cancel])
    assert (
        call(box, "cancel", {"order": "x"}).content == "Argument 'order' of 'cancel' must be a whole number; got 'x'."
    )
    assert call(box, "cancel", {}).content == "Argument 'order' of 'cancel' is missing."
    assert "Did you mean 'order'?" in str(call(box, "cancel", {"order": 1, "ordr": 2}).content)
    assert call(box, "cancel", {"order": 5.0}).is_error
    assert calls == []


def test_a_date_that_is_none_is_answered() -> None:
    def book(on: datetime.date) -> None: ...

    assert call(Functions([book]), "book", {"on": "soon"}).is_error


def test_a_function_cannot_change_the_arguments_of_its_caller() -> None:
    def spoil(things: object) -> None:
        things["a"].append(1)  # pyright: ignore

    given: dict[str, JSON] = {"things": {"a": []}}
    call(Functions([spoil]), "spoil", given)
    assert given == {"things": {"a": []}}


def test_a_marked_function_stays_what_it_was() -> None:
    @tool
    def plain(number: int) -> int:
        """Look a number up."""
        return number

    @tool(effect="writes", name="add_up")
    def marked(number: int) -> int:
        return number

    assert plain(1) == marked(1) == 1
    assert only_tool(plain).effect == "reads"
    assert (only_tool(marked).name, only_tool(marked).effect) == ("add_up", "writes")


def test_methods_of_an_object_are_tools_without_self() -> None:
    class Till:
        def __init__(self) -> None:
            self.total = 0

        @tool(effect="writes")
        def ring_up(self, amount: int) -> int:
            self.total += amount
            return self.total

    box = Functions([Till().ring_up])
    assert call(box, "ring_up", {"amount": 2}).content == 2
    assert call(box, "ring_up", {"amount": 2}).content == 4
    with pytest.raises(UsageError, match="instance"):
        Functions([Till.ring_up])


def test_functions_made_anew_by_a_factory_keep_their_own_state() -> None:
    def shop() -> list[object]:
        sold: list[str] = []

        def sell(item: str) -> list[str]:
            sold.append(item)
            return sold

        return [sell]

    first, second = as_toolbox(shop), as_toolbox(shop)
    assert call(first, "sell", {"item": "pen"}).content == ["pen"]
    assert call(second, "sell", {"item": "ink"}).content == ["ink"]


def strange(value: complex) -> None: ...
def unreadable(value: "Nowhere") -> None: ...  # noqa: F821  # pyright: ignore


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (strange, "'value' of Function 'strange'"),
        (unreadable, "Nowhere"),
        (len, "no function"),
        ("ship", "no function"),
        (Line, "no function"),
    ],
)
def test_what_cannot_be_a_tool_is_refused_with_what_to_do(function: object, hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        Functions([function])  # pyright: ignore[reportArgumentType]


def test_two_functions_of_one_name_are_refused() -> None:
    def find() -> None: ...

    with pytest.raises(UsageError, match=r"Two functions are called 'find'\..*name="):
        Functions([find, find])


def test_an_unknown_tool_is_named_with_the_nearest() -> None:
    def find_order() -> None: ...

    with pytest.raises(UnknownToolError, match="Did you mean 'find_order'"):
        call(Functions([find_order]), "find_orders", {})


def find_one(name: str) -> str:
    return name


def names(box: Toolbox) -> list[str]:
    return [each.name for each in asyncio.run(box.tools())]


def test_a_toolbox_a_list_a_mapping_a_marked_function_and_a_factory_become_a_toolbox() -> None:
    box = Functions([find_one])

    class Made(Functions):
        def __init__(self) -> None:
            super().__init__([find_one])

    @tool
    def alone() -> int:
        return 1

    assert as_toolbox(box) is box
    assert names(as_toolbox([find_one])) == names(as_toolbox((find_one,))) == ["find_one"]
    assert names(as_toolbox({"seek": find_one})) == ["seek"]
    assert names(as_toolbox(alone)) == ["alone"]
    assert names(as_toolbox(lambda: [find_one])) == names(as_toolbox(Made)) == ["find_one"]


def raising() -> object:
    raise KeyError("tills")


async def asynchronous() -> object:
    return [find_one]


@pytest.mark.parametrize(
    ("thing", "hint"),
    [
        (5, "list of functions"),
        (find_one, "@tool"),
        (lambda: 5, "returned no toolbox"),
        (raising, "raised KeyError: 'tills'"),
        (asynchronous, "plain function"),
    ],
)
def test_what_gives_no_toolbox_is_refused_with_what_to_do(thing: object, hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        as_toolbox(thing)


def _described_by(docstring: object) -> Callable[..., object]:
    def look(order: str) -> str:
        return order

    look.__doc__ = docstring  # pyright: ignore[reportFunctionMemberAccess]
    return look


def _hinted(hint: object) -> Callable[..., object]:
    def look(order: str) -> str:
        return order

    look.__annotations__ = {"order": hint}
    return look


@pytest.mark.parametrize(
    "thing",
    [
        [_described_by(5)],
        [_described_by("Look \ud800.")],
        [_hinted("1/0")],
        [_hinted("[][0]")],
        {5: _hinted(str)},
        {"look\ud800": _hinted(str)},
        [],
        {},
        list,
    ],
    ids=range(9),
)
def test_what_cannot_be_a_tool_is_told_and_not_raised(thing: object) -> None:
    with pytest.raises(UsageError):
        as_toolbox(thing)


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), ValueError("no key")], ids=repr)
def test_a_factory_that_raises_anything_is_named(error: BaseException) -> None:
    def till() -> list[Callable[..., object]]:
        raise error

    with pytest.raises(UsageError, match=f"'till' raised {type(error).__name__}"):
        as_toolbox(till)
