"""A digest → `report.html`, one self-contained page: its style and script are inlined, and it asks for nothing else."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from msgspec import Struct

from misstep import taxonomy
from misstep.core.finding import FailureMode
from misstep.reporting.cards import Card, Ran, card, earliest
from misstep.reporting.commands import command
from misstep.reporting.conversation import clipped
from misstep.reporting.examples import INVALID, UNEXPLAINED, Digest, Example, Group
from misstep.reporting.factors import factor_meaning
from misstep.reporting.figures import counted, percent
from misstep.reporting.pictures import curve, matrix
from misstep.reporting.summary import Summary
from misstep.reporting.visible import one_line, pieces, visible
from misstep.store.manifest import Manifest

_ID = re.compile(r"\b(?=[\w-]{0,23}\d)\w+(?:-\w+)+\b")
_LONGEST_ID = 24


class Section(Struct, frozen=True, kw_only=True):
    """The conversations of one failure mode."""

    anchor: str
    mode: str
    known: FailureMode | None
    severity: str
    total: int
    cards: tuple[Card, ...]


def page(template: str, **content: object) -> str:
    """A template filled in, with the style and the script that every page has."""
    style, script = _packaged("report.css"), _packaged("report.js")
    return (
        _environment()
        .get_template(template)
        .render(
            style=Markup(style),
            script=Markup(script),
            style_hash=_content_hash(style),
            script_hash=_content_hash(script),
            clip=clipped,
            known=taxonomy.modes(),
            UNEXPLAINED=UNEXPLAINED,
            INVALID=INVALID,
            **content,
        )
    )


def report_html(digest: Digest) -> str:
    """The whole page. The same digest gives the same text."""
    return page(
        "report.html.j2",
        summary=digest.summary,
        manifest=digest.manifest,
        sections=_sections(digest),
        anchors=_anchors(digest),
        curve=curve(digest.summary.pass_hat),
        matrix=matrix(digest.summary.transitions),
        factor_meaning=factor_meaning,
        alone=_any_alone(digest.summary),
    )


def _any_alone(summary: Summary) -> bool:
    """Whether some condition was met in one scenario only."""
    slices = (*summary.faults, *(each for levels in summary.factors.values() for each in levels))
    return any(each.success.method == "this scenario only" for each in slices)


def _anchors(digest: Digest) -> dict[str, str]:
    return anchors_of(group.mode for group in digest.groups)


def anchors_of(modes: Iterable[str]) -> dict[str, str]:
    """A name for each mode's section that is safe in an address, and its own."""
    return {mode: f"{_slug(mode)}-{place}" for place, mode in enumerate(modes, 1)}


def _sections(digest: Digest) -> tuple[Section, ...]:
    anchors = _anchors(digest)
    severity = {row.mode: row.severity for row in digest.summary.failures}
    return tuple(
        Section(
            anchor=anchors[group.mode],
            mode=group.mode,
            known=taxonomy.modes().get(group.mode),
            severity=severity.get(group.mode, ""),
            total=group.total,
            cards=tuple(_cards(digest.manifest, group, anchors[group.mode])),
        )
        for group in digest.groups
    )


def _cards(manifest: Manifest, group: Group, anchor: str) -> list[Card]:
    return [
        card(
            f"{anchor}-{place}",
            example.trace,
            example.findings,
            title=_title(group.mode, example),
            where=f"{example.scenario}, trial {example.trial}",
            others=example.others,
            run=Ran(
                task=example.summary,
                wanted=example.wanted,
                verdict=example.verdict,
                command=command(manifest, example.scenario, example.trial),
            ),
        )
        for place, example in enumerate(group.examples, 1)
    ]


def _title(mode: str, example: Example) -> str:
    if example.findings:
        return earliest(example.findings).because
    reason = next(iter(example.verdict.reasons), example.trace.error or "")
    if mode == INVALID:
        return reason or "Something on our side broke."
    return reason or "The objective was not met."


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("misstep.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        t=_text,
        plain=visible,
        line=one_line,
        command=_command,
        percent=percent,
        place=_place,
        count=counted,
        sentence=_sentence,
    )
    return environment


@cache
def _packaged(name: str) -> str:
    return resources.files("misstep.reporting").joinpath("templates", name).read_text("utf-8")


def _content_hash(text: str) -> str:
    """What a content security policy knows an inline element by."""
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _text(text: object) -> Markup:
    """Any text for the page's body: markup stays text, and what cannot be seen is spelled out and marked."""
    runs = (Markup('<span class="esc">%s</span>') % run if odd else _kept_whole(run) for odd, run in pieces(str(text)))
    return Markup("").join(runs)


def _kept_whole(text: str) -> Markup:
    """Ids and dates with hyphens are marked, so that a line does not end inside of one."""
    parts: list[Markup] = []
    done = 0
    for match in _ID.finditer(text):
        if len(match[0]) <= _LONGEST_ID:
            parts += [escape(text[done : match.start()]), Markup('<span class="whole">%s</span>') % match[0]]
            done = match.end()
    return Markup("").join([*parts, escape(text[done:])])


def _command(text: str) -> Markup:
    """A command line, whose options are not broken at the end of a line."""
    return Markup(re.sub(r"(?<!\S)--[a-z-]+", r'<span class="option">\g<0></span>', str(_text(text))))


def _place(rate: float | None) -> str:
    """A coordinate along a line from 0 to 1."""
    return f"{100 * (rate or 0):.1f}%"


def _sentence(text: str) -> str:
    """The first sentence of a definition."""
    return re.split(r"(?<=[.!?])\s", text.strip(), maxsplit=1)[0]


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower())[:60].strip("-") or "mode"
