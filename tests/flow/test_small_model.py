"""The door to models before a real one: what is asked, counted, checked and stood in for.

The model is a very small one. It says whether things work, and never whether they work well.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from misstep.cli.app import exit_code
from misstep.llm import Asking, ModelError, ModelSettings, Reply, Said, model_named
from misstep.store.run_folder import open_run

_FOLDER = os.environ.get("MISSTEP_SMALL_MODEL", "")
_SERVER = Path(__file__).with_name("small_model_server.py")
_COUNT: dict[str, Any] = {
    "type": "object",
    "properties": {"count": {"type": "integer"}, "of": {"enum": ["pens", "cups"]}},
    "required": ["count", "of"],
    "additionalProperties": False,
}

pytestmark = [
    pytest.mark.skipif(
        not _FOLDER,
        reason="MISSTEP_SMALL_MODEL names no folder with a small model; tests/flow/install_small_model.sh makes one",
    ),
    pytest.mark.timeout(300),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with subprocess.Popen(
        [f"{_FOLDER}/venv/bin/python", str(_SERVER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        where = server.stdout.readline().strip()
        assert where.startswith("http://"), "the server of the small model did not start"
        yield where
        server.kill()


def small(address: str, **more: Any) -> Asking:
    parameters = {"temperature": 0, "max_tokens": 40, **more.pop("parameters", {})}
    return model_named(
        ModelSettings(name=f"{address}/v1#small", retries=0, parameters=parameters, **more), folder=Path()
    )


def asked(model: Asking, text: str = "How many pens are on the desk?", **more: Any) -> Reply:
    return asyncio.run(model.complete((Said("user", text),), **more))


def test_it_answers_the_same_twice_and_says_what_that_cost(address: str) -> None:
    first = asked(small(address))
    assert first.text
    assert first.usage.input > 5
    assert 0 < first.usage.output <= 40
    assert asked(small(address)).text == first.text


def test_a_form_that_is_sent_along_is_kept_to(address: str) -> None:
    reply = asked(small(address, json_schema=True), schema=_COUNT)
    assert reply.unfit is None
    assert set(reply.data) == {"count", "of"}  # pyright: ignore[reportArgumentType]


def test_a_form_that_is_only_asked_for_in_words_is_kept_to_or_told(address: str) -> None:
    reply = asked(small(address), schema=_COUNT)
    assert (reply.data is None) == (reply.unfit is not None)


def test_an_answer_that_is_cut_short_is_told_as_unfit(address: str) -> None:
    reply = asked(small(address, json_schema=True, parameters={"max_tokens": 3}), schema=_COUNT)
    assert "no JSON" in str(reply.unfit)


@pytest.mark.parametrize(("budget", "what"), [({"calls": 1}, "1 calls"), ({"tokens": 10}, "10 tokens")])
def test_a_spent_budget_ends_it(address: str, budget: dict[str, int], what: str) -> None:
    model = small(address, **budget)
    asked(model)
    with pytest.raises(ModelError, match=f"budget of {what} is spent"):
        asked(model)


@pytest.mark.parametrize(
    ("settings", "path", "text", "trouble"),
    [
        ({"timeout": 0.001}, "", "Hello", "timeout"),
        ({}, "", "and so on " * 5000, "too-long"),
        ({"parameters": {"response_format": {"type": "poem"}}}, "", "Hello", "refused"),
        ({}, "/nowhere", "Hello", "not-found"),
    ],
)
def test_each_trouble_has_its_name(address: str, settings: dict[str, Any], path: str, text: str, trouble: str) -> None:
    with pytest.raises(ModelError) as caught:
        asked(small(f"{address}{path}", **settings), text)
    assert caught.value.trouble == trouble


def test_a_provider_reaches_it_too(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    model = model_named(ModelSettings(name="openai-chat:small", parameters={"temperature": 0, "max_tokens": 40}))
    assert asked(model).text == asked(small(address)).text


def test_what_was_recorded_is_said_again_without_it(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first = asked(small(address, record="said.jsonl"))
    assert asked(small(address, replay="said.jsonl")) == first


CODE = '''
def look(order: str) -> str:
    """Look at an order."""
    return f"{order} was sent"

tools = [look]

async def agent(message, tools):
    if "W-1042" not in message:
        return "Which order is it?"
    await tools.call("look", {"order": "W-1042"})
    return "Order W-1042 was sent. Anything else?"
'''
SCENARIO = """
user = { goals = [{ ask = "look at my order" }], facts = [{ name = "order number", value = "W-1042" }], patience = 3 }
objective = { calls = [{ tool = "look", arguments = { order = "W-1042" } }] }
"""


@pytest.fixture
def own(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A folder with tools, an agent and a scenario, in which the small model is named for users and agents."""
    name = f"small_{tmp_path.name}".replace("-", "_").replace(".", "_")
    (tmp_path / f"{name}.py").write_text(CODE)
    (tmp_path / "look.toml").write_text(SCENARIO)
    keys = "retries = 0\njson_schema = true\nparameters = { temperature = 0, max_tokens = 60 }\n"
    chat = "retries = 0\nrounds = 2\nparameters = { temperature = 0, max_tokens = 40 }\n"
    (tmp_path / "misstep.toml").write_text(f'[users]\nname = "{address}/v1#small"\n{keys}[chat]\n{chat}')
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    sys.modules.pop(name, None)


def run(own: str, agent: str, *more: str) -> dict[str, Any]:
    named = ("--agent", agent, "--tools", f"{own}:tools", "--scenarios", "look.toml", "--workers", "1", "--out", "a")
    assert exit_code(["run", *named, *more]) in (0, 1)
    return json.loads(Path("a/summary.json").read_text())


def test_whatever_it_says_as_a_user_no_trial_is_invalid_and_each_turn_is_accounted_for(own: str) -> None:
    told = run(own, f"{own}:agent", "--trials", "2")
    trials = list(open_run(Path("a")).trials())
    stood_in = sum(told["modelled"]["stood_in"].values())
    assert told["invalid"] == 0
    assert stood_in == sum(len(trial.stood_in) for trial in trials) <= told["modelled"]["turns"]
    said = [event.text for trial in trials for _, event in trial.trace.messages if event.role == "user"]
    # All that looks like a number is in the ledger, or the agent has said it.
    assert {word for text in said for word in text.split() if any(map(str.isdigit, word))} <= {"W-1042.", "W-1042"}


def test_it_can_be_the_agent_and_the_user_of_one_conversation(own: str, address: str) -> None:
    told = run(own, f"{address}/v1#small")
    assert told["invalid"] == 0
    assert told["modelled"]["turns"] >= 1


def test_openings_are_reworded_or_kept_and_counted(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["synthesize", "--tools", "world:shop", "--count", "2", "--out", "made"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "of 2 openings are in the words of the model" in told
    assert len(list(Path("made").glob("*.toml"))) == 2
