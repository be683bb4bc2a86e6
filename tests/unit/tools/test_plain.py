"""What agents and tools hand over becomes JSON that any reader can hold, or is refused with a reason."""

import enum
import math

import pytest

from misstep.core.tool import JSON
from misstep.tools.plain import NotJSONError, copied, described, plain_arguments


class Odd(str):
    """A text that does not behave."""

    __slots__ = ()

    def isascii(self) -> bool:
        raise RuntimeError("no")

    def __getitem__(self, at: object) -> str:
        return self

    def __str__(self) -> str:
        raise RuntimeError("no")

    def __len__(self) -> int:
        raise RuntimeError("no")


class Named(enum.StrEnum):
    LOOK = "look"


@pytest.mark.parametrize("number", [2**63 - 1, -(2**63), 0, 12345678901234567])
def test_a_number_that_every_reader_can_hold_is_kept(number: int) -> None:
    assert plain_arguments({"a": [number]}) == {"a": [number]}


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**30, 10**400, -(10**400)])
def test_a_number_that_few_readers_can_hold_is_refused(number: int) -> None:
    with pytest.raises(NotJSONError, match="64 bits"):
        plain_arguments({"a": [{"b": number}]})


def test_a_number_too_long_to_be_written_is_refused_and_shown_short() -> None:
    with pytest.raises(NotJSONError):
        plain_arguments({"a": 10**5000})
    assert len(described({"a": 10**5000})) < 100


def test_a_text_of_many_digits_is_no_number() -> None:
    assert plain_arguments({"a": "9" * 40, "9" * 40: 1}) == {"a": "9" * 40, "9" * 40: 1}


@pytest.mark.parametrize("value", [10**400, -(10**20), math.nan, math.inf, "\ud800", [10**400], {"a": "\udfff"}])
def test_an_answer_that_no_file_can_hold_is_no_json(value: JSON) -> None:
    with pytest.raises(NotJSONError):
        copied(value)


@pytest.mark.parametrize("text", [Odd("look"), Named.LOOK, "look"], ids=["odd", "enum", "plain"])
def test_a_text_of_a_kind_of_its_own_becomes_a_plain_one(text: str) -> None:
    assert type(described(text)) is str
    assert described(text) == "look"
    assert type(copied(text)) is str
    assert [type(each) for pair in plain_arguments({text: text}).items() for each in pair] == [str, str]
