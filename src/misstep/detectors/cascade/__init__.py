"""Cascades: what is wrong early and carried on."""

from misstep.core.roles import Detector

DETECTORS: tuple[Detector, ...] = ()
