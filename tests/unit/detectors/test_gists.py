"""What is kept of a trace to compare others with."""

from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.tool import Tool
from misstep.core.trace import Trace
from misstep.detectors.gists import LONGEST_ARGUMENTS, LONGEST_WORDS, MOST_CALLS, gist_of


def call(number: int, tool: str = "look", **arguments: object) -> tuple[ToolCall, ToolResult]:
    made = ToolCall(actor="agent", call_id=str(number), tool=tool, arguments=dict(arguments))
    return made, ToolResult(actor=tool, call_id=str(number), content={"ok": number % 2 == 0})


def test_a_gist_has_the_calls_with_their_effects_and_whether_they_succeeded() -> None:
    trace = Trace(id="t", events=(*call(0, b=1, a=2), *call(1, "frob")), tools=(Tool("look", effect="reads"),))
    looked, frobbed = gist_of(trace).calls
    assert (looked.tool, looked.arguments, looked.effect, looked.succeeded) == ("look", '{"a":2,"b":1}', "reads", True)
    assert (frobbed.effect, frobbed.succeeded) == (None, False)


def test_equal_arguments_are_equal_texts_and_long_ones_are_told_apart() -> None:
    long = "x" * 5000
    events = (*call(0, a=long), *call(1, a=f"{long}y"), *call(2, a=long))
    first, second, third = (each.arguments for each in gist_of(Trace(id="t", events=events)).calls)
    assert first == third
    assert first != second
    assert len(first) < LONGEST_ARGUMENTS + 30


def test_a_gist_stays_small() -> None:
    talk = Message(actor="agent", role="agent", text="word " * 10_000)
    events = tuple(event for number in range(MOST_CALLS * 2) for event in call(number))
    gist = gist_of(Trace(id="t", events=(talk, *events)))
    assert len(gist.calls) == MOST_CALLS
    assert gist.calls[-1].at == len(events) - 1
    assert len(gist.last_words) == LONGEST_WORDS


def test_the_modes_that_were_found_are_kept_once_and_what_was_denied_is_not() -> None:
    found = [
        Finding(mode="b", events=(0,), because="."),
        Finding(mode="a", events=(0,), because="."),
        Finding(mode="b", events=(1,), because="."),
        Finding(mode="c", events=(1,), because=".", present=False),
    ]
    assert gist_of(Trace(id="t"), found).modes == ("a", "b")
