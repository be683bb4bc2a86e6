"""Routing: safe by default, and the list and the call obey the same rules."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from msgspec import structs

from misstep.core.errors import UnknownToolError, UsageError
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.routing import Routed, RouteRule, Routing, digest_of, routing_from

READ, SEND, DROP = Tool("read", effect="reads"), Tool("send", effect="reaches-outside"), Tool("drop_all")
TOOLS = (READ, SEND, DROP)


class Named:
    """Says who was called."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def tools(self) -> Sequence[Tool]:
        return TOOLS

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        return Answer(f"{self.name} {tool}")


def routed(routing: Routing) -> Routed:
    return Routed(TOOLS, routing, {"simulated": Named("simulated"), "real": Named("real")})


def answer(box: Routed, tool: str) -> JSON:
    return asyncio.run(box.call(tool, {})).content


def test_everything_is_simulated_until_somebody_accepted_something_else() -> None:
    assert [answer(routed(Routing()), tool.name) for tool in TOOLS] == [f"simulated {tool.name}" for tool in TOOLS]


def test_what_was_accepted_is_real_and_the_rest_is_not() -> None:
    box = routed(Routing((RouteRule("read", "real", digest_of(READ)),)))
    assert answer(box, "read") == "real read"
    assert answer(box, "drop_all") == "simulated drop_all"


def test_a_tool_that_changed_since_it_was_accepted_is_simulated_again() -> None:
    routing = Routing((RouteRule("read", "real", digest_of(READ)),))
    assert routing.of(structs.replace(READ, description="Read, and tell the vendor.")) == "simulated"


def test_a_tool_that_changed_since_it_was_accepted_stays_denied_where_a_pattern_says_so() -> None:
    rules = (RouteRule("read", "real", "0" * 32), RouteRule("re*", "denied"))
    assert Routing(rules).of(READ) == "denied"


def test_what_was_accepted_is_a_name_and_never_a_pattern() -> None:
    star = Tool("*", effect="reads")
    routing = Routing((RouteRule("*", "real", digest_of(star)), RouteRule("r*", "denied")))
    assert [routing.of(tool) for tool in (star, READ, SEND)] == ["real", "denied", "simulated"]
    assert Routing((RouteRule("a[1]", "denied"),)).of(Tool("a[1]")) == "denied"


def test_a_digest_is_too_long_to_be_met_by_chance() -> None:
    assert len(digest_of(READ)) >= 16


def test_the_closest_rule_counts() -> None:
    routing = routing_from({"*": "denied", "dr*": "real", "drop_all": "simulated"}, place="x")
    assert [routing.of(tool) for tool in TOOLS] == ["denied", "denied", "simulated"]


def test_a_denied_tool_is_neither_listed_nor_called() -> None:
    box = routed(routing_from({"drop_*": "denied"}, place="x"))
    assert [tool.name for tool in asyncio.run(box.tools())] == ["read", "send"]
    with pytest.raises(UnknownToolError):
        answer(box, "drop_all")


def test_a_route_that_does_not_exist_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="Did you mean 'simulated'"):
        routing_from({"a": "simulate"}, place="misstep.toml")


def test_a_route_without_anything_behind_it_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match="'overlay'"):
        routed(routing_from({"read": "overlay"}, place="x"))
