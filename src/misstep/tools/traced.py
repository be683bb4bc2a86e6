"""Each call that an agent makes, and what it got back → two events on the tape, within the trial's budget."""

import math
from collections.abc import Mapping, Sequence
from typing import NoReturn, cast, get_args

import msgspec
from msgspec import structs

from misstep.core.errors import BudgetSpentError, InvalidTrialError, UnknownToolError, UsageError
from misstep.core.event import ToolCall, ToolResult
from misstep.core.objective import Limits
from misstep.core.roles import Toolbox
from misstep.core.tape import Tape
from misstep.core.tool import JSON, Answer, Server, Tool
from misstep.tools.plain import NotJSONError, clean, copied, described, plain_arguments

_decoder = msgspec.json.Decoder(tuple[Tool, ...])
_SERVERS = frozenset(get_args(Server))


class Traced:
    """What the agent saw: nothing that agent or tools do later to what they were given changes the tape."""

    def __init__(self, toolbox: Toolbox, tape: Tape, *, limits: Limits, actor: str = "agent") -> None:
        self._toolbox = toolbox
        self._tape = tape
        self._limits = limits
        self._actor = actor
        self._listed: Sequence[Tool] | None = None
        self._shown: tuple[Tool, ...] = ()
        self.stopped: BudgetSpentError | InvalidTrialError | None = None
        """What ended the calls, for a trial whose agent swallows it; every later call raises it again."""

    async def tools(self) -> Sequence[Tool]:
        try:
            listed = await self._toolbox.tools()
        except UsageError:
            raise
        except InvalidTrialError as error:
            self._stop(error)
        except Exception as error:  # noqa: BLE001 (foreign code: not the agent's failure)
            self._stop(InvalidTrialError("tool", f"Listing the tools raised {_told(error)}."))
        if listed is not self._listed:
            # Agents are known to edit schemas for their model; other trials share the original.
            self._listed, self._shown = listed, self._copies(listed)
        return self._shown

    def _copies(self, listed: Sequence[Tool]) -> tuple[Tool, ...]:
        try:
            return _decoder.decode(msgspec.json.encode(listed))
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            self._stop(InvalidTrialError("tool", f"The list of tools is no list of Tools that JSON can hold: {error}."))

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        self._demand_budget()
        name = described(tool)
        call = ToolCall(actor=self._actor, at_s=self._tape.clock.now_s, call_id=f"c{self._tape.calls + 1}", tool=name)
        try:
            given = plain_arguments(arguments)
        except NotJSONError as error:
            self._tape.append(structs.replace(call, malformed=described(arguments)))
            return self._refused(call, f"The arguments of {name!r} must be a JSON object: {clean(str(error))}.")
        self._tape.append(structs.replace(call, arguments=given))
        try:
            answer = await self._answer(name, given)
        except UnknownToolError as error:
            return self._refused(call, clean(str(error)))
        # Calls made side by side take as long as the longest.
        self._tape.clock.advance(answer.took_s - (self._tape.clock.now_s - call.at_s))
        self._record(call, answer)
        return structs.replace(answer, content=copied(answer.content))

    async def _answer(self, name: str, given: JSON) -> Answer:
        """The toolbox's answer, on a copy of the arguments and with content that is ours."""
        try:
            answer = await self._toolbox.call(name, cast("dict[str, JSON]", copied(given)))
            if not _is_whole(answer):
                raise NotJSONError("it is no Answer, or one whose fields do not hold what they should")
            return structs.replace(answer, content=copied(answer.content))
        except (UnknownToolError, UsageError):
            raise
        except InvalidTrialError as error:
            self._stop(error)
        except NotJSONError as error:
            self._stop(InvalidTrialError("tool", f"Tool {name!r} answered with something that is no JSON: {error}."))
        except Exception as error:  # noqa: BLE001 (foreign code: a toolbox that breaks is not the agent's failure)
            self._stop(InvalidTrialError("tool", f"Tool {name!r} raised {_told(error)}; an error should be an answer."))

    def _demand_budget(self) -> None:
        if self.stopped is not None:
            self._stop(self.stopped)
        if self._tape.calls >= self._limits.calls:
            self._stop(BudgetSpentError("calls", self._limits.calls))
        if self._tape.clock.now_s >= self._limits.seconds:
            self._stop(BudgetSpentError("seconds", self._limits.seconds))

    def _stop(self, error: BudgetSpentError | InvalidTrialError) -> NoReturn:
        self.stopped = error
        raise error.with_traceback(None) from None

    def _refused(self, call: ToolCall, reason: str) -> Answer:
        answer = Answer(reason, is_error=True, served_by="simulated")
        self._record(call, answer)
        return answer

    def _record(self, call: ToolCall, answer: Answer) -> None:
        self._tape.append(
            ToolResult(
                actor=call.tool,
                at_s=self._tape.clock.now_s,
                call_id=call.call_id,
                content=answer.content,
                is_error=answer.is_error,
                served_by=answer.served_by,
                fault=answer.fault,
            )
        )


def _is_whole(answer: object) -> bool:
    """Structs are not checked when they are made, and a toolbox may be anybody's."""
    return (
        isinstance(answer, Answer)
        and isinstance(cast("object", answer.took_s), (int, float))
        and math.isfinite(answer.took_s)
        and isinstance(cast("object", answer.is_error), bool)
        and answer.served_by in _SERVERS
        and (answer.fault is None or isinstance(cast("object", answer.fault), str))
    )


def _told(error: Exception) -> str:
    try:
        text = clean(str(error))
    except Exception:  # noqa: BLE001 (an exception whose text cannot be had)
        text = ""
    return f"{type(error).__name__}: {text}"
