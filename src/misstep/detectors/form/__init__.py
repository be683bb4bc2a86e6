"""Form: an output that is not what it was to be like."""

from misstep.core.roles import Detector

DETECTORS: tuple[Detector, ...] = ()
