from misstep.core.event import Blocked, Message, ToolCall, ToolResult
from misstep.core.state import Change
from misstep.core.trace import Trace
from misstep.reporting.conversation import Called, Noted, Said, Skipped, clipped, conversation, record_changes


def test_a_call_and_its_result_are_one_row(make_trial):
    rows = conversation(make_trial().trace, ())
    assert [row.kind for row in rows] == ["said", "called", "called", "said"]
    refund = rows[2]
    assert isinstance(refund, Called)
    assert (refund.tool, refund.status, refund.result_at, refund.served_by) == ("refund", "error", 4, "simulated")
    assert refund.brief == 'order_id="O-1", to="P-90417"'


def test_each_argument_says_where_it_came_from(make_trial):
    refund = conversation(make_trial().trace, ())[2]
    assert isinstance(refund, Called)
    origins = {source.path: (source.origin, source.at) for source in refund.sources}
    assert origins["order_id"] == ("user", 0)
    assert origins["to"] == ("nowhere", None)


def test_the_first_event_of_a_finding_is_guilty_and_the_others_are_evidence(make_trial, make_finding):
    rows = conversation(make_trial().trace, [make_finding("false-success", 5, 4)])
    refund, reply = rows[2], rows[3]
    assert isinstance(refund, Called)
    assert isinstance(reply, Said)
    assert (reply.mark, refund.result_mark, refund.mark) == ("guilty", "evidence", "")


def test_a_stopped_call_and_a_result_without_a_call_are_told():
    events = (
        Blocked(actor="agent", tool="wipe", arguments={"all": True}, guardrail="rail", reason="never"),
        ToolResult(actor="ghost", call_id="c9", content="boo"),
    )
    blocked, ghost = conversation(Trace(id="t", events=events), ())
    assert isinstance(blocked, Noted)
    assert isinstance(ghost, Noted)
    assert blocked.title == "stopped by rail: wipe(all=true)"
    assert ghost.title == "result of ghost that answers no call"


def test_a_call_without_an_answer_and_one_with_broken_arguments_can_be_shown():
    (row,) = conversation(Trace(id="t", events=(ToolCall(actor="a", call_id="1", tool="x", malformed="{oops"),)), ())
    assert isinstance(row, Called)
    assert (row.status, row.arguments.head, row.effect) == ("no answer", "{oops", "not on offer")


def test_the_middle_of_a_very_long_conversation_is_left_out_but_never_what_is_marked(make_finding):
    events = tuple(Message(actor="user", role="user", text=str(n)) for n in range(500))
    rows = conversation(Trace(id="t", events=events), [make_finding("x", 250)])
    assert len(rows) < 60
    said = [row.at for row in rows if isinstance(row, Said)]
    assert 250 in said
    assert sum(row.rows for row in rows if isinstance(row, Skipped)) + len(said) == 500


def test_a_long_text_is_cut_in_two_and_what_is_lost_is_counted():
    text = "word " * 4000
    cut = clipped(text)
    assert len(cut.head) <= 600
    assert len(cut.head) + len(cut.tail) + cut.lost == len(text)


def test_a_change_lists_only_the_fields_that_differ():
    changes = (
        Change("orders", "1", {"status": "new", "total": 5}, {"status": "sent", "total": 5}),
        Change("notes", "2", None, {"text": "hi"}),
        Change("notes", "3", {"text": "bye"}, None),
    )
    changed, created, deleted = record_changes(changes)
    assert [(field.name, field.before, field.after) for field in changed.fields] == [("status", '"new"', '"sent"')]
    assert (created.what, deleted.what) == ("created", "deleted")
