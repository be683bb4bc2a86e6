"""Guessing what a tool does: rather too grave than too mild."""

import pytest

from misstep.core.tool import Effect, Tool
from misstep.effects.guessing import guess_effect, sure_effect


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("get_order", "reads"),
        ("searchOrders", "reads"),
        ("crm_list_leads", "reads"),
        ("find_customer_by_email", "reads"),
        ("get_deleted_items", "reads"),
        ("create_ticket", "writes"),
        ("mark_as_read", "writes"),
        ("get_or_create_user", "writes"),
        ("check_in_guest", "writes"),
        ("return_item", "writes"),
        ("send_email", "reaches-outside"),
        ("fetch_url", "reaches-outside"),
        ("post_comment", "reaches-outside"),
        ("delete_file", "destroys"),
        ("transfer_funds", "destroys"),
        ("execute_sql", "destroys"),
        ("run_query", "destroys"),
        ("zap_status", "destroys"),
        ("blorp", "destroys"),
    ],
)
def test_the_verbs_of_a_name_say_what_it_does(name: str, effect: Effect) -> None:
    assert guess_effect(name) == effect


@pytest.mark.parametrize(
    "name", ["get_and_delete", "delete_view", "read_then_purge", "check_in_and_remove", "listDrop"]
)
def test_a_name_that_says_delete_never_reads(name: str) -> None:
    assert guess_effect(name, "Returns the order.") == "destroys"


@pytest.mark.parametrize(
    ("description", "effect"),
    [
        ("Returns the order with that number.", "reads"),
        ("Use it to list the orders of a customer.", "reads"),
        ("Immediately sends the letter.", "reaches-outside"),
        ("Replies to a customer.", "reaches-outside"),
        ("Looks up and deletes the oldest entry.", "destroys"),
        ("Nuke the list.", "destroys"),
        ("", "destroys"),
    ],
)
def test_a_name_that_says_nothing_leaves_it_to_the_description(description: str, effect: Effect) -> None:
    assert guess_effect("blorp", description) == effect


@pytest.mark.parametrize(
    ("description", "effect"),
    [
        ("Get a thing. Then deletes it.", "destroys"),
        ("Sends a report by mail to everybody.", "reaches-outside"),
        ("Find a thing and replace it.", "writes"),
        ("Get a thing with its comments and records.", "reads"),
        ("All that is known of a thing.", "reads"),
    ],
)
def test_the_graver_of_name_and_description_counts(description: str, effect: Effect) -> None:
    assert guess_effect("get_thing", description) == effect


@pytest.mark.parametrize(
    ("tool", "effect"),
    [
        (Tool("weather", "Returns the weather.", effect="reads"), "destroys"),
        (Tool("order_status", "Say how far an order is.", effect="reads"), "reads"),
        (Tool("get_order", "Get an order.", effect="reads"), "reads"),
        (Tool("get_order", "Get an order.", effect="destroys"), "destroys"),
    ],
)
def test_for_strangers_what_was_declared_counts_and_what_was_guessed_does_not(tool: Tool, effect: Effect) -> None:
    assert sure_effect(tool) == effect


@pytest.mark.parametrize(
    "description",
    [
        "Launch the missile that is ready.",
        "Discharge a patient that is well.",
        "Hand over a bike that is blue.",
        "Flurb the gate that shows a red light.",
    ],
)
def test_what_is_said_of_the_thing_says_nothing_of_the_act(description: str) -> None:
    assert guess_effect("it", description) == "destroys"


@pytest.mark.parametrize("description", ["Shows an order that is open.", "Look up a patient that is well."])
def test_an_act_that_is_known_to_read_reads_whatever_its_thing_is(description: str) -> None:
    assert guess_effect("it", description) == "reads"
