"""Prompts and resources come from servers with a real tool, from no others, and who read what is told."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from misstep.tools.fronting import Front, Lazily, materials_of
from misstep.tools.listing import listed
from misstep.tools.mcp.channel import RefusedError
from misstep.tools.mcp_client import ServerSpec
from misstep.tools.routing import routing_from
from misstep.tools.simulators import simulator_for

Specs = Mapping[str, ServerSpec]


def beside(specs: Specs, routing: dict[str, object]) -> dict[str, Any]:
    """What is offered beside tools under a routing, and what is told of who read it."""

    async def talk() -> dict[str, Any]:
        tools, real = (await listed(list(specs.values()))).tools, Lazily(list(specs.values()))
        front = Front(tools, routing_from(routing, place="x"), simulator_for(tools, seed=1), {"real": real})
        materials = await materials_of(front)
        if materials is None:
            return {}
        try:
            names = [str(item["name"]) for item in await materials.listed("prompts/list")]
            await materials.asked("resources/read", {"uri": "test://static-text"})
            with pytest.raises(RefusedError):
                await materials.asked("prompts/get", {"name": "handshake__test_simple_prompt"})
            return {"names": names, "said": materials.instructions(), "asked": dict(front.asked)}
        finally:
            await real.close()

    return asyncio.run(talk())


def test_a_server_without_a_real_tool_offers_nothing_beside_tools(conforming: Specs) -> None:
    found = beside(conforming, {"stateless__add": "real"})
    assert "test_simple_prompt" in found["names"]
    assert not [name for name in found["names"] if "__" in name]
    assert "handshake" not in found["said"]


def test_where_nothing_is_real_nothing_is_offered_beside_tools(conforming: Specs) -> None:
    assert beside(conforming, {"*": "simulated"}) == {}


def test_what_was_read_beside_tools_is_counted(conforming: Specs) -> None:
    found = beside(conforming, {"stateless__add": "real"})
    assert found["asked"] == {
        ("resources/read", "test://static-text", True): 1,
        ("prompts/get", "handshake__test_simple_prompt", False): 1,
    }
