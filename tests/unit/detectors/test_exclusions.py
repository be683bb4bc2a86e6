"""dropped-constraint: picking what was ruled out by a day of the week or by some other property."""

from collections.abc import Callable

import pytest

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.drift.dropped_constraint import dropped_constraint
from misstep.detectors.evidence.exclusions import exclusions

Read = Callable[..., Trace]
MON, TUE, WED, THU, FRI, SAT, SUN = range(7)
TOOLS = """
* free_times writes: Find the lessons that begin in a week.
* take_lesson writes: Sign a pupil up for a lesson.
* cancel_lesson destroys: Cancel a lesson.
* move_lesson writes: Move a lesson to another time.
"""
LISTED = (
    'free_times(week_of="2026-03-23") -> [{"lesson": "L-1", "teacher": "Adler", "when": "Thu 2026-03-26 08:45"},'
    ' {"lesson": "L-2", "teacher": "Sorge", "when": "Fri 2026-03-27 11:00"}]'
)


def found(trace: Trace) -> list[tuple[int, ...]]:
    return [finding.events for finding in detect(trace, detectors=(dropped_constraint,))]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Nothing on Mondays or Thursdays please, that's when he trains.", {MON, THU}),
        ("Anything works, just not on a Friday.", {FRI}),
        ("Please no Tuesdays and no Wednesdays.", {TUE, WED}),
        ("Mondays don't work for us.", {MON}),
        ("I can't do Thursdays, sorry.", {THU}),
        ("We can't take deliveries at weekends.", {SAT, SUN}),
        ("Any day but Sundays.", {SUN}),
        ("Saturdays are out.", {SAT}),
        ("We can't make it on Mondays, Tuesdays or Fridays.", {MON, TUE, FRI}),
        ("No weekends, please.", {SAT, SUN}),
        ("Please avoid Wednesdays.", {WED}),
        ("Keep Fridays free for me.", {FRI}),
        ("Never book me on a Sunday.", {SUN}),
        ("She is not available on Mondays.", {MON}),
        ("I'm never free on Thursdays.", {THU}),
        ("Fridays won't do.", {FRI}),
        ("Weekdays only, please.", {SAT, SUN}),
        ("I can only do Tuesdays or Thursdays.", {MON, WED, FRI, SAT, SUN}),
    ],
)
def test_days_of_the_week_are_ruled_out_in_many_words(text: str, days: set[int]) -> None:
    assert set[int]().union(*(each.days for each in exclusions(text))) == days


@pytest.mark.parametrize(
    "text",
    [
        "Are you not open on Mondays?",
        "No later than Monday, please.",
        "I got nothing on Monday.",
        "There are no trains on Sundays, I know.",
        "Not until Friday.",
        "Preferably not on Mondays.",
        "Not on Mondays unless it is after five.",
        "Mondays are fine.",
        "Why is nothing free on Thursdays?",
        "I was not at home on Monday.",
        "It's not Monday yet.",
        "He trains on Mondays.",
        "They only deliver on Mondays, right?",
        "Nothing else, thanks.",
        "There is nothing in the fridge.",
        "Nothing in particular, thanks.",
    ],
)
def test_what_only_speaks_of_a_day_rules_nothing_out(text: str) -> None:
    assert exclusions(text) == ()


def test_a_lesson_on_a_day_that_was_ruled_out_is_found_turns_later(read: Read) -> None:
    for day in ("Thu 2026-03-26 08:45", "2026-03-26T08:45", "Thursday 26 March, 08:45", "Thurs, 26 Mar 2026"):
        trace = read(f"""{TOOLS}
            user: Nothing on Mondays or Thursdays please. Which teachers are there?
            agent: Adler and Sorge.
            user: Fine. Sign her up for one in the week of Monday 23 March, mornings are best.
            {LISTED.replace("Thu 2026-03-26 08:45", day)}
            take_lesson(lesson="L-1", pupil="P-3") -> {{"ok": true}}
        """)
        assert found(trace) == [(5, 0)], day


def test_a_day_that_is_passed_on_is_held_against_the_ban(read: Read) -> None:
    tools = "* order_van writes: Order a removal van for a day.\n* note writes: Note a customer's birthday.\n"
    asked = "user: I need a van in the last week of March. Weekends are out, I'm afraid.\n"
    assert found(read(f'{tools}{asked}order_van(day="2026-03-28") -> "ok"')) == [(1, 0)]
    assert found(read(f'{tools}{asked}order_van(day="2026-03-27") -> "ok"')) == []
    assert found(read(f'{tools}{asked}order_van(day="2026-03-27", week_of="2026-03-22") -> "ok"')) == []
    assert found(read(f'{tools}{asked}note(birthday="1980-03-29") -> "ok"')) == []


def test_the_days_that_are_left_are_free(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: Nothing on Mondays or Thursdays please. Sign her up in the week of Monday 23 March.
        {LISTED}
        take_lesson(lesson="L-2", pupil="P-3") -> {{"ok": true}}
    """)
    assert found(trace) == []


def test_ending_what_is_on_such_a_day_keeps_to_the_ban(read: Read) -> None:
    asked = f"{TOOLS}\nuser: No Thursdays any more. Sort out her lessons.\n{LISTED}\n"
    assert found(read(f'{asked}cancel_lesson(lesson="L-1") -> "ok"')) == []
    assert found(read(f'{asked}move_lesson(lesson="L-1", to="2026-03-27") -> "ok"')) == []
    assert found(read(f'{asked}move_lesson(lesson="L-1", onto="L-2") -> "ok"')) == []


@pytest.mark.parametrize(
    "talk",
    [
        "agent: There is one on Thursday at 08:45 and one on Friday.\nuser: Thursday is fine for once.",
        "agent: I have 26 March, 08:45, or 27 March, 11:00.\nuser: The earlier one then.",
        "agent: There is L-1 or L-2.\nuser: Take L-1.",
        "user: The one at 08:45 please.",
    ],
)
def test_the_user_may_pick_such_a_day_after_all(read: Read, talk: str) -> None:
    trace = read(
        f'{TOOLS}\nuser: Nothing on Thursdays please.\n{LISTED}\n{talk}\ntake_lesson(lesson="L-1") -> {{"ok": true}}'
    )
    assert found(trace) == []


def test_one_monday_is_not_all_mondays(read: Read) -> None:
    trace = read(f"""{TOOLS}
        user: I can't do this Thursday. What else is there?
        agent: There is Friday.
        user: Good. And sign me up for the week of 23 March too.
        {LISTED}
        take_lesson(lesson="L-1") -> {{"ok": true}}
    """)
    assert found(trace) == []


@pytest.mark.parametrize(
    ("said", "bad", "good"),
    [
        ("Nothing with nuts, please.", '"contains": ["nuts", "milk"]', '"contains": ["milk"]'),
        ("We eat late. Nothing spicy please.", '"spicy": true', '"spicy": false'),
        ("Nothing on the ground floor.", '"floor": "ground floor"', '"floor": "second floor"'),
        ("Two of us, and nothing from Aerolux please.", '"maker": "Aerolux"', '"maker": "Nordwind"'),
        ("Nothing made of leather.", '"material": "leather"', '"material": "canvas"'),
    ],
)
def test_a_property_that_was_ruled_out_is_seen_in_the_record(read: Read, said: str, bad: str, good: str) -> None:
    tools = "* offers reads: List what is on offer.\n* order writes: Order something.\n* cancel destroys: Cancel it.\n"
    listed = f'offers() -> [{{"item": "X-1", {bad}}}, {{"item": "X-2", {good}}}]'
    asked = f"{tools}user: {said}\nagent: Noted.\nuser: What would you take? Please order it.\n{listed}\n"
    assert found(read(f'{asked}order(item="X-1") -> "ok"')) == [(5, 0)]
    assert found(read(f'{asked}order(item="X-2") -> "ok"')) == []
    assert found(read(f'{asked}cancel(item="X-1") -> "ok"')) == []
    assert found(read(f'{asked}agent: I would take X-1.\nuser: Then X-1 it is.\norder(item="X-1") -> "ok"')) == []
