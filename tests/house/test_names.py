"""Modules say in one sentence what they are for, and names say something."""

import ast
import re
from pathlib import Path

import pytest

from misstep.core.words import split_identifier

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "src").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
SAYS_NOTHING = {"util", "utils", "helper", "helpers", "common", "base", "manager", "handler", "misc"}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_a_module_opens_with_one_sentence(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8")))
    assert docstring, "has no docstring"
    opening = docstring.split("\n\n")[0]
    assert opening.endswith("."), f"opens without a whole sentence: {opening!r}"
    assert not re.search(r"[.!?]\s+[A-Z]", opening), f"opens with more than one sentence: {opening!r}"
    assert len(opening.split()) >= 3, f"says nothing: {opening!r}"


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_no_name_says_nothing(path: Path) -> None:
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    modules = path.relative_to(ROOT / "src").with_suffix("").parts
    for name in (*modules, *(node.name for node in nodes if isinstance(node, defined))):
        assert not SAYS_NOTHING & set(split_identifier(name)), f"{name} has no name yet, so it has no place yet"


@pytest.mark.parametrize("path", TESTS, ids=relative)
def test_a_test_is_named_by_a_sentence(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            words = node.name.removeprefix("test").strip("_").split("_")
            assert len(words) >= 4, f"{node.name} is no sentence that can be false"


def test_unit_tests_mirror_the_package() -> None:
    package = ROOT / "src" / "misstep"
    for folder in sorted((ROOT / "tests" / "unit").iterdir()):
        if folder.is_dir() and folder.name != "__pycache__":
            assert (package / folder.name).exists() or (package / f"{folder.name}.py").exists(), folder.name
