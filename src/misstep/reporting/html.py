"""A digest → `report.html`, one self-contained page: its style and script are inlined, and it asks for nothing else."""

import hashlib
import re
from base64 import b64encode
from functools import cache
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from msgspec import Struct

from misstep import taxonomy
from misstep.core.finding import FailureMode
from misstep.reporting.cards import Card, Ran, anchors_of, card
from misstep.reporting.commands import command, dispute_command
from misstep.reporting.conversation import clipped
from misstep.reporting.disputed import UNDECIDED
from misstep.reporting.examples import INVALID, OUTCOMES, UNEXPLAINED, Digest, Example, Group, title_of
from misstep.reporting.factors import factor_meaning
from misstep.reporting.figures import counted, percent
from misstep.reporting.pictures import curve, matrix
from misstep.reporting.summary import Summary
from misstep.reporting.visible import one_line, pieces, visible
from misstep.store.disputes import DISPUTED

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
            OUTCOMES=OUTCOMES,
            UNEXPLAINED=UNEXPLAINED,
            DISPUTED=DISPUTED,
            INVALID=INVALID,
            UNDECIDED=UNDECIDED,
            **content,
        )
    )


def report_html(digest: Digest) -> str:
    """The whole page. The same digest gives the same text."""
    return page(
        "report.html.j2",
        summary=digest.summary,
        manifest=digest.manifest,
        unfair=_unfair(digest),
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
            cards=tuple(_cards(digest, group, anchors[group.mode])),
        )
        for group in digest.groups
    )


def _cards(digest: Digest, group: Group, anchor: str) -> list[Card]:
    return [
        card(
            f"{anchor}-{place}",
            example.trace,
            example.findings,
            title=title_of(example),
            where=f"{example.scenario}, trial {example.trial}",
            others=example.others,
            run=Ran(
                task=example.summary,
                wanted=example.wanted,
                verdict=example.verdict,
                command=command(digest.manifest, example.scenario, example.trial),
                dispute=_dispute(digest, example),
                strained=example.strained,
            ),
        )
        for place, example in enumerate(group.examples, 1)
    ]


def _unfair(digest: Digest) -> str:
    """The command that disputes the verdict of the conversation to read first."""
    start = digest.summary.start
    if not (digest.folder and start and start.first and start.failing):
        return ""
    return dispute_command(digest.folder, start.first.scenario, start.first.trial)


def _dispute(digest: Digest, example: Example) -> str:
    """Empty for what is in no folder, or did not fail."""
    failed = example.verdict.outcome == "fail"
    return dispute_command(digest.folder, example.scenario, example.trial) if digest.folder and failed else ""


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
    """A command line, whose options are not broken at the end of a line, nor parted from a short value."""
    return Markup(
        re.sub(r"(?<!\S)--[a-z-]+(?: [\w.:]{1,20}(?!\S))?", r'<span class="option">\g<0></span>', str(_text(text)))
    )


def _place(rate: float | None) -> str:
    """A coordinate along a line from 0 to 1."""
    return f"{100 * (rate or 0):.1f}%"


def _sentence(text: str) -> str:
    """The first sentence of a definition."""
    return re.split(r"(?<=[.!?])\s", text.strip(), maxsplit=1)[0]
