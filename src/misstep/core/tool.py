"""A Tool as an agent sees it, and the Answer that calling one gives."""

from typing import Literal

from msgspec import Struct

JSON = object
"""Anything that a JSON text can hold; parsed before use."""

Effect = Literal["reads", "writes", "reaches-outside", "destroys"]
"""What calling a tool does to the world, mildest first. Unknown means destroys."""

Server = Literal["real", "simulated", "recorded", "emulated", "faulted"]
"""Who gave an answer."""


class Tool(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A tool on offer."""

    name: str
    description: str = ""
    input_schema: dict[str, JSON] = {}
    output_schema: dict[str, JSON] | None = None
    effect: Effect = "destroys"
    extra: dict[str, JSON] = {}
    """What else its server says of it (a title, annotations, icons), passed on as it is and never believed."""


class Answer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What came back from one call, and who gave it."""

    content: JSON
    is_error: bool = False
    served_by: Server = "real"
    fault: str | None = None
    """The kind of fault that was injected, where one was."""
    took_s: float = 0.0
    """Simulated seconds that the call took."""
    parts: tuple[dict[str, JSON], ...] | None = None
    """The blocks of an MCP result (texts, images, resources), where `content` does not say it all."""
