"""A toolbox that may break in a call → one that goes on: the call is answered with an error, and the break is noted."""

from collections.abc import Mapping, Sequence
from typing import cast

from msgspec import structs

from misstep.core.errors import InvalidTrialError, MisstepError, UnknownToolError, UsageError
from misstep.core.roles import Stateful, Toolbox
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.plain import NotJSONError, clean, copied


class Lasting:
    """For somebody at work, whom one broken tool must not take all the others from. A trial is given up instead."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox
        self._listed: Sequence[Tool] | None = None
        self.broken: list[InvalidTrialError] = []
        """What broke, in order."""

    async def tools(self) -> Sequence[Tool]:
        """Where they cannot be listed, as they were when they could."""
        try:
            self._listed = await self._toolbox.tools()
        except Exception as error:  # noqa: BLE001 (foreign code: the list that is known still holds)
            self._note(_named(error, "The list of tools"))
            if self._listed is None:
                raise UsageError(f"The tools cannot be listed: {clean(str(error))}") from None
        return self._listed

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        try:
            answer = await self._toolbox.call(tool, arguments)
            parts = cast("list[dict[str, JSON]]", copied(list(answer.parts))) if answer.parts else None
            return structs.replace(answer, content=copied(answer.content), parts=tuple(parts) if parts else None)
        except UnknownToolError:
            raise
        except Exception as error:  # noqa: BLE001 (foreign code: it is noted, and the others live on)
            noted = _named(error, f"Tool {tool!r}")
            self._note(noted)
            return Answer(clean(noted.reason), is_error=True, served_by="simulated")

    def _note(self, error: InvalidTrialError) -> None:
        self.broken.append(error)


class _LastingState(Lasting):
    """The same before a toolbox that has a state."""

    def __init__(self, toolbox: Toolbox, state: Stateful) -> None:
        super().__init__(toolbox)
        self.snapshot = state.snapshot
        self.restore = state.restore


def lasting(toolbox: Toolbox) -> Lasting:
    """A state can be seen and put back where it could before, and only there."""
    return _LastingState(toolbox, toolbox) if isinstance(toolbox, Stateful) else Lasting(toolbox)


def _named(error: Exception, what: str) -> InvalidTrialError:
    match error:
        case InvalidTrialError():
            return error
        case NotJSONError():
            return InvalidTrialError("tool", f"{what} answered with something that is no JSON: {error}.")
        case MisstepError():
            return InvalidTrialError("infrastructure", str(error))
        case _:
            told = f"{type(error).__name__}: {clean(str(error))}"
            return InvalidTrialError("tool", f"{what} raised {told}; an error should be an answer.")
