"""What a tool does, where its server has something to say of it."""

import pytest

from misstep.core.tool import JSON, Effect, Tool
from misstep.effects.guessing import effect_of

_URL: dict[str, JSON] = {"type": "object", "properties": {"page_url": {"type": "string"}}}
_URI: dict[str, JSON] = {"type": "object", "properties": {"where": {"type": "string", "format": "uri"}}}
_SQL: dict[str, JSON] = {"type": "object", "properties": {"sql": {"type": "string"}}}


@pytest.mark.parametrize(
    ("tool", "hints", "effect", "said"),
    [
        (Tool("get_order"), {}, "reads", "Its name says that it only reads."),
        (Tool("get_order"), {"readOnlyHint": True}, "reads", "Its name says that it only reads."),
        (
            Tool("delete_order"),
            {"readOnlyHint": True},
            "destroys",
            "Its name says that it destroys; its server says that it only reads, which is not believed.",
        ),
        (
            Tool("add_order"),
            {"readOnlyHint": True},
            "writes",
            "Its name says that it writes; its server says that it only reads, which is not believed.",
        ),
        (Tool("get_order"), {"destructiveHint": True}, "destroys", "Its server says that it destroys."),
        (Tool("get_order"), {"openWorldHint": True}, "reaches-outside", "Its server says that it reaches outside."),
        (Tool("get_order"), {"readOnlyHint": False}, "writes", "Its server says that it writes."),
        (
            Tool("blorp"),
            {"readOnlyHint": True},
            "destroys",
            "Nothing tells what it does, so it counts as one that destroys; its server says that it only reads, "
            "which is not believed.",
        ),
        (
            Tool("get_order", "Get an order."),
            {},
            "reads",
            "Its name and description say that it only reads.",
        ),
        (Tool("get_order", "Sends an order."), {}, "reaches-outside", "Its description says that it reaches outside."),
        (
            Tool("get_order", "Frob."),
            {},
            "destroys",
            "Its description does not tell what it does, so it counts as one that destroys.",
        ),
        (
            Tool("blorp", "Returns the order."),
            {},
            "destroys",
            "Its name does not tell what it does, so it counts as one that destroys.",
        ),
        (Tool("blorp"), {}, "destroys", "Nothing tells what it does, so it counts as one that destroys."),
        (Tool("blorp", "Sends a letter."), {}, "reaches-outside", "Its description says that it reaches outside."),
        (
            Tool("read_page", "", _URL),
            {"readOnlyHint": True, "openWorldHint": False},
            "reaches-outside",
            "It takes 'page_url', so it counts as one that reaches outside; "
            "its server says that it only reads, which is not believed.",
        ),
        (
            Tool("read_page", "", _URI),
            {},
            "reaches-outside",
            "It takes 'where', so it counts as one that reaches outside.",
        ),
        (Tool("query", "", _SQL), {}, "destroys", "It takes 'sql', so it counts as one that destroys."),
        (
            Tool("get_order"),
            {"readOnlyHint": True, "destructiveHint": True},
            "reads",
            "Its name says that it only reads.",
        ),
    ],
)
def test_hints_make_an_effect_graver_and_never_milder(
    tool: Tool, hints: dict[str, JSON], effect: Effect, said: str
) -> None:
    assert effect_of(tool, hints) == (effect, said)
