"""The same world in other words: every tool, field, id and phrase replaced, consistently, by nonsense."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec import Struct, structs

from misstep.core.errors import UnknownToolError
from misstep.core.policy import Policy
from misstep.core.roles import Equipped, Governed, Stateful, Toolbox
from misstep.core.scenario import Scenario
from misstep.core.state import Record, State
from misstep.core.tool import JSON, Answer, Tool
from misstep.worlds.renaming import Renaming


class Ground(Struct, frozen=True, dict=True):
    """A world's tools, policy and first state with their renamed counterparts, shared by all worlds of that seed.

    Records that are the same object on one side are the same object on the other: a difference costs no more.
    """

    renaming: Renaming
    state: State
    tools: tuple[Tool, ...]
    policy: Policy

    @cached_property
    def renamed_state(self) -> State:
        return self.renaming.state(self.state)

    @cached_property
    def renamed_tools(self) -> Mapping[str, Tool]:
        return {tool.name: tool for tool in map(self.renaming.tool, self.tools)}

    @cached_property
    def offered(self) -> tuple[Tool, ...]:
        return tuple(self.renamed_tools.values())

    @cached_property
    def renamed_policy(self) -> Policy:
        return self.renaming.policy(self.policy)


class Renamed:
    """A world that speaks nonsense. Calls are put back into the world's own words, answers out of them."""

    def __init__(self, world: Toolbox, ground: Ground) -> None:
        if not isinstance(world, Stateful) or not isinstance(world, Governed) or not isinstance(world, Equipped):
            raise TypeError("Only a world with a state, a policy and tools for its users can be renamed.")
        self._world = world
        self._equipped: Equipped = world
        self._stateful: Stateful = world
        self._ground = ground
        self._renaming = ground.renaming

    @property
    def policy(self) -> Policy:
        return self._ground.renamed_policy

    async def tools(self) -> Sequence[Tool]:
        return self._ground.offered

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if tool not in self._ground.renamed_tools:
            raise UnknownToolError(tool, self._ground.renamed_tools)
        answer = await self._world.call(self._renaming.text(tool), self._renaming.record(arguments))
        return structs.replace(answer, content=self._renaming.value(answer.content))

    def user_tools(self) -> Toolbox:
        return _RenamedTools(self._equipped.user_tools(), self._renaming)

    def snapshot(self) -> State:
        return _translated(self._stateful.snapshot(), self._ground.state, self._ground.renamed_state, self._renaming)

    def restore(self, state: State) -> None:
        self._stateful.restore(_translated(state, self._ground.renamed_state, self._ground.state, self._renaming))


class _RenamedTools:
    """The tools that users hold, in the same other words."""

    def __init__(self, tools: Toolbox, renaming: Renaming) -> None:
        self._tools = tools
        self._renaming = renaming

    async def tools(self) -> Sequence[Tool]:
        return [self._renaming.tool(tool) for tool in await self._tools.tools()]

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        answer = await self._tools.call(self._renaming.text(tool), self._renaming.record(arguments))
        return structs.replace(answer, content=self._renaming.value(answer.content))


def _translated(state: State, here: State, there: State, renaming: Renaming) -> State:
    """A state in the other words; what is the very same as on the known ground is taken from there."""
    result: dict[str, Mapping[str, Record]] = {}
    for name, table in state.items():
        other = renaming.text(name)
        known, counterpart = here.get(name, {}), there.get(other, {})
        if table is known:
            result[other] = counterpart
            continue
        records: dict[str, Record] = {}
        for key, record in table.items():
            renamed = renaming.text(key)
            records[renamed] = counterpart[renamed] if known.get(key) is record else renaming.record(record)
        result[other] = records
    return result


def renamed_scenario(scenario: Scenario, renaming: Renaming) -> Scenario:
    """The scenario for the world renamed in the same way."""
    return renaming.scenario(scenario)
