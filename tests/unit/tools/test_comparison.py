"""A recording beside live tools: which calls are made again, and which never are."""

import asyncio
from collections.abc import Mapping, Sequence

from msgspec import structs

from misstep.core.errors import InvalidTrialError
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.comparison import Comparison, answers_compared, tools_compared
from misstep.tools.recorded import RecordedCall, Tapes
from misstep.tools.routing import Route

SCHEMA: dict[str, JSON] = {"type": "object", "properties": {"at": {"type": "integer"}}}
LOOK = Tool("look", "Look.", SCHEMA, effect="reads")
PUT = Tool("put", "Put.", SCHEMA, effect="writes")
FETCH = Tool("fetch", "Fetch.", SCHEMA, effect="reaches-outside")


class Live:
    """Answers each tool in one way, and remembers what it was asked."""

    def __init__(self, answer: Answer | Exception) -> None:
        self.calls: list[tuple[str, Mapping[str, JSON]]] = []
        self._answer = answer

    async def tools(self) -> Sequence[Tool]:
        return (LOOK, PUT, FETCH)

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        self.calls.append((tool, arguments))
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


def recorded(tool: str, answer: Answer | None = None, *, after: str = "", **arguments: JSON) -> RecordedCall:
    return RecordedCall(tool=tool, arguments=arguments, after=after, answer=answer or Answer({"seen": 1}))


def compared(live: Live, *calls: RecordedCall, route: Route = "real") -> Comparison:
    tapes = Tapes((LOOK, PUT, FETCH), calls)
    return asyncio.run(answers_compared(tapes, (LOOK, PUT, FETCH), live, lambda tool: route))


def test_what_reads_and_is_routed_real_is_called_again_and_its_shape_compared() -> None:
    live = Live(Answer({"seen": "1", "more": []}))
    found = compared(live, recorded("look", at=1))
    assert live.calls == [("look", {"at": 1})]
    assert [(each.place, each.before, each.now, each.call) for each in found.changed] == [
        ("answer.more", "not there", "a list", '{"at":1}'),
        ("answer.seen", "a number", "a text", '{"at":1}'),
    ]
    assert found.made == 1


def test_nothing_else_is_ever_called() -> None:
    live = Live(Answer({"seen": 1}))
    found = compared(
        live,
        recorded("put", at=1),
        recorded("fetch", at=1),
        recorded("gone", at=1),
        recorded("look", at=1, after="abc"),
        recorded("look", Answer({"seen": 1}, served_by="simulated"), at=2),
        recorded("look", at="«redacted key»"),
    )
    assert (live.calls, found.made, found.changed) == ([], 0, ())
    assert sum(found.left_out.values()) == 6
    assert found.left_out["the tool does more than read"] == 2


def test_no_other_route_is_called() -> None:
    live = Live(Answer({"seen": 1}))
    routes: tuple[Route, ...] = ("simulated", "recorded", "emulated", "denied")
    for route in routes:
        assert compared(live, recorded("look", at=1), route=route).made == 0
    assert live.calls == []


def test_a_call_that_cannot_be_made_is_a_difference() -> None:
    [found] = compared(Live(InvalidTrialError("tool", "Nobody is there.")), recorded("look", at=1)).changed
    assert (found.place, found.now) == ("answer", "Nobody is there.")


def test_tools_that_came_went_or_changed_are_told() -> None:
    other: dict[str, JSON] = {"type": "object", "properties": {"place": {"type": "integer"}}}
    narrower: dict[str, JSON] = {"type": "object", "properties": {"at": {"type": "integer", "minimum": 1}}}
    now = (
        structs.replace(LOOK, description="Look round.", input_schema=other, effect="writes"),
        structs.replace(FETCH, input_schema=narrower, output_schema=SCHEMA),
        Tool("new"),
    )
    assert [structs.astuple(each)[:4] for each in tools_compared(Tapes((LOOK, PUT, FETCH)), now)] == [
        ("put", "tool", "there", "gone"),
        ("new", "tool", "not there", "new"),
        ("fetch", "arguments", "at", "the same names, another schema"),
        ("fetch", "results", "no schema", "at"),
        ("look", "description", "Look.", "Look round."),
        ("look", "arguments", "at", "place"),
        ("look", "effect", "reads", "writes"),
    ]
    assert tools_compared(Tapes((LOOK, PUT)), (PUT, LOOK)) == ()
