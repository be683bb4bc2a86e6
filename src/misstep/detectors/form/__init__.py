"""Form: an output that is not what it was to be like."""

from misstep.core.roles import Detector
from misstep.detectors.form.instruction_not_followed import instruction_not_followed
from misstep.detectors.form.malformed_output import malformed_output

DETECTORS: tuple[Detector, ...] = (malformed_output, instruction_not_followed)
