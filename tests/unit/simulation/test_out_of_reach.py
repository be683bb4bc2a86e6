"""An agent is not blamed for what it cannot reach, and is for what its own code makes of an answer."""

import asyncio
import os
import socket
import urllib.error
from collections.abc import Callable, Mapping
from email.message import Message

import pytest

from misstep.agents.calling import maker_of
from misstep.core.scenario import Person, Scenario
from misstep.core.tool import JSON
from misstep.simulation.out_of_reach import is_out_of_reach
from misstep.simulation.trial import run_trial
from misstep.store.trial import Trial
from misstep.tools.functions import Functions


class RefusedByModelError(Exception):
    """As clients of models raise it."""

    status_code = 401


class RefusedByServerError(Exception):
    """As clients of the web raise it."""

    def __init__(self, status: int) -> None:
        self.response = type("Response", (), {"status_code": status})()


class HostileError(Exception):
    @property
    def status_code(self) -> int:
        raise ValueError


def wrapped() -> None:
    try:
        raise ConnectionRefusedError
    except OSError as error:
        raise RuntimeError("the model is gone") from error


def unset() -> None:
    _ = os.environ["NO_SUCH_KEY_AT_ALL"]


def absent() -> None:
    {}["NO_SUCH_KEY_AT_ALL"]


def raising(error: BaseException) -> Callable[[], None]:
    def raises() -> None:
        raise error

    return raises


@pytest.mark.parametrize(
    ("raises", "missing"),
    [
        (wrapped, True),
        (unset, True),
        (absent, False),
        (raising(socket.gaierror()), True),
        (raising(ModuleNotFoundError()), True),
        (raising(RefusedByModelError()), True),
        (raising(RefusedByServerError(503)), True),
        (raising(RefusedByServerError(400)), False),
        (raising(urllib.error.HTTPError("http://x", 429, "", Message(), None)), True),
        (raising(HostileError()), False),
        (raising(FileNotFoundError(2, "no such file")), False),
        (raising(TimeoutError()), False),
        (raising(ZeroDivisionError()), False),
    ],
)
def test_only_what_nobodys_code_did_is_out_of_reach(raises: Callable[[], None], missing: bool) -> None:
    with pytest.raises(BaseException) as caught:  # noqa: PT011 - the kinds are what is asked about
        raises()
    assert is_out_of_reach(caught.value) is missing


def test_an_agent_that_cannot_reach_its_model_has_not_failed() -> None:
    verdict = tried("A1").verdict
    assert (verdict.outcome, verdict.blame) == ("invalid", "infrastructure")
    assert "ConnectionError: gone" in verdict.reasons[0]


def test_an_agent_that_raises_what_a_tool_refused_has_failed() -> None:
    verdict = tried("B2").verdict
    assert (verdict.outcome, verdict.blame) == ("fail", "agent")


def tried(order: str) -> Trial:
    async def agent(message: str, tools: Functions) -> str:
        await tools.call("look", {"order": order})
        raise ConnectionError("gone")

    def look(order: str) -> Mapping[str, JSON]:
        return {"A1": {"state": "sent"}}[order]

    made = run_trial(
        Scenario(name="s", user=Person(script=("Hello.",))),
        1,
        seed=0,
        make_agent=maker_of(agent),
        make_toolbox=lambda seed: Functions([look]),
    )
    return asyncio.run(made)
