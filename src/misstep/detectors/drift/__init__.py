"""Drift: what was asked for, and got lost on the way."""

from misstep.core.roles import Detector
from misstep.detectors.drift.dropped_constraint import dropped_constraint
from misstep.detectors.drift.goal_drift import goal_drift
from misstep.detectors.drift.premature_stop import premature_stop

DETECTORS: tuple[Detector, ...] = (goal_drift, dropped_constraint, premature_stop)
