"""The roles: protocols of one or two methods that agents, users, toolboxes, detectors and guardrails fill."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Literal, Protocol, runtime_checkable

from msgspec import Struct

from misstep.core.event import Event
from misstep.core.finding import Finding
from misstep.core.gist import Gist
from misstep.core.objective import Objective
from misstep.core.policy import Policy
from misstep.core.state import State
from misstep.core.tape import View
from misstep.core.tool import JSON, Answer, Effect, Tool
from misstep.core.trace import Trace


@runtime_checkable
class Toolbox(Protocol):
    """Lists tools and calls one. Wrappers take a Toolbox and are one."""

    async def tools(self) -> Sequence[Tool]: ...

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        """A tool's own error is an Answer; UnknownToolError is raised for a name that is not on offer."""
        ...


@runtime_checkable
class Stateful(Protocol):
    """What a Toolbox can also be: one whose state can be seen, kept and put back."""

    def snapshot(self) -> State: ...

    def restore(self, state: State) -> None: ...


@runtime_checkable
class Irrevocable(Protocol):
    """What a Stateful Toolbox can also be: one some of whose tools do what `restore` does not put back."""

    def irrevocable(self) -> Mapping[str, str]:
        """A tool → why it is one of them."""
        ...


@runtime_checkable
class Observant(Protocol):
    """What a Toolbox can also be: one that knows what its calls did, where nobody has said what its tools do."""

    def observed(self) -> Mapping[str, Effect]:
        """A tool that was called → what it did."""
        ...


@runtime_checkable
class Governed(Protocol):
    """What a Toolbox can also be: one that comes with the policy its tools enforce."""

    @property
    def policy(self) -> Policy: ...


@runtime_checkable
class Equipped(Protocol):
    """What a Toolbox can also be: one whose users hold tools of their own (a phone, a mailbox) on the same state."""

    def user_tools(self) -> Toolbox: ...


@runtime_checkable
class Agent(Protocol):
    """The thing under test. Made fresh for each run by a factory."""

    async def respond(self, message: str, tools: Toolbox) -> str: ...


@runtime_checkable
class User(Protocol):
    """Sees the tape, says the next thing, or nothing when done."""

    async def say(self, tape: View) -> str | None: ...


Need = Literal["trace", "schemas", "conversation", "objective", "trials", "sessions"]
"""What a detector must be given: a trace; one that says which tools were on offer; one in which the user can be heard;
what success is, besides; the gist of other trials of the same task; the gist of earlier sessions of the same agent."""

TraceReader = Callable[[Trace], Iterable[Finding]]
ObjectiveReader = Callable[[Trace, Objective], Iterable[Finding]]
PeersReader = Callable[[Trace, Sequence[Gist]], Iterable[Finding]]
"""Given other trials, or earlier sessions, oldest first."""


class Detector(Struct, frozen=True):
    """Says what it needs and gets just that; gives Findings. Any function of its kind becomes one."""

    mode: str
    version: int
    needs: Need
    find: TraceReader | ObjectiveReader | PeersReader | Callable[[Trace], Awaitable[Iterable[Finding]]]
    residual: bool = False
    """Speaks only of traces in which nothing more specific was found."""


class Decision(Struct, frozen=True):
    """What a guardrail says of an event that is about to happen."""

    action: Literal["allow", "block", "rewrite", "ask", "end"] = "allow"
    reason: str = ""
    arguments: dict[str, JSON] | None = None
    """For a rewrite: the call's new arguments."""


class Guardrail(Protocol):
    """A fold over events: its own state and the event about to happen → new state and a decision."""

    @property
    def name(self) -> str: ...

    def start(self) -> object:
        """The state before anything has happened."""
        ...

    def step(self, state: object, event: Event) -> tuple[object, Decision]:
        """Constant work an event. The decision counts only for a ToolCall that is about to happen."""
        ...
