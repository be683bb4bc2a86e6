"""Services: tools as an agent sees them, with the functions that carry them out; and what answers a call of one."""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from misstep.core.errors import UnknownToolError
from misstep.core.tool import JSON, Answer, Effect, Tool
from misstep.tools.checked import problem

Result = dict[str, JSON]


class Refusal(Exception):  # noqa: N818 - no error of ours: what a world says to a call that it will not carry out
    """Why a call was not carried out and what would help, for the one who called."""


class Service(Struct, frozen=True):
    """A tool, and the function of what a world holds and the arguments that carries it out."""

    tool: Tool
    run: Callable[..., Result]


def service(
    run: Callable[..., Result], effect: Effect, description: str, takes: dict[str, JSON], gives: dict[str, JSON]
) -> Service:
    """The tool has the function's name."""
    return Service(Tool(run.__name__, description, takes, gives, effect), run)


def answered(services: Mapping[str, Service], holding: object, tool: str, arguments: Mapping[str, JSON]) -> Answer:
    """What a world answers: a refusal is an answer, a bug of the world's is not."""
    found = services.get(tool)
    if found is None:
        raise UnknownToolError(tool, services)
    wrong = problem(found.tool, arguments)
    if wrong is not None:
        return _error(wrong)
    try:
        return Answer(found.run(holding, **arguments), served_by="simulated")
    except Refusal as refusal:
        return _error(str(refusal))


class Held:
    """The services that a world's user holds, on whatever the world holds at the moment."""

    def __init__(self, services: Mapping[str, Service], holding: Callable[[], object]) -> None:
        self._services = services
        self._holding = holding

    async def tools(self) -> Sequence[Tool]:
        return [service.tool for service in self._services.values()]

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        return answered(self._services, self._holding(), tool, arguments)


def _error(sentence: str) -> Answer:
    return Answer({"error": sentence}, is_error=True, served_by="simulated")
