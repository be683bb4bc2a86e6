"""What is wrong with tools ↔ the text of `tool-findings.json`, which lies beside scenarios and in run folders."""

from typing import Literal

import msgspec
from msgspec import Struct

from misstep.core.errors import FormatError
from misstep.synthesis.tool_findings import ToolFinding

FORMAT = "misstep.tool-findings/1"
FLAWS_FILE: Literal["tool-findings.json"] = "tool-findings.json"


class Flaws(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="format", tag=FORMAT):
    """What a look at some tools came to."""

    tools: str
    """As `--tools` names them."""
    checked: int
    """How many there are."""
    seed: int = 0
    findings: tuple[ToolFinding, ...] = ()


def flaws_json(flaws: Flaws) -> bytes:
    """Indented, with a line end; the same findings give the same bytes."""
    return msgspec.json.format(msgspec.json.encode(flaws), indent=2) + b"\n"


def flaws_from(data: bytes, *, place: str) -> Flaws:
    """Read it back; `place` is named in the error."""
    try:
        return msgspec.json.decode(data, type=Flaws)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise FormatError(
            f"{place} does not hold findings about tools: {error}. `misstep synthesize --check-tools` writes it anew."
        ) from None
