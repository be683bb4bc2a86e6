"""No tool or field name of the embedded world occurs in the code of the embedded agent."""

import ast
import asyncio
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from misstep.core.tool import Tool
from misstep.core.trace import Trace
from misstep.core.words import Kind
from misstep.worlds import world_named

ZOO = Path(__file__).parents[2] / "src" / "misstep" / "agents" / "zoo"
SCHEMA_WORDS = {"type", "items", "properties", "required", "format", "enum", "description", "title", "default"}
KINDS_OF_VALUES = set(get_args(Kind))


def names_in_schema(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        properties = schema.get("properties")
        if isinstance(properties, dict):
            yield from properties
        for inner in schema.values():
            yield from names_in_schema(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from names_in_schema(inner)


def words_of_the_nouns() -> set[str]:
    """Names such as `name` and `text`, that the core's own nouns have: no secret of any world."""
    found: set[str] = set()

    def visit(kind: object) -> None:
        if isinstance(kind, msgspec.inspect.StructType):
            for field in kind.fields:
                found.add(field.name)
                visit(field.type)
        for inner in (*getattr(kind, "types", ()), getattr(kind, "item_type", None)):
            if inner is not None:
                visit(inner)

    visit(msgspec.inspect.type_info(Trace))
    return found


@cache
def secrets() -> set[str]:
    world = world_named("shop").make(1)
    tools: list[Tool] = list(asyncio.run(world.tools()))
    names = {tool.name for tool in tools}
    for tool in tools:
        names |= {*names_in_schema(tool.input_schema), *names_in_schema(tool.output_schema)}
    state = world.snapshot()
    names |= set(state)
    names |= {field for records in state.values() for record in list(records.values())[:20] for field in record}
    return names - words_of_the_nouns() - SCHEMA_WORDS - KINDS_OF_VALUES


def literals_and_identifiers(path: Path) -> tuple[list[str], set[str]]:
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    literals: list[str] = []
    identifiers: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            literals.append(node.value)
        for attribute in ("id", "attr", "arg", "name"):
            name = getattr(node, attribute, None)
            if isinstance(name, str):
                identifiers.add(name)
    return literals, identifiers


@pytest.mark.parametrize("path", sorted(ZOO.rglob("*.py")), ids=lambda path: path.name)
def test_no_name_of_the_shop_occurs_in_the_code_of_the_zoo(path: Path) -> None:
    literals, identifiers = literals_and_identifiers(path)
    for secret in sorted(secrets()):
        # A single plain word may name a variable of the agent's own; what it may not do is to be looked for.
        assert secret not in identifiers or "_" not in secret, f"{path.name} has an identifier {secret}"
        looked_for = re.compile(rf"\b{re.escape(secret)}\b", re.IGNORECASE)
        assert not any(looked_for.search(text) for text in literals), f"{path.name} has a text with {secret!r}"


def test_the_shop_has_names_that_could_be_found() -> None:
    assert len(secrets()) > 40
