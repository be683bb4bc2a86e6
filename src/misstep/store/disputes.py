"""Disputes, by which people call verdicts unfair: the file that keeps them, and how they are laid over trials."""

import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from misstep.core.errors import FormatError, UsageError, suggestion
from misstep.core.finding import Finding, Outcome, Verdict
from misstep.core.scenario import Scenario
from misstep.store.manifest import digest_of
from misstep.store.run_folder import RunFolder
from misstep.store.scenario_file import toml_text
from misstep.store.trial import Trial

FORMAT = "misstep.disputes/1"
DISPUTES_FILE = "disputes.toml"
DISPUTED = "disputed"
"""The mode of the label: a claim about a verdict, where others are about an agent."""

_ASIDE = 20
"""Where more than one verdict in so many is set aside, nothing follows from the others."""


class Dispute(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A verdict that a person calls unfair: it speaks for every trial of the scenario that fails for the same."""

    scenario: str
    digest: str
    """Of what the scenario said; once it says something else, the dispute has lapsed."""
    trial: int
    on: str
    """The day, as in 2026-11-19."""
    verdict: Outcome
    reasons: tuple[str, ...]
    label: Finding
    """With the person's name, and why it is unfair."""

    @property
    def place(self) -> str:
        return f"{self.scenario}#{self.trial}"


class _File(Struct, frozen=True, forbid_unknown_fields=True, tag_field="format", tag=FORMAT):
    disputes: tuple[Dispute, ...] = ()


def read_disputes(file: Path) -> tuple[Dispute, ...]:
    """None where there is no file."""
    try:
        data = tomllib.loads(file.read_text("utf-8"))
        return msgspec.convert(data, _File).disputes
    except FileNotFoundError:
        return ()
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError, RecursionError) as error:
        raise FormatError(
            f"{file} cannot be read as disputes: {error}. Mend it, or take it back from version control: "
            "what it sets aside would count again."
        ) from None


def write_disputes(file: Path, disputes: Iterable[Dispute]) -> None:
    """In order of scenarios, so that two people who add some seldom meet in one place."""
    kept = tuple(sorted(disputes, key=lambda each: (each.scenario, each.trial, each.on, each.label.claimed_by)))
    if kept:
        file.write_text(toml_text(_File(kept), "The disputes"), "utf-8", newline="\n")
    else:
        file.unlink(missing_ok=True)


def trial_named(run: RunFolder, name: str) -> Trial:
    """The trial of a run that is called `scenario#n`, as its trace is."""
    for trial in run.trials():
        if trial.trace.id == name:
            return trial
    scenario, known = name.rpartition("#")[0] or name, run.manifest.scenarios
    if scenario not in known:
        near = f"No scenario of it is called {scenario!r}.{suggestion(scenario, known)}"
    else:
        first, last = run.manifest.first, run.manifest.first + run.manifest.trials - 1
        near = f"Of {scenario!r} it holds {scenario}#{first}{f' to {scenario}#{last}' if last > first else ''}."
    raise UsageError(f"{run.path} holds no trial {name!r}. {near}")


def dispute(trial: Trial, *, because: str, by: str, on: str) -> Dispute:
    """Only a failure can be disputed: nothing else is held against the agent."""
    if trial.verdict.outcome != "fail":
        raise UsageError(
            f"{trial.trace.id} did not fail: its verdict is {trial.verdict.outcome!r}. A failure can be disputed; "
            "what went wrong unnoticed is a label for `misstep calibrate`."
        )
    for what, given in (("why it is unfair (--because)", because), ("who says so (--by)", by)):
        if not given.strip():
            raise UsageError(f"A dispute says {what}; got nothing.")
    return Dispute(
        scenario=trial.scenario.name,
        digest=digest_of((trial.scenario,)),
        trial=trial.trial,
        on=on,
        verdict=trial.verdict.outcome,
        reasons=trial.verdict.reasons,
        label=Finding(mode=DISPUTED, events=(), because=because.strip(), trace=trial.trace.id, claimed_by=by.strip()),
    )


def with_dispute(disputes: Iterable[Dispute], new: Dispute) -> tuple[Dispute, ...]:
    """In place of what the same person has said of the same verdict."""

    def told(each: Dispute) -> tuple[object, ...]:
        return each.scenario, each.digest, frozenset(each.reasons), each.label.claimed_by

    return (*(each for each in disputes if told(each) != told(new)), new)


def without_dispute(disputes: Iterable[Dispute], place: str) -> tuple[Dispute, ...]:
    """All but those of one trial, `scenario#n`."""
    disputes = tuple(disputes)
    kept = tuple(each for each in disputes if each.place != place)
    if len(kept) == len(disputes):
        raise UsageError(f"{place!r} is not disputed.{suggestion(place, {each.place for each in disputes})}")
    return kept


def set_aside(trials: Iterable[Trial], disputes: Iterable[Dispute]) -> Iterator[Trial]:
    """The same trials; where one failed for just what is disputed, its verdict says so and the label comes first.

    For another reason it fails as before: that is another verdict. One that passed has passed.
    """
    found = {(each.scenario, each.digest, frozenset(each.reasons)): each.label for each in disputes}
    known = {scenario for scenario, _, _ in found}
    for trial in trials:
        label = None
        if trial.verdict.outcome == "fail" and trial.scenario.name in known:
            digest = digest_of((trial.scenario,))
            label = found.get((trial.scenario.name, digest, frozenset(trial.verdict.reasons)))
        yield trial if label is None else _labelled(trial, label)


def _labelled(trial: Trial, label: Finding) -> Trial:
    verdict = Verdict(outcome="disputed", reasons=trial.verdict.reasons, modes=trial.verdict.modes)
    label = structs.replace(label, trace=trial.trace.id)
    return structs.replace(trial, verdict=verdict, findings=(label, *trial.findings))


def lapsed(disputes: Iterable[Dispute], scenarios: Iterable[Scenario]) -> tuple[Dispute, ...]:
    """Those of scenarios that say something else by now."""
    named = {scenario.name: scenario for scenario in scenarios}
    return tuple(
        each for each in disputes if each.scenario in named and digest_of((named[each.scenario],)) != each.digest
    )


def too_many(aside: int, *, of: int) -> bool:
    """Are so many verdicts set aside that the others decide nothing?"""
    return aside * _ASIDE > of
