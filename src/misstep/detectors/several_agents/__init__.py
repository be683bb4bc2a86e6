"""Several agents: what goes wrong between them."""

from misstep.core.roles import Detector

DETECTORS: tuple[Detector, ...] = ()
