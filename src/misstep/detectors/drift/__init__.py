"""Drift: what was asked for, and got lost on the way."""

from misstep.core.roles import Detector
from misstep.detectors.drift.dropped_constraint import dropped_constraint

DETECTORS: tuple[Detector, ...] = (dropped_constraint,)
