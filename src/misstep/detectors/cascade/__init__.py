"""Cascades: what is wrong early and carried on."""

from misstep.core.roles import Detector
from misstep.detectors.cascade.cascading_error import cascading_error
from misstep.detectors.cascade.silent_degradation import silent_degradation

DETECTORS: tuple[Detector, ...] = (cascading_error, silent_degradation)
