"""The side channel between an MCP server of ours and the MCP servers behind it, past the toolboxes in between.

`Toolbox.call` takes a name and arguments, and that is all that a wrapper should see. What else belongs to a request
of MCP (who asks, what that client can be asked, where its progress goes) travels here: design/0002 says why.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Protocol

from misstep.core.errors import MisstepError
from misstep.core.tool import JSON

NOTHING = "{}"
"""The abilities of a client that can be asked nothing."""


class RefusedError(MisstepError):
    """An error of the protocol itself: what a JSON-RPC error carries."""

    def __init__(self, code: int, message: str, data: JSON = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class Exchange(Protocol):
    """One request of a client, as the servers behind the gateway may know it."""

    @property
    def client(self) -> object:
        """Equal for two requests of one client, and only for these."""
        ...

    @property
    def abilities(self) -> str:
        """What the client can be asked in mid-call (elicitation, sampling, roots), as JSON with sorted keys."""
        ...

    @property
    def meta(self) -> Mapping[str, JSON]:
        """The request's `_meta`, without what belongs to one connection alone."""
        ...

    @property
    def wants_fresh_lists(self) -> bool:
        """Whether the client asked for a list: then the servers are asked, too."""
        ...

    @property
    def wants_progress(self) -> bool: ...

    async def progress(self, progress: float, total: float | None, message: str | None) -> None: ...

    async def log(self, params: Mapping[str, JSON]) -> None: ...

    async def ask(self, key: str, method: str, params: Mapping[str, JSON]) -> dict[str, JSON]:
        """The client's answer to `elicitation/create`, `sampling/createMessage` or `roots/list`.

        Raises RefusedError where the client cannot or will not say.
        """
        ...


exchange: ContextVar[Exchange | None] = ContextVar("exchange", default=None)
"""The request that the running call belongs to; None where nobody downstream waits for it."""
