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
NO_PARENT = "spans have a parent that is not in the file"
_EXPORT = "export whole traces: sampling and batches that were dropped leave such gaps"


def count_shortfalls(nodes: Sequence[Node], losses: Losses, announced: set[int]) -> None:
    """`announced`: the places of tools' spans whose arguments are known from the model that asked for the call."""
    for node in nodes:
        step, span = node.step, node.span
        advice = advice_for(step.dialect)
        if span.parent_id:
            losses.count(NO_PARENT, 1, node.parent is None, _EXPORT)
        if step.kind == "model":
            losses.count(NO_PROMPT, 1, not step.heard, advice)
            losses.count(NO_ANSWER, 1, not step.answered and not failed(span), advice)
        elif step.kind == "tool" and step.call is not None:
            # A tool without parameters has no arguments either: only one that some model passed some is counted.
            told = is_told(step.call) or node.enter in announced
            losses.count(NO_ARGUMENTS, 1, not told and not step.answered, advice)
