"""A small toolbox with state, for the tests of what stands in front of one."""

from collections.abc import Mapping, Sequence

import pytest

from misstep.core.errors import UnknownToolError
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool

_SALE: dict[str, JSON] = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "amount": {"type": "integer"}},
    "required": ["id", "amount"],
}


class Till:
    """Rings up sales and lists them; counts the calls that reached it."""

    def __init__(self) -> None:
        self.reached = 0
        self._sales: dict[str, dict[str, JSON]] = {}
        amount: dict[str, JSON] = {
            "type": "object",
            "properties": {"amount": {"type": "integer"}},
            "required": ["amount"],
        }
        listed: dict[str, JSON] = {
            "type": "object",
            "properties": {"sales": {"type": "array", "items": _SALE}, "note": {"type": ["string", "null"]}},
            "required": ["sales"],
        }
        self._tools = (
            Tool("add_sale", "Ring up a sale.", amount, _SALE, "writes"),
            Tool("list_sales", "List the sales.", {"type": "object", "properties": {}}, listed, "reads"),
        )

    async def tools(self) -> Sequence[Tool]:
        return self._tools

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        self.reached += 1
        match tool:
            case "add_sale":
                amount = arguments["amount"]
                if not isinstance(amount, int) or amount < 0:
                    return Answer("An amount must not be negative.", is_error=True, served_by="simulated")
                sale: dict[str, JSON] = {"id": f"s{len(self._sales) + 1}", "amount": amount}
                self._sales[f"s{len(self._sales) + 1}"] = sale
                return Answer(sale, served_by="simulated", took_s=1.0)
            case "list_sales":
                return Answer({"sales": list(self._sales.values()), "note": "all of today"}, served_by="simulated")
            case _:
                raise UnknownToolError(tool, (each.name for each in self._tools))

    def snapshot(self) -> State:
        return {"sales": dict(self._sales)}

    def restore(self, state: State) -> None:
        self._sales = {key: dict(record) for key, record in state["sales"].items()}


@pytest.fixture
def till() -> Till:
    return Till()
