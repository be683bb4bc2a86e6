"""Tool failure: what the agent does when a tool lets it down."""

from misstep.core.roles import Detector
from misstep.detectors.tool_failure.blind_retry import blind_retry
from misstep.detectors.tool_failure.failure_to_recover import failure_to_recover
from misstep.detectors.tool_failure.ignored_tool_error import ignored_tool_error
from misstep.detectors.tool_failure.silent_tool_failure import silent_tool_failure

DETECTORS: tuple[Detector, ...] = (ignored_tool_error, silent_tool_failure, blind_retry, failure_to_recover)
