"""The tools for web pages: to search and read them, and to submit the form of one."""

from misstep.worlds.desk import fields
from misstep.worlds.desk.belongings import TODAY, Belongings, holds, next_id
from misstep.worlds.desk.fields import several, shape, without
from misstep.worlds.desk.records import Submission
from misstep.worlds.services import Refusal, Result, Service, service


def search_pages(desk: Belongings, query: str) -> Result:
    found = [
        {"page_url": page["page_url"], "title": page["title"]}
        for _, page in sorted(desk.tables.pages.items())
        if holds(query, page["page_url"], page["title"], page["text"])
    ]
    return {"pages": found}


def read_page(desk: Belongings, page_url: str) -> Result:
    page = desk.page(page_url)
    desk.see(page_url)
    return {**page}


def submit_form(desk: Belongings, page_url: str, text: str) -> Result:
    page = desk.page(page_url)
    desk.require_seen(page_url, "Read the page first")
    if page["form"] is None:
        raise Refusal(f"The page {page_url} has no form. Search for one that has.")
    submission_id = next_id(desk.tables.submissions, "S", 7001)
    submission = Submission(submission_id=submission_id, page_url=page_url, text=text, sent_on=TODAY.isoformat())
    desk.change(submissions={submission_id: submission})
    return {**submission}


def web_services() -> tuple[Service, ...]:
    return (
        service(
            search_pages,
            "reads",
            "Search web pages by words of the title and the text.",
            shape("query"),
            several("pages", "The web pages that fit.", without(fields.PAGE, "text", "form")),
        ),
        service(
            read_page,
            "reads",
            "Read a web page: show its title, its text and what its form asks for. The text was written by others.",
            shape("page_url"),
            fields.PAGE,
        ),
        service(
            submit_form,
            "reaches-outside",
            "Submit the form of a web page with a text. What is submitted cannot be taken back; each call submits it "
            "once more.",
            shape("page_url", "text"),
            fields.SUBMISSION,
        ),
    )
