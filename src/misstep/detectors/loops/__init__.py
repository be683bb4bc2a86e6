"""Loops: the agent goes round and gets nowhere."""

from misstep.core.roles import Detector
from misstep.detectors.loops.budget_exhausted import budget_exhausted
from misstep.detectors.loops.no_progress import no_progress
from misstep.detectors.loops.oscillation import oscillation
from misstep.detectors.loops.repeated_call import repeated_call

DETECTORS: tuple[Detector, ...] = (repeated_call, oscillation, budget_exhausted, no_progress)
