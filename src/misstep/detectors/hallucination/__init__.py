"""Hallucination: what the agent made up."""

from misstep.core.roles import Detector
from misstep.detectors.hallucination.fabricated_argument import fabricated_argument
from misstep.detectors.hallucination.fabricated_result import fabricated_result
from misstep.detectors.hallucination.false_success import false_success
from misstep.detectors.hallucination.unknown_tool import unknown_tool

DETECTORS: tuple[Detector, ...] = (unknown_tool, fabricated_argument, fabricated_result, false_success)
