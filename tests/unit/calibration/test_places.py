"""Events → the places that labels point at."""

from misstep.calibration.features import described, is_text
from misstep.calibration.places import place_at, places
from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.trace import Trace

_TRACE = Trace(
    id="x",
    events=(
        Message(actor="system", role="system", text="End with <done>.", source="s1"),
        Message(actor="agent", role="agent", text="I look.", source="s1"),
        ToolCall(actor="agent", call_id="c1", tool="look", arguments={"key": "a"}, source="s1"),
        ToolResult(actor="look", call_id="c1", content={"error": "gone"}, is_error=True, source="s2"),
        Message(actor="agent", role="agent", text="It is gone.", source=None),
    ),
)


def test_words_and_call_of_one_source_are_one_place() -> None:
    assert [(place.kind, place.events) for place in places(_TRACE)] == [
        ("step", (1, 2)),
        ("answer", (3,)),
        ("step", (4,)),
    ]


def test_a_step_knows_what_it_was_told() -> None:
    first = places(_TRACE)[0]
    assert [prompt.text for prompt in first.prompts] == ["End with <done>."]
    assert place_at(places(_TRACE)) == {1: 0, 2: 0, 3: 1, 4: 2}


def test_a_missing_tag_an_error_and_what_rules_found_are_features() -> None:
    rule = Finding(mode="ignored-tool-error", events=(4, 3), because="So.")
    first, answer, last = (each.features for each in described(_TRACE, [rule]))
    assert "tag-missing" in first
    assert "came=error" in first
    assert "answer=failed" in answer
    assert {"read=error", "last", "rule=ignored-tool-error"} <= set(last)
    assert "rule-too=ignored-tool-error" in answer


def test_no_word_stands_in_a_feature_as_it_was_said() -> None:
    names = [name for each in described(_TRACE) for name in each.features if is_text(name)]
    assert names
    assert all(name.split(":")[1].isdigit() for name in names)
