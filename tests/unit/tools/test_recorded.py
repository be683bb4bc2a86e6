"""Recording and replay: a replay that never lies."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from misstep.core.errors import FormatError, InvalidTrialError, UnknownToolError, UsageError
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.recorded import Recorded, Recording, read_recording

TOOLS = (Tool("look", effect="reads"), Tool("put", effect="writes"))


class Shelf:
    """Remembers what was put on it."""

    def __init__(self) -> None:
        self.things: list[JSON] = []

    async def tools(self) -> Sequence[Tool]:
        return TOOLS

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if tool == "put":
            self.things = [*self.things, arguments["thing"]]
        return Answer({"things": list(self.things), "asked": dict(arguments)})


def recorded(path: Path, *calls: tuple[str, dict[str, JSON]]) -> Recorded:
    async def make() -> None:
        box = Recording(Shelf(), path)
        for tool, arguments in calls:
            await box.call(tool, arguments)
        box.keep()

    asyncio.run(make())
    return Recorded(read_recording(path))


def call(box: Recorded, tool: str, **arguments: JSON) -> Answer:
    return asyncio.run(box.call(tool, arguments))


def test_a_call_is_answered_as_it_was_recorded(tmp_path: Path) -> None:
    box = recorded(tmp_path / "r.json", ("look", {"at": 1}))
    answer = call(box, "look", at=1)
    assert (answer.content, answer.served_by) == ({"things": [], "asked": {"at": 1}}, "recorded")


def test_order_number_forms_and_volatile_keys_do_not_matter(tmp_path: Path) -> None:
    box = recorded(tmp_path / "r.json", ("look", {"at": 1, "by": " me ", "_meta": {"progressToken": 7}}))
    assert not call(box, "look", by="me", at=1.0, _meta={"progressToken": 9}).is_error


def test_the_answer_is_the_one_after_the_same_changes(tmp_path: Path) -> None:
    box = recorded(tmp_path / "r.json", ("look", {}), ("put", {"thing": "a"}), ("look", {}))
    assert call(box, "look").content == {"things": [], "asked": {}}
    call(box, "put", thing="a")
    assert call(box, "look").content == {"things": ["a"], "asked": {}}


def test_answers_of_another_moment_are_never_given(tmp_path: Path) -> None:
    box = recorded(tmp_path / "r.json", ("put", {"thing": "a"}), ("look", {}), ("put", {"thing": "b"}), ("look", {}))
    with pytest.raises(InvalidTrialError, match="different moments") as caught:
        call(box, "look")
    assert caught.value.blame == "tool-simulator"


def test_a_miss_shows_the_nearest_recording_and_the_difference(tmp_path: Path) -> None:
    box = recorded(tmp_path / "r.json", ("look", {"at": 1, "name": "blue"}), ("look", {"at": 5, "name": "red"}))
    with pytest.raises(InvalidTrialError) as caught:
        call(box, "look", at=5, name="green")
    assert '-  "name": "red"' in caught.value.reason
    assert '+  "name": "green"' in caught.value.reason


def test_a_tool_that_was_not_recorded_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(UnknownToolError, match="Did you mean 'look'"):
        call(recorded(tmp_path / "r.json", ("look", {})), "loook")


def test_secrets_are_not_in_the_file_and_do_not_hinder_the_replay(tmp_path: Path) -> None:
    secret = "sk-" + "a1" * 16
    box = recorded(tmp_path / "r.json", ("look", {"api_key": "hunter2", "text": f"use {secret} now"}))
    text = (tmp_path / "r.json").read_text()
    assert "hunter2" not in text
    assert secret not in text
    assert not call(box, "look", api_key="another", text=f"use {secret} now").is_error


def test_recording_the_same_again_gives_the_same_file(tmp_path: Path) -> None:
    recorded(tmp_path / "a.json", ("look", {"at": 1}), ("look", {"at": 2}))
    recorded(tmp_path / "b.json", ("look", {"at": 2}), ("look", {"at": 1}))
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "misstep.recording/9"}', '{"calls": 3}'])
def test_a_file_that_is_no_recording_gives_a_clear_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(FormatError, match="no recording"):
        read_recording(tmp_path / "r.json")


def test_a_recording_that_is_not_there_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"serve --tools TOOLS --record"):
        read_recording(tmp_path / "none.json")
