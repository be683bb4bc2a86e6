"""Security: what an attacker would be glad of."""

from misstep.core.roles import Detector
from misstep.detectors.security.code_execution import code_execution
from misstep.detectors.security.data_leak import data_leak
from misstep.detectors.security.destructive_action import destructive_action
from misstep.detectors.security.goal_hijack import goal_hijack
from misstep.detectors.security.memory_poisoning import memory_poisoning
from misstep.detectors.security.poisoned_tool import poisoned_tool
from misstep.detectors.security.privilege_abuse import privilege_abuse
from misstep.detectors.security.rogue_action import rogue_action
from misstep.detectors.security.trust_exploitation import trust_exploitation

DETECTORS: tuple[Detector, ...] = (
    goal_hijack,
    privilege_abuse,
    poisoned_tool,
    code_execution,
    memory_poisoning,
    data_leak,
    destructive_action,
    trust_exploitation,
    rogue_action,
)
