"""An agent that answers at once after one tool call, its tool and its scenario: as little as a trial can hold."""

from misstep.core.objective import ExpectedCall, ExpectedFact, Objective
from misstep.core.roles import Toolbox
from misstep.core.scenario import Person, Scenario
from misstep.tools.functions import tool


@tool(effect="reads")
def find_order(order_id: str) -> dict[str, str]:
    """Find an order by its id."""
    return {"order_id": order_id, "status": "shipped"}


tools = [find_order]


class Instant:
    async def respond(self, message: str, tools: Toolbox) -> str:
        answer = await tools.call("find_order", {"order_id": "A-1"})
        assert not answer.is_error
        return "Order A-1 is shipped."


def agent() -> Instant:
    return Instant()


scenario = Scenario(
    name="where-is-my-order",
    user=Person(script=("Where is my order A-1?",)),
    objective=Objective(calls=(ExpectedCall(tool="find_order"),), facts=(ExpectedFact("status", ("shipped",)),)),
)
