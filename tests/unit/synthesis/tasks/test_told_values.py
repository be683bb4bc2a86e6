"""What texts say of the values of arguments, and what is not to be read out of them."""

import pytest

from misstep.core.tool import JSON, Tool
from misstep.synthesis.tasks.heeding import heeded
from misstep.synthesis.tasks.slots import Slot, slots_of
from misstep.synthesis.tasks.told_values import about, bounds_in, choices_in, examples_in, says_nothing, told_schema


@pytest.mark.parametrize(
    ("said", "listed"),
    [
        ("One of 'low', 'high'.", ("low", "high")),
        ('position: one of "open", "half", "closed".', ("open", "half", "closed")),
        ("prio must be one of: low, medium, high", ("low", "medium", "high")),
        ("Either small or large.", ("small", "large")),
        ("`a` | `b`", ("a", "b")),
        ("Part of a title or an author.", ()),
        ("One of the beds.", ()),
        ("A name such as 'Ann' or 'Bo'.", ()),
        ("It must be resolved or closed before.", ()),
    ],
)
def test_a_list_of_values_is_read_and_a_mere_sentence_is_not(said: str, listed: tuple[str, ...]) -> None:
    assert choices_in(said) == listed


@pytest.mark.parametrize(
    ("said", "bounds"),
    [
        ("between 10 and 35", (10, 35)),
        ("At most 50 litres.", (None, 50)),
        ("a rating, 1-5", (1, 5)),
        ("must be positive", (1, None)),
        ("On 2025-03-10, in the form YYYY-MM-DD.", (None, None)),
        ("Nothing of the kind.", (None, None)),
    ],
)
def test_bounds_are_read_and_days_are_none(said: str, bounds: tuple[float | None, float | None]) -> None:
    assert bounds_in(said) == bounds


def test_examples_are_values_and_no_words_of_the_sentence() -> None:
    assert examples_in("A bed, e.g. 'B2', or such as C-3.") == ("B2", "C-3")
    assert examples_in("Jobs such as those that are open.") == ()


def test_of_one_argument_is_said_what_stands_behind_its_name_up_to_the_next() -> None:
    said = "Give a bed some litres (at most 50). The mode is one of 'drip', 'spray'."
    assert bounds_in(about(said, "bed", ["litres", "mode"])) == (None, None)
    assert bounds_in(about(said, "litres", ["bed", "mode"])) == (None, 50)
    assert choices_in(about(said, "mode", ["bed", "litres"])) == ("drip", "spray")


def test_what_is_declared_stays_and_what_is_not_is_added() -> None:
    assert told_schema({"type": "integer", "minimum": 2}, "size", "between 1 and 9") == {
        "type": "integer",
        "minimum": 2,
        "maximum": 9,
    }
    assert told_schema({"type": "string"}, "size", "between 1 and 9") == {"type": "string"}
    assert told_schema({}, "litres", "")["type"] == "number"
    assert told_schema({"default": "x"}, "count", "at most 3") == {"default": "x"}


@pytest.mark.parametrize(("name", "nothing"), [("zq", True), ("mode", True), ("customer_email", False)])
def test_a_name_that_says_nothing_is_left_alone(name: str, nothing: bool) -> None:
    assert says_nothing({}, name) is nothing
    assert not says_nothing({"type": "string"}, name)


@pytest.mark.parametrize(
    ("value", "refusal", "schema"),
    [
        ("kelp", "bad mode: allowed values: drip, spray", {"enum": ["drip", "spray"]}),
        ("kelp", "'>' not supported between instances of 'str' and 'int'", {"type": "number"}),
        (90, "mode must be between 5 and 50", {"type": "number", "minimum": 5, "maximum": 50}),
        ("drip", "one of 'drip', 'spray' is what it must be", None),
        (20, "mode must be between 5 and 50", None),
        ("kelp", "no such bed", None),
    ],
)
def test_a_refusal_is_heeded_where_it_keeps_out_what_was_tried(
    value: str | int, refusal: str, schema: dict[str, object] | None
) -> None:
    slots = [Slot(("bed",), {}), Slot(("mode",), {})]
    found = heeded(slots, {("bed",): "B1", ("mode",): value}, refusal, slots[:1])
    assert [(slot.name, slot.schema) for slot in found] == ([("mode", schema)] if schema else [])


def test_a_bound_that_the_tool_names_last_is_not_that_of_a_thing_named_before_it() -> None:
    said = "Set the warmth of an oven, in degrees, at most 300."
    schema: dict[str, JSON] = {"properties": {"oven": {}, "temp": {}}, "required": ["oven", "temp"], "type": "object"}
    oven, temp = slots_of(Tool("set_oven", said, schema))
    assert (oven.schema, temp.schema) == ({}, {"type": "number"})
