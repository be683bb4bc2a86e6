"""What the docs show works, and where they point there is something.

In README.md and docs/, the blocks of a file run in order, in an empty folder of their own:

- ```python is executed;
- ```python file=desk.py, or any other kind with `file=`, is written to that file instead;
- ```console: each `$ misstep …` line is run (`uv run` in front is left out), other lines are not;
- ```text, and any other kind, is only shown.
"""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest
from forked import ran

ROOT = Path(__file__).parents[2]
RUN = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
ALL = [
    *RUN,
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "design").glob("*.md")),
    *sorted((ROOT / "changelog.d").glob("*.md")),
]
FENCE = re.compile(r"^(?P<ticks>`{3,})(?P<kind>[^\n`]*)\n(?P<body>.*?)^(?P=ticks)\s*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)[^)]*\)")
LIMIT_S = 100


class Block(NamedTuple):
    kind: str
    file: str
    body: str
    line: int


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(path: Path) -> list[Block]:
    text = path.read_text("utf-8")
    found: list[Block] = []
    for match in FENCE.finditer(text):
        kind, _, file = match["kind"].strip().partition(" file=")
        found.append(Block(kind, file.strip("\"'"), match["body"], text.count("\n", 0, match.start()) + 2))
    return found


def commands(block: Block) -> list[list[str]]:
    lines = re.sub(r"\\\n\s*", "", block.body).splitlines()
    shown = [shlex.split(line[2:], comments=True) for line in lines if line.startswith("$ ")]
    bare = [words[2:] if words[:2] == ["uv", "run"] else words for words in shown]
    return [words for words in bare if words[:1] == ["misstep"]]


def run_command(words: list[str], folder: Path, place: str) -> None:
    done = ran(words[1:], folder, limit_s=LIMIT_S, NO_COLOR="1", COLUMNS="120")
    # 1 and 2 say something of the agent; 64 would mean that the docs are wrong.
    assert done.code in (0, 1, 2), f"{place}: {shlex.join(words)} exits {done.code}:\n{done.stderr}"
    assert "Traceback" not in done.stderr, f"{place}: {shlex.join(words)}:\n{done.stderr}"


@pytest.mark.timeout(3 * LIMIT_S)
@pytest.mark.parametrize("path", [path for path in RUN if path.exists() and blocks(path)], ids=relative)
def test_what_the_docs_show_works(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(path):
        place = f"{relative(path)}:{block.line}"
        if block.file:
            (tmp_path / block.file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / block.file).write_text(block.body, "utf-8")
        elif block.kind == "python":
            exec(compile("\n" * (block.line - 1) + block.body, str(path), "exec"), names)
        elif block.kind == "console":
            for words in commands(block):
                run_command(words, tmp_path, place)


@pytest.mark.parametrize("path", [path for path in RUN if path.exists()], ids=relative)
def test_a_command_in_the_docs_is_in_a_block_that_runs(path: Path) -> None:
    for block in blocks(path):
        assert block.kind not in ("bash", "sh", "shell", ""), (
            f"{relative(path)}:{block.line}: call the block `console` so that it is tested, or `text` so that it is not"
        )


@pytest.mark.parametrize("path", [path for path in ALL if path.exists()], ids=relative)
def test_every_link_in_the_docs_leads_somewhere(path: Path) -> None:
    for target in LINK.findall(FENCE.sub("", path.read_text("utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        there = (path.parent / name).resolve() if name else path
        assert there.exists(), f"{relative(path)} points at {target}, which is not there"
        if anchor:
            assert anchor in _anchors(there), f"{relative(path)} points at {target}, but there is no such heading"


def test_the_index_lists_every_page() -> None:
    # A page for each mode would swamp the index: they have a list of their own.
    lists = (ROOT / "docs" / name for name in ("index.md", "modes.md"))
    listed = {link for page in lists for link in LINK.findall(page.read_text("utf-8"))}
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")} - {"index.md"}
    assert pages <= listed, f"docs/index.md does not list {sorted(pages - listed)}"


def _anchors(path: Path) -> set[str]:
    text = FENCE.sub("", path.read_text("utf-8"))
    headings = re.findall(r"^#+\s+(.+?)\s*$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", each)).strip().lower().replace(" ", "-") for each in headings}
    return slugs | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
