"""Hallucination: what the agent made up."""

from misstep.core.roles import Detector
from misstep.detectors.hallucination.fabricated_argument import fabricated_argument
from misstep.detectors.hallucination.false_success import false_success

DETECTORS: tuple[Detector, ...] = (fabricated_argument, false_success)
