"""Files and functions stay small enough to be read at one go.

One test for all files: a test a file would cost more than it checks.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = sorted(path for folder in ("src", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 60
MOST_PARAMETERS = 8


@cache
def functions(path: Path) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return tuple(node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_a_file_and_its_functions_can_be_read_at_one_go() -> None:
    assert [said for path in FILES for said in _too_long(path)] == []


# A command has a parameter an option: that is what a command is.
def test_no_function_takes_more_than_eight_parameters() -> None:
    files = [path for path in FILES if "cli" not in path.relative_to(ROOT).parts]
    assert [said for path in files for said in _too_many(path)] == []


def _too_long(path: Path) -> Iterator[str]:
    name = path.relative_to(ROOT).as_posix()
    lines = len(path.read_text("utf-8").splitlines())
    if lines > MOST_LINES_OF_A_FILE:
        yield f"{name} has {lines} lines"
    for function in functions(path):
        lines = (function.end_lineno or function.lineno) - function.lineno + 1
        if lines > MOST_LINES_OF_A_FUNCTION:
            yield f"{name}: {function.name} has {lines} lines"


def _too_many(path: Path) -> Iterator[str]:
    for function in functions(path):
        arguments = function.args
        own = bool(arguments.args) and arguments.args[0].arg in ("self", "cls")
        count = len([*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]) - own
        if count > MOST_PARAMETERS:
            yield f"{path.relative_to(ROOT).as_posix()}: {function.name} takes {count} parameters"
