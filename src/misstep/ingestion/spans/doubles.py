"""One call or one question to a model that two instrumentations saw → one step."""

from collections import defaultdict
from collections.abc import Sequence

from msgspec import structs

from misstep.ingestion.decoding import written
from misstep.ingestion.spans.said import Call
from misstep.ingestion.spans.step import Spent, Step, filled, is_told
from misstep.ingestion.spans.tree import Node

_OF_NOTE = ("model", "tool", "agent")
_SEPARATORS = ("__", ".", "/", ":")


def merge_doubles(nodes: Sequence[Node]) -> None:
    """Give the outer of two that are one what the inner knows besides, and make the inner one nothing of note."""
    above = _nearest_of_note(nodes)
    _merge_tools(nodes, above)
    _merge_models(nodes, above)
    _merge_siblings(nodes)


def _nearest_of_note(nodes: Sequence[Node]) -> dict[int, Node]:
    """For each node the nearest one above it that a model, a tool or an agent is behind."""
    found: dict[int, Node] = {}
    for node in nodes:
        if (parent := node.parent) is not None:
            above = parent if parent.step.kind in _OF_NOTE else found.get(parent.enter)
            if above is not None:
                found[node.enter] = above
    return found


def _merge_tools(nodes: Sequence[Node], above: dict[int, Node]) -> None:
    # From the top: a third span of the same call is then compared with the first.
    into: dict[int, Node] = {}
    for node in nodes:
        outer = above.get(node.enter)
        if node.step.kind != "tool" or outer is None:
            continue
        outer = into.get(outer.enter, outer)
        if outer.step.kind == "tool" and _same_call(outer.step.call, node.step.call):
            _absorb(outer, node)
            into[node.enter] = outer


def _merge_models(nodes: Sequence[Node], above: dict[int, Node]) -> None:
    within: defaultdict[int, list[Node]] = defaultdict(list)
    for node in nodes:
        outer = above.get(node.enter)
        if node.step.kind == "model" and outer is not None and outer.step.kind == "model":
            within[outer.enter].append(node)
    for outer in reversed(nodes):
        if outer.step.kind != "model" or outer.enter not in within:
            continue
        inner = [node for node in within[outer.enter] if node.step.kind == "model"]
        sound = [node for node in inner if node.span.status != "error"]
        if len(sound) > 1:
            outer.step = structs.replace(outer.step, kind="chain", spent=Spent())
        else:
            for node in sound or inner:
                _absorb(outer, node)


def _merge_siblings(nodes: Sequence[Node]) -> None:
    for node in nodes:
        last: dict[str, Node] = {}
        for child in node.children:
            before = last.get(child.step.kind)
            if before is not None and _alike(before, child):
                _absorb(before, child)
            elif child.step.kind in ("tool", "model"):
                last[child.step.kind] = child


def _alike(before: Node, after: Node) -> bool:
    if before.span.scope == after.span.scope or after.start_ns >= before.end_ns:
        return False
    if before.step.kind == "tool":
        return _same_call(before.step.call, after.step.call)
    return bool(before.step.said) and before.step.said == after.step.said


def _same_call(one: Call | None, other: Call | None) -> bool:
    if one is None or other is None or not _same_name(one.name, other.name):
        return False
    if one.id and other.id:
        return one.id == other.id
    if not (is_told(one) and is_told(other)):
        return True
    return one.malformed == other.malformed and written(one.arguments) == written(other.arguments)


def _same_name(one: str, other: str) -> bool:
    """Also where one of them names the server before the tool."""
    if one == other:
        return True
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return bool(shorter) and any(longer.endswith(f"{separator}{shorter}") for separator in _SEPARATORS)


def _absorb(outer: Node, inner: Node) -> None:
    merged = filled(outer.step, inner.step)
    outer.step = structs.replace(merged, extra=merged.extra | {"also": inner.span.span_id})
    inner.step = Step(dialect=inner.step.dialect)
