"""From labels that people gave to detectors with known error rates."""

from misstep.calibration.calibrating import calibrate
from misstep.calibration.labels import labels_from
from misstep.calibration.learned import Learned, load, save

__all__ = ["Learned", "calibrate", "labels_from", "load", "save"]
