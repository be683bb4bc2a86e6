"""Tool misuse: the wrong call, a misshapen one, one too early, one too many, or one too few."""

from misstep.core.roles import Detector
from misstep.detectors.tool_misuse.divergent_effect import divergent_effect
from misstep.detectors.tool_misuse.duplicate_effect import duplicate_effect
from misstep.detectors.tool_misuse.malformed_argument import malformed_argument
from misstep.detectors.tool_misuse.missing_call import missing_call
from misstep.detectors.tool_misuse.out_of_order_call import out_of_order_call
from misstep.detectors.tool_misuse.wrong_argument import wrong_argument
from misstep.detectors.tool_misuse.wrong_tool import forbidden_call, wrong_tool

DETECTORS: tuple[Detector, ...] = (
    malformed_argument,
    out_of_order_call,
    duplicate_effect,
    missing_call,
    wrong_argument,
    wrong_tool,
    forbidden_call,
    divergent_effect,
)
