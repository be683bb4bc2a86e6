"""A source → one that stops when its calls, tokens or money are spent."""

from msgspec import Struct

from misstep.core.errors import UsageError
from misstep.llm.errors import ModelError
from misstep.llm.exchange import Reply, Request, Source, Tokens

_CHARACTERS_A_TOKEN = 3
"""For sources that do not say what an answer cost: rather too many tokens than too few."""


class Prices(Struct, frozen=True, forbid_unknown_fields=True):
    """What a million tokens cost, in the money that the budget is in."""

    input: float
    output: float

    def cost(self, tokens: Tokens) -> float:
        return (tokens.input * self.input + tokens.output * self.output) / 1_000_000


class Budget:
    """What may be spent and what was; one for all sources that share it.

    It is looked at before each call, so that the last one may go over in tokens and money. Calls that failed count.
    """

    def __init__(
        self,
        *,
        calls: int | None = None,
        tokens: int | None = None,
        money: float | None = None,
        prices: Prices | None = None,
    ) -> None:
        if money is not None and prices is None:
            raise UsageError(
                f"There is a budget of {money:g} in money, but no price to count with. Say what a million tokens cost: "
                "`prices = { input = 0.25, output = 2.0 }` in the same table of misstep.toml; or set `tokens` in place "
                "of `money`."
            )
        self._most: dict[str, float | None] = {"calls": calls, "tokens": tokens, "money": money}
        self._prices = prices
        self.calls = 0
        self.usage = Tokens()

    @property
    def money(self) -> float:
        return self._prices.cost(self.usage) if self._prices else 0.0

    def demand(self) -> None:
        """Raises ModelError where the next call is one too many."""
        spent = {"calls": self.calls, "tokens": self.usage.input + self.usage.output, "money": self.money}
        for what, most in self._most.items():
            if most is not None and spent[what] >= most:
                unit = f" in {what}" if what == "money" else f" {what}"
                raise ModelError(
                    "budget",
                    f"The model's budget of {most:g}{unit} is spent ({spent[what]:g}). "
                    f"Raise `{what}` in misstep.toml, or ask for fewer trials.",
                )
        self.calls += 1

    def pay(self, tokens: Tokens) -> None:
        self.usage += tokens


class Budgeted:
    """Pays for each reply from a budget."""

    def __init__(self, source: Source, budget: Budget) -> None:
        self._source = source
        self._budget = budget

    async def reply(self, request: Request) -> Reply:
        self._budget.demand()
        reply = await self._source.reply(request)
        self._budget.pay(reply.usage if reply.usage != Tokens() else _estimated(request, reply))
        return reply


def _estimated(request: Request, reply: Reply) -> Tokens:
    told = sum(len(each.text) + sum(len(call.arguments) for call in each.tool_calls) for each in request.messages)
    offered = sum(len(each.name) + len(each.description) + len(str(each.schema)) for each in request.tools)
    answered = len(reply.text) + len(reply.thought) + sum(len(call.arguments) for call in reply.tool_calls)
    return Tokens(-(-(told + offered) // _CHARACTERS_A_TOKEN), -(-answered // _CHARACTERS_A_TOKEN))
