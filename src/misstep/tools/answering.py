"""What the settings say of who answers → one toolbox before real tools, and what in the settings speaks of nothing."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from misstep.core.errors import UsageError, suggestion
from misstep.core.roles import Toolbox
from misstep.core.tool import Tool
from misstep.core.words import joined
from misstep.llm import Model
from misstep.tools.emulated import Emulated, Manner
from misstep.tools.fronting import Front
from misstep.tools.overlay import overlays
from misstep.tools.recorded import Recorded, Tapes
from misstep.tools.routing import Route, Routing
from misstep.tools.simulated import Behaviour
from misstep.tools.simulators import simulator_for

_MOST_NAMED = 5


class Answering(Struct, frozen=True, kw_only=True):
    """Everything that can answer in place of a real tool, and which tools it answers."""

    routing: Routing
    tapes: Tapes | None = None
    model: Model | None = None
    manner: Manner = "typical"
    behaviours: Mapping[str, Behaviour] = {}

    def front(
        self,
        tools: Sequence[Tool],
        real: Toolbox,
        *,
        seed: int,
        servers: Mapping[str, str],
        roots: Sequence[str] | None = None,
    ) -> Front:
        """Tools as a client meets them; `servers` has the server of each, `roots` the folders of file tools."""
        others: dict[Route, Toolbox] = {"real": real, "overlay": overlays(real, tools, servers, seed=seed)}
        if self.tapes is not None:
            others["recorded"] = Recorded(self.tapes)
        if self.model is not None:
            others["emulated"] = Emulated(tools, self.model, manner=self.manner, seed=seed)
        simulated = simulator_for(tools, seed=seed, behaviours=self.behaviours, roots=roots)
        return Front(tools, self.routing, simulated, others)

    def remarks(self, tools: Sequence[Tool]) -> tuple[str, ...]:
        """What a person should know who wrote the settings for these tools."""
        idle = [rule.pattern for rule in self.routing.rules if not any(rule.fits(tool) for tool in tools)]
        told = [_no_such(idle, [tool.name for tool in tools])] if idle else []
        told += [
            f"[behaviours] has one for {tool.name!r}, which is {route}: it will not be used."
            for tool in tools
            if tool.name in self.behaviours and (route := self.routing.of(tool)) != "simulated"
        ]
        return tuple(told)


def _no_such(patterns: Sequence[str], names: Sequence[str]) -> str:
    more = f" and {len(patterns) - _MOST_NAMED} more" if len(patterns) > _MOST_NAMED else ""
    near = suggestion(patterns[0], names) if len(patterns) == 1 and names else ""
    return f"[routing] speaks of {joined([repr(each) for each in patterns[:_MOST_NAMED]])}{more}: no such tool.{near}"


def demand_tools(behaviours: Mapping[str, str], tools: Sequence[Tool]) -> None:
    """Raises UsageError where a behaviour is for a tool that is not there: it would never be used."""
    names = [tool.name for tool in tools]
    for name in behaviours:
        if name not in names:
            raise UsageError(
                f"[behaviours] in the settings has one for {name!r}; there is no such tool.{suggestion(name, names)}"
            )
