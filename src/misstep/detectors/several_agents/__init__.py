"""Several agents: what goes wrong between them."""

from misstep.core.roles import Detector
from misstep.detectors.several_agents.handoff_not_made import handoff_not_made
from misstep.detectors.several_agents.ignored_peer import ignored_peer
from misstep.detectors.several_agents.lost_in_handoff import lost_in_handoff
from misstep.detectors.several_agents.spoofed_message import spoofed_message

DETECTORS: tuple[Detector, ...] = (lost_in_handoff, handoff_not_made, spoofed_message, ignored_peer)
