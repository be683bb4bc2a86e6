"""A summary, or findings → what a person reads on a terminal; the command line prints it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from misstep.core.finding import Finding, Severity
from misstep.reporting.counting import SEVERITIES
from misstep.reporting.figures import counted, percent
from misstep.reporting.summary import ModeCount, Rate, Slice, Summary
from misstep.reporting.visible import one_line

_STYLES: dict[Severity, str] = {"critical": "bold red", "high": "red", "medium": "yellow", "low": "dim"}
_BAR = 24


def summary_text(summary: Summary, *, report: str | None = None, weakest: int = 5, modes: int = 12) -> RenderableType:
    """What a run came to, for 80 columns and up. `report` is where the page lies."""
    parts: list[RenderableType] = [_title(summary)]
    if summary.trials:
        parts += [_figures(summary), *_failures(summary, modes), *_broken(summary), *_weakest(summary, weakest)]
    else:
        parts.append(Text("No trial has finished yet."))
    parts.append(_ends(summary, report))
    return _spaced(parts)


def findings_table(findings: Iterable[Finding], *, traces: int, examples: int = 3) -> RenderableType:
    """What was found in so many traces, by mode, worst first, with a few examples each."""
    by_mode: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.present:
            by_mode[finding.mode].append(finding)
    if not by_mode:
        return Text(f"Nothing was found in {counted(traces, 'trace')}.")
    table = _table("Failure mode", "traces", "share", "severity")
    ranked = sorted(by_mode, key=lambda mode: _badness(mode, by_mode[mode]))
    for mode in ranked:
        found = by_mode[mode]
        shown_by = {finding.trace for finding in found}
        share = percent(len(shown_by) / traces if traces else None)
        worst = _worst(found)
        table.add_row(_plain(mode, "bold"), _plain(f"{len(shown_by):,}"), _plain(share), _plain(worst, _STYLES[worst]))
    return _spaced([table, *(_examples(mode, by_mode[mode], examples) for mode in ranked)])


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
    return Group(*lines[:-1])


def _badness(mode: str, findings: Sequence[Finding]) -> tuple[int, int, str]:
    return (-SEVERITIES.index(_worst(findings)), -len({finding.trace for finding in findings}), mode)


def _worst(findings: Sequence[Finding]) -> Severity:
    return SEVERITIES[max(SEVERITIES.index(finding.severity) for finding in findings)]


def _title(summary: Summary) -> RenderableType:
    ran = f"{counted(summary.trials, 'trial')} of {counted(len(summary.scenarios), 'scenario')}"
    agent, world = _plain(summary.agent, "bold"), _plain(summary.world, "bold")
    return Text.assemble(agent, (" on ", "dim"), world, "   ", (f"{ran}, seed {summary.seed}", "dim"))


def _figures(summary: Summary) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim")
    grid.add_column()
    rate = summary.success
    if rate.rate is None:
        grid.add_row("Success", "no trial was decided")
    else:
        shown = _plain(percent(rate.rate, 1), "bold")
        grid.add_row("Success", Text.assemble(shown, "  ", _plain(_range(rate)), "  ", _bar(rate)))
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
        text = "No failure mode was found." if not summary.failed else "Trials failed, but no failure mode was found."
        yield Text(text)
        return
    table = _table("What failed", "traces", "share", "severity", "mostly at")
    for row in summary.failures[:modes]:
        table.add_row(
            _plain(row.mode, "bold"),
            _plain(f"{row.traces:,}"),
            _plain(percent(row.share.rate)),
            _plain(row.severity, _STYLES[row.severity]),
            _plain(_mostly(row)),
        )
    if len(summary.failures) > modes:
        table.add_row(_plain(f"and {counted(len(summary.failures) - modes, 'more mode')}", "dim"))
    if summary.unexplained:
        table.add_row(_plain("failed without a finding", "dim"), _plain(f"{summary.unexplained:,}"))
    yield table


def _mostly(row: ModeCount) -> str:
    if not row.places:
        return ""
    top = row.places[0]
    return top.step if top.traces == row.traces else f"{one_line(top.step, 30)} ({top.traces:,} of {row.traces:,})"


def _broken(summary: Summary) -> Iterable[RenderableType]:
    if not summary.invalid:
        return
    table = _table("Invalid, by whose error", "trials", "why")
    for each in summary.broken[:5]:
        table.add_row(_plain(each.blame), _plain(f"{each.trials:,}"), _plain(one_line(each.reason, 120)))
    yield table


def _weakest(summary: Summary, weakest: int) -> Iterable[RenderableType]:
    """Those that failed at all, worst first."""
    failing = [each for each in summary.scenarios if each.counts.failed]
    if not failing:
        return
    table = _table("Weakest scenarios", "passed", "success", "mostly")
    for each in failing[:weakest]:
        table.add_row(
            _named(each),
            _plain(f"{each.counts.passed} of {each.success.n}"),
            _plain(percent(each.success.rate)),
            _plain(", ".join(list(each.modes)[:2])),
        )
    yield table


def _named(each: Slice) -> Text:
    name = _plain(each.name)
    return Text.assemble(name, "  ", _plain(each.difficulty, "dim")) if each.difficulty else name


def _ends(summary: Summary, report: str | None) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    if report is not None:
        grid.add_row("Report", _plain(report, "bold"))
    grid.add_row("Again", _plain(summary.command))
    return grid


def _table(first: str, *rest: str) -> Table:
    """No box: a bold head and room between the columns."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(first, no_wrap=True, overflow="ellipsis")
    for name in rest:
        right = name in ("traces", "trials", "share", "success", "passed")
        table.add_column(name, justify="right" if right else "left", no_wrap=right, overflow="fold")
    return table


def _plain(text: str, style: str = "") -> Text:
    """Text, never markup; what would move the cursor is spelled out."""
    return Text(one_line(text, 2000), style=style)
