"""JSON that was asked for and does not parse, told from JSON that does and from talk about JSON."""

import pytest

from misstep.core.event import Message
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.form.malformed_output import malformed_output


def found(*said: str) -> list[int]:
    """Where something is found, in messages of user and agent by turns."""
    events = tuple(
        Message(actor=role, role=role, text=text)
        for text, role in zip(said, ("user", "agent") * len(said), strict=False)
    )
    return [each.events[0] for each in detect(Trace(id="t", events=events), detectors=(malformed_output,))]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (
            "Reply with a single JSON object, keys berth, ship and late (true if it is overdue).",
            '{"berth": 4, "ship": "Ida"\n "late": true}',
        ),
        ("Give me the seating as JSON, my planner imports it.", "{'table': 4, 'guest': 'Kim', 'vegan': None}"),
        ("I need the reading in JSON format please.", '```json\n{"meter": "M-3", "valid": True}\n```'),
        ("JSON only, no prose: which beds are free?", '[{"bed": 1}, {"bed": 2}'),
        ("Put the mix into a JSON object for the mill.", '{"rye": 0.4, "ratio": NaN}'),
        (
            "Return one JSON object with the plot and its crop.",
            '{"plot": "P-2", "note": "Sown twice?", "crop": "oats",}',
        ),
    ],
)
def test_an_answer_that_is_meant_as_json_and_does_not_parse_is_found(asked: str, answer: str) -> None:
    assert found(asked, answer) == [1]


def test_what_is_asked_for_again_without_the_word_is_still_to_be_json() -> None:
    assert found("Answer in JSON: the tide at noon?", '{"tide": 2.1}', "Same for six.", '{"tide": 1.4') == [3]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Reply with a single JSON object, with berth and late (true if overdue).", '{"berth": 4, "late": true}'),
        ("Give me the seating as JSON.", 'Here you are:\n```json\n{"table": 4}\n```'),
        ("Give me the beds as JSON lines.", '{"bed": 1}\n{"bed": 2}'),
        (
            "What is wrong with this JSON: {'a': 1}?",
            "The quotes: {'a': 1} has single ones, and JSON wants double ones.",
        ),
        ("Show me an example of a JSON config with comments.", '{\n  // the port\n  "port": 80\n}'),
        ("Give me the seating as JSON.", "Which evening do you mean?"),
        ("How many works are in the attached JSON-LD file?", "{'short': 'four', 'long': 'There are four.'}"),
        ("Read beds.json and tell me how many are free.", "{'free': 4, 'taken': None}"),
        ("Who sits at table 4?", "{Kim} and {Bo}, as the plan has it"),
    ],
)
def test_json_that_parses_and_talk_of_json_are_left_alone(asked: str, answer: str) -> None:
    assert found(asked, answer) == []
