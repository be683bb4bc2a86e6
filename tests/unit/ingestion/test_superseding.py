"""A log of requests tells one conversation many times over."""

from misstep.core.tool import JSON
from misstep.ingestion.nouns import Record
from misstep.ingestion.superseding import latest

HI = {"role": "user", "content": "Hi"}
HELLO = {"role": "assistant", "content": "Hello"}
BYE = {"role": "user", "content": "Bye"}


def asked(*messages: JSON) -> dict[str, JSON]:
    return {"request": {"messages": list(messages)}, "response": {"choices": []}}


def kept(*values: JSON) -> list[JSON]:
    records = [Record(f"line {number}", value) for number, value in enumerate(values, 1)]
    return [record.value for record in latest(records) if isinstance(record, Record)]


def test_only_the_last_request_of_a_conversation_is_kept() -> None:
    assert kept(asked(HI), asked(HI, HELLO, BYE)) == [asked(HI, HELLO, BYE)]


def test_another_conversation_is_another_record() -> None:
    assert len(kept(asked(HI), asked(HI, HELLO, BYE), asked(BYE), asked(HI))) == 3


def test_two_answers_to_the_same_question_are_two_records() -> None:
    assert len(kept(asked(HI), asked(HI))) == 2


def test_conversations_that_are_whole_are_left_alone() -> None:
    whole = [{"messages": [HI]}, {"messages": [HI, HELLO]}]
    assert kept(*whole) == whole
