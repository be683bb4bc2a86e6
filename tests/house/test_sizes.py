"""Files and functions stay small enough to be read at one go.

One test for all files: a test a file would cost more than it checks.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Source = Any
"""What `source_of` tells of a file."""

ROOT = Path(__file__).parents[2]
FILES = sorted(path for folder in ("src", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 60
MOST_PARAMETERS = 8


def test_a_file_and_its_functions_can_be_read_at_one_go(source_of: Callable[[Path], Source]) -> None:
    assert [said for path in FILES for said in _too_long(path, source_of(path))] == []


# A command has a parameter an option: that is what a command is.
def test_no_function_takes_more_than_eight_parameters(source_of: Callable[[Path], Source]) -> None:
    files = [path for path in FILES if "cli" not in path.relative_to(ROOT).parts]
    assert [said for path in files for said in _too_many(path, source_of(path))] == []


def _too_long(path: Path, source: Source) -> Iterator[str]:
    name = path.relative_to(ROOT).as_posix()
    if source.lines > MOST_LINES_OF_A_FILE:
        yield f"{name} has {source.lines} lines"
    for function in source.functions:
        lines = (function.end_lineno or function.lineno) - function.lineno + 1
        if lines > MOST_LINES_OF_A_FUNCTION:
            yield f"{name}: {function.name} has {lines} lines"


def _too_many(path: Path, source: Source) -> Iterator[str]:
    for function in source.functions:
        arguments = function.args
        own = bool(arguments.args) and arguments.args[0].arg in ("self", "cls")
        count = len([*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]) - own
        if count > MOST_PARAMETERS:
            yield f"{path.relative_to(ROOT).as_posix()}: {function.name} takes {count} parameters"
