"""What servers offer beside tools → the same, with who asked for what counted: no tool is called, so no tape has it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, cast

from misstep.core.tool import JSON

Asked = Counter[tuple[str, str, bool]]
"""How often a method was asked about a name or an address, and whether it was answered."""

_READ = {"resources/read": "uri", "resources/subscribe": "uri", "prompts/get": "name", "completion/complete": "ref"}


class Materials(Protocol):
    """What can be offered beside tools."""

    def capabilities(self) -> Mapping[str, JSON]: ...

    def instructions(self) -> str: ...

    def watch(self, listener: Callable[[str, Mapping[str, JSON]], None]) -> Callable[[], None]: ...

    async def listed(self, method: str) -> Sequence[Mapping[str, JSON]]: ...

    async def asked(self, method: str, params: Mapping[str, JSON]) -> dict[str, JSON]: ...

    async def roots_changed(self) -> None: ...


class Offering(Materials, Protocol):
    """What McpServers offers beside tools, and why some servers offer nothing."""

    failed: dict[str, str]


class Beside:
    """Passes everything on, and counts what was read."""

    def __init__(self, offering: Offering, asked: Asked) -> None:
        self._asked = asked
        self._offering = offering
        self.failed = offering.failed
        self.capabilities = offering.capabilities
        self.instructions = offering.instructions
        self.watch = offering.watch
        self.listed = offering.listed
        self.roots_changed = offering.roots_changed

    async def asked(self, method: str, params: Mapping[str, JSON]) -> dict[str, JSON]:
        answered = False
        try:
            answer = await self._offering.asked(method, params)
            answered = True
            return answer
        finally:
            if method in _READ:
                self._asked[method, _about(params.get(_READ[method])), answered] += 1


def _about(named: JSON) -> str:
    if isinstance(named, Mapping):
        ref = cast("Mapping[str, JSON]", named)
        return str(ref.get("name") or ref.get("uri"))
    return str(named)
