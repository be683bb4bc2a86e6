"""Loops: the agent goes round and gets nowhere."""

from misstep.core.roles import Detector
from misstep.detectors.loops.repeated_call import repeated_call

DETECTORS: tuple[Detector, ...] = (repeated_call,)
