"""A wish says what is to be done and to what, in words that mean nothing else, whatever the tool's words are."""

import re
from random import Random
from typing import get_args

import pytest

from misstep.core.scenario import Scalar
from misstep.synthesis.limiting import premise_text
from misstep.users.phrasing import is_sentence
from misstep.wording.requests import (
    Act,
    Closeness,
    Saying,
    facts_in,
    filler,
    order_of,
    voices,
    wish_of,
    worded,
)
from misstep.wording.requests.deeds import deed_of

LEVELS: tuple[Closeness, ...] = get_args(Closeness)
LOOKING = re.compile(
    r"\b(?:look(?:ing)? (?:into|up|at)|take a look|see (?:an?|the|what happens)|show me|check(?:ed|ing)? (?:the|an?)"
    r"|lost track|double-check\w*|fill me in|be sure about|how things stand|bring(?:ing)? up)\b",
    re.IGNORECASE,
)
CONFIRM = Act(
    "confirm_entry", "Mark a team as confirmed.", (Saying("team", "Red Kites", "content", "team"),), writes=True
)
BORROW = Act(
    "borrow_kayak",
    "Lend a kayak to a member for a day.",
    (Saying("kayak number", "K-7", "key", "kayak_id"), Saying("member number", "M-2", "key", "member_id")),
    writes=True,
    new=("loan",),
)


def said(act: Act, *, draws: int = 12) -> list[str]:
    texts: list[str] = []
    for closeness in LEVELS:
        for voice in voices():
            for seed in range(draws):
                text = worded(act, voice=voice, closeness=closeness, random=Random(seed)).text
                texts += [text, wish_of(act, said=text)]
    return texts


@pytest.mark.parametrize(
    ("name", "description", "read"),
    [
        ("feed", "Record that an animal was fed on a day.", ("feed", "animal")),
        ("water", "Record that a plant has been watered.", ("water", "plant")),
        ("confirm_entry", "Mark a team as confirmed.", ("confirm", "team")),
        ("log_visit", "Record that a patient was visited.", ("log", "visit")),
        ("complete_job", "Mark a job as done.", ("complete", "job")),
        ("mark_paid", "Mark an invoice as paid.", ("mark", "invoice")),
        ("assign_driver", "Assign a lorry to a driver.", ("assign", "lorry")),
        ("set_mode", "Set the target speed of a fan.", ("set", "fan")),
        ("switch", "Switch the pump or lamp of a tank on or off.", ("switch", "pump")),
        ("order_status", "Get the status of an order.", ("get", "status")),
        ("songs_by_artist", "which songs are by this artist?", ("", "songs")),
        ("my_orders", "Orders of a customer.", ("", "orders")),
        ("num_seats", "How many seats are left?", ("", "seats")),
        ("total_costs", "sum of the costs of all trips", ("", "costs")),
        ("cheapest_rooms", "The cheapest rooms of a hotel.", ("", "rooms")),
        ("files_in_folder", "Files in a folder.", ("", "files")),
    ],
)
def test_what_is_done_is_read_behind_the_words_that_keep_it(name: str, description: str, read: tuple[str, str]) -> None:
    names = frozenset({"team", "number", "lorry", "fan", "driver"})
    deed = deed_of(name, description, names=names)
    assert (deed.verb, deed.noun) == read


@pytest.mark.parametrize(
    ("tool", "description"),
    [
        ("confirm_entry", "Mark a team as confirmed."),
        ("open_gate", "Open a gate for the day."),
        ("pull_ticket", "Pull a ticket from the queue."),
        ("add_note", "Write a note about an animal."),
        ("run_cycle", "Run a cycle of the pump."),
        ("verify_seat", "Verify a seat for somebody."),
    ],
)
def test_an_act_that_writes_is_never_put_as_a_wish_to_look(tool: str, description: str) -> None:
    act = Act(tool, description, (Saying("tag", "T-5", "key", "tag"),), writes=True)
    for text in said(act):
        assert not LOOKING.search(text), text


def test_what_is_named_is_not_new() -> None:
    for text in said(CONFIRM):
        assert not re.search(r"\b(?:a|a new) team\b", text), text


def test_what_comes_into_being_is_new() -> None:
    act = Act("file_claim", "Ask for money.", (Saying("amount", 20, "content", "amount"),), writes=True, new=("claim",))
    for text in said(act):
        assert not re.search(r"\b(?:the|my|this) claim\b", text), text


def test_what_something_is_assigned_to_is_not_what_is_assigned() -> None:
    sayings = (Saying("plate", "LX-7", "key", "plate"), Saying("driver", "Noor", "content", "driver"))
    act = Act("assign_driver", "Assign a lorry to a driver.", sayings, writes=True)
    texts = said(act, draws=6)
    assert not any(re.search(r"(?:assign|allot|allocate)\w* the driver", text) for text in texts)
    assert any("to Noor" in text for text in texts)


@pytest.mark.parametrize("closeness", LEVELS)
def test_what_people_do_themselves_they_ask_to_be_let_do(closeness: Closeness) -> None:
    for voice in voices():
        for seed in range(20):
            text = worded(BORROW, voice=voice, closeness=closeness, random=Random(seed)).text
            assert not re.search(r"\b(?:you|u|please|pls|someone|somebody)\s+borrow\b", text, re.IGNORECASE), text
            assert "borrowed" not in text
            assert not re.search(r"\bmy kayak\b(?! K-7| \(K-7)", text), text
    assert order_of(BORROW, random=Random(1)).startswith("let me borrow")


def test_a_payment_of_some_amount_is_not_called_settling_all() -> None:
    sayings = (Saying("member number", "M-2", "key", "member_id"), Saying("amount", 5.9, "content", "amount"))
    act = Act("pay_fine", "Book a payment against the fines of a member.", sayings, writes=True)
    for text in said(act, draws=6):
        assert not re.search(r"\b(?:settle|cover|owing|pay (?:the|my) fine)\b", text), text
        assert "towards" in text


@pytest.mark.parametrize("value", ["ready", "idle"])
def test_an_outcome_names_its_thing_and_says_what_is_to_be_done(value: str) -> None:
    act = Act(
        "restore_boat", "Take a boat back.", (Saying("name", "Ann", "key"),), outcome=(("status", value),), writes=True
    )
    for text in said(act, draws=6):
        assert f"{value} yet" not in text
        assert "boat" in text


def test_a_change_names_what_it_is_of() -> None:
    act = Act("change_shift", "Change the hours of a shift.", (Saying("hours", 3, "content", "hours"),), writes=True)
    for text in said(act, draws=6):
        assert "shift" in text
        assert not re.search(r"\bhours (?:of the shift )?(?:is|isn't|has)\b", text), text


@pytest.mark.parametrize(
    ("tool", "description"),
    [("count_seats", "Counts seats."), ("num_seats", ""), ("seats_left", "How many seats are left in a row?")],
)
def test_a_tool_that_counts_is_asked_how_many(tool: str, description: str) -> None:
    act = Act(tool, description, (Saying("row", "R-4", "key", "row"),), "seats", kind="question", whole=True)
    for text in said(act, draws=6):
        assert re.search(r"how many seats|number of seats", text, re.IGNORECASE), text


def test_a_sum_is_asked_for_as_one() -> None:
    act = Act("total_costs", "sum of the costs of all trips", (), "costs", kind="question", whole=True)
    for text in said(act, draws=6):
        assert re.search(r"total of (?:the )?costs|costs come to", text, re.IGNORECASE), text


def test_a_number_of_something_is_asked_for_as_how_many() -> None:
    sayings = (Saying("team number", "T-1", "key"),)
    act = Act("get_team", "Get a team.", sayings, "players", kind="question", counts=True)
    for text in said(act, draws=6):
        assert re.search(r"how many players|number of players", text, re.IGNORECASE), text


def test_what_is_asked_for_in_the_plural_are() -> None:
    act = Act("get_team", "Get a team.", (Saying("team number", "T-1", "key"),), "fines", kind="question")
    for text in said(act):
        assert not re.search(r"\bwhat(?:'s| is) the fines", text, re.IGNORECASE), text


@pytest.mark.parametrize(
    ("wants", "when"), [("due", "is due"), ("last washed", "was last washed"), ("planted on", "was planted")]
)
def test_a_day_on_which_something_happens_is_asked_for_as_one(wants: str, when: str) -> None:
    act = Act("get_plant", "Get a plant.", (Saying("tag", "P-1", "key"),), wants, kind="question")
    for text in said(act, draws=6):
        assert f"the {wants}" not in text
        assert when in text or "was" in text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("to", "N5"),
        ("from", "N5"),
        ("by", "Ann Lee"),
        ("last washed", "2026-03-04"),
        ("due", "2026-03-04"),
        ("on", True),
    ],
)
def test_a_name_that_is_no_noun_is_not_called_the(name: str, value: Scalar) -> None:
    act = Act("move_crate", "Move a crate.", (Saying("tag", "P-1", "key"), Saying(name, value, "mark", name)))
    for text in said(act, draws=6):
        assert not re.search(rf"\b(?:the|my) {name} (?:is|of|should|I)\b|the {name},", text), text
        assert f"{name}: " not in text


@pytest.mark.parametrize(("wants", "who"), [("by", "who"), ("from", "where"), ("to", "where"), ("on", "what day")])
def test_nobody_asks_for_the_by(wants: str, who: str) -> None:
    act = Act("get_paper", "Get a paper.", (Saying("paper number", "P-1", "key"),), wants, kind="question")
    for text in said(act, draws=6):
        assert not re.search(rf"\bthe {wants} (?:of|for|is)\b", text)
        assert who in text.lower(), text


@pytest.mark.parametrize("tell", [(), ("on",)])
def test_a_lamp_is_turned_on_or_off(tell: tuple[str, ...]) -> None:
    sayings = (Saying("room", "R-3", "key", "room"), Saying("on", False, "content", "on"))
    act = Act("turn_lamp", "Turn the lamp of a room on or off.", sayings, writes=True)
    for voice in voices():
        text = worded(act, voice=voice, random=Random(3), tell=tell).text.lower()
        assert "off" in text
        assert ("on or off" in text) == (not tell)


@pytest.mark.parametrize(("tell", "on"), [((), True), (("on call",), True), (("on call",), False)])
def test_whether_something_is_so_is_set_and_not_the_whether(tell: tuple[str, ...], on: bool) -> None:
    sayings = (Saying("nurse id", "N-3", "key", "nurse_id"), Saying("on call", on, "content", "on_call"))
    act = Act("set_call", "Set whether a nurse is on call.", sayings, writes=True)
    so = "as on call" if on else "as not on call"
    for voice in voices():
        text = worded(act, voice=voice, random=Random(3), tell=("nurse id", *tell)).text.lower()
        assert "the whether" not in text
        assert (so if tell else "whether") in text


@pytest.mark.parametrize("wants", ["insured until", "valid until", "rented since"])
def test_nobody_asks_for_the_insured_until(wants: str) -> None:
    act = Act("get_cart", "Get a cart.", (Saying("cart id", "C-1", "key"),), wants, kind="question")
    so, until = wants.split()
    for text in said(act, draws=4):
        assert f"{wants} of" not in text
        assert f"the {wants}" not in text
        assert re.search(rf"{until} (?:when|which) .* (?:is|been) {so}", text), text


def test_nobody_speaks_of_the_valid_until_of_what_is_changed() -> None:
    sayings = (Saying("owner", "Ann Lee", "key"), Saying("new valid until", "2026-03-14", "content", "valid_until"))
    act = Act("update_ticket", "Enter a ticket.", sayings, writes=True, outcome=(("valid until", "2026-03-14"),))
    for text in said(act, draws=4):
        assert not re.search(r"\b(?:the|my|new) valid until\b|valid until (?:of|is|should|has)\b", text), text


def test_it_is_asked_how_many_are_sold() -> None:
    key = (Saying("show id", "C-1", "key"),)
    act = Act("get_show", "Get a show.", key, "number sold", kind="question", counts=True)
    texts = said(act, draws=4)
    assert not any("sold of" in text for text in texts)
    assert any("how many are sold for" in text.lower() for text in texts)


def test_what_is_sold_is_no_field_of_what_is_new() -> None:
    sayings = (Saying("play id", 2, "key", "play_id"), Saying("seats", 18, "content", "seats"))
    act = Act("book_row", "Book a row.", sayings, outcome=(("number sold", 18),), writes=True)
    assert not any("number sold" in text for text in said(act, draws=4))


def test_a_thing_is_not_named_by_its_field() -> None:
    sayings = (Saying("code", "K-3", "key", "code"), Saying("heat", "low", "content", "heat"))
    act = Act("change_heat", "Changes the oven heat of a kiln: low or high.", sayings, writes=True)
    assert not any("heat K-3" in text for text in said(act, draws=4))


def test_a_value_that_leaves_a_sentence_open_is_put_in_quotes() -> None:
    sayings = (Saying("jar id", "J-3", "key"), Saying("state", "in", "mark"))
    for text in said(Act("rinse_jar", "Rinse a jar.", sayings, writes=True), draws=2):
        assert not re.search(r"\bis in[.,!?]|state:? in\b", text), text


def test_a_phrase_that_a_verb_hangs_on_is_said_in_every_wording() -> None:
    act = Act("back_on_shelf", "Put a jar that was rinsed back on the shelf.", (Saying("jar", 4, "key", "jar"),))
    for text in said(act, draws=4):
        assert re.search(r"back on (?:the )?shelf", text, re.IGNORECASE), text
        assert "new jar" not in text, text


def test_a_value_that_is_recorded_is_no_new_thing() -> None:
    sayings = (Saying("owner", "Ann Lee", "key"), Saying("weight in kg", 4.1, "content", "weight_kg"))
    act = Act("log_weight", "Record the weight of a pet.", sayings, outcome=(("weight in kg", 4.1),), writes=True)
    for text in said(act, draws=6):
        assert not re.search(r"\ba (?:new )?weight\b", text), text
        assert "pet" in text


def test_a_code_is_not_something_to_be_run() -> None:
    act = Act("get_star", "Get a star.", (Saying("code", "M51", "key", "code"),), "name", kind="question")
    assert not any("run" in text for text in said(act, draws=6))


def test_a_thing_is_not_of_its_price() -> None:
    sayings = (Saying("name", "Kites", "content", "name"), Saying("fee", 2400, "content", "fee"))
    for text in said(Act("add_band", "Add a new band.", sayings, writes=True), draws=6):
        assert not re.search(r"band of 2", text), text


def test_one_of_two_things_is_named() -> None:
    sayings = (Saying("tank", "T-3", "key", "tank"), Saying("device", "lamp", "content", "device"))
    act = Act("switch", "Switch the pump or lamp of a tank on or off.", sayings, writes=True)
    for text in said(act, draws=6):
        assert "'switch'" not in text
        assert "the pump of" not in text


def test_sentences_agree_with_what_they_are_about() -> None:
    for seed in range(60):
        texts = (premise_text("renewals", 1, Random(seed)),)
        for text in texts:
            assert not re.search(r"\b(?:renewals|hours|hours of the shift) (?:is|was|isn't|comes|adds)\b", text), text
        assert "species are" not in premise_text("species", "oak", Random(seed))


@pytest.mark.parametrize("place", ["first", "next"])
@pytest.mark.parametrize("voice", voices())
def test_what_is_followed_by_something_ends_like_a_sentence(voice: str, place: str) -> None:
    question = Act("get_team", "Get a team.", (Saying("team", "Kites", "key"),), "fines", kind="question")
    for act in (BORROW, CONFIRM, question):
        for seed in range(40):
            text = worded(act, voice=voice, random=Random(seed), place=place).text  # pyright: ignore[reportArgumentType]
            assert is_sentence(text), text
            assert not re.search(r"\b(?:and|plus|also|btw)\.", text), text


def test_talk_does_not_go_on_in_the_same_way_ten_times() -> None:
    for seed in range(20):
        talk = filler(250, Random(seed))
        assert talk.count("Oh, and") <= 1
        assert talk.count("By the way") <= 1


def test_all_of_it_can_be_read_back() -> None:
    for act in (BORROW, CONFIRM):
        for closeness in LEVELS:
            for voice in voices():
                for seed in range(10):
                    text = worded(act, voice=voice, closeness=closeness, random=Random(seed)).text
                    assert facts_in(text, act.sayings, also=(act.tool, act.description)).faithful, text


def _moved(name: str, value: str, seed: int) -> str:
    key = Saying("visit id", "VIS-7", role="key", argument="visit_id")
    new = Saying(name, value, role="content", argument=name)
    act = Act("reschedule_visit", "Reschedule a visit.", (key, new), writes=True)
    return worded(act, tell=[key.name, new.name], voice="plain", closeness="close", random=Random(seed)).text


@pytest.mark.parametrize("name", ["at", "time", "start time", "start"])
def test_nothing_is_at_a_day_and_what_is_moved_goes_to_one(name: str) -> None:
    texts = [_moved(name, "2025-05-13T09:00:00", seed) for seed in range(40)]
    assert not [text for text in texts if re.search(r"\bat (?:2025|\d+ May|May \d)", text)]
    assert [text for text in texts if re.search(r"VIS-7 to (?:2025|\d+ May|May \d)", text)]


def test_a_flag_is_no_value_that_something_is_changed_to() -> None:
    key = Saying("patient id", "P-7", role="key", argument="patient_id")
    flag = Saying("insured", True, role="content", argument="is_insured")
    act = Act("set_insurance", "Record whether a patient is insured.", (key, flag), writes=True)
    for seed in range(30):
        said = worded(act, tell=[key.name], voice="plain", closeness="close", random=Random(seed)).text
        assert "insured" not in said.replace("insurance", ""), said


def test_a_thing_is_not_of_itself() -> None:
    key = Saying("bed", "B2", role="key", argument="bed")
    act = Act("bed_status", "Crop and rows of a bed.", (key,), kind="question", wants="crop", about="bed")
    for seed in range(30):
        said = worded(act, tell=["bed"], voice="plain", closeness="close", random=Random(seed)).text
        assert "bed of bed" not in said


@pytest.mark.parametrize(
    ("description", "wants", "never"),
    [("What an engineer does.", "speciality", "doe"), ("One engineer.", "number of sessions", "number of number")],
)
def test_questions_name_their_thing_and_count_what_is_counted(description: str, wants: str, never: str) -> None:
    key = Saying("engineer", "Gus", role="key", argument="engineer")
    act = Act("engineer_info", description, (key,), kind="question", wants=wants, about="engineer", counts=True)
    texts = [
        worded(act, tell=["engineer"], voice="plain", closeness="close", random=Random(seed)).text for seed in range(30)
    ]
    assert not [text for text in texts if re.search(rf"\b{never}\b|how many number", text)]
