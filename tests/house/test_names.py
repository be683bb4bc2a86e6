"""Modules say in one sentence what they are for, and names say something."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from misstep.core.words import split_identifier

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "src").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
SAYS_NOTHING = {"util", "utils", "helper", "helpers", "common", "base", "manager", "handler", "misc"}

Source = Any
"""What `source_of` tells of a file."""


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_a_module_opens_with_one_sentence(source_of: Callable[[Path], Source]) -> None:
    assert [f"{relative(path)} {wrong}" for path in MODULES if (wrong := _wrong_opening(source_of(path)))] == []


def test_no_name_says_nothing(source_of: Callable[[Path], Source]) -> None:
    assert [f"{relative(path)}: {name}" for path in MODULES for name in _saying_nothing(path, source_of(path))] == []


def test_a_test_is_named_by_a_sentence(source_of: Callable[[Path], Source]) -> None:
    assert [f"{relative(path)}: {name}" for path in TESTS for name in _no_sentences(source_of(path))] == []


def _wrong_opening(source: Source) -> str:
    if not source.docstring:
        return "has no docstring"
    opening: str = source.docstring.split("\n\n")[0]
    if not opening.endswith("."):
        return f"opens without a whole sentence: {opening!r}"
    if re.search(r"[.!?]\s+[A-Z]", opening):
        return f"opens with more than one sentence: {opening!r}"
    return "" if len(opening.split()) >= 3 else f"says nothing: {opening!r}"


def _saying_nothing(path: Path, source: Source) -> list[str]:
    """What has no name yet has no place yet."""
    modules = path.relative_to(ROOT / "src").with_suffix("").parts
    names = (*modules, *(each.name for each in source.definitions))
    return [name for name in names if SAYS_NOTHING & set(split_identifier(name))]


def _no_sentences(source: Source) -> list[str]:
    tests = [each.name for each in source.functions if each.name.startswith("test")]
    return [name for name in tests if len(name.removeprefix("test").strip("_").split("_")) < 4]


def test_unit_tests_mirror_the_package() -> None:
    package = ROOT / "src" / "misstep"
    for folder in sorted((ROOT / "tests" / "unit").iterdir()):
        if folder.is_dir() and folder.name != "__pycache__":
            assert (package / folder.name).exists() or (package / f"{folder.name}.py").exists(), folder.name
