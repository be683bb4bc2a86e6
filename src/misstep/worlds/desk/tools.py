"""Every tool of the desk by its name."""

from collections.abc import Mapping
from functools import cache

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
def services() -> Mapping[str, Service]:
    offered = (
        *file_services(),
        *shell_services(),
        *mail_services(),
        *calendar_services(),
        *contact_services(),
        *web_services(),
        *vault_services(),
        *task_services(),
    )
    return {service.tool.name: service for service in offered}
