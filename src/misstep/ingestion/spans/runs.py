"""Which agent's run each span belongs to, and what that agent was asked."""

from collections.abc import Sequence

from msgspec import Struct

from misstep.ingestion.spans.tree import Node

_OPENING = 400


class Run(Struct, frozen=True, eq=False):
    """An agent at work: its name, the span that is its run, and the run that it serves."""

    name: str
    node: Node
    task: str
    """What it was asked; empty where the span does not say."""
    outer: "Run | None" = None


def runs(nodes: Sequence[Node]) -> dict[int, Run]:
    """The innermost run around each node, by its place in the tree; a run's own span belongs to it."""
    found: dict[int, Run] = {}
    for node in nodes:
        around = found.get(node.parent.enter) if node.parent is not None else None
        if node.step.kind == "agent":
            around = _run(node, around)
        if around is not None:
            found[node.enter] = around
    return found


def _run(node: Node, outer: Run | None) -> Run:
    asked = [said.text for said in node.step.heard if said.by == "user"]
    task = asked[-1].strip() if asked else ""
    name = node.step.agent or "agent"
    team = outer.node.step.team if outer is not None else ()
    if len(team) == 1:
        name = team[0]
    elif team:
        # It is told its name where the span has only that of its class.
        name = next((member for member in team if member == name or member in task[:_OPENING]), name)
    return Run(name, node, task, outer)
