"""The failure modes → the page `docs/modes.md`."""

from collections.abc import Iterator, Sequence

from misstep.core.finding import FailureMode, Mapping
from misstep.taxonomy import OWASP, VERSION, modes

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
"""


def as_markdown() -> str:
    """Every mode under an anchor of its name, family by family."""
    families: dict[str, list[FailureMode]] = {}
    for mode in modes().values():
        families.setdefault(mode.family, []).append(mode)
    parts = [_OPENING]
    for family, members in families.items():
        parts.append(f"## {family[0].upper()}{family[1:]}\n")
        parts.extend("\n".join(_lines(mode)) for mode in members)
    return "\n".join(parts)


def _lines(mode: FailureMode) -> Iterator[str]:
    yield f"### {mode.id}\n"
    yield f"{mode.definition}\n"
    yield f"- Severity: {mode.severity}"
    yield f"- Decided by: {_DECIDED_BY[mode.detector]}"
    if mode.owasp:
        yield f"- OWASP: {_listed(mode.owasp, titled=True)}"
    if mode.mast:
        yield f"- MAST: {_listed(mode.mast)}"
    if mode.atlas:
        yield f"- ATLAS: {_listed(mode.atlas)}"
    for neighbour in mode.neighbours:
        yield f"- Not [{neighbour.mode}](#{neighbour.mode}): {neighbour.difference}"
    yield ""


def _listed(mappings: Sequence[Mapping], *, titled: bool = False) -> str:
    return ", ".join(
        f"{each.id} {OWASP[each.id]} ({each.relation})" if titled else f"{each.id} ({each.relation})"
        for each in mappings
    )
