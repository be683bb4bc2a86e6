"""What runs say of robustness, of two agents and of what is unseen → what a person reads on a terminal."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from misstep.core.finding import Interval
from misstep.core.scenario import Scalar
from misstep.exploration.comparing import Comparison, Difference, ModeChange, Split
from misstep.exploration.effects import Effects, Interaction, Term
from misstep.exploration.guilty import Guilt
from misstep.exploration.novelty import Explored
from misstep.exploration.robustness import Robustness
from misstep.exploration.stopping import Stopper
from misstep.reporting.figures import counted, percent
from misstep.reporting.tables import Column, Trimmed, table
from misstep.reporting.visible import one_line

_SHOWN = 8
_CHANCE = 0.05


def robustness_text(robustness: Robustness) -> list[RenderableType]:
    """What makes success fall, how sure a step is, and how much depends on who the user was; nothing where unknown."""
    parts: list[RenderableType] = []
    if robustness.effects is not None:
        parts += _effects(robustness.effects)
    if robustness.guilt is not None:
        parts += _guilt(robustness.guilt)
    lines = [*_steps(robustness), *_consistency(robustness), *_users(robustness)]
    if lines:
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="dim")
        grid.add_column()
        for name, told in lines:
            grid.add_row(name, _plain(told))
        parts.append(grid)
    return parts


def precision_text(stopper: Stopper, *, trials: int, most: int) -> RenderableType:
    """Why no more trials were run."""
    interval = stopper.interval
    known = f"{percent(interval.rate, 1)}, {_range(interval)}"
    if stopper.known:
        told = (
            f"Stopped after {counted(trials, 'round')}: success is known within ±{stopper.precision:g} ({known}), "
            "valid whenever one stops."
        )
    else:
        told = (
            f"Not known within ±{stopper.precision:g} after {counted(trials, 'round')} ({known}). "
            f"--trials {most} was the limit; a higher one goes on from here."
        )
    return Trimmed(Text(f"\n{told}"))


def explored_text(explored: Explored) -> RenderableType:
    """What an exploration came to, and whether going on would pay."""
    unseen = explored.unseen
    lines: list[RenderableType] = [Text("")]
    kinds = [
        (_plain(kind, "bold"), _plain(f"{count:,}"), _plain(f"{explored.first.get(kind, 0):,}"))
        for kind, count in list(explored.kinds.items())[:_SHOWN]
    ]
    if kinds:
        columns = (
            Column("Kind of failure", least=24),
            Column("trials", right=True),
            Column("first seen at", right=True),
        )
        lines += [table(columns, kinds), Text("")]
    seen = f"{counted(len(explored.kinds), 'kind')} of failure in {counted(explored.trials, 'trial')}"
    lines.append(_plain(f"{seen}; {counted(explored.ways, 'way')} through the tools."))
    if unseen.new.n:
        chance = f"{percent(unseen.new.rate, 1)} ({_range(unseen.new)})"
        lines.append(_plain(f"The next trial drawn by plain chance shows a new kind with a chance of {chance}."))
        if unseen.pays_to_stop(explored.trials):
            lines.append(_plain("It pays to stop: as many trials again are not likely to show anything new."))
        else:
            lines.append(
                _plain(f"It pays to go on: for all that is known, something new may come in {unseen.wait:,.0f} trials.")
            )
    return Trimmed(Group(*lines))


def comparison_text(compared: Comparison, *, names: tuple[str, str]) -> RenderableType:
    """Which is better, by how much, and what only one of them breaks."""
    first, second = names
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold")
    grid.add_column()
    for name, interval in ((first, compared.a), (second, compared.b)):
        grid.add_row(_plain(name, "bold"), _plain(f"{percent(interval.rate, 1)}  {_range(interval)}"))
    apart = f"{_signed(compared.difference.change)}  {_span(compared.difference)}"
    grid.add_row("difference", _plain(apart))
    parts: list[RenderableType] = [Text(""), grid, _plain(_judged(compared, names)), *_modes(compared.modes)]
    parts += _splits(f"Broken by {second}, not by {first}", compared.broken_by_b)
    parts += _splits(f"Broken by {first}, not by {second}", compared.broken_by_a)
    left = [
        *([f"{counted(compared.invalid, 'pair')} with an invalid trial"] if compared.invalid else []),
        *([f"{counted(compared.unpaired, 'trial')} without a partner"] if compared.unpaired else []),
    ]
    if left:
        parts.append(_plain(f"Left out: {'; '.join(left)}.", "dim"))
    return Trimmed(Group(*(line for part in parts for line in (part, Text("")))))


def _judged(compared: Comparison, names: tuple[str, str]) -> str:
    pairs = f"{counted(compared.pairs, 'pair')} of trials on {counted(compared.clusters, 'task')}"
    only = f"{names[0]} alone passed {compared.only_a:,}, {names[1]} alone {compared.only_b:,}"
    if compared.better is None:
        return f"No difference is shown by {pairs}: {only} (p = {compared.p_by_task:.2g} over tasks)."
    better = names[0] if compared.better == "a" else names[1]
    return f"{better} is better, on {pairs}: {only} (p = {compared.p_by_task:.2g} over tasks)."


def _modes(changes: Sequence[ModeChange]) -> list[RenderableType]:
    rows = [
        (
            _plain(change.mode, "bold"),
            _plain(f"{change.a:,}"),
            _plain(f"{change.b:,}"),
            _plain(change.how),
            _p(change.p),
        )
        for change in changes[:_SHOWN]
        if change.a != change.b
    ]
    columns = (
        Column("Failure mode"),
        Column("first", right=True),
        Column("second", right=True),
        Column(""),
        Column("p", right=True, drop=1),
    )
    return [table(columns, rows)] if rows else []


def _splits(title: str, splits: Sequence[Split]) -> list[RenderableType]:
    if not splits:
        return []
    lines: list[RenderableType] = [_plain(f"{title}: {counted(len(splits), 'scenario')}", "bold")]
    lines += [
        Padding(_plain(f"{split.scenario}  {split.a} and {split.b} of {split.n}"), (0, 0, 0, 2), expand=False)
        for split in splits[:_SHOWN]
    ]
    if len(splits) > _SHOWN:
        lines.append(Text(f"  and {len(splits) - _SHOWN:,} more", "dim"))
    return [Group(*lines)]


def _effects(effects: Effects) -> list[RenderableType]:
    """Only what chance does not explain."""
    shown = sorted((term for term in effects.terms if term.p <= _CHANCE), key=lambda term: -abs(term.change))
    rows = [
        (_plain(_step(term), "bold"), _plain(_signed(term.change)), _plain(_span(term)), _p(term.p))
        for term in shown[:_SHOWN]
    ]
    rows += [
        (
            _plain(f"{_levels(each.levels)} together", "bold"),
            _plain(_signed(each.change)),
            _plain(_span(each)),
            _p(each.p),
        )
        for each in effects.interactions
        if each.p <= _CHANCE
    ]
    columns = (
        Column("What changes success", least=24),
        Column("by", right=True),
        Column("", drop=2),
        Column("p", drop=1),
    )
    return [table(columns, rows)] if rows else []


def _guilt(guilt: Guilt) -> list[RenderableType]:
    lines = [
        f"Fails with {_levels(cause.levels)}: {percent(cause.failing.rate)} of {counted(cause.failing.n, 'trial')}, "
        f"and {percent(cause.elsewhere.rate)} without."
        for cause in guilt.causes
    ]
    return [Group(*(_plain(line) for line in lines))] if lines else []


def _steps(robustness: Robustness) -> list[tuple[str, str]]:
    steps = robustness.reliability.steps
    if steps is None:
        return []
    told = f"{percent(steps.rate.rate, 1)} a step, {_range(steps.rate)}"
    longest = steps.compounds[-1] if steps.compounds else None
    if longest is not None:
        told += f"; over {longest.steps:g} steps that comes to {percent(longest.expected.rate)}"
    needs = robustness.reliability.needs
    if needs:
        target = percent(robustness.reliability.target)
        told += f"; {target} over {needs[-1].steps:g} would need {percent(needs[-1].per_step, 2)}"
    return [("Reliability", told)]


def _consistency(robustness: Robustness) -> list[tuple[str, str]]:
    found = robustness.reliability.consistency
    if found is None:
        return []
    told = (
        f"two trials of a scenario end alike in {percent(found.alike.rate)}; {counted(found.always, 'scenario')} "
        f"passed always, {found.never:,} never, {found.sometimes:,} now and then"
    )
    return [("Consistency", told)]


def _users(robustness: Robustness) -> list[tuple[str, str]]:
    if robustness.users is None:
        return []
    told = ", ".join(
        f"{percent(point.rate.rate)} with the {point.at} ({_range(point.rate)})" for point in robustness.users.points
    )
    return [("By user", told)]


def _step(term: Term) -> str:
    return f"{term.factor}: {one_line(str(term.against), 24)} → {one_line(str(term.level), 24)}"


def _levels(levels: Mapping[str, Scalar]) -> str:
    return " and ".join(f"{name} {one_line(str(level), 24)}" for name, level in levels.items())


def _range(interval: Interval) -> str:
    return f"{percent(interval.low, 1)} to {percent(interval.high, 1)} at {interval.level:.0%}"


def _span(found: Term | Interaction | Difference) -> str:
    return f"{_signed(found.low)} to {_signed(found.high)}"


def _signed(change: float) -> str:
    return f"{change * 100:+.0f} points"


def _p(p: float) -> Text:
    return _plain("<.001" if p < 0.001 else f"{p:.3f}".lstrip("0"))


def _plain(text: str, style: str = "") -> Text:
    return Text(text, style)
