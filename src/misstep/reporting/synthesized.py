"""What was synthesized, or found in tools → what a person reads on a terminal."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from misstep.core.scenario import Scalar
from misstep.reporting.figures import counted, percent
from misstep.reporting.tables import Column, Trimmed, table
from misstep.reporting.visible import one_line
from misstep.synthesis.figuring import Figures
from misstep.synthesis.likeness import Likeness
from misstep.synthesis.tool_findings import ToolFinding

_BARS = " ▁▂▃▄▅▆▇█"
_MOST_REASONS = 8


def figures_text(figures: Figures, *, seconds: float | None = None) -> RenderableType:
    """What a set of scenarios is like: what it reaches, how varied it is, and what was left out."""
    took = f" in {seconds:.1f} s" if seconds is not None else ""
    title = f"{counted(figures.scenarios, 'scenario')} from {counted(figures.tasks, 'different request')}{took}"
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim")
    grid.add_column()
    known = len(figures.reached) + len(figures.unreached)
    grid.add_row("Tools reached", _plain(f"{len(figures.reached)} of {known}"))
    grid.add_row("Plan lengths", _plain(_spread(figures.plan_lengths)))
    grid.add_row("Wordings", _plain(f"{figures.skeletons:,} different openings with the facts masked"))
    grid.add_row("Likeness", _plain(_alike(figures.likeness)))
    if figures.reworded or figures.kept_words:
        asked = figures.reworded + sum(figures.kept_words.values())
        grid.add_row("Reworded", _plain(f"{figures.reworded:,} of {asked:,} openings are in the words of the model"))
    if figures.proven:
        grid.add_row("Proven by play", _plain(_proven(figures)))
    if figures.pairs_possible:
        share = percent(figures.pairs / figures.pairs_possible)
        grid.add_row(
            "Pairs of levels", _plain(f"{figures.pairs:,} of {figures.pairs_possible:,} that are possible ({share})")
        )
    parts: list[RenderableType] = [Text(title, "bold"), grid, *_levels(figures)]
    parts += _reasons("No plan reaches", figures.unreached)
    parts += _reasons("Levels that these tools do not have", _flat(figures.unavailable))
    parts += _reasons("Made and thrown away, which is no fault of the tools", _often(figures.dropped))
    parts += _reasons("Played and thrown away, with others made in place of them", _often(figures.unproven))
    parts += _reasons("Not reworded", _often(figures.kept_words))
    return Trimmed(Group(*(line for part in parts for line in (part, Text("")))))


def shortfall(figures: Figures, count: int) -> str:
    """Why there are fewer than were asked for; nothing where there are not."""
    if figures.scenarios >= count:
        return ""
    kept = counted(figures.scenarios) if figures.scenarios else "none"
    played, before = sum(figures.unproven.values()), sum(figures.dropped.values())
    whys = [f"{counted(played)} that were made were not proven by play"] if played else []
    whys += (
        [f"{counted(before)} attempts were thrown away {'before that' if played else 'on the way'}"] if before else []
    )
    because = f"{' and '.join(whys)}, each for a reason above" if whys else "these tools and levels give no more"
    return f"Of {counted(count, 'scenario')} that were asked for {kept} could be kept: {because}."


def tool_findings_text(findings: Sequence[ToolFinding], *, tools: int) -> RenderableType:
    """What is wrong with the tools themselves, a tool at a time."""
    if not findings:
        return Text(f"Nothing is wrong with {counted(tools, 'tool')}, as far as calls can show.")
    lines: list[RenderableType] = [
        Text(f"{counted(len(findings), 'finding')} in {counted(tools, 'tool')}. The blame is the tools'.", "bold"),
        Text(""),
    ]
    for finding in findings:
        lines.append(Text.assemble(_plain(finding.tool, "bold"), "  ", _plain(finding.flaw, "yellow")))
        lines.append(Padding(_plain(one_line(finding.because, 400)), (0, 0, 0, 2), expand=False))
        if finding.arguments is not None:
            shown = one_line(repr(finding.arguments), 200)
            lines.append(Padding(_plain(f"called with {shown}", "dim"), (0, 0, 0, 2), expand=False))
    return Trimmed(Group(*lines))


def _levels(figures: Figures) -> list[RenderableType]:
    if not figures.levels:
        return []
    rows = [
        (_plain(factor, "bold"), _plain("  ".join(f"{level} {count:,}" for level, count in counts.items())))
        for factor, counts in figures.levels.items()
    ]
    return [table((Column("Factor"), Column("scenarios at each level", least=30)), rows)]


def _reasons(title: str, whys: Mapping[str, str]) -> list[RenderableType]:
    if not whys:
        return []
    shown = list(whys.items())[:_MOST_REASONS]
    lines: list[RenderableType] = [Text(title, "bold")]
    for name, why in shown:
        told = Text.assemble(_plain(one_line(name, 160)), "  ", _plain(one_line(why, 200), "dim"))
        lines.append(Padding(told, (0, 0, 0, 2), expand=False))
    if len(whys) > len(shown):
        lines.append(Text(f"  and {len(whys) - len(shown):,} more", "dim"))
    return [Group(*lines)]


def _proven(figures: Figures) -> str:
    dropped = sum(figures.unproven.values())
    of = f"{figures.scenarios:,} of the {figures.scenarios + dropped:,} that were made"
    return f"{of}: passed by an agent that only has to talk, and by none that does nothing or claims success"


def _often(counts: Mapping[str, int]) -> dict[str, str]:
    return {why: "once" if count == 1 else f"{count:,} times" for why, count in counts.items()}


def _flat(unavailable: Mapping[str, Mapping[Scalar, str]]) -> dict[str, str]:
    return {f"{factor} {level}": why for factor, levels in unavailable.items() for level, why in levels.items()}


def _spread(lengths: Mapping[int, int]) -> str:
    return "   ".join(f"{length}: {count:,}" for length, count in lengths.items()) or "none"


def _alike(likeness: Likeness) -> str:
    """To the nearest other opening, as a picture and two numbers."""
    if not likeness.texts:
        return "nothing to compare"
    most = max(likeness.bins)
    bars = "".join(_BARS[-(-each * (len(_BARS) - 1) // most) if most else 0] for each in likeness.bins)
    told = f"median {likeness.median:.2f}, nine in ten below {likeness.ninetieth:.2f}"
    return f"to the nearest other opening, 0 none and 1 word for word: {told}  |{bars}|"


def _plain(text: str, style: str = "") -> Text:
    return Text(text, style)
