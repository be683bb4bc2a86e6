"""A summary → what a person reads on a terminal; the command line prints it."""

from collections.abc import Iterable
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from misstep.reporting.commands import dispute_command
from misstep.reporting.disputed import UNDECIDED
from misstep.reporting.explored import robustness_text
from misstep.reporting.figures import counted, percent
from misstep.reporting.summary import Marked, ModeCount, Modelled, Rate, Reason, SetAside, Slice, Summary
from misstep.reporting.tables import SEVERITY_STYLES, Column, Sized, plain, spaced, table
from misstep.reporting.visible import one_line

_BAR = 24
_ROOM_FOR_A_BAR = 64
_LONGEST_REASON = 72
_MOST_LISTED = 3


def summary_text(
    summary: Summary, *, report: str | None = None, whole: bool = False, weakest: int = 5, most: int = 8
) -> RenderableType:
    """What a run came to, for a terminal of any width. `report` is where the page lies.

    `whole` leaves the lines that a person copies on one line, however long: for a file or a pipe, printed with
    `crop=False`.
    """
    parts: list[RenderableType] = [_title(summary)]
    if summary.trials:
        parts += [
            Sized(lambda options: _figures(summary, options.max_width)),
            *_undecided(summary),
            *_failures(summary, most),
            *_begin(summary, report, whole=whole),
            *_broken(summary),
            *_set_aside(summary),
            *_weakest(summary, weakest),
            *(robustness_text(summary.robustness) if summary.robustness else ()),
        ]
    else:
        parts.append(Text("No trial has finished yet."))
    parts.append(_ends(summary, report, whole=whole))
    return spaced(parts)


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
    if summary.disputed:
        outcomes.append(plain(f"{summary.disputed:,} disputed", "yellow"))
    grid.add_row("Trials", Text("   ").join(outcomes))
    if summary.strained.trials:
        grid.add_row("Strained", plain(_marked(summary.strained)))
    if summary.not_needed.trials:
        told = _marked(summary.not_needed, " that demand a question (the person had said it unasked)")
        grid.add_row("Not needed", plain(told))
    if summary.noted:
        grid.add_row("Noted", plain(f"something about {counted(summary.noted, 'trial')}, and no failure"))
        for note, trials in list(summary.notes.items())[:_MOST_LISTED]:
            grid.add_row("", plain(f"{trials:,}: {one_line(note, 160)}", "dim"))
    if summary.modelled is not None:
        _users(grid, summary.modelled)
    return grid


def _marked(marked: Marked, of: str = "") -> str:
    """How many trials have a mark, and what success is without them."""
    share, without = marked.share, marked.success_without
    rest = f"success without them {percent(without.rate, 1)}" if without.n else "no other trial was decided"
    told = f"{marked.trials:,} of {share.n:,}{of}, {percent(share.rate)}"
    return f"{told} ({percent(share.low)} to {percent(share.high)}); {rest}"


def _users(grid: Table, modelled: Modelled) -> None:
    plainly = sum(modelled.stood_in.values())
    told = f"{modelled.model} in {max(0, modelled.turns - plainly):,} of {counted(modelled.turns, 'turn')}"
    grid.add_row("Users", plain(f"{told}, the plain person in {plainly:,}" if plainly else told))
    for why, turns in list(modelled.stood_in.items())[:_MOST_LISTED]:
        grid.add_row("", plain(f"{turns:,}: {one_line(why, 160)}", "dim"))


def _range(rate: Rate) -> str:
    return f"{percent(rate.low, 1)} to {percent(rate.high, 1)} at {percent(rate.level)}"


def _bar(rate: Rate) -> Text:
    """The interval on a line from 0 to 1, with the rate on it."""
    low, high = (min(_BAR - 1, int(edge * _BAR)) for edge in (rate.low, rate.high))
    middle = min(_BAR - 1, int((rate.rate or 0.0) * _BAR))
    marks = ["●" if at == middle else "━" if low <= at <= high else "·" for at in range(_BAR)]
    return Text("".join(marks), style="cyan")


def _undecided(summary: Summary) -> Iterable[RenderableType]:
    if not summary.decided:
        yield Text(UNDECIDED, "yellow")


def _failures(summary: Summary, most: int) -> Iterable[RenderableType]:
    """What failed, a line each, most frequent first: failure modes, and the reasons of trials that show none."""
    if not summary.failures:
        yield Text("No failure mode was found.")
    passed = (_number("passed", drop=2),) if summary.showing_passed else ()
    columns = (
        Column("What failed", least=32),
        _number("failed"),
        *passed,
        _number("share", drop=1),
        Column("severity", drop=3),
        Column("mostly at", least=20, drop=4),
    )
    rows = [(row.failed, _failure_row(row, passed=bool(passed))) for row in summary.failures]
    rows += [(each.trials, _reason_row(each, passed=bool(passed))) for each in summary.reasons]
    rows.sort(key=lambda row: -row[0])
    shown = [row for _, row in rows[:most]]
    if len(rows) > most:
        shown.append((plain(f"and {len(rows) - most:,} more", "dim"),))
    if shown:
        yield table(columns, shown)
    if summary.showing_passed:
        yield Text(
            f"{summary.showing_passed:,} of {counted(summary.showing, 'trace')} with a failure mode passed all the "
            "same: success is what the objective says, however the agent got there.",
            "dim",
        )


def _failure_row(row: ModeCount, *, passed: bool) -> tuple[Text, ...]:
    return (
        plain(row.mode, "bold"),
        plain(f"{row.failed:,}" if row.failed else "–"),
        *((plain(f"{row.passed:,}" if row.passed else "–"),) if passed else ()),
        plain(percent(row.share.rate)),
        plain(row.severity, SEVERITY_STYLES[row.severity]),
        plain(_mostly(row)),
    )


def _reason_row(each: Reason, *, passed: bool) -> tuple[Text, ...]:
    place = plain(f"{each.scenario}#{each.trial}", "dim")
    reason = plain(one_line(each.reason, _LONGEST_REASON))
    return reason, plain(f"{each.trials:,}"), *((plain("–"),) if passed else ()), Text(), Text(), place


def _begin(summary: Summary, report: str | None, *, whole: bool) -> Iterable[RenderableType]:
    """The conversation to read first, and what to do next."""
    start = summary.start
    if start is None:
        return
    lines: list[tuple[str, Text]] = []
    if start.first is not None:
        name = f"{start.first.scenario}#{start.first.trial}"
        lines.append(("Read", Text.assemble(plain(name, "bold"), "  ", plain(one_line(start.first.because, 160)))))
        if report is not None:
            lines.append(("", plain(f"{report}#{start.first.anchor}")))
    lines.append(("Next", plain(start.command)))
    if start.first is not None and start.failing and report is not None:
        unfair = dispute_command(str(Path(report).parent), start.first.scenario, start.first.trial)
        lines.append(("Unfair?", plain(unfair)))
    yield _lines(lines, whole=whole)


def _set_aside(summary: Summary) -> Iterable[RenderableType]:
    rows = [(plain(each.scenario), plain(f"{each.trials:,}"), _claim(each)) for each in summary.disputes[:5]]
    rows += [(plain(each.scenario), plain("lapsed", "yellow"), _claim(each)) for each in summary.lapsed[:5]]
    if rows:
        yield table(
            (_named_column("Set aside as unfair"), _number("trials"), Column("by whom, and why", least=24)), rows
        )
    if summary.lapsed:
        yield Text("What has lapsed sets nothing aside: its scenario says something else by now.", "dim")


def _claim(each: SetAside) -> Text:
    return Text.assemble(plain(each.by), ": ", plain(one_line(each.because, 120)))


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
    return _lines(lines, whole=whole)


def _lines(lines: Iterable[tuple[str, Text]], *, whole: bool) -> RenderableType:
    """What a person copies, each under its name."""
    if whole:
        long = (Text.assemble((f"{name:<8}", "dim"), told, no_wrap=True, overflow="ignore") for name, told in lines)
        return Group(*long)
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True, min_width=7)
    grid.add_column(overflow="fold")
    for name, told in lines:
        grid.add_row(name, told)
    return grid


def _named_column(name: str) -> Column:
    """What the rows are called: folded only where the name is very long."""
    return Column(name, least=36)


def _number(name: str, *, drop: int = 0) -> Column:
    return Column(name, right=True, drop=drop)
