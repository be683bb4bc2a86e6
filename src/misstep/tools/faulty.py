"""A toolbox and a list of faults → a toolbox in which those faults happen, the same ones for the same seed."""

import random
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

import msgspec
from msgspec import Struct, structs

from misstep.core.errors import UnknownToolError, UsageError, suggestion
from misstep.core.roles import Stateful, Toolbox
from misstep.core.scenario import Fault
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool
from misstep.objectives.matching import fits_all
from misstep.objectives.wellformed import wrong_with
from misstep.tools.drift import drifted, given_as_before, new_names
from misstep.tools.fault_kinds import KINDS, FaultKind, PoisonedDescription, SchemaDrift, Strike


class Faulty:
    """Faults are tried in their order; where several strike one call, each has the answer of the one before it.

    The answer that a fault changed says so: `served_by` is "faulted", and `fault` its kind.
    """

    def __init__(self, toolbox: Toolbox, faults: Sequence[Fault], *, seed: int) -> None:
        self._toolbox = toolbox
        self._armed = [_Armed(fault, at, seed) for at, fault in enumerate(faults) if fault.target == "tool"]
        self._lasting = [armed for armed in self._armed if armed.kind.happen is None]
        stale = any(armed.fault.kind == "stale" for armed in self._armed)
        self._past = _Past(toolbox) if stale else None

    async def tools(self) -> Sequence[Tool]:
        offered = await self._toolbox.tools()
        if not self._lasting:
            return offered
        return [self._as_shown(tool) for tool in offered if not self._holds("vanished", tool.name)]

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        offered = {each.name: each for each in await self._toolbox.tools()}
        found = offered.get(tool)
        if found is None:
            raise UnknownToolError(tool, (each.name for each in await self.tools()))
        struck = [armed for armed in self._armed if armed.strikes(tool, arguments)]
        if self._holds("vanished", tool):
            raise UnknownToolError(tool, (each.name for each in await self.tools()))
        if self._holds("schema-drift", tool):
            given = given_as_before(found, self._names(found), arguments)
            if isinstance(given, str):
                return Answer(given, is_error=True, served_by="faulted", fault="schema-drift")
            arguments = given
        return await self._through([armed for armed in struck if armed.kind.happen], found, arguments)

    async def _through(self, struck: Sequence["_Armed"], tool: Tool, arguments: Mapping[str, JSON]) -> Answer:
        if not struck:
            return await self._delivered(tool, arguments)
        *before, last = struck
        assert last.kind.happen is not None
        past = self._past

        async def deliver() -> Answer:
            return await self._through(before, tool, arguments)

        async def earlier() -> Answer | None:
            return await past.answer(tool, arguments) if past else None

        answer = await last.kind.happen(last.parameters, Strike(tool, deliver, earlier))
        changed = answer.served_by == "faulted" and answer.fault is None
        return structs.replace(answer, fault=last.fault.kind) if changed else answer

    async def _delivered(self, tool: Tool, arguments: Mapping[str, JSON]) -> Answer:
        if self._past is None:
            return await self._toolbox.call(tool.name, arguments)
        return await self._past.call(tool, arguments)

    def _holds(self, kind: str, tool: str) -> bool:
        return any(armed.fault.kind == kind and armed.holds(tool) for armed in self._lasting)

    def _as_shown(self, tool: Tool) -> Tool:
        shown = drifted(tool, self._names(tool)) if self._holds("schema-drift", tool.name) else tool
        for armed in self._lasting:
            if isinstance(armed.parameters, PoisonedDescription) and armed.holds(tool.name):
                shown = structs.replace(shown, description=f"{shown.description} {armed.parameters.text}".strip())
        return shown

    def _names(self, tool: Tool) -> Mapping[str, str]:
        """Each argument's old name → its new one."""
        names: dict[str, str] = {}
        for armed in self._lasting:
            if isinstance(armed.parameters, SchemaDrift) and armed.holds(tool.name):
                names |= new_names(tool, armed.parameters.rename)
        return names


class _Armed:
    """A fault with its count and its luck. The luck is its own, so that calls which do not fit it change nothing."""

    def __init__(self, fault: Fault, place: int, seed: int) -> None:
        self.fault = fault
        self.kind = _kind(fault)
        self.parameters = _parameters(fault, self.kind)
        self._luck = random.Random(f"{seed}/{place}")
        self._fitting = 0
        self._struck = 0
        self._taken: set[str] = set()
        _demand_patterns(fault)

    def strikes(self, tool: str, arguments: Mapping[str, JSON]) -> bool:
        fault = self.fault
        if not fnmatchcase(tool, fault.tool) or not fits_all(fault.arguments, arguments):
            return False
        self._fitting += 1
        lucky = fault.probability >= 1 or self._luck.random() < fault.probability
        if fault.occurrence is not None and self._fitting != fault.occurrence:
            return False
        if not lucky or (fault.times is not None and self._struck >= fault.times):
            return False
        self._struck += 1
        self._taken.add(tool)
        return True

    def holds(self, tool: str) -> bool:
        """For what lasts: from the first strike on, or from the start where nothing says when."""
        fault = self.fault
        if fault.occurrence is None and not fault.arguments and fault.probability >= 1:
            return fnmatchcase(tool, fault.tool)
        return tool in self._taken


class _Past:
    """What calls gave earlier, and the state before the last change: where stale answers come from."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox
        self._answers: dict[tuple[str, bytes], Answer] = {}
        self._before: State | None = None

    async def call(self, tool: Tool, arguments: Mapping[str, JSON]) -> Answer:
        writes = tool.effect != "reads" and isinstance(self._toolbox, Stateful)
        before = self._toolbox.snapshot() if writes and isinstance(self._toolbox, Stateful) else None
        answer = await self._toolbox.call(tool.name, arguments)
        if not answer.is_error:
            self._answers[tool.name, _key(arguments)] = answer
            self._before = before if before is not None else self._before
        return answer

    async def answer(self, tool: Tool, arguments: Mapping[str, JSON]) -> Answer | None:
        known = self._answers.get((tool.name, _key(arguments)))
        if known is not None or tool.effect != "reads" or self._before is None:
            return known
        if not isinstance(self._toolbox, Stateful):
            return None
        now = self._toolbox.snapshot()
        self._toolbox.restore(self._before)
        try:
            return await self._toolbox.call(tool.name, arguments)
        finally:
            self._toolbox.restore(now)


_encoder = msgspec.json.Encoder(order="deterministic")


def _key(arguments: Mapping[str, JSON]) -> bytes:
    return _encoder.encode(dict(arguments))


def _kind(fault: Fault) -> FaultKind:
    if fault.kind not in KINDS:
        raise UsageError(f"There is no kind of fault {fault.kind!r}.{suggestion(fault.kind, KINDS)}")
    return KINDS[fault.kind]


def _parameters(fault: Fault, kind: FaultKind) -> Struct:
    try:
        return msgspec.convert(fault.parameters, kind.parameters)
    except msgspec.ValidationError as error:
        known = ", ".join(field.name for field in structs.fields(kind.parameters))
        takes = f"It takes {known}." if known else "It takes none."
        raise UsageError(f"The parameters of a fault {fault.kind!r} are wrong: {error}. {takes}") from None


def _demand_patterns(fault: Fault) -> None:
    for name, pattern in fault.arguments.items():
        if wrong := wrong_with(pattern):
            raise UsageError(f"The pattern that the fault {fault.kind!r} has for the argument {name!r} {wrong}.")
