"""Inspect AI logs: a whole log, or one sample of it; what was scored tells only whether it failed."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from misstep.core.tool import JSON, Tool
from misstep.core.trace import Origin, Trace, Usage
from misstep.ingestion.accounts import usage_of
from misstep.ingestion.content import other_parts, reasoning_of, result_of, text_of
from misstep.ingestion.definitions import tools_of
from misstep.ingestion.drafting import Draft, Source
from misstep.ingestion.fields import name, number, rows, table, tables, text
from misstep.ingestion.losses import Losses
from misstep.ingestion.nouns import BadRecord, Record

NAME = "inspect"

_KNOWN = frozenset("id role content source tool_calls tool_call_id function error model".split())
_ATTACHED = "attachment://"


def recognises(value: JSON) -> bool:
    record = table(value)
    if "eval" in record and isinstance(record.get("samples"), list):
        return True
    return isinstance(record.get("messages"), list) and "epoch" in record and "target" in record


def traces(record: Record, file: Path, losses: Losses) -> Iterator[Trace | BadRecord]:
    log = table(record.value)
    samples = rows(log.get("samples")) if "samples" in log else [record.value]
    header = table(log.get("eval"))
    if not samples:
        yield BadRecord(file, record.place, "The log has no samples. It may be a header only: read the whole log.")
    for at, each in enumerate(samples, 1):
        place = f"{record.place} sample {at}".strip() if "samples" in log else record.place
        yield _trace(table(each), header, losses) or BadRecord(file, place, "The sample has no messages.")


def _trace(sample: Mapping[str, JSON], header: Mapping[str, JSON], losses: Losses) -> Trace | None:
    attached = table(sample.get("attachments"))
    draft = Draft(losses)
    draft.now(sample.get("started_at"))
    for at, each in enumerate(rows(sample.get("messages"))):
        if message := table(each):
            _add(draft, at, message, attached)
    if not len(draft):
        return None
    epoch, sample_id, task = number(sample.get("epoch")), name(sample.get("id")), name(header.get("task"))
    models = table(sample.get("model_usage"))
    origin = Origin(
        scenario=f"{task} {sample_id}".strip() or None,
        trial=int(epoch) if epoch is not None else None,
        agent=name(header.get("model")) or next(iter(models), None),
        failed=_failed(sample),
    )
    seconds = number(sample.get("total_time")) or 0.0
    usage = usage_of(models.values())
    return draft.trace(
        f"{origin.scenario or 'sample'} epoch {origin.trial}" if epoch is not None else origin.scenario or "sample",
        origin=origin,
        tools=_tools(sample),
        usage=Usage(seconds=max(seconds, 0.0), input_tokens=usage.input_tokens, output_tokens=usage.output_tokens),
    )


def _tools(sample: Mapping[str, JSON]) -> tuple[Tool, ...]:
    """What the model was offered, as its first call in the log says."""
    calls = (event for event in tables(sample.get("events")) if event.get("event") == "model")
    return next(filter(None, (tools_of(event.get("tools")) for event in calls)), ())


def _failed(sample: Mapping[str, JSON]) -> bool | None:
    values = [table(score).get("value") for score in table(sample.get("scores")).values()]
    if any(value in ("I", "N") or (isinstance(value, bool | int | float) and value == 0) for value in values):
        return True
    if values and all(value == "C" or (isinstance(value, bool | int | float) and value == 1) for value in values):
        return False
    return True if sample.get("error") else None


def _add(draft: Draft, at: Source, message: Mapping[str, JSON], attached: Mapping[str, JSON]) -> None:
    content = _whole(message.get("content"), attached)
    raw = _raw(message)
    match message.get("role"):
        case "system":
            draft.said("system", text_of(content), actor="system", source=at, raw=raw)
        case "user":
            draft.said("user", text_of(content), actor="user", source=at, raw=raw)
        case "tool":
            trouble = table(message.get("error"))
            draft.answered(
                result_of(content) if content else text(trouble.get("message")),
                call_id=name(message.get("tool_call_id")),
                tool=name(message.get("function")),
                source=at,
                is_error=bool(trouble),
                raw={**raw, "error": dict(trouble)},
            )
        case _:
            _add_turn(draft, at, message, content)


def _add_turn(draft: Draft, at: Source, message: Mapping[str, JSON], content: JSON) -> None:
    reasoning = reasoning_of(content)
    draft.thought(reasoning, actor="agent", source=at)
    calls = tables(message.get("tool_calls"))
    said = text_of(content)
    if said or not (calls or reasoning):
        draft.said("agent", said, actor="agent", source=at, raw=_raw(message))
    for part in tables(content):
        if part.get("type") == "tool_use":  # by the provider, with what came of it
            call_id = name(part.get("id"))
            draft.called(name(part.get("name")), part.get("arguments"), call_id=call_id, actor="agent", source=at)
            came = part.get("result") or part.get("error")
            draft.answered(came, call_id=call_id, source=at, is_error=bool(part.get("error")))
    for call in calls:
        tool, arguments = name(call.get("function")), call.get("arguments")
        trouble = {"parse_error": call.get("parse_error")} if call.get("parse_error") else {}
        draft.called(tool, arguments, call_id=name(call.get("id")), actor="agent", source=at, raw=trouble)


def _whole(content: JSON, attached: Mapping[str, JSON]) -> JSON:
    """The content with its attachments back in place: long texts are kept apart in a log."""
    if isinstance(content, str):
        return attached.get(content.removeprefix(_ATTACHED), content) if content.startswith(_ATTACHED) else content
    if not attached:
        return content
    return [
        {key: _whole(value, attached) if isinstance(value, str) else value for key, value in table(part).items()}
        for part in rows(content)
    ]


def _raw(message: Mapping[str, JSON]) -> Mapping[str, JSON]:
    rest = {key: value for key, value in message.items() if key not in _KNOWN}
    parts = [kind for kind in other_parts(message.get("content")) if kind != "tool_use"]
    return {**rest, "parts": parts} if parts else rest
