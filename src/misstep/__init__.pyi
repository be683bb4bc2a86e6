"""The front door, for type checkers: the same words."""

from misstep.core.event import Event as Event
from misstep.core.finding import FailureMode as FailureMode
from misstep.core.finding import Finding as Finding
from misstep.core.finding import Verdict as Verdict
from misstep.core.objective import Objective as Objective
from misstep.core.roles import Agent as Agent
from misstep.core.roles import Detector as Detector
from misstep.core.roles import Guardrail as Guardrail
from misstep.core.roles import Toolbox as Toolbox
from misstep.core.roles import User as User
from misstep.core.scenario import Fault as Fault
from misstep.core.scenario import Scenario as Scenario
from misstep.core.tape import Tape as Tape
from misstep.core.tool import Tool as Tool
from misstep.core.trace import Trace as Trace
from misstep.detectors import detect as detect
from misstep.simulation.running import Job as Job
from misstep.simulation.running import run as run
from misstep.tools.functions import tool as tool
