"""Every tool of the desk by its name."""

from collections.abc import Mapping
from functools import cache

from misstep.core.tool import Tool
from misstep.worlds.desk.calendar import calendar_services
from misstep.worlds.desk.contacts import contact_services
from misstep.worlds.desk.files import file_services
from misstep.worlds.desk.mail import mail_services
from misstep.worlds.desk.shell import shell_services
from misstep.worlds.desk.tasks import task_services
from misstep.worlds.desk.vault import vault_services
from misstep.worlds.desk.web import web_services
from misstep.worlds.services import Service


@cache
def offered() -> tuple[Tool, ...]:
    """The same list for everybody: who has read it need not read it again."""
    return tuple(service.tool for service in services().values())


@cache
def services() -> Mapping[str, Service]:
    every = (
        *file_services(),
        *shell_services(),
        *mail_services(),
        *calendar_services(),
        *contact_services(),
        *web_services(),
        *vault_services(),
        *task_services(),
    )
    return {service.tool.name: service for service in every}
