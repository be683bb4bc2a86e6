"""The engine: which detectors run, on what, and what becomes of their claims."""

from collections.abc import Iterator

from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.objective import Objective
from misstep.core.trace import Origin, Trace
from misstep.detectors import detect, detect_with_errors, detectors
from misstep.detectors.declaring import detector

TRACE = Trace(
    id="t-1",
    events=(
        Message(actor="user", role="user", text="Hi"),
        ToolCall(actor="agent", call_id="c1", tool="look"),
        ToolResult(actor="look", call_id="c1", content=[], served_by="faulted", fault="empty"),
    ),
    origin=Origin(scenario="s", seed=4, agent="zoo:loops"),
)


def finding(mode: str, *events: int) -> Finding:
    return Finding(mode=mode, events=events, because="Because.")


@detector("goal-hijack", version=7)
def one_finding(trace: Trace) -> Iterator[Finding]:
    yield finding("goal-hijack", 1)


@detector("missing-call", version=1, needs="objective", residual=True)
def the_rest(trace: Trace, objective: Objective) -> Iterator[Finding]:
    yield finding("missing-call", 0)


@detector("repeated-call", version=1)
def raising(trace: Trace) -> Iterator[Finding]:
    yield finding("repeated-call", 0)
    raise ValueError("oops")


@detector("repeated-call", version=1)
def nothing(trace: Trace) -> Iterator[Finding]:
    yield from ()


def test_a_finding_is_stamped_with_who_which_version_and_what_it_maps_to() -> None:
    (found,) = detect(TRACE, detectors=[one_finding])
    assert (found.trace, found.claimed_by, found.version) == ("t-1", "detector:goal-hijack", 7)
    assert (found.severity, found.asi, found.taxonomy) == ("critical", ("ASI01",), "2026.2")


def test_a_detector_sees_neither_the_faults_nor_the_origin() -> None:
    seen: list[Trace] = []

    @detector("repeated-call", version=1)
    def spying(trace: Trace) -> Iterator[Finding]:
        seen.append(trace)
        yield from ()

    detect(TRACE, detectors=[spying])
    (trace,) = seen
    assert (trace.id, trace.origin) == ("", Origin())
    result = trace.events[2]
    assert isinstance(result, ToolResult)
    assert (result.fault, result.served_by) == (None, None)


def test_one_that_needs_an_objective_is_silent_without_one() -> None:
    assert detect(TRACE, detectors=[the_rest]) == ()
    assert [found.mode for found in detect(TRACE, Objective(), detectors=[the_rest])] == ["missing-call"]


def test_a_residual_one_is_silent_where_something_else_was_found() -> None:
    assert [found.mode for found in detect(TRACE, Objective(), detectors=[the_rest, one_finding])] == ["goal-hijack"]
    assert [found.mode for found in detect(TRACE, Objective(), detectors=[the_rest, nothing])] == ["missing-call"]


def test_a_detector_that_raises_is_recorded_and_the_others_go_on() -> None:
    found, errors = detect_with_errors(TRACE, detectors=[raising, one_finding])
    assert [each.mode for each in found] == ["goal-hijack"]
    assert [(each.mode, each.trace, each.error) for each in errors] == [("repeated-call", "t-1", "ValueError: oops")]


def test_a_claim_about_events_that_are_not_there_is_an_error() -> None:
    @detector("goal-hijack", version=1)
    def pointing_nowhere(trace: Trace) -> Iterator[Finding]:
        yield finding("goal-hijack", 99)

    found, errors = detect_with_errors(TRACE, detectors=[pointing_nowhere])
    assert found == ()
    assert "3 events" in errors[0].error


def test_a_claim_of_another_mode_is_an_error() -> None:
    @detector("goal-hijack", version=1)
    def meddling(trace: Trace) -> Iterator[Finding]:
        yield finding("wrong-tool", 0)

    assert "may only claim its own mode" in detect_with_errors(TRACE, detectors=[meddling])[1][0].error


def test_findings_come_in_the_order_of_their_events_and_modes() -> None:
    def claiming(mode: str, *events: int) -> Iterator[Finding]:
        yield finding(mode, *events)

    chosen = [
        detector(mode, version=1)(lambda trace, mode=mode, at=at: claiming(mode, at))
        for mode, at in (("wrong-tool", 2), ("wrong-tool", 0), ("goal-hijack", 2))
    ]
    found = detect(TRACE, detectors=chosen)
    assert [(each.events, each.mode) for each in found] == [
        ((0,), "wrong-tool"),
        ((2,), "goal-hijack"),
        ((2,), "wrong-tool"),
    ]


def test_a_mode_that_the_taxonomy_does_not_know_keeps_its_own_severity() -> None:
    @detector("shouting", version=1)
    def shouting(trace: Trace) -> Iterator[Finding]:
        yield Finding(mode="shouting", events=(0,), because="Loud.", severity="low")

    assert detect(TRACE, detectors=[shouting])[0].severity == "low"


def test_no_mode_has_two_built_in_detectors_that_speak_at_once() -> None:
    named = [(each.mode, each.residual) for each in detectors()]
    assert len(named) == len(set(named))


def test_the_detectors_of_one_mode_have_one_version() -> None:
    assert len({each.mode for each in detectors()}) == len({(each.mode, each.version) for each in detectors()})
