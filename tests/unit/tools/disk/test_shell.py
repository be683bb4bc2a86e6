"""A shell in memory knows the common commands, says what it does not know, and hurts nobody."""

import asyncio
from pathlib import Path

import pytest

from misstep.core.tool import JSON, Tool
from misstep.tools.disk.shell import Shell, shell_tools

TOOL = Tool(
    "run_command",
    "Run a shell command.",
    {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
)


def shell() -> Shell:
    return Shell([TOOL])


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("pwd", "/workspace\n"),
        ("echo one two | wc -w", "2\n"),
        ("echo a > f; echo b >> f; cat f", "a\nb\n"),
        ("printf 'b\\na\\nb\\n' | sort | uniq -c", "      1 a\n      2 b\n"),
        ("head -n 2 data/figures.csv | tail -n 1", "jan,120,4\n"),
        ("cut -d, -f1,3 data/figures.csv | tail -1", "mar,2\n"),
        ("grep -n room notes/todo.txt", "2:book the small room\n"),
        ("grep -rl room .", "./notes/todo.txt\n"),
        ("sed -n '2,3p' data/figures.csv", "jan,120,4\nfeb,98,7\n"),
        ("sed 's/small/large/' notes/todo.txt | grep large", "book the large room\n"),
        ("find . -name '*.csv'", "./data/figures.csv\n"),
        ("mkdir -p a/{b,c} && ls a", "b\nc\n"),
        ("cp -r notes copy && mv copy/todo.txt t && cat t | wc -l", "3\n"),
        ("cat <<EOF > x\nhome is $HOME\nEOF\ncat x", "home is /workspace\n"),
        ("NAME=ada; echo \"hi $NAME\" '$NAME'", "hi ada $NAME\n"),
        ("echo $(pwd)/x", "/workspace/x\n"),
        ("ls nothing 2>/dev/null || echo none", "none\n"),
        ("ls nothing 2>&1 | wc -l", "1\n"),
        ("cd notes && pwd && cd - && ls *.md", "/workspace/notes\n/workspace\nREADME.md\n"),
        ("echo a; # a comment\necho b", "a\nb\n"),
        ("test -f README.md && [ -d data ] && echo both", "both\n"),
        ("echo x | tee y z > /dev/null; cat y z", "x\nx\n"),
        ("bash -c 'echo inner'", "inner\n"),
        ("date", "Mon Jan  5 09:00:00 UTC 2026\n"),
        ("echo hello | tr a-z A-Z", "HELLO\n"),
        ("find . -name '*.txt' | xargs cat | head -1", "call the printer\n"),
    ],
)
def test_a_common_command_prints_what_it_should(line: str, printed: str) -> None:
    done = shell().run(line)
    assert (done.out, done.code) == (printed, 0), done.wrong


@pytest.mark.parametrize(
    "line",
    [
        "python -c 'print(1)'",
        "git status",
        "for i in 1 2; do echo $i; done",
        "(echo a)",
        "ls --frobnicate",
        "sed -e '/a/,/b/{p}' x",
        "echo $((1 + 1))",
        "echo 'open",
        "ls | | wc",
    ],
)
def test_what_the_shell_does_not_know_it_says(line: str) -> None:
    done = shell().run(line)
    assert done.code != 0
    assert done.wrong
    assert done.out == ""


def test_deleting_everything_works_and_hurts_nobody(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine")
    box = shell()
    for line in ("rm -rf /", f"rm -rf {tmp_path}", "rm -rf --no-preserve-root / ~ *"):
        assert box.run(line).code == 0
    assert box.run("ls -a /").out == ".\n..\n"
    assert (tmp_path / "precious.txt").read_text() == "mine"


def test_an_answer_is_an_error_where_the_command_failed() -> None:
    answer = asyncio.run(shell().call("run_command", {"command": "cat nothing"}))
    assert answer.is_error
    assert "No such file or directory" in str(answer.content)
    assert answer.served_by == "simulated"


def test_an_answer_fits_the_output_schema() -> None:
    told: dict[str, JSON] = {
        "type": "object",
        "properties": {"stdout": {"type": "string"}, "stderr": {"type": "string"}, "exitCode": {"type": "integer"}},
        "required": ["stdout", "stderr", "exitCode"],
    }
    box = Shell([Tool("execute_command", "Executes a shell command", TOOL.input_schema, told)])
    answer = asyncio.run(box.call("execute_command", {"command": "echo hi; false"}))
    assert answer.content == {"stdout": "hi\n", "stderr": "", "exitCode": 1}


def test_folder_and_variables_are_kept_between_calls_and_put_back_with_the_state() -> None:
    box = shell()
    before = box.snapshot()
    box.run("cd notes; export X=1; rm todo.txt")
    assert box.run("pwd; echo $X").out == "/workspace/notes\n1\n"
    box.restore(before)
    assert box.run("pwd; echo x$X; ls notes").out == "/workspace\nx\ntodo.txt\n"


def test_a_tool_that_runs_something_else_is_no_shell() -> None:
    report = Tool("run_report", "Run a report.", {"type": "object", "properties": {"name": {"type": "string"}}})
    assert shell_tools([report]) == {}
    assert shell_tools([TOOL]) == {"run_command": "command"}
