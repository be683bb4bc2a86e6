"""Spans of one conversation → a forest in which time runs forward, whatever the file says.

Parents that are missing, or that go round in a circle, leave roots; a span that is there twice is one; a child that
began before its parent comes from another clock, and is moved with all that it holds.
"""

from collections.abc import Callable, Iterable, Iterator

from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.step import Step


class Node:
    """A span in its place. Made here, and changed by nobody else."""

    __slots__ = ("children", "end_ns", "enter", "leave", "parent", "span", "start_ns", "step")

    def __init__(self, span: Span, step: Step) -> None:
        self.span = span
        self.step = step
        self.parent: Node | None = None
        self.children: list[Node] = []
        self.start_ns = span.start_ns
        self.end_ns = span.end_ns
        self.enter = 0
        """Its place in the order of the tree, and that of its end: what decides between equal times."""
        self.leave = 0

    def ancestors(self) -> Iterator["Node"]:
        node = self.parent
        while node is not None:
            yield node
            node = node.parent


def forest(spans: Iterable[Span], step_of: Callable[[Span], Step]) -> list[Node]:
    """All nodes, each after its parent, siblings by time."""
    nodes: dict[tuple[str, str], Node] = {}
    for span in spans:
        key = (span.trace_id, span.span_id)
        known = nodes.get(key)
        # An export that is repeated may know more the second time.
        if known is None or len(span.attributes) > len(known.span.attributes):
            nodes[key] = Node(span, step_of(span))
    for node in nodes.values():
        parent = nodes.get((node.span.trace_id, node.span.parent_id)) if node.span.parent_id else None
        if parent is not node:
            node.parent = parent
    _break_circles(nodes.values())
    roots: list[Node] = []
    for node in nodes.values():
        (roots if node.parent is None else node.parent.children).append(node)
    return _timed(roots)


def _break_circles(nodes: Iterable[Node]) -> None:
    sound: set[int] = set()
    for node in nodes:
        path: list[Node] = []
        on_path: set[int] = set()
        at: Node | None = node
        while at is not None and id(at) not in sound:
            if id(at) in on_path:
                at.parent = None
                break
            on_path.add(id(at))
            path.append(at)
            at = at.parent
        sound.update(on_path)


def _timed(roots: list[Node]) -> list[Node]:
    """The nodes in the order of the tree, with times that make sense and their places in it."""
    roots.sort(key=lambda node: node.start_ns)
    ordered: list[Node] = []
    place = 0
    stack: list[tuple[Node, int, bool]] = [(root, 0, False) for root in reversed(roots)]
    while stack:
        node, shift, done = stack.pop()
        place += 1
        if done:
            node.leave = place
            _close(node)
            continue
        node.enter = place
        ordered.append(node)
        shift = _shifted(node, shift)
        node.children.sort(key=lambda child: child.start_ns)
        stack.append((node, shift, True))
        stack.extend((child, shift, False) for child in reversed(node.children))
    return ordered


def _shifted(node: Node, shift: int) -> int:
    """Move a node as its parent was, and further where it would still begin before it."""
    parent = node.parent
    if node.start_ns:
        node.start_ns += shift
        if node.end_ns:
            node.end_ns += shift
    if parent is not None and node.start_ns < parent.start_ns:
        further = parent.start_ns - node.start_ns
        if node.start_ns:
            shift += further
            node.end_ns += further if node.end_ns else 0
        node.start_ns = parent.start_ns
    return shift


def _close(node: Node) -> None:
    """A span without an end, or with one before its beginning, ends with what it holds.

    So does what holds an agent's work: one that streams says that it has ended when it begins to answer.
    """
    if node.end_ns < node.start_ns or node.step.kind in ("agent", "round", "chain"):
        node.end_ns = max([node.start_ns, node.end_ns, *(child.end_ns for child in node.children)])
