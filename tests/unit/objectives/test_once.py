"""A reader that is asked about the same trace again and again."""

from misstep.core.trace import Trace
from misstep.objectives.once import once_per_trace


def test_a_trace_is_read_once_and_another_on_its_own() -> None:
    read: list[str] = []

    @once_per_trace
    def reader(trace: Trace) -> int:
        read.append(trace.id)
        return len(read)

    one, other = Trace(id="one"), Trace(id="other")
    assert [reader(one), reader(other), reader(one), reader(other)] == [1, 2, 1, 2]
    assert read == ["one", "other"]


def test_equal_traces_are_two() -> None:
    @once_per_trace
    def reader(trace: Trace) -> list[str]:
        return [trace.id]

    assert reader(Trace(id="a")) is not reader(Trace(id="a"))
