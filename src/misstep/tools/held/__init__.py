"""Plain functions → a toolbox whose state is the data that they hold, as far as they can reach nothing else."""

import weakref
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from misstep.core.roles import Toolbox
from misstep.core.state import Record, State
from misstep.core.tool import JSON, Answer, Effect, Tool
from misstep.tools.functions import Functions
from misstep.tools.held.changing import changing
from misstep.tools.held.holdings import Copy, Holdings
from misstep.tools.held.reaching import reach_of
from misstep.tools.held.tables import Tables

_STATES = 8


class Holding(Struct, frozen=True):
    """What was found out of functions."""

    make: "Callable[[], Held] | None" = None
    """A toolbox with the data as it was first; none where nothing that writes keeps to data of its own."""
    beyond: dict[str, str] = {}
    """A tool → what it can reach besides such data."""
    uncopied: str = ""
    """Why the data cannot be copied."""


class Kept(dict[str, Mapping[str, Record]]):
    """A state, with the copy of the data that it was made from."""

    def __init__(self, state: State, copy: Copy) -> None:
        super().__init__(state)
        self.data = copy


class _Desk:
    """Functions, and the place where their data lies."""

    def __init__(self, toolbox: Functions, holdings: Holdings, beyond: Mapping[str, str]) -> None:
        _turn.end()
        self.toolbox, self.holdings, self.tables, self.beyond = toolbox, holdings, Tables(), beyond
        self.first = holdings.copy()
        self._shown: dict[bytes, State] = {}
        self.state(self.first)  # so that keys are those of the first state

    def state(self, copy: Copy) -> State:
        """What lies there now, of which this is a copy, as tables. Most calls change nothing: the last are kept."""
        known = self._shown.get(copy.data)
        if known is None:
            known = self.tables.state(self.holdings.named)
            self._shown = {**dict(list(self._shown.items())[1 - _STATES :]), copy.data: known}
        return known


class _Turn:
    """Who works with the data now. There is one in a process, as there is one of each module and its variables."""

    def __init__(self) -> None:
        self._held: weakref.ref[Held] | None = None
        self._desk: _Desk | None = None

    def take(self, held: "Held", desk: _Desk) -> None:
        """Lay out one's own copy, after whoever was there."""
        if self._held is not None and self._held() is held:
            return
        self.end()
        desk.holdings.put(held.kept)
        held.unseen = None
        self._held, self._desk = weakref.ref(held), desk

    def end(self) -> None:
        """Leave the data as it was first; whoever was there has kept a copy."""
        if self._desk is not None:
            self._desk.holdings.put(self._desk.first)
        self._held = self._desk = None


_turn = _Turn()


class Held:
    """Functions that work on data of their own. Toolboxes of the same functions do not see each other's changes."""

    def __init__(self, desk: _Desk) -> None:
        self._desk = desk
        self.kept = desk.first
        """The data as the last call has left it."""
        self.unseen: Exception | None = None
        """Why that cannot be copied, so that it will be lost to this toolbox."""
        self._changed: dict[str, bool] = {}
        """A tool that has worked → whether it ever changed the data."""

    async def tools(self) -> Sequence[Tool]:
        return await self._desk.toolbox.tools()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        _turn.take(self, self._desk)
        answer = await self._desk.toolbox.call(tool, arguments)
        before = self.kept
        try:
            self.kept, self.unseen = self._desk.holdings.copy(), None
        except Exception as error:  # noqa: BLE001 - the data of foreign code
            self.unseen = error
        if not answer.is_error:
            changed = self.unseen is not None or self.kept.data != before.data
            self._changed[tool] = self._changed.get(tool, False) or changed
        return answer

    def observed(self) -> Mapping[str, Effect]:
        """What changed nothing, and can reach nothing else, has only looked; unless somebody has said what it is."""
        unsaid = self._desk.toolbox.undeclared - self._desk.beyond.keys()
        return {tool: "reads" for tool, changed in self._changed.items() if tool in unsaid and not changed}

    @property
    def bare(self) -> Functions:
        """The functions by themselves."""
        return self._desk.toolbox

    def irrevocable(self) -> Mapping[str, str]:
        return {tool: f"It can reach {what}" for tool, what in self._desk.beyond.items()}

    def snapshot(self) -> State:
        _turn.take(self, self._desk)
        if self.unseen is not None:
            raise self.unseen
        return Kept(self._desk.state(self.kept), self.kept)

    def restore(self, state: State) -> None:
        if not isinstance(state, Kept):
            raise TypeError("Only what `snapshot` gave can be put back.")
        _turn.take(self, self._desk)
        self._desk.holdings.put(state.data)
        self.kept, self.unseen = state.data, None


def writers_in(toolbox: Toolbox) -> frozenset[str]:
    """The functions of a toolbox that change data of theirs, and of which nobody has said what they do."""
    functions = toolbox.bare if isinstance(toolbox, Held) else toolbox
    return changing(functions.functions) & functions.undeclared if isinstance(functions, Functions) else frozenset()


async def held(toolbox: Toolbox) -> Holding:
    """Nothing is called to find that out. A toolbox class of somebody's own says by itself what it can put back."""
    if not isinstance(toolbox, Functions):
        return Holding()
    try:
        reach = reach_of(toolbox.functions)
        holdings = Holdings(reach)
        writes = any(tool.effect != "reads" and tool.name not in reach.beyond for tool in await toolbox.tools())
        if not writes or not holdings.named:
            return Holding(beyond=reach.beyond)
        desk = _Desk(toolbox.reaching(reach.beyond), holdings, reach.beyond)
        holdings.put(desk.first)
    except Exception as error:  # noqa: BLE001 - objects of foreign code, which may not want to be looked at
        return Holding(uncopied=f"{type(error).__name__}: {error}")
    return Holding(lambda: Held(desk), reach.beyond)
