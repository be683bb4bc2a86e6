"""The page that describes the house describes the house that is there."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "design.md").read_text("utf-8")
PACKAGE = ROOT / "src" / "misstep"


def test_the_design_lists_each_module_and_marks_those_that_are_planned() -> None:
    tree = PAGE.split("src/misstep/\n")[1].split("```")[0]
    listed = re.findall(r"^  ([\w.]+)(/?) +(\(planned\))?", tree, re.MULTILINE)
    there = {name.removesuffix(".py") for name, _, planned in listed if not planned} - {"__init__"}
    planned = {name for name, _, planned in listed if planned}
    modules = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} | {
        path.stem for path in PACKAGE.glob("*.py")
    }
    assert there == {name for name in modules if not name.startswith("__")}
    assert not planned & modules


def test_the_design_shows_the_layers_that_are_checked() -> None:
    shown = PAGE.split("needs it):\n\n```text\n")[1].split("```")[0].splitlines()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    [contract] = [each for each in project["tool"]["importlinter"]["contracts"] if each["type"] == "layers"]
    assert shown == [re.sub(r"[()]", "", layer) for layer in contract["layers"]]


def test_only_planned_modules_are_in_brackets_in_the_contract() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    [contract] = [each for each in project["tool"]["importlinter"]["contracts"] if each["type"] == "layers"]
    for name in re.findall(r"\((\w+)\)", " ".join(contract["layers"])):
        assert not (PACKAGE / f"{name}.py").exists(), name
        assert not (PACKAGE / name / "__init__.py").exists(), name
