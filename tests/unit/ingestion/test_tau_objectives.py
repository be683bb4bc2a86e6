"""tau_objectives: the answer key of a tau-bench file, as objectives."""

from pathlib import Path

import msgspec
import pytest

from misstep.core.errors import FormatError
from misstep.core.event import Event, Message, ToolCall, ToolResult
from misstep.core.objective import Objective
from misstep.core.tool import JSON
from misstep.core.trace import Trace
from misstep.ingestion.tau_objectives import objectives_in
from misstep.objectives import judge

Call = tuple[str, dict[str, JSON]]
LAMP: Call = ("buy_thing", {"thing": "lamp", "parts": [{"id": "a"}, {"id": "b"}]})
VASE: Call = ("buy_thing", {"thing": "vase", "parts": []})


def key(tmp_path: Path, *actions: Call, called: tuple[str, ...] = (), outputs: tuple[str, ...] = ()) -> Objective:
    said = [{"role": "assistant", "tool_calls": [{"function": {"name": name, "arguments": "{}"}}]} for name in called]
    task = {"actions": [{"name": name, "kwargs": kwargs} for name, kwargs in actions], "outputs": outputs}
    path = tmp_path / "runs.json"
    _ = path.write_bytes(msgspec.json.encode([{"task_id": 3, "trial": 0, "info": {"task": task}, "traj": said}]))
    return objectives_in(path)["task 3"]


def run(*calls: Call, says: str = "", failing: str = "") -> Trace:
    events: list[Event] = [Message(actor="agent", role="agent", text=says)]
    for at, (tool, arguments) in enumerate(calls):
        events.append(ToolCall(actor="agent", call_id=str(at), tool=tool, arguments=arguments))
        events.append(ToolResult(actor=tool, call_id=str(at), content="x", is_error=tool == failing))
    return Trace(id="t", events=tuple(events))


def passes(objective: Objective, trace: Trace) -> bool:
    return not judge(trace, objective)


def test_the_writes_of_the_key_are_enough_in_any_order(tmp_path: Path) -> None:
    objective = key(tmp_path, ("get_thing", {"id": 1}), LAMP, VASE)
    assert passes(objective, run(VASE, LAMP))
    assert not passes(objective, run(VASE))


def test_look_ups_and_hand_overs_do_not_matter(tmp_path: Path) -> None:
    objective = key(tmp_path, LAMP, ("transfer_to_human_agents", {"summary": "s"}))
    assert passes(objective, run(("search_things", {"q": "x"}), ("think", {"thought": "?"}), LAMP))


def test_a_write_beyond_the_key_fails(tmp_path: Path) -> None:
    objective = key(tmp_path, LAMP, called=("send_gift",))
    assert not passes(objective, run(LAMP, ("send_gift", {"amount": 5})))
    assert not passes(objective, run(LAMP, VASE))


def test_a_mixture_of_two_needed_calls_is_neither(tmp_path: Path) -> None:
    mixed: Call = ("buy_thing", {"thing": "vase", "parts": LAMP[1]["parts"]})
    assert not passes(key(tmp_path, LAMP, VASE), run(LAMP, VASE, mixed))


def test_a_write_that_failed_changes_nothing(tmp_path: Path) -> None:
    objective = key(tmp_path, called=("send_gift",))
    assert passes(objective, run(("send_gift", {"amount": 5}), failing="send_gift"))


def test_more_in_a_record_than_the_key_says_does_not_matter(tmp_path: Path) -> None:
    fuller: Call = ("buy_thing", {"thing": "lamp", "parts": [{"id": "a", "colour": "red"}, {"id": "b"}]})
    assert passes(key(tmp_path, LAMP), run(fuller))


def test_what_must_be_said_must_be_said(tmp_path: Path) -> None:
    objective = key(tmp_path, outputs=("327",))
    assert passes(objective, run(says="That makes $327 in all."))
    assert not passes(objective, run(says="That is fine."))


def test_a_file_of_something_else_is_refused_with_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    _ = path.write_text('{"spans": []}')
    with pytest.raises(FormatError, match="no list of tau-bench runs"):
        _ = objectives_in(path)
