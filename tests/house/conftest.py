"""What the tests of the house read of each file, read once."""

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Source(NamedTuple):
    """What is in a file of Python, however deep it stands there."""

    lines: int
    docstring: str | None
    definitions: tuple[Definition, ...]

    @property
    def functions(self) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
        return tuple(each for each in self.definitions if not isinstance(each, ast.ClassDef))


@pytest.fixture(scope="session")
def source_of() -> Callable[[Path], Source]:
    return _source_of


@cache
def _source_of(path: Path) -> Source:
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    definitions = tuple(each for each in _statements(tree) if isinstance(each, Definition))
    return Source(len(text.splitlines()), ast.get_docstring(tree), definitions)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """All of them, and none of the expressions in them: these are many, and define nothing."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield child
            yield from _statements(child)
