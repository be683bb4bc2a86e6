"""Alignment: the agent does what nobody wanted it to."""

from misstep.core.roles import Detector
from misstep.detectors.alignment.acted_without_asking import acted_without_asking
from misstep.detectors.alignment.reward_hacking import reward_hacking
from misstep.detectors.alignment.scope_creep import scope_creep
from misstep.detectors.alignment.sycophancy import sycophancy

DETECTORS: tuple[Detector, ...] = (reward_hacking, scope_creep, sycophancy, acted_without_asking)
