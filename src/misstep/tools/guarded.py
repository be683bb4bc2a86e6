"""Guardrails around a traced toolbox: a call that one of them stops does not happen, and the tape says so."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import structs

from misstep.core.errors import BudgetSpentError, InvalidTrialError
from misstep.core.event import Blocked, Event, ToolCall
from misstep.core.objective import Limits
from misstep.core.roles import Decision, Guardrail, Toolbox
from misstep.core.tape import Tape
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.plain import NotJSONError, clean, described, plain_arguments

_ALLOWED = Decision()


class _Post:
    """A guardrail at its post: its state is the fold over every event on the tape, each seen once."""

    def __init__(self, rail: Guardrail) -> None:
        self._rail = rail
        self._state: object = None
        self._broken: str | None = None
        self.name = clean(rail.name)
        try:
            self._state = rail.start()
        except Exception as error:  # noqa: BLE001 (foreign code)
            self._broken = _failure(error)

    def see(self, event: Event) -> None:
        if self._broken is None:
            try:
                self._state, _ = self._rail.step(self._state, event)
            except Exception as error:  # noqa: BLE001 (foreign code)
                self._broken = _failure(error)

    def ask(self, call: ToolCall) -> Decision:
        """The state is left as it is: whether the call happens, and with which arguments, is not known yet."""
        if self._broken is not None:
            return Decision("block", self._broken)
        try:
            _, decision = self._rail.step(self._state, call)
            return Decision(decision.action, clean(decision.reason), decision.arguments)
        except Exception as error:  # noqa: BLE001 (foreign code; a guard that fails stops the call)
            return Decision("block", _failure(error))


class Guarded:
    """Asks each guardrail in turn; the first that does not allow a call decides. A rewritten call is asked about anew.

    `ask` stops the call as `block` does: the agent is told what to ask for. After `end` every later call is stopped
    too. A guardrail that raises stops the call. Stopped calls count against the budget of calls.
    """

    def __init__(
        self, toolbox: Toolbox, guardrails: Iterable[Guardrail], tape: Tape, *, limits: Limits | None = None
    ) -> None:
        self._toolbox = toolbox
        self._tape = tape
        self._limits = limits or Limits()
        self._posts = tuple(_Post(rail) for rail in guardrails)
        self._seen = 0
        self._stopped = 0
        self._ended: tuple[str, str] | None = None

    @property
    def stopped(self) -> BudgetSpentError | InvalidTrialError | None:
        """What ended the calls, for a trial whose agent swallows it."""
        if self._tape.calls + self._stopped >= self._limits.calls and self._stopped:
            return BudgetSpentError("calls", self._limits.calls)
        return getattr(self._toolbox, "stopped", None)

    async def tools(self) -> Sequence[Tool]:
        return await self._toolbox.tools()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if self._tape.calls + self._stopped >= self._limits.calls:
            raise BudgetSpentError("calls", self._limits.calls)
        asked = self._call_about_to_happen(tool, arguments)
        if self._ended is not None:
            return self._stop(asked, *self._ended)
        self._catch_up()
        call, name, decision = self._decided(asked)
        if decision.action == "allow":
            return await self._toolbox.call(tool, arguments if call.malformed is not None else call.arguments)
        if decision.action == "end":
            self._ended = (name, decision.reason)
        return self._stop(asked, name, decision.reason)

    def _call_about_to_happen(self, tool: str, arguments: Mapping[str, JSON]) -> ToolCall:
        call = ToolCall(
            actor="agent", at_s=self._tape.clock.now_s, call_id=f"c{self._tape.calls + 1}", tool=described(tool)
        )
        try:
            return structs.replace(call, arguments=plain_arguments(arguments))
        except NotJSONError:
            return structs.replace(call, malformed=described(arguments))

    def _catch_up(self) -> None:
        for at in range(self._seen, len(self._tape.view)):
            for post in self._posts:
                post.see(self._tape.view[at])
        self._seen = len(self._tape.view)

    def _decided(self, call: ToolCall) -> tuple[ToolCall, str, Decision]:
        """The call as it may happen, or the guardrail that stops it. Each may rewrite a call once: that must end."""
        rewriters: set[int] = set()
        at = 0
        while at < len(self._posts):
            post = self._posts[at]
            decision = post.ask(call)
            if decision.action == "allow" or (decision.action == "rewrite" and decision.arguments == call.arguments):
                at += 1
                continue
            if decision.action != "rewrite":
                return call, post.name, decision
            if at in rewriters:
                return call, post.name, Decision("block", f"Guardrail {post.name!r} rewrote its own rewriting.")
            try:
                call = structs.replace(call, arguments=plain_arguments(decision.arguments), malformed=None)
            except NotJSONError as error:
                return call, post.name, Decision("block", f"Guardrail {post.name!r} rewrote the call badly: {error}.")
            rewriters.add(at)
            at = 0
        return call, "", _ALLOWED

    def _stop(self, call: ToolCall, name: str, reason: str) -> Answer:
        self._stopped += 1
        self._tape.append(
            Blocked(
                actor=call.actor,
                at_s=call.at_s,
                tool=call.tool,
                arguments=call.arguments,
                guardrail=name,
                reason=reason,
            )
        )
        because = f": {reason}" if reason else "."
        return Answer(f"This call was stopped by the guardrail {name!r}{because}", is_error=True, served_by="simulated")


def _failure(error: Exception) -> str:
    return f"The guardrail failed with {type(error).__name__}: {clean(str(error))}"
