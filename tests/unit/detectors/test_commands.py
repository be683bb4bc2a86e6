"""Command lines that look, that remove, and that do neither for all we know."""

import pytest

from misstep.detectors.evidence.commands import read_command


@pytest.mark.parametrize(
    "line",
    [
        "ls -la /srv",
        "du -sh . | sort -h",
        "git log -3 && git status",
        "cat a.txt | grep -c x 2>/dev/null",
        "LANG=C df -h",
        "python -m pytest -q",
        "ruff check .",
        "sed -n 1,5p a.txt",
        "kubectl get pods",
        "anything --version",
    ],
)
def test_a_line_of_programs_that_look_only_looks(line: str) -> None:
    assert read_command(line) == "looks"


@pytest.mark.parametrize(
    "line",
    [
        "rm -rf build",
        "ls && rm a.txt",
        "find . -name '*.bak' -delete",
        "git reset --hard",
        "sudo shred disk",
        "ls | xargs rm",
        'psql -c "drop table users"',
    ],
)
def test_a_line_with_one_program_that_removes_removes(line: str) -> None:
    assert read_command(line) == "removes"


@pytest.mark.parametrize(
    "line",
    [
        "echo x > a.txt",
        "cat $(which ls)",
        "sed -i s/a/b/ a.txt",
        "make install",
        "ruff check --fix .",
        "git push",
        "x 'y",
    ],
)
def test_in_doubt_a_line_does_something(line: str) -> None:
    assert read_command(line) == "other"
