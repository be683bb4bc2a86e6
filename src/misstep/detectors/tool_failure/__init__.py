"""Tool failure: what the agent does when a tool lets it down."""

from misstep.core.roles import Detector
from misstep.detectors.tool_failure.ignored_tool_error import ignored_tool_error

DETECTORS: tuple[Detector, ...] = (ignored_tool_error,)
