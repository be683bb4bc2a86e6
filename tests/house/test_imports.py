"""Importing is cheap and does nothing; the core stands on msgspec alone."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORE = sorted((ROOT / "src" / "misstep" / "core").glob("*.py"))
COUNT = "import sys; print(len(sys.modules))"
BARE = f"import typer, rich; {COUNT}"
HELP = """
import sys
sys.argv = ["misstep", "--help"]
from misstep.cli import main
try:
    main()
except SystemExit:
    pass
print()
print(*sorted(sys.modules))
"""
HEAVY = ("asyncio", "jinja2", "jsonschema_rs", "mcp", "sqlalchemy", "multiprocessing")


def last_line(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()[
        -1
    ]


def test_help_imports_little_more_than_its_own_library() -> None:
    loaded = last_line(HELP).split()
    assert len(loaded) <= 1.3 * int(last_line(BARE))
    assert not set(HEAVY) & set(loaded)


def test_importing_the_package_writes_and_prints_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-B", "-c", "import misstep"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.name)
def test_the_core_imports_the_standard_library_msgspec_and_itself(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            top = name.partition(".")[0]
            assert top in sys.stdlib_module_names or top == "msgspec" or name.startswith("misstep.core"), name
