"""Outputs that nobody can read, where no call stands between them and their reader."""

from misstep.core.event import Message, ToolResult
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.form.instruction_not_followed import instruction_not_followed
from misstep.detectors.form.malformed_output import malformed_output


def test_a_complaint_that_answers_no_call_is_about_the_message_before_it() -> None:
    trace = Trace(
        id="t",
        events=(
            Message(actor="user", role="user", text="Add it up."),
            Message(actor="agent", role="agent", text="Thought: I add it up."),
            ToolResult(
                actor="environment", call_id="", content="Error in code parsing: your code is invalid", is_error=True
            ),
        ),
    )
    (finding,) = detect(trace, detectors=(malformed_output,))
    assert finding.events == (1,)


def test_a_lasting_demand_is_reported_once_however_often_it_is_broken() -> None:
    said = Message(actor="system", role="system", text="Always reply in German.")
    ask = Message(actor="user", role="user", text="Where can I park?")
    reply = Message(
        actor="agent", role="agent", text="You can park in the garage under the station, which is open for you."
    )
    trace = Trace(id="t", events=(said, *(ask, reply) * 5))
    (finding,) = detect(trace, detectors=(instruction_not_followed,))
    assert finding.events == (2, 0)


def test_a_long_conversation_takes_no_longer_a_message_than_a_short_one() -> None:
    """By the count of findings: what is demanded in each of many turns is held against its own answer only."""
    ask = Message(actor="user", role="user", text="Answer in one word: yes or no?")
    reply = Message(actor="agent", role="agent", text="Yes.")
    assert detect(Trace(id="t", events=(ask, reply) * 5000), detectors=(instruction_not_followed,)) == ()
