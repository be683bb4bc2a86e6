"""Security: what an attacker would be glad of."""

from misstep.core.roles import Detector
from misstep.detectors.security.destructive_action import destructive_action
from misstep.detectors.security.goal_hijack import goal_hijack

DETECTORS: tuple[Detector, ...] = (destructive_action, goal_hijack)
