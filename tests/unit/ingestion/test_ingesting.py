"""A file's dialect is told by its content, and what is no dialect is named as what it is."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from misstep.core.errors import UsageError
from misstep.core.trace import Trace
from misstep.ingestion.gathering import Gathering
from misstep.ingestion.ingesting import DIALECTS, Ingestion, ingest
from misstep.ingestion.losses import NO_RESULT, NO_SCHEMA, NO_SESSION, NO_TOOLS, Losses
from misstep.ingestion.nouns import BadRecord

Written = Callable[..., Path]
Read = Callable[..., tuple[list[Trace], list[BadRecord], Ingestion]]

SAID = [{"role": "user", "content": "Good morning."}, {"role": "assistant", "content": "Good morning!"}]


def test_an_unknown_dialect_is_refused_with_the_nearest_one(written: Written) -> None:
    with pytest.raises(UsageError, match="Did you mean 'openai-chat'"):
        ingest(written("[]"), dialect="openai_chat")


def test_a_file_that_is_not_there_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        ingest(tmp_path / "nothing.json")
    with pytest.raises(UsageError, match="no regular file"):
        ingest(tmp_path)


def test_a_record_in_no_dialect_is_named_by_its_keys(written: Written, read: Read) -> None:
    traces, (bad,), ingestion = read(written('{"colour": "red", "size": 3}'))
    assert traces == []
    assert "'colour', 'size'" in bad.because
    assert all(dialect in bad.because for dialect in DIALECTS)
    assert ingestion.dialect == ""


def test_many_records_in_no_dialect_are_summed_up(written: Written, read: Read) -> None:
    _, bad, _ = read(written("\n".join('{"colour": "red"}' for _ in range(1000)), "x.jsonl"))
    assert len(bad) == 21
    assert "980 more records" in bad[-1].because


def test_one_message_a_line_makes_one_conversation(written: Written, read: Read) -> None:
    (trace,), bad, ingestion = read(written("\n".join(map(json.dumps, SAID)), "talk.jsonl"))
    assert bad == []
    assert [event.source for event in trace.events] == ["line 1", "line 2"]
    assert (trace.id, trace.origin.dialect, ingestion.dialect) == ("talk", "openai-chat", "openai-chat")
    assert trace.origin.file is not None


def test_a_list_of_messages_and_one_of_conversations_are_told_apart(written: Written, read: Read) -> None:
    assert len(read(written(json.dumps(SAID)))[0]) == 1
    assert len(read(written(json.dumps([{"messages": SAID}, {"messages": SAID}])))[0]) == 2
    assert len(read(written(json.dumps([SAID, SAID, SAID])))[0]) == 3
    assert len(read(written(json.dumps({"about": 1, "runs": [{"messages": SAID}, {"messages": SAID}]})))[0]) == 2


def test_the_places_of_messages_are_those_in_the_file_even_past_a_broken_one(written: Written, read: Read) -> None:
    data = f'[{json.dumps(SAID[0])}, {{"role": "user" "content"}}, {json.dumps(SAID[1])}]'
    (trace,), bad, _ = read(written(data))
    assert [each.place for each in bad] == ["item 2"]
    assert [event.source for event in trace.events] == [0, 2]


def test_traces_of_one_file_never_share_a_name(written: Written, read: Read) -> None:
    traces, _, _ = read(written(json.dumps([{"id": "a", "messages": SAID}] * 4)))
    assert len({trace.id for trace in traces}) == 4


def test_a_named_dialect_is_taken_at_its_word(written: Written, read: Read) -> None:
    path = written(json.dumps({"messages": SAID}))
    assert read(path, "plain")[0][0].origin.dialect == "plain"
    traces, (bad,), _ = read(path, "who-and-when")
    assert traces == []
    assert "history" in bad.because


def test_a_file_may_mix_dialects_and_each_trace_says_which_it_was(written: Written, read: Read) -> None:
    anthropic = {"system": "Be kind.", "messages": SAID}
    traces, bad, ingestion = read(written("\n".join(map(json.dumps, [{"messages": SAID}, anthropic])), "x.jsonl"))
    assert bad == []
    assert [trace.origin.dialect for trace in traces] == ["openai-chat", "anthropic"]
    assert ingestion.dialect == "openai-chat"


def test_a_packed_file_has_the_name_of_what_is_in_it(written: Written, read: Read) -> None:
    (trace,), _, _ = read(written(gzip.compress(json.dumps(SAID).encode()), "talk.json.gz"))
    assert trace.id == "talk"


def test_reading_a_file_twice_gives_the_same_and_counts_losses_once(written: Written) -> None:
    silent = [{"role": "user", "content": ""}, {"role": "assistant", "content": "Hello?"}]
    ingestion = ingest(written(json.dumps(silent)))
    assert list(ingestion) == list(ingestion)
    assert ("messages carry no text", 1, 2) in [(loss.what, loss.lost, loss.of) for loss in ingestion.losses]
    assert all(loss.advice for loss in ingestion.losses)


def test_results_without_calls_are_kept_and_counted(written: Written, read: Read) -> None:
    (trace,), _, ingestion = read(written(json.dumps([SAID[0], {"role": "tool", "tool_call_id": "c", "content": "3"}])))
    assert len(trace.events) == 2
    assert ("tool results match no call", 1, 1) in [(loss.what, loss.lost, loss.of) for loss in ingestion.losses]


def test_what_detectors_want_of_any_trace_is_a_loss_where_it_is_missing(written: Written, read: Read) -> None:
    definition = {"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}
    call = {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "find", "arguments": "{}"}}]}
    answer = {"role": "tool", "tool_call_id": "c", "content": "3"}
    whole = {"session_id": "s", "tools": [definition], "messages": [SAID[0], call, answer]}
    _, _, ingestion = read(written(json.dumps(whole)))
    assert ingestion.losses == ()
    without = {
        NO_SESSION: whole | {"session_id": None},
        NO_TOOLS: whole | {"tools": []},
        NO_SCHEMA: whole | {"tools": [{"type": "function", "function": {"name": "find"}}]},
        NO_RESULT: whole | {"messages": [SAID[0], call]},
    }
    for what, lacking in without.items():
        _, _, ingestion = read(written(json.dumps(lacking)))
        assert [(loss.what, loss.lost, loss.of) for loss in ingestion.losses] == [(what, 1, 1)]
        assert ingestion.losses[0].advice


def test_conversations_that_fall_silent_are_let_go_when_too_much_is_held() -> None:
    losses = Losses()
    gathering = Gathering(losses, most=3)
    over = [
        gathered
        for key in ("a", "b", "a", "c", "b")
        for gathered in gathering.add({"role": "user", "content": key, "session_id": key}, "line 1")
    ]
    assert [gathered.record.place for gathered in over] == ["b", "a"]
    assert sorted(gathered.record.place for gathered in gathering.rest()) == ["b", "c"]
    assert [(loss.lost, loss.of) for loss in losses.report()] == [(1, 4)]
