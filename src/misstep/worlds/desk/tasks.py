"""The tools for tasks: to list, add and complete them."""

from misstep.worlds.desk import fields
from misstep.worlds.desk.belongings import Belongings, next_id
from misstep.worlds.desk.fields import several, shape
from misstep.worlds.desk.records import Task
from misstep.worlds.services import Refusal, Result, Service, service


def list_tasks(desk: Belongings, status: str = "open") -> Result:
    return {"tasks": [{**task} for _, task in sorted(desk.tables.tasks.items()) if task["status"] == status]}


def add_task(desk: Belongings, text: str, due_on: str | None = None) -> Result:
    task_id = next_id(desk.tables.tasks, "T", 401)
    task = Task(task_id=task_id, text=text, due_on=due_on, status="open")
    desk.change(tasks={task_id: task})
    return {**task}


def complete_task(desk: Belongings, task_id: str) -> Result:
    task = desk.tables.tasks.get(task_id)
    if task is None:
        raise Refusal(f"Task {task_id} does not exist. List the tasks.")
    if task["status"] == "done":
        raise Refusal(f"Task {task_id} is done already.")
    desk.change(tasks={task_id: {**task, "status": "done"}})
    return {**desk.tables.tasks[task_id]}


def task_services() -> tuple[Service, ...]:
    return (
        service(
            list_tasks,
            "reads",
            "List the tasks: those that are open, unless those that are done are asked for.",
            shape(optional=("status",), status=fields.TASK_STATUS),
            several("tasks", "The tasks.", fields.TASK),
        ),
        service(
            add_task,
            "writes",
            "Add a task with a text and, where it has one, the day on which it is due. Each call adds another task.",
            shape("text", optional=("due_on",)),
            fields.TASK,
        ),
        service(complete_task, "writes", "Complete a task: it is done.", shape("task_id"), fields.TASK),
    )
