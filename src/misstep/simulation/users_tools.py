"""A toolbox whose users hold tools of their own → those tools, with every call of the user's on the tape."""

from collections.abc import Mapping, Sequence

from misstep.core.errors import InvalidTrialError, UnknownToolError
from misstep.core.event import USER, ToolCall, ToolResult
from misstep.core.roles import Equipped, Toolbox
from misstep.core.tape import Tape
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.plain import NotJSONError, copied, plain_arguments


def users_tools(toolbox: Toolbox, tape: Tape) -> "UsersTools | None":
    """None where the toolbox gives users none."""
    return UsersTools(toolbox.user_tools(), tape) if isinstance(toolbox, Equipped) else None


class UsersTools:
    """Calls of these are the user's: no limit of the agent's counts them, and no detector sees them."""

    def __init__(self, toolbox: Toolbox, tape: Tape) -> None:
        self._toolbox = toolbox
        self._tape = tape
        self._calls = 0

    async def tools(self) -> Sequence[Tool]:
        return await self._toolbox.tools()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        self._calls += 1
        call = ToolCall(actor=USER, call_id=f"u{self._calls}", tool=tool, arguments=plain_arguments(arguments))
        self._tape.append(call)
        try:
            answer = await self._toolbox.call(tool, arguments)
            content = copied(answer.content)
        except (UnknownToolError, InvalidTrialError):
            raise
        except NotJSONError as error:
            raise InvalidTrialError("tool", f"The user's tool {tool!r} answered with no JSON: {error}.") from None
        except Exception as error:
            raise InvalidTrialError(
                "tool", f"The user's tool {tool!r} raised {type(error).__name__}: {error}."
            ) from error
        self._tape.append(
            ToolResult(
                actor=tool, call_id=call.call_id, content=content, is_error=answer.is_error, served_by=answer.served_by
            )
        )
        return answer
