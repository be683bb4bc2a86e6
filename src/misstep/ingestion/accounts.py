"""What a file says that a conversation cost, in any provider's words → Usage."""

from collections.abc import Iterable, Mapping

from misstep.core.tool import JSON
from misstep.core.trace import Usage
from misstep.ingestion.fields import count, number, table

_IN = ("input_tokens", "prompt_tokens", "inputTokens", "tokens_sent")
_OUT = ("output_tokens", "completion_tokens", "outputTokens", "tokens_received")
_COST = ("cost", "total_cost", "instance_cost", "agent_cost")


def usage_of(accounts: Iterable[JSON]) -> Usage:
    """The accounts of several steps, added up; what is no account counts for nothing."""
    tokens_in = tokens_out = 0
    cost = 0.0
    for account in map(table, accounts):
        tokens_in += next((count(account[key]) for key in _IN if key in account), 0)
        tokens_out += next((count(account[key]) for key in _OUT if key in account), 0)
        cost += next((_positive(account, key) for key in _COST if key in account), 0.0)
    return Usage(input_tokens=tokens_in, output_tokens=tokens_out, cost=cost)


def _positive(account: Mapping[str, JSON], key: str) -> float:
    found = number(account[key])
    return found if found is not None and 0 <= found < 1e12 else 0.0
