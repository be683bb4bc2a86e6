"""Who&When: a failed conversation of several agents in `history`, with the question that they were given."""

import re
from collections.abc import Iterator
from pathlib import Path

from misstep.core.tool import JSON
from misstep.core.trace import Origin, Trace
from misstep.ingestion.content import text_of
from misstep.ingestion.drafting import Draft
from misstep.ingestion.fields import name, rows, table, tables, text
from misstep.ingestion.losses import Losses
from misstep.ingestion.nouns import BadRecord, Record

NAME = "who-and-when"

_PEOPLE = ("human", "user")
_ASIDE = re.compile(r"(?P<actor>.*\S)\s*\((?P<aside>[^()]*)\)\s*$", re.DOTALL)


def recognises(value: JSON) -> bool:
    record = table(value)
    turns = tables(record.get("history"))
    return "question" in record and bool(turns) and "role" in turns[0] and "content" in turns[0]


def traces(record: Record, file: Path, losses: Losses) -> Iterator[Trace | BadRecord]:
    """What is known of the answer and of the mistake is left behind: nothing that reads a trace may see it."""
    value = table(record.value)
    draft = Draft(losses)
    for agent, prompt in table(value.get("system_prompt")).items():
        draft.said("system", text_of(prompt), actor="system", source=f"system_prompt.{agent}", to=agent)
    turns = [table(turn) for turn in rows(value.get("history"))]
    question = text(value.get("question"))
    if question and not (turns and _speaker(turns[0]) in _PEOPLE):
        draft.said("user", question, actor="user", source="question")
    for at, turn in enumerate(turns):
        if turn:
            _add(draft, at, _speaker(turn), text_of(turn.get("content")))
    if not len(draft):
        yield BadRecord(file, record.place, "It has no conversation: `history` is missing or empty.")
        return
    yield draft.trace(name(value.get("question_ID")) or file.stem, origin=Origin(failed=_failed(value)))


def _failed(value: JSON) -> bool | None:
    told = [table(value).get(key) for key in ("is_correct", "is_corrected")]
    return next((not each for each in told if isinstance(each, bool)), None)


def _speaker(turn: JSON) -> str:
    return name(table(turn).get("name")) or name(table(turn).get("role")) or "agent"


def _add(draft: Draft, at: int, speaker: str, said: str) -> None:
    """Some orchestrators have what they do in their role: `Boss (thought)`, `Boss (-> Worker)`."""
    if speaker in _PEOPLE:
        draft.said("user", said, actor="user", source=at)
        return
    aside = _ASIDE.match(speaker)
    if aside is None:
        draft.said("agent", said, actor=speaker, source=at)
        return
    actor, doing, raw = aside["actor"], aside["aside"].strip(), {"role": speaker}
    if doing == "thought":
        draft.thought(said, actor=actor, source=at, raw=raw)
    elif doing.startswith("->"):
        draft.handed(doing.removeprefix("->").strip(), said, actor=actor, source=at, raw=raw)
    else:
        draft.said("agent", said, actor=actor, source=at, raw=raw)
