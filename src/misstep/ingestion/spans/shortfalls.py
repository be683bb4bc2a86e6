"""What the spans of a conversation lack → counts for the loss report."""

from collections.abc import Sequence

from misstep.ingestion.losses import Losses
from misstep.ingestion.spans.dialects.table import advice_for
from misstep.ingestion.spans.step import is_told
from misstep.ingestion.spans.tree import Node
from misstep.ingestion.spans.trouble import failed

NO_PROMPT = "spans of models carry no prompt"
NO_ANSWER = "spans of models carry no answer"
NO_ARGUMENTS = "spans of tools carry no arguments"
NO_RESULT = "spans of tools carry no result"
NO_PARENT = "spans have a parent that is not in the file"
_EXPORT = "export whole traces: sampling and batches that were dropped leave such gaps"


def count_shortfalls(nodes: Sequence[Node], losses: Losses, announced: set[int]) -> None:
    """`announced`: the places of tools' spans whose arguments are known from the model that asked for the call."""
    for node in nodes:
        step, span = node.step, node.span
        advice = advice_for(step.dialect)
        if span.parent_id:
            _count(losses, NO_PARENT, _EXPORT, lost=node.parent is None)
        if step.kind == "model":
            _count(losses, NO_PROMPT, advice, lost=not step.heard)
            _count(losses, NO_ANSWER, advice, lost=not step.answered and not failed(span))
        elif step.kind == "tool" and step.call is not None:
            # A tool without parameters has no arguments either: only one that some model passed some is counted.
            told = is_told(step.call) or node.enter in announced
            _count(losses, NO_ARGUMENTS, advice, lost=not told and not step.answered)
            _count(losses, NO_RESULT, advice, lost=not step.answered and not failed(span))


def _count(losses: Losses, what: str, advice: str, *, lost: bool) -> None:
    losses.seen(what, advice if lost else "")
    if lost:
        losses.lost(what)
