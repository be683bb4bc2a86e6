"""Shapes of answers: what counts as a difference, and what is only another value."""

import json

import pytest

from misstep.core.tool import JSON, Answer
from misstep.tools.shapes import differences


def told(before: JSON, now: JSON) -> list[tuple[str, str, str]]:
    return [(each.place, each.before, each.now) for each in differences(Answer(before), Answer(now))]


SAME: list[tuple[JSON, JSON]] = [
    ({"name": "Ada", "age": 36}, {"age": 37.5, "name": "Bo"}),
    ([1, 2, 3], [4]),
    ([], [{"id": 1}]),
    ({"left": None}, {"left": "a text"}),
    ([{"id": 1}, {"id": 2, "note": "x"}], [{"id": 3, "note": "y"}]),
    ([{"at": {"x": 1}}, {"at": {"y": 2}}], [{"at": {"x": 1, "y": 2}}]),
    ('{"open": true}', json.dumps({"open": False}, indent=2)),
    ("one text", "quite another {text}"),
    (None, {"anything": 1}),
]
OTHER: list[tuple[JSON, JSON, tuple[str, str, str]]] = [
    ({"age": 36}, {"age": "36"}, ("answer.age", "a number", "a text")),
    ({"open": True}, {"open": 1}, ("answer.open", "yes or no", "a number")),
    ({"a": {"b": 1}}, {"a": {}}, ("answer.a.b", "a number", "not there")),
    ([{"id": 1}], [{"id": 1, "new": []}], ("answer[].new", "not there", "a list")),
    ([[{"id": 1}]], [[{"id": "x"}]], ("answer[][].id", "a number", "a text")),
    ('{"open": true}', "open", ("answer", "a record", "a text")),
    ({"rows": []}, {"rows": {}}, ("answer.rows", "a list", "a record")),
]


@pytest.mark.parametrize(("before", "now"), SAME)
def test_other_values_orders_and_lengths_are_no_other_shape(before: JSON, now: JSON) -> None:
    assert told(before, now) == []


@pytest.mark.parametrize(("before", "now", "difference"), OTHER)
def test_another_kind_or_key_is_another_shape(before: JSON, now: JSON, difference: tuple[str, str, str]) -> None:
    assert told(before, now) == [difference]


def test_an_error_in_place_of_a_success_is_told_and_what_it_says_is_not() -> None:
    fine, wrong = Answer({"a": 1}), Answer("Not found.", is_error=True)
    [found] = differences(fine, wrong)
    assert (found.place, found.before, found.now) == ("answer", "a success", "an error")
    assert differences(wrong, Answer({"error": 404}, is_error=True)) == ()


def test_other_blocks_are_told() -> None:
    picture: dict[str, JSON] = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    words: dict[str, JSON] = {"type": "text", "text": "A picture."}
    seal: dict[str, JSON] = {"type": "misstep/seal", "of": "x"}
    [found] = differences(Answer("p", parts=(words, picture, seal)), Answer("p", parts=(words, words, seal)))
    assert (found.place, found.before, found.now) == ("blocks", "image, text", "text")
