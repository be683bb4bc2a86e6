"""A summary, or findings → what a person reads on a terminal; the command line prints it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from misstep.core.finding import Finding, Severity
from misstep.reporting.counting import SEVERITIES
from misstep.reporting.explored import robustness_text
from misstep.reporting.figures import counted, percent
from misstep.reporting.summary import ModeCount, Rate, Slice, Summary
from misstep.reporting.tables import Column, Sized, Trimmed, table
from misstep.reporting.visible import one_line

_STYLES: dict[Severity, str] = {"critical": "bold red", "high": "red", "medium": "yellow", "low": "dim"}
_BAR = 24
_ROOM_FOR_A_BAR = 64
_REASONS = 3


def summary_text(
    summary: Summary, *, report: str | None = None, whole: bool = False, weakest: int = 5, modes: int = 12
) -> RenderableType:
    """What a run came to, for a terminal of any width. `report` is where the page lies.

    `whole` leaves the lines that a person copies on one line, however long: for a file or a pipe, printed with
    `crop=False`.
    """
    parts: list[RenderableType] = [_title(summary)]
    if summary.trials:
        parts += [
            Sized(lambda options: _figures(summary, options.max_width)),
            *_failures(summary, modes),
            *_unexplained(summary),
            *_broken(summary),
            *_weakest(summary, weakest),
            *(robustness_text(summary.robustness) if summary.robustness else ()),
        ]
    else:
        parts.append(Text("No trial has finished yet."))
    parts.append(_ends(summary, report, whole=whole))
    return _spaced(parts)


def findings_table(findings: Iterable[Finding], *, traces: int, examples: int = 3) -> RenderableType:
    """What was found in so many traces, by mode, worst first, with a few examples each."""
    by_mode: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.present:
            by_mode[finding.mode].append(finding)
    if not by_mode:
        return Text(f"Nothing was found in {counted(traces, 'trace')}.")
    ranked = sorted(by_mode, key=lambda mode: _badness(mode, by_mode[mode]))
    columns = (_named_column("Failure mode"), _number("traces"), _number("share", drop=2), Column("severity", drop=1))
    rows = [_found_row(mode, by_mode[mode], traces) for mode in ranked]
    return _spaced([table(columns, rows), *(_examples(mode, by_mode[mode], examples) for mode in ranked)])


def _found_row(mode: str, found: Sequence[Finding], traces: int) -> tuple[Text, ...]:
    shown_by = {finding.trace for finding in found}
    share = percent(len(shown_by) / traces if traces else None)
    worst = _worst(found)
    return _plain(mode, "bold"), _plain(f"{len(shown_by):,}"), _plain(share), _plain(worst, _STYLES[worst])


def _examples(mode: str, findings: Sequence[Finding], examples: int) -> RenderableType:
    # One from each trace: the first in it.
    first = {finding.trace: finding for finding in reversed(findings)}
    chosen = sorted(first.values(), key=findings.index)[:examples]
    lines: list[RenderableType] = [_plain(mode, "bold")]
    for finding in chosen:
        where = f"{finding.trace} #{finding.events[0]}" if finding.events else finding.trace
        told = Text.assemble(_plain(where, "dim"), "  ", _plain(one_line(finding.because, 300)))
        lines.append(Padding(told, (0, 0, 0, 2), expand=False))
    if len(first) > len(chosen):
        lines.append(Text(f"  and {counted(len(first) - len(chosen), 'more trace')}", "dim"))
    return Group(*lines)


def _spaced(parts: Sequence[RenderableType]) -> RenderableType:
    """An empty line between each two."""
    lines = [line for part in parts for line in (part, Text(""))]
    return Trimmed(Group(*lines[:-1]))


def _badness(mode: str, findings: Sequence[Finding]) -> tuple[int, int, str]:
    return (-SEVERITIES.index(_worst(findings)), -len({finding.trace for finding in findings}), mode)


def _worst(findings: Sequence[Finding]) -> Severity:
    return SEVERITIES[max(SEVERITIES.index(finding.severity) for finding in findings)]


def _title(summary: Summary) -> RenderableType:
    ran = f"{counted(summary.trials, 'trial')} of {counted(len(summary.scenarios), 'scenario')}"
    agent, world = _plain(summary.agent, "bold"), _plain(summary.world, "bold")
    return Text.assemble(agent, (" on ", "dim"), world, "   ", (f"{ran}, seed {summary.seed}", "dim"))


def _figures(summary: Summary, room: int) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim")
    grid.add_column()
    rate = summary.success
    if rate.rate is None:
        grid.add_row("Success", "no trial was decided")
    else:
        told = Text.assemble(_plain(percent(rate.rate, 1), "bold"), "  ", _plain(_range(rate)))
        grid.add_row("Success", Text.assemble(told, "  ", _bar(rate)) if room >= _ROOM_FOR_A_BAR else told)
        if rate.method == "this scenario only":
            grid.add_row("", _plain("for this scenario only: one cannot speak for others", "dim"))
    if len(summary.pass_hat) > 1:
        hats = [hat for hat in summary.pass_hat if hat.k <= 5 or hat.k == len(summary.pass_hat)]
        grid.add_row("pass^k", Text("   ".join(f"{hat.k}: {percent(hat.rate)}" for hat in hats)))
    outcomes = [
        _plain(f"{summary.passed:,} passed", "green" if summary.passed else ""),
        _plain(f"{summary.failed:,} failed", "red" if summary.failed else ""),
        _plain(f"{summary.invalid:,} invalid", "yellow" if summary.invalid else ""),
    ]
    if summary.undecided:
        outcomes.append(_plain(f"{summary.undecided:,} undecided"))
    grid.add_row("Trials", Text("   ").join(outcomes))
    return grid


def _range(rate: Rate) -> str:
    return f"{percent(rate.low, 1)} to {percent(rate.high, 1)} at {percent(rate.level)}"


def _bar(rate: Rate) -> Text:
    """The interval on a line from 0 to 1, with the rate on it."""
    low, high = (min(_BAR - 1, int(edge * _BAR)) for edge in (rate.low, rate.high))
    middle = min(_BAR - 1, int((rate.rate or 0.0) * _BAR))
    marks = ["●" if at == middle else "━" if low <= at <= high else "·" for at in range(_BAR)]
    return Text("".join(marks), style="cyan")


def _failures(summary: Summary, modes: int) -> Iterable[RenderableType]:
    if not summary.failures:
        yield Text("No failure mode was found.")
        return
    passed = (_number("passed", drop=2),) if summary.showing_passed else ()
    columns = (
        _named_column("What failed"),
        _number("traces"),
        *passed,
        _number("share", drop=1),
        Column("severity", drop=3),
        Column("mostly at", least=16, drop=4),
    )
    rows = [_failure_row(row, passed=bool(passed)) for row in summary.failures[:modes]]
    if len(summary.failures) > modes:
        rows.append((_plain(f"and {counted(len(summary.failures) - modes, 'more mode')}", "dim"),))
    yield table(columns, rows)
    if summary.showing_passed:
        yield Text(
            f"{summary.showing_passed:,} of {counted(summary.showing, 'trace')} with a failure mode passed all the "
            "same: success is what the objective says, however the agent got there.",
            "dim",
        )


def _failure_row(row: ModeCount, *, passed: bool) -> tuple[Text, ...]:
    return (
        _plain(row.mode, "bold"),
        _plain(f"{row.traces:,}"),
        *((_plain(f"{row.passed:,}" if row.passed else "–"),) if passed else ()),
        _plain(percent(row.share.rate)),
        _plain(row.severity, _STYLES[row.severity]),
        _plain(_mostly(row)),
    )


def _unexplained(summary: Summary) -> Iterable[RenderableType]:
    """The most frequent reasons of trials that failed and show no mode."""
    if not summary.unexplained:
        return
    shown = summary.reasons[:_REASONS]
    rows = [
        (
            _plain(one_line(each.reason, 160)),
            _plain(f"{each.trials:,}"),
            _plain(f"{each.scenario}, trial {each.trial}", "dim"),
        )
        for each in shown
    ]
    left = summary.unexplained - sum(each.trials for each in shown)
    if left:
        rows.append((_plain("other reasons", "dim"), _plain(f"{left:,}"), Text()))
    columns = (Column("Failed without a finding", least=30), _number("trials"), Column("for example", drop=1))
    yield table(columns, rows)


def _mostly(row: ModeCount) -> str:
    if not row.places:
        return ""
    top = row.places[0]
    return top.step if top.traces == row.traces else f"{one_line(top.step, 30)} ({top.traces:,} of {row.traces:,})"


def _broken(summary: Summary) -> Iterable[RenderableType]:
    if not summary.invalid:
        return
    rows = [
        (_plain(each.blame), _plain(f"{each.trials:,}"), _plain(one_line(each.reason, 120)))
        for each in summary.broken[:5]
    ]
    yield table((_named_column("Invalid, by whose error"), _number("trials"), Column("why", least=24)), rows)


def _weakest(summary: Summary, weakest: int) -> Iterable[RenderableType]:
    """Those that failed at all, worst first."""
    failing = [each for each in summary.scenarios if each.counts.failed]
    if not failing:
        return
    rows = [
        (
            _named(each),
            _plain(f"{each.counts.passed} of {each.success.n}"),
            _plain(percent(each.success.rate)),
            _plain(_causes(each)),
        )
        for each in failing[:weakest]
    ]
    columns = (
        _named_column("Weakest scenarios"),
        _number("passed"),
        _number("success", drop=1),
        Column("mostly", least=20),
    )
    yield table(columns, rows)


def _causes(each: Slice, most: int = 2) -> str:
    """What its trials show most often: failure modes, and the reasons of those that failed without one."""
    causes = sorted([*each.modes.items(), *each.reasons.items()], key=lambda item: -item[1])
    return "; ".join(name for name, _ in causes[:most])


def _named(each: Slice) -> Text:
    name = _plain(each.name)
    return Text.assemble(name, "  ", _plain(each.difficulty, "dim")) if each.difficulty else name


def _ends(summary: Summary, report: str | None, *, whole: bool) -> RenderableType:
    lines = [("Again", _plain(summary.command))]
    if report is not None:
        lines.insert(0, ("Report", _plain(report, "bold")))
    if whole:
        long = (Text.assemble((f"{name:<8}", "dim"), told, no_wrap=True, overflow="ignore") for name, told in lines)
        return Group(*long)
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, told in lines:
        grid.add_row(name, told)
    return grid


def _named_column(name: str) -> Column:
    """What the rows are called: folded only where the name is very long."""
    return Column(name, least=36)


def _number(name: str, *, drop: int = 0) -> Column:
    return Column(name, right=True, drop=drop)


def _plain(text: str, style: str = "") -> Text:
    """Text, never markup; what would move the cursor is spelled out."""
    return Text(one_line(text, 2000), style=style)
