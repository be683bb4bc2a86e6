"""A file of labels → Findings: one JSON object a line, each with the name of who claims it."""

from pathlib import Path

import msgspec

from misstep.core.errors import FormatError, UsageError
from misstep.core.finding import Finding

_decoder = msgspec.json.Decoder(Finding)


def labels_from(path: Path) -> tuple[Finding, ...]:
    """Empty lines are passed over; a line that is no finding raises FormatError with its number."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from None
    found: list[Finding] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(_decoder.decode(line))
            except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
                raise FormatError(
                    f"Line {number} of {path} is no label: {error}."
                    ' A label is a finding, such as {"trace": "…", "mode": "wrong-tool", "events": [3],'
                    ' "because": "…", "claimed_by": "Ada"}.'
                ) from None
    return tuple(found)
