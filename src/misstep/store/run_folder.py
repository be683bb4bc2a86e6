"""A run folder: the one place that knows which files a run keeps, how they are read, and how a killed run goes on."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec
from msgspec import Raw, structs

from misstep.core.errors import FormatError, UsageError, suggestion
from misstep.core.scenario import Scenario
from misstep.store.journal import Index, StorageError
from misstep.store.locking import locked
from misstep.store.manifest import Manifest, Plan, decode_manifest, differences, digest_of, encode_manifest
from misstep.store.trial import DamagedError, Entry, Trial, VerdictLine, decode_trial, decode_verdict

_TRACES, _FINDINGS, _VERDICTS = "traces.jsonl", "findings.jsonl", "verdicts.jsonl"
_MANIFEST, _SCENARIOS, _JOURNALS, _LOCK = "run.json", "scenarios.jsonl", "journal", ".lock"
_FILES = (_MANIFEST, _TRACES, _FINDINGS, _VERDICTS, _SCENARIOS, "summary.json", "report.html", "tool-findings.json")
_OURS = (*_FILES, _JOURNALS, _LOCK)


class RunFolder:
    """The reading end. What is not merged yet is read from the journals, so that a half-done run can be looked at."""

    def __init__(self, path: Path, manifest: Manifest, scenarios: tuple[Scenario, ...]) -> None:
        self.path = path
        self.manifest = manifest
        self.scenarios = scenarios

    @property
    def traces(self) -> Path:
        return self.path / _TRACES

    def trials(self) -> Iterator[Trial]:
        """One after another, by scenario and number."""
        plan = Plan(self.manifest)
        for place, entry in _entries(self.path, self.manifest, thorough=True):
            index, number = plan.trial_at(place)
            try:
                yield decode_trial(entry, self.scenarios[index])
            except DamagedError as error:
                line = index * self.manifest.kept + number - plan.first + 1
                raise FormatError(_damaged(self.path, error, line)) from None

    def put(self, name: Literal["summary.json", "report.html", "tool-findings.json"], data: bytes) -> Path:
        """Write a file about the run beside the run's own."""
        try:
            _write_whole(self.path / name, data)
        except OSError as error:
            raise StorageError(f"{self.path / name} cannot be written: {error.strerror or error}.") from None
        return self.path / name


def open_run(path: Path) -> RunFolder:
    """The run that a folder holds."""
    file = path / _MANIFEST
    if not file.is_file():
        raise UsageError(f"{path} holds no run: there is no {_MANIFEST} in it.{_runs_near(path)}")
    manifest = decode_manifest(file.read_bytes(), place=str(file))
    return RunFolder(path, manifest, _scenarios_of(path, manifest))


def holds_a_run(path: Path) -> bool:
    return (path / _MANIFEST).is_file()


def is_of_a_run(path: Path) -> bool:
    """Is it a file that a run folder lives on?"""
    return path.name in _FILES and (path.parent / _MANIFEST).is_file()


def _runs_near(path: Path) -> str:
    """Where a run is instead: beside a file of it, or in the folders inside."""
    if path.is_file() and (path.parent / _MANIFEST).is_file():
        return f" Its folder does: give {path.parent}."
    inside = sorted(each.parent for each in path.glob(f"*/{_MANIFEST}")) if path.is_dir() else []
    if inside:
        return f" These do: {', '.join(str(each) for each in inside[:5])}."
    beside = [str(each.parent) for each in path.parent.glob(f"*/{_MANIFEST}")]
    if beside:
        return suggestion(str(path), beside)
    return " `misstep run` makes one."


class Writing:
    """The writing end of a run folder, for the one process that holds its lock."""

    def __init__(self, path: Path, manifest: Manifest, scenarios: Sequence[Scenario]) -> None:
        self.path = path
        self.manifest = manifest
        self.scenarios = tuple(scenarios)
        self.plan = Plan(manifest)
        self._journals = 0
        for number in _journal_numbers(path):
            self._journals = max(self._journals, number + 1)

    def new_journal(self) -> Path:
        """A file that no other process writes, or has ever written."""
        self._journals += 1
        return _journal_path(self.path, self._journals - 1)

    def missing(self) -> Iterator[int]:
        """The places of the trials that are still to be run."""
        index = _index(self.path, self.manifest, thorough=True)
        for place in range(len(self.plan)):
            if not self.plan.kept(place) and place not in index:
                yield place

    def grow(self, scenarios: Sequence[Scenario], *, trials: int) -> None:
        """Make it a run of at least these scenarios, with so many trials of each; what is there is kept."""
        known = {scenario.name: scenario for scenario in self.scenarios}
        for scenario in scenarios:
            if known.setdefault(scenario.name, scenario) != scenario:
                raise UsageError(
                    f"{self.path} holds another run: its scenario {scenario.name!r} is another one. "
                    "Choose another folder with --out, or start over in this one with --fresh."
                )
        trials = max(trials, self.manifest.trials)
        if len(known) > len(self.scenarios) or trials > self.manifest.trials:
            self.scenarios = tuple(known.values())
            names, digest = tuple(known), digest_of(self.scenarios)
            _write_scenarios(self.path, self.scenarios)
            more = structs.replace(self.manifest, scenarios=names, digest=digest, trials=trials, phase="running")
            (self.path / _JOURNALS).mkdir(exist_ok=True)
            self._proceed(more)

    def so_far(self) -> RunFolder:
        """The reading end of what has been run until now."""
        return RunFolder(self.path, self.manifest, self.scenarios)

    def finish(self) -> RunFolder:
        """Merge the journals into the files that people read. Killed at any moment, it can be done again."""
        try:
            if self.manifest.phase == "running":
                _write_beside(self.path, self.manifest)
                self._proceed(structs.replace(self.manifest, phase="placing"))
            self._settle()
        except OSError as error:
            raise StorageError(f"{self.path} cannot be written: {error.strerror or error}.") from None
        return RunFolder(self.path, self.manifest, self.scenarios)

    def _settle(self) -> None:
        if self.manifest.phase == "placing":
            for name in (_TRACES, _FINDINGS, _VERDICTS):
                # Missing where an earlier attempt was killed after this very rename.
                with suppress(FileNotFoundError):
                    _beside(self.path / name).replace(self.path / name)
            kept, of = self.manifest.trials, len(self.manifest.scenarios)
            self._proceed(structs.replace(self.manifest, phase="finished", kept=kept, kept_scenarios=of))
        # Last: until here, everything could be made again from them.
        _delete_journals(self.path)

    def _proceed(self, manifest: Manifest) -> None:
        _write_whole(self.path / _MANIFEST, encode_manifest(manifest))
        self.manifest = manifest
        self.plan = Plan(manifest)


class Locked:
    """Holds a run folder for as long as a `with` lasts, and gives its writing end."""

    def __init__(self, path: Path, manifest: Manifest, scenarios: Sequence[Scenario], *, fresh: bool = False) -> None:
        self._path = path
        self._manifest = manifest
        self._scenarios = scenarios
        self._fresh = fresh
        self._lock: BinaryIO | None = None

    def __enter__(self) -> Writing:
        try:
            self._path.mkdir(parents=True, exist_ok=True)
            self._check_foreign()
            self._lock = locked(self._path / _LOCK)
            return self._begun()
        except OSError as error:
            self._unlock()
            raise UsageError(
                f"The folder {self._path} cannot be written: {error.strerror or error}. "
                "Make room there, or choose another place with --out."
            ) from None
        except BaseException:
            self._unlock()
            raise

    def __exit__(self, *exception: object) -> None:
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _check_foreign(self) -> None:
        there = {entry.name for entry in self._path.iterdir()}
        if _MANIFEST not in there and any(name.removesuffix(".new") not in _OURS for name in there):
            raise UsageError(
                f"{self._path} is not empty and holds no run of Misstep's. Choose another folder with --out."
            )

    def _begun(self) -> Writing:
        file = self._path / _MANIFEST
        if self._fresh:
            _clear(self._path)
        if not file.is_file():
            _delete_journals(self._path)
            return self._running(self._manifest, self._scenarios)
        old = decode_manifest(file.read_bytes(), place=str(file))
        differ = list(differences(old, self._manifest))
        if differ:
            raise UsageError(
                f"{self._path} holds another run; what differs: {'; '.join(differ)}. "
                "Choose another folder with --out, or start over in this one with --fresh."
            )
        scenarios = _scenarios_of(self._path, old) if old.grows else tuple(self._scenarios)
        writing = Writing(self._path, old, scenarios)
        if old.phase != "running":
            writing.finish()
        if writing.manifest.phase == "finished" and self._manifest.trials <= old.trials:
            return writing
        trials = max(old.trials, self._manifest.trials)
        return self._running(structs.replace(writing.manifest, trials=trials, phase="running"), scenarios)

    def _running(self, manifest: Manifest, scenarios: Sequence[Scenario]) -> Writing:
        (self._path / _JOURNALS).mkdir(exist_ok=True)
        _write_scenarios(self._path, scenarios)
        _write_whole(self._path / _MANIFEST, encode_manifest(manifest))
        return Writing(self._path, manifest, scenarios)


def _write_scenarios(path: Path, scenarios: Sequence[Scenario]) -> None:
    encoded = [msgspec.json.encode(scenario, order="deterministic") + b"\n" for scenario in scenarios]
    _write_whole(path / _SCENARIOS, b"".join(encoded))


def _scenarios_of(path: Path, manifest: Manifest) -> tuple[Scenario, ...]:
    there = tuple(_scenarios_in(path / _SCENARIOS))
    # One that grew may have been killed before its manifest knew of the newest.
    scenarios = there[: len(manifest.scenarios)] if manifest.grows else there
    if tuple(scenario.name for scenario in scenarios) != manifest.scenarios:
        raise FormatError(
            f"{path / _SCENARIOS} and {path / _MANIFEST} name different scenarios: one of them was changed by hand."
        )
    return scenarios


def _scenarios_in(path: Path) -> Iterator[Scenario]:
    decoder = msgspec.json.Decoder(Scenario)
    try:
        with path.open("rb") as file:
            for line in file:
                yield decoder.decode(line)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(f"The run's scenarios in {path} cannot be read: {error}.") from None


def _entries(path: Path, manifest: Manifest, *, thorough: bool = False) -> Iterator[tuple[int, Entry]]:
    """Every trial that is there, in the plan's order: the merged ones and those of the journals."""
    merged = _merged(path, manifest)
    waiting = next(merged, None)
    for place, entry in _index(path, manifest, thorough=thorough).entries():
        while waiting is not None and waiting[0] < place:
            yield waiting
            waiting = next(merged, None)
        if waiting is not None and waiting[0] == place:
            continue
        yield place, entry
    if waiting is not None:
        yield waiting
    yield from merged


def _merged(path: Path, manifest: Manifest) -> Iterator[tuple[int, Entry]]:
    """The trials of the finished files, which are read side by side."""
    if not manifest.kept:
        return
    plan = Plan(manifest)
    try:
        with (
            (path / _TRACES).open("rb") as traces,
            (path / _FINDINGS).open("rb") as findings,
            (path / _VERDICTS).open("rb") as verdicts,
        ):
            places = filter(plan.kept, range(len(plan)))
            for number, place in enumerate(places, 1):
                trace, line = traces.readline(), verdicts.readline()
                if not (trace and line):
                    raise ValueError(f"{_VERDICTS if trace else _TRACES} ends too early")
                verdict = _verdict_in(path, line, number)
                if plan.place(verdict.scenario, verdict.trial) != place:
                    raise ValueError(f"the trials of {_VERDICTS} are not in order at line {number}")
                found = tuple(Raw(each.rstrip(b"\n")) for each in islice(findings, verdict.findings))
                if len(found) != verdict.findings:
                    raise ValueError(f"{_FINDINGS} ends too early")
                yield place, Entry(Raw(line.rstrip(b"\n")), Raw(trace.rstrip(b"\n")), found)
            for name, file in ((_TRACES, traces), (_VERDICTS, verdicts), (_FINDINGS, findings)):
                if file.readline():
                    raise ValueError(f"{name} has lines too many")
    except (OSError, ValueError) as error:
        raise FormatError(
            f"The files of {path} do not belong together any more ({error}): one of them was changed or deleted. "
            "Run again with --fresh."
        ) from None


def _verdict_in(path: Path, line: bytes, number: int) -> VerdictLine:
    try:
        return decode_verdict(line)
    except DamagedError as error:
        raise FormatError(_damaged(path, error, number)) from None


def _damaged(path: Path, error: DamagedError, line: int) -> str:
    names = {"verdict": _VERDICTS, "trace": _TRACES, "finding": _FINDINGS}
    # Trials have none, one or several findings: those have no line of the same number.
    where = f"those of line {line} of {_VERDICTS}" if error.part == "finding" else f"line {line}"
    return f"{path / names[error.part]}, {where}: {error}. It was changed or damaged. Run again with --fresh."


def _write_beside(path: Path, manifest: Manifest) -> None:
    with (
        _beside(path / _TRACES).open("wb") as traces,
        _beside(path / _FINDINGS).open("wb") as findings,
        _beside(path / _VERDICTS).open("wb") as verdicts,
    ):
        count = 0
        for _, entry in _entries(path, manifest):
            count += 1
            traces.write(entry.trace)
            traces.write(b"\n")
            verdicts.write(entry.verdict)
            verdicts.write(b"\n")
            for finding in entry.findings:
                findings.write(finding)
                findings.write(b"\n")
        if count != len(Plan(manifest)):
            raise StorageError(
                f"{len(Plan(manifest)) - count} of {len(Plan(manifest))} trials are missing in {path / _JOURNALS}. "
                "Run the same command again: every trial that is there is kept."
            )
        for file in (traces, findings, verdicts):
            file.flush()
            os.fsync(file.fileno())


def _beside(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def _write_whole(path: Path, data: bytes) -> None:
    """The file holds the old bytes or the new ones, never a part."""
    with _beside(path).open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    _beside(path).replace(path)


def _journal_path(path: Path, number: int) -> Path:
    return path / _JOURNALS / f"{number:04}.jsonl"


def _journal_numbers(path: Path) -> list[int]:
    files = (path / _JOURNALS).glob("*.jsonl")
    return sorted(int(file.stem) for file in files if re.fullmatch("[0-9]{4,}", file.stem))


def _index(path: Path, manifest: Manifest, *, thorough: bool = False) -> Index:
    index = Index(Plan(manifest))
    for number in _journal_numbers(path):
        if _journal_path(path, number).is_file():
            index.read(_journal_path(path, number), thorough=thorough)
    return index


def _delete_journals(path: Path) -> None:
    for number in _journal_numbers(path):
        if _journal_path(path, number).is_file():
            _journal_path(path, number).unlink(missing_ok=True)
    # Not empty where a process of a killed run is still ending: its trials are in the files already.
    with suppress(OSError):
        (path / _JOURNALS).rmdir()


def _clear(path: Path) -> None:
    # The manifest goes first: without it, nothing of the rest counts.
    for name in _FILES:
        (path / name).unlink(missing_ok=True)
        _beside(path / name).unlink(missing_ok=True)
    _delete_journals(path)
