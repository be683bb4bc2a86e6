"""The tools for contacts: to find, show and add people."""

from misstep.worlds.desk import fields
from misstep.worlds.desk.belongings import Belongings, holds, next_id
from misstep.worlds.desk.fields import several, shape
from misstep.worlds.desk.records import Contact
from misstep.worlds.services import Refusal, Result, Service, service


def find_contacts(desk: Belongings, query: str) -> Result:
    found = [
        {**contact}
        for _, contact in sorted(desk.tables.contacts.items())
        if holds(query, contact["name"], contact["company"], contact["email"])
    ]
    return {"contacts": found}


def show_contact(desk: Belongings, contact_id: str) -> Result:
    return {**desk.contact(contact_id)}


def add_contact(desk: Belongings, name: str, email: str, phone: str, company: str = "none") -> Result:
    for contact in desk.tables.contacts.values():
        if contact["email"] == email.lower():
            raise Refusal(f"{email} is the e-mail address of contact {contact['contact_id']} already.")
    contact_id = next_id(desk.tables.contacts, "C", 3001)
    contact = Contact(contact_id=contact_id, name=name, email=email.lower(), phone=phone, company=company)
    desk.change(contacts={contact_id: contact})
    return {**contact}


def contact_services() -> tuple[Service, ...]:
    return (
        service(
            find_contacts,
            "reads",
            "Find contacts by words of the name, the company or the e-mail address. Several can have the same name.",
            shape("query"),
            several("contacts", "The contacts that fit.", fields.CONTACT),
        ),
        service(
            show_contact,
            "reads",
            "Show a contact: the name, e-mail address, phone number and company.",
            shape("contact_id"),
            fields.CONTACT,
        ),
        service(
            add_contact,
            "writes",
            "Add a contact with a name, an e-mail address and a phone number.",
            shape("name", "email", "phone", optional=("company",)),
            fields.CONTACT,
        ),
    )
