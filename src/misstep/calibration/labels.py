"""A file of labels → Findings: one JSON object a line, each with the name of who claims it."""

import codecs
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import msgspec

from misstep.core.errors import FormatError, UsageError
from misstep.core.finding import Finding
from misstep.taxonomy.migrating import OutdatedLabelError, migrated

_decoder = msgspec.json.Decoder(Finding)


def labels_from(path: Path) -> tuple[Finding, ...]:
    """Empty lines are passed over; a line that is no finding raises FormatError with its number."""
    try:
        lines = path.read_bytes().removeprefix(codecs.BOM_UTF8).splitlines()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from None
    found: list[Finding] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(migrated(_decoder.decode(line)))
            except OutdatedLabelError as error:
                raise UsageError(f"Line {number} of {path}: {error}") from None
            except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
                raise FormatError(
                    f"Line {number} of {path} is no label: {error}."
                    ' A label is a finding, such as {"trace": "…", "mode": "wrong-tool", "events": [3],'
                    ' "because": "…", "claimed_by": "Ada"}.'
                ) from None
    return tuple(found)


def misplaced(labels: Iterable[Finding], lengths: Mapping[str, int]) -> list[str]:
    """What is wrong with the places of labels, in a sentence each; `lengths` has the events of each trace."""
    return [
        f"The label of {label.mode} in {label.trace!r} points at {_pointed(label, lengths[label.trace])}."
        for label in labels
        if label.trace in lengths and (not label.events or not 0 <= label.events[0] < lengths[label.trace])
    ]


def _pointed(label: Finding, events: int) -> str:
    return f"event {label.events[0]}, and there are {events} events" if label.events else "no event"


def strange_modes(labels: Iterable[Finding], known: Collection[str]) -> tuple[str, ...]:
    """Modes that the taxonomy does not know: a team's own, or misspelt."""
    return tuple(sorted({label.mode for label in labels} - set(known)))
