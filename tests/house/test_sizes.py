"""Files and functions stay small enough to be read at one go."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(path for folder in ("src", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 60
MOST_PARAMETERS = 8


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_file_and_its_functions_can_be_read_at_one_go(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES_OF_A_FILE
    for function in functions(path):
        lines = (function.end_lineno or function.lineno) - function.lineno + 1
        assert lines <= MOST_LINES_OF_A_FUNCTION, f"{function.name} has {lines} lines"


# A command has a parameter an option: that is what a command is.
@pytest.mark.parametrize(
    "path",
    [path for path in FILES if "cli" not in path.relative_to(ROOT).parts],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_no_function_takes_more_than_eight_parameters(path: Path) -> None:
    for function in functions(path):
        arguments = function.args
        count = len([*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs])
        own = bool(arguments.args) and arguments.args[0].arg in ("self", "cls")
        assert count - own <= MOST_PARAMETERS, f"{function.name} takes {count - own} parameters"
