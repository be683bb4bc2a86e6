"""Who plays the users of a run: a model where one is named, unless the plain person is asked for."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from misstep.cli.app import exit_code

CODE = '''
def look(order: str) -> str:
    """Look at an order."""
    return f"{order} was sent"

tools = [look]

async def agent(message, tools):
    if "W-1" not in message:
        return "Which order is it?"
    await tools.call("look", {"order": "W-1"})
    return "Order W-1 was sent. Anything else?"
'''
SCENARIO = """
user = { goals = [{ ask = "look at my order" }], facts = [{ name = "order number", value = "W-1" }] }
objective = { calls = [{ tool = "look", arguments = { order = "W-1" } }] }
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    name = f"users_{tmp_path.name}".replace("-", "_").replace(".", "_")
    (tmp_path / f"{name}.py").write_text(CODE)
    (tmp_path / "look.toml").write_text(SCENARIO)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    sys.modules.pop(name, None)


def run(own: str, *more: str) -> int:
    named = ("--agent", f"{own}:agent", "--tools", f"{own}:tools", "--scenarios", "look.toml")
    return exit_code(["run", *named, "--workers", "1", "--out", "a", *more])


def name_model(address: str, **more: object) -> None:
    keys = {"name": f"{address}#tiny", "retries": 0, **more}
    Path("misstep.toml").write_text("[users]\n" + "".join(f"{key} = {json.dumps(keys[key])}\n" for key in keys))


def will_play(endpoint: Any) -> None:
    """Answers when asked whether it is there, then says what the person says."""
    endpoint.says("Yes.")
    for say, tells in (("Please look at my order.", []), ("It is W-1.", ["order number"]), ("", [])):
        endpoint.says(json.dumps({"say": say, "tells": tells, "done": not say}))


def test_a_model_that_is_named_plays_the_users_and_the_summary_says_so(
    own: str, endpoint: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    name_model(endpoint.address)
    will_play(endpoint)
    assert run(own) == 0
    told = capsys.readouterr()
    assert f"{endpoint.address}#tiny plays the users" in told.err
    assert "in 2 of 2 turns" in told.out
    assert json.loads(Path("a/summary.json").read_text())["modelled"]["turns"] == 2
    assert "It is W-1." in Path("a/traces.jsonl").read_text()


def test_the_plain_person_asks_no_model(own: str, endpoint: Any) -> None:
    name_model(endpoint.address)
    assert run(own, "--user", "plain") == 0
    assert endpoint.requests == []
    assert json.loads(Path("a/summary.json").read_text())["modelled"] is None


def test_settings_can_ask_for_the_plain_person_too(own: str, endpoint: Any) -> None:
    name_model(endpoint.address)
    Path("misstep.toml").write_text('user = "plain"\n' + Path("misstep.toml").read_text())
    assert run(own) == 0
    assert endpoint.requests == []


def test_what_the_model_cannot_say_decides_no_trial(
    own: str, endpoint: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    name_model(endpoint.address)
    endpoint.says("Yes.")
    for _ in range(2):
        endpoint.says("Sure! Here is a poem about orders.")
    assert run(own) == 0  # After that the script has run out, and the endpoint fails.
    text = " ".join(capsys.readouterr().out.split())
    assert "in 0 of 2 turns, the plain person in 2" in text
    assert "answered in another form" in text


def test_a_model_that_is_not_there_stops_the_run_before_it_begins(
    own: str, endpoint: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    name_model(endpoint.address)
    endpoint.close()
    assert run(own, "--trials", "5") == 2
    said = capsys.readouterr().err
    assert said.count("cannot be reached") == 1
    assert "--user plain" in said
    assert not Path("a").exists()


def test_a_model_has_to_be_named_to_play(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(own, "--user", "modelled") == 64
    assert "[users]" in capsys.readouterr().err


def test_a_run_goes_on_only_with_the_one_who_played_before(
    own: str, endpoint: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    name_model(endpoint.address)
    assert run(own, "--user", "plain") == 0
    endpoint.says("Yes.")
    assert run(own) == 64
    assert "the model that plays the users" in capsys.readouterr().err


def test_no_key_is_kept_or_told(
    own: str, endpoint: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("USERS_KEY", "s3cret-0042")
    name_model(endpoint.address, key="USERS_KEY")
    will_play(endpoint)
    endpoint.fails(401, "no such key: s3cret-0042")
    assert run(own, "--trials", "2") == 0
    assert {each["Authorization"] for each in endpoint.headers} == {"Bearer s3cret-0042"}
    told = capsys.readouterr()
    kept = [file.read_bytes() for file in Path("a").rglob("*") if file.is_file()]
    assert "no such key" in told.out
    assert not [text for text in (told.out.encode(), told.err.encode(), *kept) if b"s3cret" in text]


def test_wordings_ask_the_model_unless_the_plain_words_are_wanted(
    own: str, endpoint: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    name_model(endpoint.address)
    for more in (["--user", "plain"], []):
        assert exit_code(["synthesize", "--tools", "world:shop", "--count", "2", "--out", "made", *more]) == 0
        assert bool(endpoint.requests) == (not more)
    told = capsys.readouterr().out
    assert "0 of 2 openings are in the words of the model" in " ".join(told.split())
