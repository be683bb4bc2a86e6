"""The failure modes → their pages in the docs: a list, and a page for each."""

from collections.abc import Iterator, Sequence

from misstep.core.finding import FailureMode, Mapping
from misstep.taxonomy import OWASP, VERSION, Measured, held_out, modes

_DECIDED_BY = {
    "code": "code that reads the trace",
    "objective": "code that reads the trace and its objective",
    "modelled": "a language model, where one is named",
    "none": "nothing yet: a person can label it",
}
_SHORT = {"code": "code", "objective": "code, with an objective", "modelled": "a model", "none": "people"}
_OPENING = f"""\
# Failure modes

Version {VERSION} of the taxonomy. A finding names one of these modes, and the version that it was made with. Labels of
older versions are carried over where a mode was renamed; where one was split or dropped, a person has to look again.

A mode maps to OWASP's top ten for agentic applications (2026) where it *is* that risk (direct) or helps it along
(contributing); many failures of agents have no entry there, and none is forced on them. MAST and ATLAS ids are given
where there is a counterpart.

*Held out* says how well code did on conversations that somebody else wrote without having read the detectors, and that
nobody looked at while tuning them: in how many of those that show the mode it was found, and how many of the
conversations that it was claimed in show it. The numbers are small: take them for an order of magnitude.
{{measured}}
"""


def pages() -> dict[str, str]:
    """By its path under `docs`, what each page says."""
    return {"modes.md": _index(), **{f"modes/{mode.id}.md": "\n".join(_page(mode)) for mode in modes().values()}}


def _index() -> str:
    families: dict[str, list[FailureMode]] = {}
    for mode in modes().values():
        families.setdefault(mode.family, []).append(mode)
    parts = [_OPENING.replace("{measured}", _total())]
    for family, members in families.items():
        parts.append(f"## {family[0].upper()}{family[1:]}\n")
        parts.append("| mode | what it is | severity | decided by | held out |\n|---|---|---|---|---|")
        parts.extend(_row(mode) for mode in members)
        parts.append("")
    return "\n".join(parts)


def _row(mode: FailureMode) -> str:
    measured = held_out().get(mode.id)
    figures = f"{measured.found}/{measured.shown}, {measured.found}/{measured.claimed}" if measured else ""
    said = mode.definition.split(". ")[0].rstrip(".")
    return f"| [{mode.id}](modes/{mode.id}.md) | {said}. | {mode.severity} | {_SHORT[mode.detector]} | {figures} |"


def _page(mode: FailureMode) -> Iterator[str]:
    yield f"# {mode.id}\n"
    yield f"Family: {mode.family}. Taxonomy {VERSION}. [All modes](../modes.md)\n"
    yield f"{mode.definition}\n"
    yield f"- Severity: {mode.severity}. {mode.graver_when}".rstrip(". ") + "."
    yield f"- Decided by: {_DECIDED_BY[mode.detector]}"
    if mode.id in held_out():
        yield f"- Held-out conversations: {_measured(held_out()[mode.id])}"
    yield f"- OWASP: {_listed(mode.owasp, titled=True) if mode.owasp else 'no entry fits'}"
    if mode.mast:
        yield f"- MAST: {_listed(mode.mast)}"
    if mode.atlas:
        yield f"- ATLAS: {_listed(mode.atlas)}"
    if mode.examples:
        yield "\n## What it looks like\n"
        yield from (f"- {example}" for example in mode.examples)
    if mode.neighbours:
        yield "\n## What it is taken for\n"
        yield from (f"- Not [{each.mode}]({each.mode}.md): {each.difference}" for each in mode.neighbours)
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
