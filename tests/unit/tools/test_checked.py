"""Arguments against schemas: what an agent is told when they do not fit."""

import asyncio
from typing import Any

import pytest

from misstep.core.errors import InvalidTrialError, UnknownToolError
from misstep.core.tool import JSON, Tool
from misstep.tools.checked import Checked, problem

SCHEMA: dict[str, JSON] = {
    "type": "object",
    "properties": {
        "order_id": {"type": "string", "pattern": "^#W"},
        "count": {"type": "integer", "minimum": 1},
        "speed": {"enum": ["slow", "fast"]},
        "until": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "lines": {"type": "array", "items": {"type": "object", "required": ["item"], "additionalProperties": False}},
    },
    "required": ["order_id"],
    "additionalProperties": False,
}
TOOL = Tool("cancel_order", input_schema=SCHEMA)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"order_id": 5}, "Argument 'order_id' of 'cancel_order' must be a text; got 5."),
        ({"order_id": "1"}, "Argument 'order_id' of 'cancel_order' must match '^#W'; got '1'."),
        ({}, "Argument 'order_id' of 'cancel_order' is missing."),
        ({"count": 0}, "Argument 'count' of 'cancel_order' must be at least 1; got 0."),
        ({"speed": "x"}, "Argument 'speed' of 'cancel_order' must be one of 'slow', 'fast'; got 'x'."),
        ({"until": 1}, "Argument 'until' of 'cancel_order' must be a text or be null; got 1."),
        ({"lines": [{}]}, "Argument 'lines[0].item' of 'cancel_order' is missing."),
        ({"orderid": 1}, "'cancel_order' takes no argument 'orderid'. Did you mean 'order_id'?"),
    ],
)
def test_an_error_says_which_argument_what_it_must_be_and_what_it_is(arguments: dict[str, JSON], said: str) -> None:
    given = arguments if "order_id" in said else {"order_id": "#W1", **arguments}
    assert said in str(problem(TOOL, given))


def test_arguments_that_fit_have_no_problem() -> None:
    assert problem(TOOL, {"order_id": "#W1", "count": 2, "until": None}) is None


def test_a_schema_that_is_none_is_the_tool_s_error() -> None:
    with pytest.raises(InvalidTrialError) as raised:
        problem(Tool("odd", input_schema={"type": "nonsense"}), {})
    assert raised.value.blame == "tool"


def test_a_call_that_does_not_fit_never_reaches_the_toolbox(till: Any) -> None:
    box = Checked(till)

    assert asyncio.run(box.call("add_sale", {"amount": "much"})).is_error
    assert till.snapshot()["sales"] == {}
    assert asyncio.run(box.call("add_sale", {"amount": 2})).content == {"id": "s1", "amount": 2}
    with pytest.raises(UnknownToolError):
        asyncio.run(box.call("add_sales", {}))
