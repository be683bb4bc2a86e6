"""Whatever voices there are: a new file is tested on the day it arrives."""

from string import Formatter

import pytest
from msgspec import structs

from misstep.core.errors import UsageError
from misstep.proving.agent_voice import Speaker, Voice, voice_named, voice_names

SLOTS = {
    "ask": {"things"},
    "ask_listed": {"things"},
    "ask_apart": {"thing", "rest"},
    "ask_ahead": {"things", "act"},
    "still": {"things"},
    "again": {"things"},
    "recheck": {"thing", "value"},
    "which": {"thing"},
    "offer": {"thing", "choices"},
    "propose": {"act", "pairs"},
    "done": {"act"},
    "tell": {"pairs"},
    "refuse": {"act"},
    "stop": {"things"},
}
NEEDED = {
    "ask": {"things"},
    "ask_listed": {"things"},
    "ask_apart": {"thing", "rest"},
    "ask_ahead": {"things", "act"},
    "still": {"things"},
    "propose": {"act", "pairs"},
    "tell": {"pairs"},
    "offer": {"choices"},
}


def lines_of(voice: Voice) -> dict[str, tuple[str, ...]]:
    return {name: getattr(voice, name) for name in structs.asdict(voice) if isinstance(getattr(voice, name), tuple)}


@pytest.mark.parametrize("name", voice_names())
def test_each_phrasing_says_what_it_must_and_fills_only_what_there_is(name):
    for kind, lines in lines_of(voice_named(name)).items():
        for line in lines:
            slots = {slot for _, slot, _, _ in Formatter().parse(line) if slot is not None}
            assert slots <= SLOTS.get(kind, set()), (kind, line)
            assert slots >= NEEDED.get(kind, set()), (kind, line)


@pytest.mark.parametrize("name", voice_names())
def test_a_voice_has_several_phrasings_and_those_that_its_habits_need(name):
    voice = voice_named(name)
    for kind in ("ask", "still", "propose", "done", "tell", "refuse", "close", "bye"):
        assert len(set(getattr(voice, kind))) > 1, kind
    assert bool(voice.offer) == voice.offers
    assert bool(voice.again) == voice.asks_again


def voiced(**habits) -> Speaker:
    return Speaker(structs.replace(voice_named("prose"), **habits), seed=0)


def test_a_list_is_marked_and_written_as_the_voice_has_it():
    speaker = voiced(layout="list", mark="{at}) ", row="{label} - {value}")
    assert speaker.pairs([("order id", "W-1"), ("paid", True)]) == "\n\n1) Order id - W-1\n2) Paid - yes\n\n"


def test_a_table_has_a_row_for_each_pair_and_a_column_for_each_thing_known_of_a_choice():
    speaker = voiced(layout="table", columns=("Detail | Entry",))
    assert speaker.pairs([("order id", "W-1")]) == "\n\n| Detail | Entry |\n| --- | --- |\n| Order id | W-1 |\n\n"
    said = speaker.choices({"W-1": [("paid_on", "May 2"), ("total", 3)], "W-2": [("total", 4)]})
    rows = ("| Option | Paid on | Total |", "| --- | --- | --- |", "| W-1 | May 2 | 3 |", "| W-2 |  | 4 |")
    assert said.strip().splitlines() == list(rows)


def test_several_things_may_be_asked_for_in_two_questions_and_one_together_with_leave():
    lines = {"ask_apart": ("{thing}? And {rest}?",), "ask_ahead": ("{things}? And {act}?",), "still": ("No {things}.",)}
    speaker = voiced(articles=("",), **lines)
    assert speaker.ask("ask", ["day", "size", "colour"], act="pay") == "day? And size and colour?"
    assert speaker.ask("ask", ["day"], act="pay") == "day? And pay?"
    assert speaker.ask("still", ["day"], act="pay") == "No day."


def test_nothing_is_said_twice_in_the_same_words_before_all_others_were_used():
    speaker = Speaker(voice_named("prose"), seed=3)
    lines = speaker.voice.close
    assert {speaker.say("close") for _ in lines} == set(lines)


def test_an_unknown_voice_is_named_with_its_nearest():
    with pytest.raises(UsageError, match="prose"):
        voice_named("prosa")
