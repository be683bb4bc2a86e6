"""The failure modes → the page `docs/modes.md`."""

from collections.abc import Iterator, Sequence

from misstep.core.finding import FailureMode, Mapping
from misstep.taxonomy import OWASP, VERSION, Measured, held_out, modes

_DECIDED_BY = {
    "code": "code that reads the trace",
    "objective": "code that reads the trace and its objective",
    "modelled": "a language model",
    "none": "nothing yet: a person can label it",
}
_OPENING = f"""\
# Failure modes

Version {VERSION} of the taxonomy. A finding names one of these modes, and the version that it was made with.
A mode maps to OWASP's top ten for agentic applications (2026) where it *is* that risk (direct) or helps it along
(contributing); many failures of agents have no entry there, and none is forced on them. MAST and ATLAS ids are given
where there is a counterpart.

Where code decides, a line says how well it did on conversations that somebody else wrote without having read the
detectors, and that nobody looked at while tuning them: in how many of those that show the mode it was found, and how
many of its findings were right. The numbers are small: take them for an order of magnitude.
{{measured}}
"""


def as_markdown() -> str:
    """Every mode under an anchor of its name, family by family."""
    families: dict[str, list[FailureMode]] = {}
    for mode in modes().values():
        families.setdefault(mode.family, []).append(mode)
    parts = [_OPENING.replace("{measured}", _total())]
    for family, members in families.items():
        parts.append(f"## {family[0].upper()}{family[1:]}\n")
        parts.extend("\n".join(_lines(mode)) for mode in members)
    return "\n".join(parts)


def _lines(mode: FailureMode) -> Iterator[str]:
    yield f"### {mode.id}\n"
    yield f"{mode.definition}\n"
    yield f"- Severity: {mode.severity}"
    yield f"- Decided by: {_DECIDED_BY[mode.detector]}"
    if mode.id in held_out():
        yield f"- Held-out conversations: {_measured(held_out()[mode.id])}"
    if mode.owasp:
        yield f"- OWASP: {_listed(mode.owasp, titled=True)}"
    if mode.mast:
        yield f"- MAST: {_listed(mode.mast)}"
    if mode.atlas:
        yield f"- ATLAS: {_listed(mode.atlas)}"
    for neighbour in mode.neighbours:
        yield f"- Not [{neighbour.mode}](#{neighbour.mode}): {neighbour.difference}"
    yield ""


def _measured(measured: Measured) -> str:
    right = f"{measured.found} of {measured.claimed} findings right"
    return f"{measured.found} of {measured.shown} found, {right}"


def _total() -> str:
    every = held_out().values()
    shown, found = sum(each.shown for each in every), sum(each.found for each in every)
    claimed = sum(each.claimed for each in every)
    return f"All modes together: {found} of {shown} found, {found} of {claimed} findings right."


def _listed(mappings: Sequence[Mapping], *, titled: bool = False) -> str:
    return ", ".join(
        f"{each.id} {OWASP[each.id]} ({each.relation})" if titled else f"{each.id} ({each.relation})"
        for each in mappings
    )
