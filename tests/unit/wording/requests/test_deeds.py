"""Verbs and nouns are read out of whatever names and descriptions tools have."""

import pytest

from misstep.wording.requests.deeds import Deed, deed_of, preposition_before


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
