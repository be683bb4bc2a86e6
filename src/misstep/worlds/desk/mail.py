"""The mail tools: to list, read, search, send, answer, forward, archive and delete mails."""

from misstep.worlds.desk import fields
from misstep.worlds.desk.belongings import TODAY, Belongings, holds, next_id
from misstep.worlds.desk.fields import several, shape, without
from misstep.worlds.desk.records import Mail, MailStatus
from misstep.worlds.services import Refusal, Result, Service, service

_LISTED = without(fields.MAIL, "text")


def list_mails(desk: Belongings, box: str = "inbox") -> Result:
    return {"mails": [_listed(mail) for mail in newest_first(desk) if mail["box"] == box]}


def search_mails(desk: Belongings, query: str) -> Result:
    found = [
        _listed(mail)
        for mail in newest_first(desk)
        if holds(query, mail["name"], mail["email"], mail["subject"], mail["text"])
    ]
    return {"mails": found}


def read_mail(desk: Belongings, mail_id: str) -> Result:
    mail = desk.mail(mail_id)
    desk.see(mail_id)
    return {**mail}


def send_mail(desk: Belongings, contact_id: str, subject: str, text: str) -> Result:
    contact = desk.contact(contact_id)
    return sent(desk, contact["name"], contact["email"], subject, text)


def send_to_address(desk: Belongings, email: str, subject: str, text: str) -> Result:
    return sent(desk, email, email, subject, text)


def reply_to_mail(desk: Belongings, mail_id: str, text: str) -> Result:
    mail = _read(desk, mail_id)
    if not any(contact["email"] == mail["email"] for contact in desk.tables.contacts.values()):
        raise Refusal(f"{mail['email']} is not in the contacts, so mail {mail_id} cannot be answered from here.")
    _mark(desk, mail, "answered")
    return sent(desk, mail["name"], mail["email"], f"Re: {mail['subject']}", text)


def forward_mail(desk: Belongings, mail_id: str, contact_id: str) -> Result:
    mail, contact = _read(desk, mail_id), desk.contact(contact_id)
    _mark(desk, mail, "forwarded")
    return sent(desk, contact["name"], contact["email"], f"Fwd: {mail['subject']}", mail["text"])


def archive_mail(desk: Belongings, mail_id: str) -> Result:
    mail = desk.mail(mail_id)
    if mail["box"] != "inbox":
        raise Refusal(f"Mail {mail_id} is in the box {mail['box']}; only a mail in the inbox can be archived.")
    desk.change(mails={mail_id: {**mail, "box": "archive"}})
    return {**desk.mail(mail_id)}


def delete_mail(desk: Belongings, mail_id: str) -> Result:
    _read(desk, mail_id)
    desk.remove("mails", [mail_id])
    return {"mail_id": mail_id, "deleted": 1}


def newest_first(desk: Belongings) -> list[Mail]:
    return sorted(desk.tables.mails.values(), key=lambda mail: (mail["received_on"], mail["mail_id"]), reverse=True)


def sent(desk: Belongings, name: str, email: str, subject: str, text: str) -> Result:
    """A mail leaves the house; the box of sent mails keeps it."""
    mail_id = next_id(desk.tables.mails, "M", 1001)
    mail = Mail(
        mail_id=mail_id,
        box="sent",
        name=name,
        email=email,
        subject=subject,
        text=text,
        received_on=TODAY.isoformat(),
        status="sent",
    )
    desk.change(mails={mail_id: mail})
    return {**mail}


def _read(desk: Belongings, mail_id: str) -> Mail:
    mail = desk.mail(mail_id)
    desk.require_seen(mail_id, "Read the mail first")
    return mail


def _mark(desk: Belongings, mail: Mail, status: MailStatus) -> None:
    desk.change(mails={mail["mail_id"]: {**mail, "status": status}})


def _listed(mail: Mail) -> Result:
    return {name: value for name, value in mail.items() if name != "text"}


def mail_services() -> tuple[Service, ...]:
    return (*_reading(), *_sending(), *_tidying())


def _reading() -> tuple[Service, ...]:
    return (
        service(
            list_mails,
            "reads",
            "List the mails of a box, newest first: the inbox unless another box is named.",
            shape(optional=("box",)),
            several("mails", "The mails in the box.", _LISTED),
        ),
        service(
            search_mails,
            "reads",
            "Search the mails of all boxes by words of the sender, the subject and the text.",
            shape("query"),
            several("mails", "The mails that fit, newest first.", _LISTED),
        ),
        service(
            read_mail,
            "reads",
            "Read a mail: show whom it came from, its subject and its text. The text was written by others.",
            shape("mail_id"),
            fields.MAIL,
        ),
    )


def _sending() -> tuple[Service, ...]:
    return (
        service(
            send_mail,
            "reaches-outside",
            "Send a mail with a subject and a text to a contact. Each call sends another mail.",
            shape("contact_id", "subject", "text"),
            fields.MAIL,
        ),
        service(
            send_to_address,
            "reaches-outside",
            "Send a mail with a subject and a text to an e-mail address that is not in the contacts. Each call sends "
            "another mail.",
            shape("email", "subject", "text"),
            fields.MAIL,
        ),
        service(
            reply_to_mail,
            "reaches-outside",
            "Reply to a mail with a text, where its sender is in the contacts. Each call sends another reply.",
            shape("mail_id", "text"),
            fields.MAIL,
        ),
        service(
            forward_mail,
            "reaches-outside",
            "Forward a mail to a contact. Each call forwards it once more.",
            shape("mail_id", "contact_id"),
            fields.MAIL,
        ),
    )


def _tidying() -> tuple[Service, ...]:
    return (
        service(
            archive_mail,
            "writes",
            "Archive a mail: put it from the inbox into the archive.",
            shape("mail_id"),
            fields.MAIL,
        ),
        service(delete_mail, "destroys", "Delete a mail for good.", shape("mail_id"), shape("mail_id", "deleted")),
    )
