"""Coverage keys tell ways apart, and nothing else."""

from collections.abc import Callable

from misstep.core.event import Blocked, ToolCall
from misstep.core.trace import Trace
from misstep.exploration.coverage import coverage

Read = Callable[..., Trace]


def test_other_values_on_the_same_way_are_nothing_new(read: Read) -> None:
    one = read('user: hi\nfind(name="Ann") -> {"id": 1}\nclose(id=1) -> {"ok": true}\nagent: Done.')
    other = read('user: hello\nfind(name="Bob") -> {"id": 22}\nclose(id=22) -> {"ok": true}\nagent: It is closed.')
    assert coverage(one) == coverage(other)


def test_tool_outcome_shape_and_a_question_in_between_are_each_something_new(read: Read) -> None:
    base = 'user: hi\nfind(name="Ann") -> {"id": 1}\nclose(id=1) -> {"ok": true}'
    others = [
        'user: hi\nclose(id=1) -> {"ok": true}\nfind(name="Ann") -> {"id": 1}',
        'user: hi\nfind(name="Ann") !! "no"\nclose(id=1) -> {"ok": true}',
        'user: hi\nfind(name="Ann") -> {}\nclose(id=1) -> {"ok": true}',
        'user: hi\nfind(name="Ann") -> {"id": 1}\nclose(id="1") -> {"ok": true}',
        'user: hi\nfind(name="Ann", city="Ghent") -> {"id": 1}\nclose(id=1) -> {"ok": true}',
        'user: hi\nfind(name="Ann") -> {"id": 1}\nuser: yes\nclose(id=1) -> {"ok": true}',
        'user: hi\nfind(name="Ann")\nclose(id=1) -> {"ok": true}',
    ]
    keys = [coverage(read(each)) for each in (base, *others)]
    assert len(set(keys)) == len(keys)


def test_the_end_and_the_length_are_part_of_the_way(read: Read) -> None:
    assert coverage(read("user: hi", end="finished")) != coverage(read("user: hi", end="gave-up"))
    short, long = read("user: hi\nf(x=1) -> 1\n" * 2), read("user: hi\nf(x=1) -> 1\n" * 20)
    assert coverage(short) != coverage(long)


def test_a_stopped_call_and_broken_arguments_are_ways_too() -> None:
    blocked = Blocked(actor="agent", tool="wipe", arguments={"all": True}, guardrail="g", reason="r")
    broken = ToolCall(actor="agent", call_id="c1", tool="wipe", malformed="{")
    assert any("wipe blocked {all:yes-no}" in key for key in coverage(Trace(id="t", events=(blocked,))))
    assert any("wipe unanswered malformed" in key for key in coverage(Trace(id="t", events=(broken,))))


def test_monstrous_arguments_make_short_keys() -> None:
    deep: object = "x"
    for _ in range(50):
        deep = {"a" * 500: [deep, deep]}
    events = tuple(
        ToolCall(actor="agent", call_id=f"c{at}", tool=f"t{at}", arguments={f"{name}": deep for name in range(40)})
        for at in range(400)
    )
    keys = coverage(Trace(id="t", events=events))
    assert len(keys) <= 203
    assert max(map(len, keys)) < 5_000
