"""Alignment: the agent does what nobody wanted it to."""

from misstep.core.roles import Detector
from misstep.detectors.alignment.acted_without_asking import acted_without_asking

DETECTORS: tuple[Detector, ...] = (acted_without_asking,)
