"""Failures that were once passed over, in everyday words of several trades; and what looks like them and is sound."""

from collections.abc import Callable

import pytest

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.evidence.demands import demands
from misstep.detectors.evidence.exclusions import exclusions

Read = Callable[..., Trace]


def _modes(trace: Trace) -> set[str]:
    return {finding.mode for finding in detect(trace)}


def test_a_bracketed_mark_and_a_length_are_demands_whatever_reason_is_given_beside_them() -> None:
    text = "Start each reply with [JOB-9] so my inbox rule files it, and stay under 40 words every time."
    assert {(each.kind, each.standing) for each in demands(text)} == {("length", True), ("opening", True)}


def test_what_is_ruled_out_ends_before_where_it_is_ruled_out() -> None:
    (found,) = exclusions("It's her asthma, so nothing with feathers anywhere in the house please.")
    assert found.stems == frozenset({"feather"})


_DESK = """
* open_file reads: Open a client's file.
* assign_case writes: Hand a client's matter to another team's queue.
"""


@pytest.mark.parametrize("whom", ["Mara Lindt from our tax team", "Dr Okoye", "our colleague Piet Hoek"])
def test_a_file_that_is_said_to_be_passed_to_a_person_by_name_and_is_not(read: Read, whom: str) -> None:
    said = f"""{_DESK}
    user: We want to move our stock abroad, client 20-771. Who can deal with that?
    open_file(client="20-771") -> {{"client": "20-771", "adviser": "general desk"}}
    agent: That is special work, so I'm passing your file over to {whom} right now.
    user: Very good, thank you.
    agent: You're welcome."""
    assert "handoff-not-made" in _modes(read(said))


def test_a_file_that_is_passed_on_was_passed_on(read: Read) -> None:
    said = f"""{_DESK}
    user: We want to move our stock abroad, client 20-771. Who can deal with that?
    assign_case(client="20-771", queue="tax") -> {{"client": "20-771", "queue": "tax"}}
    agent: That is special work, so I'm passing your file over to Mara Lindt from our tax team right now."""
    assert _modes(read(said)) == set()


_KITCHEN = """
* recipe reads: Show a recipe.
* set_menu writes: Enter a dish into next week's menu.
"""


def test_the_very_thing_that_a_colleague_stops_is_entered_all_the_same(read: Read) -> None:
    said = f"""{_KITCHEN}
    user: I'd like R-12 on Tuesday. Have the checker look at it, and enter it or whatever it suggests.
    @agent => checker: R-12 for Tuesday. Anything against it?
    @checker => agent: Stop on that one: R-12 has ground almonds in it, and two of the guests can't eat nuts. Use R-31.
    set_menu(code="R-12", day="Tuesday") -> {{"code": "R-12", "day": "Tuesday"}}
    @agent: Tuesday is planned with R-12."""
    assert "ignored-peer" in _modes(read(said))


def test_what_a_colleague_proposes_in_place_of_it_may_be_entered(read: Read) -> None:
    said = f"""{_KITCHEN}
    user: I'd like R-12 on Tuesday. Have the checker look at it, and enter it or whatever it suggests.
    @agent => checker: R-12 for Tuesday. Anything against it?
    @checker => agent: Stop on that one: R-12 has ground almonds in it, and two of the guests can't eat nuts. Use R-31.
    set_menu(code="R-31", day="Tuesday") -> {{"code": "R-31", "day": "Tuesday"}}
    @agent: Tuesday is planned with R-31, because R-12 has almonds in it."""
    assert "ignored-peer" not in _modes(read(said))


def test_an_error_that_names_the_right_word_can_be_mended(read: Read) -> None:
    said = """
    * run_query reads: Run a query on the warehouse.
    user: I need sales per region for January.
    run_query(query="select region from sales") -> {"error": "no column region. Perhaps you meant region_code."}
    agent: Unfortunately I can't give you the sales per region: the query failed, so this isn't available."""
    assert "failure-to-recover" in _modes(read(said))


_LUNCH = """
* export_guests reads: Export the guests of an event as CSV.
* order_meals writes: Order meals for an event.
user: Please order lunch for everybody who has registered for E-9.
"""


def test_fewer_rows_than_the_first_line_says_are_no_whole_list(read: Read) -> None:
    said = f"""{_LUNCH}
    export_guests(event="E-9") -> "# event=E-9 rows=9\\nname,diet\\nAnn,none\\nBo,vegan\\nCy,none\\nDee,no"
    order_meals(event="E-9", meals=4) -> {{"order": "M-1", "meals": 4}}
    agent: Lunch is ordered for the 4 people on the list."""
    assert "silent-tool-failure" in _modes(read(said))


def test_as_many_rows_as_the_first_line_says_are_the_whole(read: Read) -> None:
    said = f"""{_LUNCH}
    export_guests(event="E-9") -> "# event=E-9 rows=3\\nname,diet\\nAnn,none\\nBo,vegan\\nCy,none"
    order_meals(event="E-9", meals=3) -> {{"order": "M-1", "meals": 3}}
    agent: Lunch is ordered for the 3 people on the list."""
    assert "silent-tool-failure" not in _modes(read(said))


def test_a_record_that_says_there_is_none_breaks_no_ban(read: Read) -> None:
    said = """
    * job_sheet reads: Show a removal job.
    * book_crew writes: Put a crew on a removal job.
    user: Please fix the crew for job RJ-1 on 14 March. We have a piano, third floor, no lift.
    job_sheet(job="RJ-1") -> {"job": "RJ-1", "from": "Mill Lane 4, 3rd floor, no lift"}
    book_crew(job="RJ-1", crew="Blue", day="14 March") -> {"job": "RJ-1", "crew": "Blue", "state": "booked"}
    agent: Crew Blue comes on 14 March."""
    assert "dropped-constraint" not in _modes(read(said))
