"""Requests tell what they are to tell and nothing else, in every voice and at every closeness, whatever the values."""

from random import Random
from typing import get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from misstep.core.errors import UsageError
from misstep.core.scenario import Scalar
from misstep.core.words import stem, stems
from misstep.wording.requests import Act, Closeness, Saying, facts_in, typos, voices, wish_of, worded

LEVELS: tuple[Closeness, ...] = get_args(Closeness)
CANCEL = Act(
    "cancel_order",
    "Cancel a pending order for good. The payment is voided.",
    (
        Saying("order number", "W-20417", "key", "order_id"),
        Saying("customer id", "C-1017", "key", "customer_id"),
        Saying("postcode", "20144", "key"),
    ),
    outcome=(("status", "cancelled"),),
)
EVENT = Act(
    "create_event",
    "Create an event in the calendar, in working hours and at a free time.",
    (
        Saying("title", "piano lesson", "content", "title"),
        Saying("day", "2026-03-04", "content", "day"),
        Saying("start", "14:30", "content", "start"),
        Saying("minutes", 45, "content", "minutes"),
        Saying("price", 1250.5, "content", "price"),
    ),
)
TOOLS = (
    ("refund_order", "Refund a delivered order: the whole amount goes back."),
    ("update_customer", "Update a customer's e-mail address or phone number."),
    ("send_mail", "Send a mail with a subject and a text to a contact. Each call sends another mail."),
    ("reply_to_mail", ""),
    ("browser_snapshot", "Capture accessibility snapshot of the current page."),
    ("überweisung_erstellen", ""),
    ("xyz", ""),
    ("fimim_skirdarb", "Fimim a pumun skirdarb for good."),
    ("list_pull_requests", "Lists pull requests."),
    ("{evil}_[a|b]_<wish>", "{do} [x|y] <order> %s {0}"),
)
NAMES = st.sampled_from(
    [
        "order id",
        "name",
        "email",
        "text",
        "reason",
        "colour",
        "day",
        "path",
        "skirdarb murbog",
        "amount",
        "line 2",
        "{v}",
    ]
)
VALUES: st.SearchStrategy[Scalar] = st.one_of(
    st.text(max_size=40),
    st.text(alphabet=" \"'“”«»‹›{}[]<>|%\\\n\t.,?!-—abcXYZ0123456789äß漢字🙂", max_size=60),
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.dates().map(str),
    st.times().map(lambda time: f"{time:%H:%M}"),
    st.from_regex(r"[A-Z]{1,3}-[0-9]{1,6}", fullmatch=True),
    st.just("x" * 2000),
    st.just(("A long line of plain words. " * 80).strip()),
    st.just("first line\n\nsecond \"line\"\n'third' “line”"),
)


def acts() -> st.SearchStrategy[Act]:
    names = st.lists(NAMES, min_size=0, max_size=5, unique=True)
    roles = st.sampled_from(("key", "mark", "content"))
    sayings = names.flatmap(
        lambda listed: st.tuples(*(st.builds(Saying, st.just(each), VALUES, roles) for each in listed))
    )
    wants = st.sampled_from(("", "status", "delivered on"))
    kinds = st.sampled_from(("act", "question", "refusal"))
    return st.builds(
        lambda tool, said, wanted, kind: Act(tool[0], tool[1], said, wanted, (("status", "done"),), kind),
        st.sampled_from(TOOLS),
        sayings,
        wants,
        kinds,
    )


@settings(max_examples=400)
@given(acts(), st.sampled_from(voices()), st.sampled_from(LEVELS), st.integers(0, 10**6))
@example(Act("refund_order", "", (Saying("text", "", "content"),)), "plain", "close", 0)
@example(Act("refund_order", "", (Saying("text", " ", "content"),)), "casual", "foreign", 3)
@example(
    Act("refund_order", "", (Saying("amount", -5.5, "content"), Saying("day", "0004-03-04", "key"))),
    "terse",
    "close",
    1,
)
def test_no_fact_is_lost_changed_or_invented(act: Act, voice: str, closeness: Closeness, seed: int) -> None:
    said = worded(act, voice=voice, closeness=closeness, random=Random(seed))
    assert set(said.told) == {saying.name for saying in act.sayings}
    also = (act.tool, act.description, act.wants)
    found = facts_in(said.text, act.sayings, also=also)
    assert found.faithful, (said.text, found)
    slipped = typos(said.text, keep=said.written, random=Random(seed), rate=0.3)
    assert facts_in(slipped, act.sayings, also=also).faithful, (slipped, found)


@pytest.mark.parametrize("voice", voices())
@pytest.mark.parametrize("closeness", LEVELS)
def test_what_is_not_to_be_told_does_not_stand_in_the_text(voice: str, closeness: Closeness) -> None:
    for seed in range(40):
        said = worded(CANCEL, voice=voice, closeness=closeness, random=Random(seed), tell=("order number",))
        assert said.told == ("order number",)
        assert facts_in(said.text, CANCEL.sayings).kept == ("order number",)
        assert "W-20417" not in said.skeleton


def test_the_same_seed_gives_the_same_bytes() -> None:
    texts = [worded(EVENT, voice="chatty", closeness="synonym", random=Random(5)) for _ in range(3)]
    assert texts[0] == texts[1] == texts[2]


@pytest.mark.parametrize("voice", voices())
def test_foreign_wording_has_neither_the_verb_nor_the_noun(voice: str) -> None:
    for seed in range(40):
        said = worded(CANCEL, voice=voice, closeness="foreign", random=Random(seed), tell=("order number", "postcode"))
        assert said.closeness == "foreign"
        assert {stem("cancel"), stem("order")}.isdisjoint(stems(said.skeleton)), said.text


def test_synonyms_leave_the_verb_out_and_close_wording_keeps_it() -> None:
    for seed in range(60):
        other = worded(CANCEL, closeness="synonym", random=Random(seed))
        assert other.closeness == "synonym"
        assert stem("cancel") not in stems(other.skeleton), other.text
        assert stem("cancel") in stems(worded(CANCEL, closeness="close", random=Random(seed)).skeleton)


def test_a_tool_that_has_no_other_words_says_so() -> None:
    act = Act("fimim_skirdarb", "Fimim a pumun skirdarb for good.", (Saying("skirdarb murbog", "KY-51", "key"),))
    assert worded(act, closeness="synonym", random=Random(1)).closeness == "close"
    assert "fimim" in worded(act, closeness="foreign", random=Random(1)).text.lower()


def test_an_outcome_is_spoken_of_where_the_verb_is_unknown() -> None:
    sayings = (Saying("skirdarb murbog", "KY-51", "key"),)
    act = Act("fimim_skirdarb", "Fimim a pumun skirdarb for good.", sayings, outcome=(("braskig", "drolvak"),))
    said = worded(act, closeness="foreign", random=Random(2))
    assert said.closeness == "foreign"
    assert "braskig" in said.text
    assert "drolvak" in said.text


def test_an_outcome_tells_no_value_that_is_not_to_be_told() -> None:
    act = Act("nixulk_zimbump", "Nixulk a zimbump.", (Saying("murbog", "QU-1", "key"),), outcome=(("vrulvib", "Q-77"),))
    for seed in range(30):
        assert "Q-77" not in worded(act, closeness="foreign", random=Random(seed)).text


def test_dates_and_amounts_come_in_several_forms_that_read_back() -> None:
    texts = [worded(EVENT, random=Random(seed)).text for seed in range(200)]
    for form in ("2026-03-04", "4 March 2026", "March 4th, 2026", "14:30", "2:30 pm", "1250.5", "1,250.50"):
        assert any(form in text for text in texts), form
    assert not any("04/03/2026" in text or "3/4/2026" in text for text in texts)


def test_a_day_without_a_year_is_only_said_of_what_a_thing_is_told_by() -> None:
    mark = Act("show_order", "Show an order.", (Saying("ordered on", "2026-03-04", "mark"),), "status", kind="question")
    assert any(worded(mark, random=Random(seed)).text.find("2026") < 0 for seed in range(100))
    assert all("2026" in worded(EVENT, random=Random(seed)).text for seed in range(100))


def test_a_reference_is_said_in_place_of_the_value() -> None:
    act = Act("cancel_order", "Cancel an order.", (Saying("order number", "W-1", "mark", says=("my last order",)),))
    texts = [worded(act, random=Random(seed)).text for seed in range(60)]
    assert any("my last order" in text and "W-1" not in text for text in texts)
    assert all(facts_in(text, act.sayings).faithful for text in texts)


def test_a_tool_that_nobody_can_put_in_words_is_asked_for_by_its_name() -> None:
    assert "'überweisung erstellen'" in worded(Act("überweisung_erstellen"), random=Random(0)).text
    assert wish_of(Act("überweisung_erstellen")) == "use 'überweisung erstellen'"


@pytest.mark.parametrize("closeness", LEVELS)
@pytest.mark.parametrize("voice", voices())
def test_a_wish_has_no_facts_and_is_said_behind_what_the_person_would_like(voice: str, closeness: Closeness) -> None:
    question = Act(CANCEL.tool.replace("cancel", "show"), "Show an order.", CANCEL.sayings, "status", kind="question")
    for act in (CANCEL, EVENT, question, Act("xyz")):
        for seed in range(15):
            said = worded(act, voice=voice, closeness=closeness, random=Random(seed)).text
            wish = wish_of(act, said=said)
            assert not facts_in(wish, act.sayings).kept
            assert wish[0].islower(), wish
            assert "new" not in wish.split(), wish


def test_what_follows_another_request_is_not_greeted_again() -> None:
    for seed in range(40):
        said = worded(CANCEL, voice="formal", random=Random(seed), place="next").text
        assert not said.startswith(("Good", "Dear", "To whom"))
        assert "regards" not in said


def test_an_unknown_voice_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="Did you mean 'formal'"):
        worded(CANCEL, voice="formel", random=Random(0))
