"""An answer of any make tells things under names: a number, a list, a text of pairs, an object under what was asked."""

import pytest

from misstep.core.scenario import Scalar
from misstep.synthesis.tasks.answering import is_list, label_of, subject_of, told_in
from misstep.synthesis.tasks.calling import as_noun, called
from misstep.synthesis.tasks.looks import in_words
from misstep.synthesis.tasks.slots import Slot


def test_a_bare_value_is_the_answer_and_called_by_the_tool() -> None:
    assert told_in(1810.0) == {"": [1810.0]}
    assert told_in("DE89370400440532013000") == {"": ["DE89370400440532013000"]}
    assert label_of("", "get_balance") == "balance"


def test_what_stands_under_a_key_that_was_asked_with_has_no_name() -> None:
    assert told_in({"Old Mill": 20.0, "open": True}, {"Old Mill"}) == {"": [20.0]}
    assert told_in({"St. Mary": {"price": 3}, "now": "noon"}, {"St. Mary"}) == {"price": [3], "now": ["noon"]}


def test_a_text_of_pairs_tells_each_and_flags_tell_nothing() -> None:
    told = told_in("size: 22\nis_file: true\nkind: note\nowner: Ines Weber")
    assert told == {"size": ["22"], "kind": ["note"], "owner": ["Ines Weber"]}


def test_lines_are_members_and_a_line_that_leads_to_others_is_none() -> None:
    assert told_in("Allowed folders:\n[DIR] /srv/app\n[FILE] notes.txt") == {"": ["/srv/app", "notes.txt"]}
    assert is_list("one\ntwo")
    assert is_list({"result": ["one", "two"]})
    assert not is_list("one")


def test_json_in_a_text_is_read_as_json() -> None:
    assert told_in({"content": '{"name": "fjord", "pages": 3}'}) == {"name": ["fjord"], "pages": [3]}


def test_a_message_that_begins_with_what_was_asked_tells_nothing_of_it() -> None:
    assert told_in({"output": "fjord: not known here\n"}, {"fjord"}) == {}


def test_a_tool_is_asked_for_what_it_gives() -> None:
    assert subject_of("get_price_for_rooms") == "price"
    assert subject_of("balance") == "balance"
    assert subject_of("songs_by_artist") == "songs"
    assert label_of("slots.start", "list_slots") == "start of the slot"


def test_what_an_argument_is_called_elsewhere_is_read_from_its_description() -> None:
    slot = Slot(("id",), {"description": "The number of the order, as on the receipt."})
    assert called(slot, "id") == ("number of the order", "order number")
    assert called(Slot(("head",), {"description": "If provided, only so many lines."}), "head") == ()
    assert called(None, "id") == ()


@pytest.mark.parametrize("description", ["e.g. oak", "i.e. the sort of tree", "such as oak", "One of the sorts here."])
def test_an_example_is_no_other_word_for_an_argument(description: str) -> None:
    assert called(Slot(("sort",), {"description": description}), "sort") == ()


@pytest.mark.parametrize(
    ("name", "value", "description", "noun"),
    [
        ("to", "N5", "Move a crate to another shelf.", "new shelf"),
        ("to", "Ann", "Send money to a friend.", "friend"),
        ("to", "N5", "Move it.", "to"),
        ("from", "N5", "Take a crate from a shelf.", "shelf"),
        ("on", True, "Switch a lamp on or off.", "on"),
        ("due", "2026-03-04", "", "due date"),
        ("due", "soon", "", "due"),
        ("on", "2026-03-04", "Open a visit.", "day"),
        ("at", "10:30", "Open a visit.", "time"),
        ("night", "2026-03-04", "", "night"),
        ("leaves", "2026-03-04", "", "departure date"),
        ("starts", "10:30", "", "start time"),
        ("leaves", 12, "", "leaves"),
        ("booked", 12, "", "number booked"),
        ("sold", 12, "", "number sold"),
        ("sold", True, "", "sold"),
        ("breed", 12, "", "breed"),
    ],
)
def test_what_the_person_says_goes_by_a_noun(name: str, value: Scalar, description: str, noun: str) -> None:
    assert as_noun(name, value, description) == noun


def test_a_number_is_called_one() -> None:
    assert in_words("parcel_no") == "parcel number"
    assert in_words("no") == "no"
    assert in_words("at") == "time"
    assert in_words("height_m") == "height in metres"
    assert in_words("last_washed") == "last washed on"
