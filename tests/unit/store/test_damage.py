"""A run folder that was damaged says so with a name and a place, runs again what it can, and never guesses."""

import os
import resource
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from misstep.core.errors import FormatError, MisstepError
from misstep.core.event import Message
from misstep.core.finding import Finding, Verdict
from misstep.core.scenario import Scenario
from misstep.core.trace import Trace
from misstep.store.journal import Journal, StorageError, trials_in
from misstep.store.manifest import Manifest, digest_of
from misstep.store.run_folder import Locked, Writing, open_run
from misstep.store.trial import Trial, encode_trial

SCENARIO = Scenario(name="late")


def manifest(trials: int) -> Manifest:
    return Manifest(agent="a:b", tools="c:d", seed=7, scenarios=("late",), digest=digest_of((SCENARIO,)), trials=trials)


def trial(number: int) -> Trial:
    name = f"late#{number}"
    return Trial(
        scenario=SCENARIO,
        trial=number,
        seed=7,
        trace=Trace(id=name, events=(Message(actor="user", role="user", text=f"hello {name}"),)),
        findings=(Finding(mode="repeated-call", events=(0,), because="seen", trace=name),),
        verdict=Verdict(outcome="fail", modes=("repeated-call",)),
    )


def write(writing: Writing, *numbers: int) -> Path:
    path = writing.new_journal()
    journal = Journal(path)
    for number in numbers:
        journal.add(trial(number))
    journal.close()
    return path


def finished(path: Path, trials: int = 3) -> None:
    with Locked(path, manifest(trials), (SCENARIO,)) as writing:
        write(writing, *range(1, trials + 1))
        writing.finish()


@contextmanager
def few_files(limit: int) -> Generator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the open files cannot be counted here")
def test_more_journals_than_files_may_be_open_are_merged(tmp_path: Path) -> None:
    with Locked(tmp_path, manifest(150), (SCENARIO,)) as writing:
        for number in range(150, 0, -1):
            write(writing, number)
        with few_files(60):
            folder = writing.finish()
    assert [each.trial for each in folder.trials()] == list(range(1, 151))


def test_a_journal_that_was_never_begun_is_empty(tmp_path: Path) -> None:
    assert list(trials_in(tmp_path / "0007.jsonl")) == []


def test_what_is_no_journal_among_the_journals_is_passed_over(tmp_path: Path) -> None:
    with Locked(tmp_path, manifest(2), (SCENARIO,)) as writing:
        write(writing, 1)
        (tmp_path / "journal/0001.jsonl").mkdir()
        for name in ("²³.jsonl", "x.jsonl", "5.jsonl"):
            (tmp_path / "journal" / name).write_text("x\n")
    with Locked(tmp_path, manifest(2), (SCENARIO,)) as writing:
        assert list(writing.missing()) == [1]
        write(writing, 2)
        assert [each.trial for each in writing.finish().trials()] == [1, 2]


def _other_event(line: bytes) -> bytes:
    return line.replace(b'"message"', b'"massage"')


def _other_text(line: bytes) -> bytes:
    return line.replace(b"hello", b"h\xff\xfeo")


def _no_trace(line: bytes) -> bytes:
    return line.replace(b'"trace":{', b'"trace":[],"x":{')


@pytest.mark.parametrize("damage", [_other_event, _other_text, _no_trace])
def test_a_line_that_is_no_trial_is_run_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    with Locked(tmp_path, manifest(3), (SCENARIO,)) as writing:
        path = writing.new_journal()
        first, second = encode_trial(trial(1)), encode_trial(trial(2))
        assert damage(first) != first
        path.write_bytes(damage(first) + second)
    assert [each.trial for each in open_run(tmp_path).trials()] == [2]
    with Locked(tmp_path, manifest(3), (SCENARIO,)) as writing:
        assert list(writing.missing()) == [0, 2]
        write(writing, 1, 3)
        assert list(writing.finish().trials()) == [trial(1), trial(2), trial(3)]


def test_a_merge_without_every_trial_is_refused(tmp_path: Path) -> None:
    with Locked(tmp_path, manifest(3), (SCENARIO,)) as writing:
        write(writing, 1, 3)
        with pytest.raises(MisstepError, match="1 of 3 trials"):
            writing.finish()
        assert list(writing.missing()) == [1]


def _shortened(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def _turned(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[::-1]))


def _lengthened(path: Path) -> None:
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[0])


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("name", ["traces.jsonl", "findings.jsonl", "verdicts.jsonl"])
@pytest.mark.parametrize("damage", [_shortened, _lengthened, _emptied, _turned, Path.unlink])
def test_files_that_do_not_belong_together_are_not_reported(
    tmp_path: Path, name: str, damage: Callable[[Path], None]
) -> None:
    finished(tmp_path)
    damage(tmp_path / name)
    with pytest.raises(FormatError, match="--fresh"):
        list(open_run(tmp_path).trials())


def test_all_files_cut_alike_are_still_not_whole(tmp_path: Path) -> None:
    finished(tmp_path)
    for name in ("traces.jsonl", "findings.jsonl", "verdicts.jsonl"):
        _shortened(tmp_path / name)
    with pytest.raises(FormatError, match="--fresh"):
        list(open_run(tmp_path).trials())


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("traces.jsonl", b'"type":"message"', b'"type":"massage"'),
        ("traces.jsonl", b"hello", b"h\xfflo"),
        ("findings.jsonl", b'"mode"', b'"mood"'),
        ("findings.jsonl", b"[0]", b"[5]"),
        ("verdicts.jsonl", b'"fail"', b'"fall"'),
    ],
)
def test_a_line_that_cannot_be_read_is_named_with_its_file(tmp_path: Path, name: str, old: bytes, new: bytes) -> None:
    finished(tmp_path)
    first, second, third = (tmp_path / name).read_bytes().splitlines(keepends=True)
    assert old in second
    (tmp_path / name).write_bytes(first + second.replace(old, new) + third)
    with pytest.raises(FormatError) as raised:
        list(open_run(tmp_path).trials())
    assert f"{name}, " in str(raised.value)
    assert "line 2" in str(raised.value)


@pytest.mark.parametrize("data", [b"\0" * 50, b'{"format": "misstep.run/1", "agent": "\xff"}', b""])
def test_a_manifest_that_cannot_be_read_is_named(tmp_path: Path, data: bytes) -> None:
    finished(tmp_path)
    (tmp_path / "run.json").write_bytes(data)
    with pytest.raises(FormatError, match=r"run\.json"):
        open_run(tmp_path)


@pytest.mark.parametrize("data", [b"\0" * 50 + b"\n", b'{"name":"\xff"}\n', b"[" * 100_000])
def test_scenarios_that_cannot_be_read_are_named(tmp_path: Path, data: bytes) -> None:
    finished(tmp_path)
    (tmp_path / "scenarios.jsonl").write_bytes(data)
    with pytest.raises(FormatError, match=r"scenarios\.jsonl"):
        open_run(tmp_path)


def test_a_forked_child_adds_nothing_to_its_parents_journal(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    child = os.fork()
    if child == 0:
        try:
            journal.add(trial(1))
        except StorageError:
            os._exit(7)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert (tmp_path / "j").read_bytes() == b""


def test_a_journal_whose_file_was_taken_away_says_so(tmp_path: Path) -> None:
    target = os.dup(0)
    os.close(target)
    journal = Journal(tmp_path / "j")  # has the number that was free
    other = os.open(tmp_path / "other", os.O_WRONLY | os.O_CREAT)
    os.dup2(other, target)
    with pytest.raises(StorageError):
        journal.add(trial(1))
    assert (tmp_path / "other").read_bytes() == b""
    os.close(other)
    os.close(target)


def test_what_no_line_can_hold_is_an_error_with_a_name(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    odd = msgspec.structs.replace(trial(1), errors=("\ud800",))
    with pytest.raises(FormatError, match="late#1"):
        journal.add(odd)
    journal.close()
