"""Verbs and nouns are read out of whatever names and descriptions tools have."""

import pytest

from misstep.wording.requests.deeds import Deed, deed_of
from misstep.wording.requests.descriptions import preposition_before


@pytest.mark.parametrize(
    ("name", "description", "verb", "noun"),
    [
        ("refund_order", "Refund a delivered order: the whole amount goes back.", "refund", "order"),
        ("listPullRequests", "", "list", "pull requests"),
        ("get-weather", "", "get", "weather"),
        ("create_entities", "Creates a new entity in the graph", "create", "entities"),
        ("browser_snapshot", "Capture accessibility snapshot of the current page", "capture", "accessibility snapshot"),
        ("browser_click", "", "click", "browser"),
        ("order_cancel", "Cancels the given order.", "cancel", "order"),
        ("mcp_github_create_issue", "", "create", "issue"),
        ("weather", "This tool returns the weather for a city.", "get", "weather"),
        ("weather", "A tool that can be used to fetch the weather", "fetch", "weather"),
        ("get_user_by_id", "", "get", "user"),
        ("delete_msg", "", "delete", "message"),
        ("search", "Search the knowledge base.", "search", "knowledge base"),
        ("fimim_skirdarb", "Fimim a pumun skirdarb for good.", "fimim", "skirdarb"),
        ("zork", "Frobs a widget.", "frobs", "widget"),
        ("append_to_file", "Append a line of text to the end of a file.", "append", "line"),
        ("show_account", "Show a customer's account: name and status.", "show", "account"),
    ],
)
def test_a_verb_and_its_noun_are_read(name: str, description: str, verb: str, noun: str) -> None:
    deed = deed_of(name, description)
    assert (deed.verb, deed.noun) == (verb, noun)


def test_a_link_between_verb_and_noun_is_kept() -> None:
    assert deed_of("reply_to_mail", "Reply to a mail with a text.").link == "to"
    assert deed_of("reply_to_mail").link == "to"


@pytest.mark.parametrize(
    ("name", "description", "link", "noun"),
    [
        ("scrap", "Throw a parcel away.", "away", "parcel"),
        ("send_back", "Send an item back to the shop.", "back", "item"),
        ("check_out", "Check out a book for a member.", "out", "book"),
        ("close_ticket", "Close a ticket for good.", "", "ticket"),
    ],
)
def test_a_particle_belongs_to_the_verb_wherever_it_stands(name: str, description: str, link: str, noun: str) -> None:
    deed = deed_of(name, description)
    assert (deed.link, deed.noun) == (link, noun)


@pytest.mark.parametrize("name", ["xyz", "überweisung_erstellen", "注文を取り消す", "", "42", "___", "a1_b2"])
def test_a_name_with_no_verb_is_read_out_as_it_is(name: str) -> None:
    deed = deed_of(name, "")
    assert deed.verb == ""
    assert isinstance(deed, Deed)


@pytest.mark.parametrize("description", ["", "\n\n", "…", "🙂 🙂", "The. A. An.", "{do} [x", "a " * 5000])
def test_no_description_makes_a_deed_fail(description: str) -> None:
    assert deed_of("cancel_order", description).noun == "order"
    deed_of("x", description)


@pytest.mark.parametrize(
    ("noun", "description", "found"),
    [
        ("contact", "Forward a mail to a contact.", "to"),
        ("customer", "Add a note about a customer, for the colleagues.", "about"),
        ("order", "Exchange an item of a delivered order for another colour.", "of"),
        ("file", "Append a line of text to the end of a file.", "to"),
        ("text", "Send a mail with a subject and a text to a contact.", "with"),
        ("name", "Find customers by name.", ""),
        ("planet", "Find customers by name.", ""),
    ],
)
def test_a_preposition_is_found_before_its_noun(noun: str, description: str, found: str) -> None:
    assert preposition_before(noun, description) == found


@pytest.mark.parametrize(
    ("name", "description", "given", "read"),
    [
        ("check_in", "Check in a guest.", "booking", ("check", "in", "guest")),
        ("check_in", "Check a guest in for the night.", "", ("check", "in", "guest")),
        ("check_in", "", "booking", ("check", "in", "booking")),
        ("check_in", "Start a visit.", "booking", ("check", "in", "booking")),
        ("log_in", "Log in to the shop.", "", ("log", "in", "")),
        ("opt_in", "", "newsletter", ("opt", "in", "newsletter")),
        ("check_in_guest", "Register a guest.", "", ("check", "in", "guest")),
        ("turn_off_light", "Turn a light off.", "", ("turn", "off", "light")),
    ],
)
def test_a_verb_with_a_particle_is_another_verb(
    name: str, description: str, given: str, read: tuple[str, str, str]
) -> None:
    deed = deed_of(name, description, given)
    assert (deed.verb, deed.link, deed.noun) == read
    assert deed.meaning is None
    assert not deed.reads


@pytest.mark.parametrize(
    ("name", "description", "noun", "tail"),
    [
        ("send_to_repair", "Send a car to the workshop.", "car", "to repair"),
        ("add_to_cart", "Add an item to the cart.", "item", "to the cart"),
        ("append_to_file", "Append a line of text to the end of a file.", "line", ""),
        ("search_for_flights", "Finds flights between two cities.", "flights", ""),
        ("find_by_name", "Find customers by name.", "customers", ""),
    ],
)
def test_where_a_thing_goes_is_kept_unless_it_is_told_anyway(name: str, description: str, noun: str, tail: str) -> None:
    deed = deed_of(name, description, names=frozenset({"file", "number"}))
    assert (deed.noun, deed.tail) == (noun, tail)
    assert deed.fixed == bool(tail)


def test_a_verb_that_leads_to_its_thing_keeps_its_other_words() -> None:
    assert deed_of("reply_to_mail", "Reply to a mail with a text.").meaning is not None
    assert deed_of("send_to_repair").meaning is None


@pytest.mark.parametrize(
    ("name", "description", "verb", "noun"),
    [
        *(("get_order", poor, "get", "order") for poor in ("", "get", "Get.", "Returns it", "order", "Order details.")),
        *(("get_product", poor, "get", "product") for poor in ("", "get", "product", "The product")),
        *(("list_doctors", poor, "list", "doctors") for poor in ("", "doctors", "Doctors.", "list")),
        ("list_create", "Create a list.", "create", "list"),
        ("order_cancel", "Cancel an order.", "cancel", "order"),
    ],
)
def test_the_verb_of_a_name_is_never_its_noun(name: str, description: str, verb: str, noun: str) -> None:
    deed = deed_of(name, description)
    assert (deed.verb, deed.noun) == (verb, noun)


@pytest.mark.parametrize(
    ("name", "description", "verb", "noun", "tail"),
    [
        ("back_on_shelf", "Put a jar that was rinsed or filled back on the shelf", "put", "jar", "back on the shelf"),
        ("take_off_list", "Takes a guest off the list.", "take", "guest", "off the list"),
        ("unlist", "Take a guest off the waiting list.", "take", "guest", "off the waiting list"),
        ("rest", "Put a sick horse on light duty.", "put", "sick horse", "on light duty"),
    ],
)
def test_a_verb_keeps_the_phrase_that_its_sense_hangs_on(
    name: str, description: str, verb: str, noun: str, tail: str
) -> None:
    deed = deed_of(name, description)
    assert (deed.verb, deed.noun, deed.tail) == (verb, noun, tail)
    assert deed.meaning is None
    assert not deed.makes


def test_a_phrase_that_names_what_is_told_anyway_is_none_of_the_verbs() -> None:
    deed = deed_of("put_note", "Put a note on an order.", names=frozenset({"order"}))
    assert (deed.noun, deed.tail, deed.makes) == ("note", "", True)


@pytest.mark.parametrize(
    "description", ["Set whether a nurse is on call.", "Whether a nurse is on call.", "When to call."]
)
def test_what_begins_with_whether_is_no_noun(description: str) -> None:
    assert deed_of("set_call", description).noun in ("nurse", "call")
