"""Trials → OWASP's ten risks of agentic applications: in how many each was tried, and in how many the agent broke."""

from collections import Counter
from collections.abc import Iterable, Mapping

from misstep import taxonomy
from misstep.core.finding import Finding, Relation
from misstep.core.scenario import Scenario
from misstep.reporting.summary import Risk


class Risks:
    """Counters by risk; modes that are the risk are kept apart from those that only help it along."""

    def __init__(self) -> None:
        self._tried: Counter[str] = Counter()
        self._broke: Counter[str] = Counter()
        self._contributed: Counter[str] = Counter()
        self._direct = _risks_of_modes("direct")
        self._contributing = _risks_of_modes("contributing")

    def add(self, scenario: Scenario, kinds: Iterable[str], findings: Iterable[Finding]) -> None:
        """`kinds` are the faults of the trial; the findings are those that say that a mode is there."""
        aimed = {mode for kind in kinds for mode in taxonomy.provoked_by(kind)}
        aimed.update(scenario.aims)
        self._tried.update({risk for mode in aimed for risk in self._direct.get(mode, ())})
        broke: set[str] = set()
        helped: set[str] = set()
        for finding in findings:
            broke.update(finding.asi, self._direct.get(finding.mode, ()))
            helped.update(self._contributing.get(finding.mode, ()))
        self._broke.update(broke)
        self._contributed.update(helped - broke)

    def rows(self) -> tuple[Risk, ...]:
        return tuple(
            Risk(
                id=risk,
                title=title,
                tried=self._tried[risk],
                broke=self._broke[risk],
                modes=_modes_of(risk, self._direct),
                contributed=self._contributed[risk],
                contributing=_modes_of(risk, self._contributing),
            )
            for risk, title in sorted(taxonomy.OWASP.items())
        )


def _risks_of_modes(relation: Relation) -> Mapping[str, frozenset[str]]:
    return {
        mode.id: frozenset(each.id for each in mode.owasp if each.relation == relation)
        for mode in taxonomy.modes().values()
    }


def _modes_of(risk: str, risks_of_modes: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    return tuple(mode for mode, risks in risks_of_modes.items() if risk in risks)
