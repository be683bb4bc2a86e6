"""A summary → what a person reads on a terminal; the command line prints it."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from misstep.core.finding import Severity
from misstep.reporting.explored import robustness_text
from misstep.reporting.figures import counted, percent
from misstep.reporting.summary import ModeCount, Rate, Slice, Summary
from misstep.reporting.tables import Column, Sized, Trimmed, table
from misstep.reporting.visible import one_line

SEVERITY_STYLES: dict[Severity, str] = {"critical": "bold red", "high": "red", "medium": "yellow", "low": "dim"}
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
    return spaced(parts)


def spaced(parts: Sequence[RenderableType]) -> RenderableType:
    """An empty line between each two."""
    lines = [line for part in parts for line in (part, Text(""))]
    return Trimmed(Group(*lines[:-1]))


def _title(summary: Summary) -> RenderableType:
    ran = f"{counted(summary.trials, 'trial')} of {counted(len(summary.scenarios), 'scenario')}"
    agent, world = plain(summary.agent, "bold"), plain(summary.world, "bold")
    return Text.assemble(agent, (" on ", "dim"), world, "   ", (f"{ran}, seed {summary.seed}", "dim"))


def _figures(summary: Summary, room: int) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim")
    grid.add_column()
    rate = summary.success
    if rate.rate is None:
        grid.add_row("Success", "no trial was decided")
    else:
        told = Text.assemble(plain(percent(rate.rate, 1), "bold"), "  ", plain(_range(rate)))
        grid.add_row("Success", Text.assemble(told, "  ", _bar(rate)) if room >= _ROOM_FOR_A_BAR else told)
        if rate.method == "this scenario only":
            grid.add_row("", plain("for this scenario only: one cannot speak for others", "dim"))
    if len(summary.pass_hat) > 1:
        hats = [hat for hat in summary.pass_hat if hat.k <= 5 or hat.k == len(summary.pass_hat)]
        grid.add_row("pass^k", Text("   ".join(f"{hat.k}: {percent(hat.rate)}" for hat in hats)))
    outcomes = [
        plain(f"{summary.passed:,} passed", "green" if summary.passed else ""),
        plain(f"{summary.failed:,} failed", "red" if summary.failed else ""),
        plain(f"{summary.invalid:,} invalid", "yellow" if summary.invalid else ""),
    ]
    if summary.undecided:
        outcomes.append(plain(f"{summary.undecided:,} undecided"))
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
        rows.append((plain(f"and {counted(len(summary.failures) - modes, 'more mode')}", "dim"),))
    yield table(columns, rows)
    if summary.showing_passed:
        yield Text(
            f"{summary.showing_passed:,} of {counted(summary.showing, 'trace')} with a failure mode passed all the "
            "same: success is what the objective says, however the agent got there.",
            "dim",
        )


def _failure_row(row: ModeCount, *, passed: bool) -> tuple[Text, ...]:
    return (
        plain(row.mode, "bold"),
        plain(f"{row.traces:,}"),
        *((plain(f"{row.passed:,}" if row.passed else "–"),) if passed else ()),
        plain(percent(row.share.rate)),
        plain(row.severity, SEVERITY_STYLES[row.severity]),
        plain(_mostly(row)),
    )


def _unexplained(summary: Summary) -> Iterable[RenderableType]:
    """The most frequent reasons of trials that failed and show no mode."""
    if not summary.unexplained:
        return
    shown = summary.reasons[:_REASONS]
    rows = [
        (
            plain(one_line(each.reason, 160)),
            plain(f"{each.trials:,}"),
            plain(f"{each.scenario}, trial {each.trial}", "dim"),
        )
        for each in shown
    ]
    left = summary.unexplained - sum(each.trials for each in shown)
    if left:
        rows.append((plain("other reasons", "dim"), plain(f"{left:,}"), Text()))
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
        (plain(each.blame), plain(f"{each.trials:,}"), plain(one_line(each.reason, 120))) for each in summary.broken[:5]
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
            plain(f"{each.counts.passed} of {each.success.n}"),
            plain(percent(each.success.rate)),
            plain(_causes(each)),
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
    name = plain(each.name)
    return Text.assemble(name, "  ", plain(each.difficulty, "dim")) if each.difficulty else name


def _ends(summary: Summary, report: str | None, *, whole: bool) -> RenderableType:
    lines = [("Again", plain(summary.command))]
    if report is not None:
        lines.insert(0, ("Report", plain(report, "bold")))
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


def plain(text: str, style: str = "") -> Text:
    """Text, never markup; what would move the cursor is spelled out."""
    return Text(one_line(text, 2000), style=style)
