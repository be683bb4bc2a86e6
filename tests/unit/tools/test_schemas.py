"""What an agent is shown of a function: schemas from hints, descriptions from docstrings."""

import asyncio
import dataclasses
import datetime
import enum
from typing import Annotated, Literal, TypedDict

import msgspec
import pytest

from misstep.core.tool import JSON, Tool
from misstep.tools.functions import Functions


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


@dataclasses.dataclass
class Line:
    item: str
    count: int = 1


class Address(TypedDict):
    city: str


class Parcel(msgspec.Struct):
    weight: float


class Node(msgspec.Struct):
    name: str
    children: "list[Node]" = []


def only_tool(*functions: object) -> Tool:
    (found,) = asyncio.run(Functions(functions).tools())  # pyright: ignore[reportArgumentType]
    return found


def properties(found: Tool) -> dict[str, dict[str, JSON]]:
    return found.input_schema["properties"]  # pyright: ignore[reportReturnType]


def test_the_schema_says_the_hinted_type_of_every_argument() -> None:
    def ship(
        name: str,
        lines: list[Line],
        address: Address,
        parcel: Parcel | None,
        size: Size,
        speed: Literal["slow", "fast"],
        on: datetime.date,
        tags: set[str],
    ) -> None: ...

    shown = properties(only_tool(ship))

    line = {"type": "object", "properties": {"item": {"type": "string"}, "count": {"type": "integer", "default": 1}}}
    assert shown["name"] == {"type": "string"}
    assert shown["lines"] == {"type": "array", "items": {**line, "required": ["item"]}}
    assert shown["address"]["properties"] == {"city": {"type": "string"}}
    assert {"type": "null"} in shown["parcel"]["anyOf"]  # pyright: ignore[reportOperatorIssue]
    assert shown["size"] == {"enum": ["large", "small"]}
    assert shown["speed"] == {"enum": ["fast", "slow"]}
    assert shown["on"] == {"type": "string", "format": "date"}
    assert shown["tags"]["items"] == {"type": "string"}


def test_arguments_without_a_default_are_required_and_defaults_are_shown() -> None:
    def find(name: str, limit: int = 10, after: str = None) -> None: ...  # noqa: RUF013  # pyright: ignore

    found = only_tool(find)

    assert found.input_schema["required"] == ["name"]
    assert properties(found)["limit"]["default"] == 10
    assert {"type": "null"} in properties(found)["after"]["anyOf"]  # pyright: ignore[reportOperatorIssue]
    assert not asyncio.run(Functions([find]).call("find", {"name": "Ada", "after": None})).is_error


def test_a_type_that_contains_itself_stays_a_reference() -> None:
    def plant(tree: Node) -> int:
        return len(tree.children)

    found = only_tool(plant)

    assert "Node" in found.input_schema["$defs"]  # pyright: ignore[reportOperatorIssue]
    assert (
        asyncio.run(Functions([plant]).call("plant", {"tree": {"name": "a", "children": [{"name": "b"}]}})).content == 1
    )


@pytest.mark.parametrize(
    "docstring",
    [
        """Find a customer.

        Looks in the register.

        Args:
            name (str): The family name,
                as on the card.
            city: Where they live.

        Returns:
            The customer.
        """,
        """Find a customer.

        Parameters
        ----------
        name : str
            The family name,
            as on the card.
        city : str
            Where they live.

        Returns
        -------
        dict
            The customer.
        """,
        """Find a customer.

        :param str name: The family name,
            as on the card.
        :param city: Where they live.
        :returns: The customer.
        """,
    ],
    ids=["google", "numpy", "rest"],
)
def test_docstrings_of_three_styles_describe_the_tool_and_its_arguments(docstring: str) -> None:
    def find(name: str, city: str) -> None: ...

    find.__doc__ = docstring
    found = only_tool(find)

    assert found.description == "Find a customer."
    assert properties(found)["name"]["description"] == "The family name, as on the card."
    assert properties(found)["city"]["description"] == "Where they live."
    assert properties(found).keys() == {"name", "city"}


def test_an_annotation_describes_an_argument_and_narrows_it() -> None:
    def pick(
        count: Annotated[int, msgspec.Meta(ge=1, description="How many")], what: Annotated[str, "Of what"]
    ) -> None: ...

    shown = properties(only_tool(pick))

    assert shown["count"] == {"type": "integer", "minimum": 1, "description": "How many"}
    assert shown["what"] == {"type": "string", "description": "Of what"}


def test_the_output_schema_comes_from_the_return_annotation() -> None:
    def hinted() -> list[Line]: ...  # pyright: ignore[reportReturnType]
    def silent(): ...  # pyright: ignore

    assert (only_tool(hinted).output_schema or {})["type"] == "array"
    assert only_tool(silent).output_schema is None


def test_same_code_with_another_hint_or_default_is_another_tool() -> None:
    def made(hint: type, start: object) -> object:
        def give(value: hint = start) -> None: ...  # pyright: ignore

        return give

    numbers, texts, truths = (only_tool(made(*each)) for each in ((int, 1), (str, "1"), (int, True)))
    assert properties(numbers)["value"] == {"type": "integer", "default": 1}
    assert properties(texts)["value"] == {"type": "string", "default": "1"}
    assert properties(truths)["value"]["default"] is True
