"""Calls that wait for their client between two requests."""

import asyncio

import pytest

from misstep.core.tool import JSON
from misstep.tools.mcp.channel import RefusedError
from misstep.tools.mcp.parking import Parked, Questions


def test_questions_that_belong_together_are_asked_at_once_and_answered_on_the_next_request() -> None:
    async def talk() -> tuple[dict[str, JSON], dict[str, JSON]]:
        parked, questions = Parked(), Questions()

        async def work() -> dict[str, JSON]:
            told = await asyncio.gather(
                questions.ask("a", "roots/list", {}), questions.ask("b", "roots/list", {"x": 1})
            )
            return {"told": told}

        first = await parked.start(work, questions, "kept")
        token = str(first["requestState"])
        assert parked.kept(token) == "kept"
        last = await parked.resume(token, {"a": {"n": 1}, "b": {"n": 2}})
        with pytest.raises(RefusedError, match="not known"):
            await parked.resume(token, {})
        return first, last

    first, last = asyncio.run(talk())
    assert first["inputRequests"] == {
        "a": {"method": "roots/list", "params": {}},
        "b": {"method": "roots/list", "params": {"x": 1}},
    }
    assert last == {"told": [{"n": 1}, {"n": 2}]}


def test_what_was_not_answered_is_asked_again() -> None:
    async def talk() -> dict[str, JSON]:
        parked, questions = Parked(), Questions()

        async def work() -> dict[str, JSON]:
            return await questions.ask("a", "roots/list", {})

        first = await parked.start(work, questions, None)
        second = await parked.resume(str(first["requestState"]), {"z": {}})
        return await parked.resume(str(second["requestState"]), {"a": {"n": 1}})

    assert asyncio.run(talk()) == {"n": 1}


def test_a_call_that_is_given_up_ends() -> None:
    async def talk() -> bool:
        parked, questions = Parked(), Questions()
        ended = asyncio.Event()

        async def work() -> dict[str, JSON]:
            try:
                return await questions.ask("a", "roots/list", {})
            finally:
                ended.set()

        await parked.start(work, questions, None)
        parked.close()
        await ended.wait()
        return True

    assert asyncio.run(talk())
