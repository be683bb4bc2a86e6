import pytest

from misstep.core.event import Message
from misstep.core.tool import Tool
from misstep.core.trace import Trace
from misstep.synthesis.mining import Profile, marks_of, profile_of, rows_like

CANCEL = Tool("cancel_order", "Cancel a pending order for good.")


def said(*lines: str, tools: tuple[Tool, ...] = (CANCEL,)) -> Trace:
    events = [Message(actor="user", role="user", text=line) for line in lines]
    events.insert(1, Message(actor="agent", role="agent", text="Which one? It could be A-9 or B-8."))
    return Trace(id="t", events=tuple(events), tools=tools)


def rows(profile: Profile, count: int = 20, **fixed):
    return list(rows_like(profile, count=count, seed=1, possible=lambda row: True, fixed=fixed))


def test_a_profile_keeps_lengths_turns_and_the_order_in_which_things_were_told():
    profile = profile_of([said("Cancel order W-17, please."), said("I need help.", "W-18", "The postcode is 10184.")])
    assert [sketch.opening for sketch in profile.sketches] == [5, 3]
    assert [sketch.turns for sketch in profile.sketches] == [1, 3]
    assert [sketch.up_front for sketch in profile.sketches] == [1.0, 0.0]
    assert profile.vocabulary["order"] == 1


def test_people_who_tell_all_at_once_are_drawn_as_such_and_people_who_do_not_are_not():
    open_ = rows(profile_of([said("Cancel order W-17 of 12.50, please.")]))
    close = rows(profile_of([said("I need help.", "W-18", "10184", "yes", "thanks")]))
    assert {row["specificity"] for row in open_} == {"all"}
    assert {row["specificity"] for row in close} == {"none"}
    assert {row["patience"] for row in open_} == {4}
    assert {row["patience"] for row in close} == {6}


def test_long_openings_are_drawn_with_filler():
    long = profile_of([said("word " * 230)])
    assert {row["filler"] for row in rows(long)} == {200}
    assert {row["filler"] for row in rows(profile_of([said("Cancel it.")]))} == {0}


def test_requests_in_the_tools_words_are_close_and_others_are_not():
    assert {row["wording"] for row in rows(profile_of([said("Cancel my pending order.")]))} == {"close"}
    assert {row["wording"] for row in rows(profile_of([said("The parcel should never leave.")]))} == {"foreign"}


def test_slips_are_seen_by_the_words_that_they_are_slips_of():
    clean = profile_of([said("Please cancel my order, the address changed.")] * 6)
    dirty = profile_of([said("Please cancel my order.")] * 6 + [said("Plaese cancl my oder, cancell it")])
    assert clean.slips == 0
    assert dirty.slips > 0
    assert {row["noise"] for row in rows(clean)} == {"none"}


def test_terse_and_formal_writers_leave_other_marks():
    terse = marks_of(["cancel W-17", "ok"])
    formal = marks_of(["I would be grateful if you could kindly cancel the order that I placed. Thank you in advance."])
    assert terse.length < formal.length
    assert terse.polite < formal.polite
    assert terse.small > formal.small


def test_what_is_fixed_stays_and_the_same_seed_gives_the_same_rows():
    profile = profile_of([said("Cancel order W-17.", "yes"), said("Help.", "W-1")])
    assert {row["goals"] for row in rows(profile, goals=[3])} == {3}
    assert rows(profile) == rows(profile)


def test_traces_without_a_user_say_nothing():
    profile = profile_of([Trace(id="silent")])
    assert profile.sketches == ()
    assert rows(profile, count=2) == [{}, {}]


@pytest.mark.parametrize("text", ["", "?!", "\n\n", "ünïcödé " * 20_000])
def test_any_text_can_be_read(text):
    assert len(rows(profile_of([said(text)]), count=1)) == 1
