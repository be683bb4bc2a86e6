"""A Service: a tool as an agent sees it, with the function that carries it out."""

from collections.abc import Callable

from msgspec import Struct

from misstep.core.tool import Effect, Tool
from misstep.worlds.desk.belongings import Result
from misstep.worlds.desk.fields import Schema


class Service(Struct, frozen=True):
    """A tool and the function of the belongings and the arguments that carries it out."""

    tool: Tool
    run: Callable[..., Result]


def service(run: Callable[..., Result], effect: Effect, description: str, takes: Schema, gives: Schema) -> Service:
    """The tool has the function's name."""
    return Service(Tool(run.__name__, description, takes, gives, effect), run)
