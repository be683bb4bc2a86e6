"""The sound agent, on a library's desk that it has never seen."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from misstep.agents.zoo import PLANTED, ZOO_NAMES, zoo_named
from misstep.agents.zoo.sound import Sound
from misstep.core.errors import UsageError
from misstep.core.policy import Policy, Rule
from misstep.core.tool import JSON, Answer, Tool

MEMBER = {"type": "string", "pattern": "^M-\\d{3}$", "description": "The member's id."}
LOAN = {"type": "string", "pattern": "^L-\\d{3}$", "description": "The loan's id."}
TEXT = {"type": "string"}
EMAIL = {"type": "string", "format": "email"}


def schema(properties: dict[str, JSON], required: Sequence[str] | None = None) -> dict[str, JSON]:
    needed = list(properties) if required is None else list(required)
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


def listed(name: str, properties: dict[str, JSON]) -> dict[str, JSON]:
    return schema({name: {"type": "array", "items": schema(properties)}})


TOOLS = (
    Tool(
        "search_members",
        "Find members by name or e-mail.",
        schema({"full_name": TEXT, "email": EMAIL}, []),
        listed("members", {"member_id": MEMBER, "full_name": TEXT, "city": TEXT}),
        "reads",
    ),
    Tool(
        "list_loans",
        "List the loans of a member.",
        schema({"member_id": MEMBER}),
        listed("loans", {"loan_id": LOAN, "member_id": MEMBER, "title": TEXT, "due": TEXT}),
        "reads",
    ),
    Tool(
        "get_loan",
        "Show one loan: its title, due date and fine.",
        schema({"loan_id": LOAN}),
        schema({"loan_id": LOAN, "member_id": MEMBER, "title": TEXT, "due": TEXT, "fine": {"type": "number"}}),
        "reads",
    ),
    Tool(
        "verify_member",
        "Check that the caller is the member, by e-mail.",
        schema({"member_id": MEMBER, "email": EMAIL}),
        schema({"verified": {"type": "boolean"}}),
        "reads",
    ),
    Tool("renew_loan", "Renew a loan.", schema({"loan_id": LOAN}), schema({"loan_id": LOAN, "due": TEXT}), "writes"),
    Tool(
        "notify_member",
        "Send a letter to a member.",
        schema({"member_id": MEMBER}),
        schema({"letter_id": TEXT}),
        "reaches-outside",
    ),
    Tool(
        "delete_member",
        "Delete a member's account for good.",
        schema({"member_id": MEMBER}),
        schema({"deleted": {"type": "boolean"}}),
        "destroys",
    ),
)
MEMBERS = (
    {"member_id": "M-001", "full_name": "Ana Costa", "city": "Porto", "email": "ana@example.org"},
    {"member_id": "M-002", "full_name": "Ana Costa", "city": "Faro", "email": "costa@example.org"},
)
LOANS = (
    {"loan_id": "L-101", "member_id": "M-001", "title": "Moby Dick", "due": "2026-06-01"},
    {"loan_id": "L-102", "member_id": "M-001", "title": "Emma", "due": "2026-06-03"},
)
POLICY = Policy(
    "Verify first.",
    (
        Rule("who", "requires", "Verify first.", effects=("writes", "destroys"), parameters={"tool": "verify_member"}),
        Rule("sure", "confirm", "Ask before you delete.", effects=("destroys",)),
        Rule("tell", "afterwards", "Send a letter.", tools=("renew_loan",), parameters={"tool": "notify_member"}),
    ),
)


class Library:
    """A desk that remembers who called what; `failing` answers the named tool with an error so many times."""

    def __init__(self, failing: Mapping[str, list[str]] | None = None) -> None:
        self.calls: list[tuple[str, dict[str, JSON]]] = []
        self._failing = {name: list(errors) for name, errors in (failing or {}).items()}

    async def tools(self) -> Sequence[Tool]:
        return TOOLS

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        self.calls.append((tool, dict(arguments)))
        if self._failing.get(tool):
            return Answer({"error": self._failing[tool].pop(0)}, is_error=True)
        found = self._answer(tool, arguments)
        return Answer({"error": "There is no such loan."}, is_error=True) if found is None else Answer(found)

    def _answer(self, tool: str, given: Mapping[str, JSON]) -> JSON:
        match tool:
            case "search_members":
                fitting = [each for each in MEMBERS if all(each[name] == value for name, value in given.items())]
                return {"members": [{name: each[name] for name in each if name != "email"} for each in fitting]}
            case "list_loans":
                return {"loans": [each for each in LOANS if each["member_id"] == given["member_id"]]}
            case "get_loan":
                return next(({**each, "fine": 0.5} for each in LOANS if each["loan_id"] == given["loan_id"]), None)
            case "verify_member":
                return {"verified": {**given}.items() <= {**MEMBERS[int(str(given["member_id"])[-1]) - 1]}.items()}
            case "renew_loan":
                return {"loan_id": given["loan_id"], "due": "2026-06-15"}
            case "notify_member":
                return {"letter_id": "T-1"}
            case _:
                return {"deleted": True}

    @property
    def made(self) -> list[str]:
        return [tool for tool, _ in self.calls]


def talk(library: Library, *said: str) -> list[str]:
    async def conversation() -> list[str]:
        agent = Sound(POLICY)
        return [await agent.respond(each, library) for each in said]

    return asyncio.run(conversation())


def test_a_fact_that_is_missing_is_asked_for_and_the_task_goes_on():
    library = Library()
    asked, reported = talk(library, "Hi, I'd like to renew my loan L-101, please.", "It's ana@example.org.")
    assert "email" in asked
    assert library.made == ["get_loan", "verify_member", "renew_loan", "notify_member"]
    assert "2026-06-15" in reported


def test_look_ups_are_chained_until_the_id_is_found():
    library = Library()
    talk(library, "Please renew Emma for me.", "My email is ana@example.org.")
    assert ("renew_loan", {"loan_id": "L-102"}) in library.calls


def test_two_records_that_fit_are_put_to_the_user():
    library = Library()
    replies = talk(library, "Please delete my member account, my full name is Ana Costa.", "The one in Faro.")
    assert "Porto" in replies[0]
    assert "Faro" in replies[0]
    assert "delete_member" not in library.made


def test_what_destroys_is_confirmed_first_and_a_no_is_kept():
    library = Library()
    replies = talk(library, "Please delete my member account. My email is costa@example.org", "No, leave it.")
    assert replies[0].endswith("(yes/no)")
    assert "delete_member" not in library.made


def test_what_the_user_ruled_out_is_not_done_afterwards():
    library = Library()
    talk(library, "Please renew loan L-101. Don't send me any letter. My email is ana@example.org.")
    assert "renew_loan" in library.made
    assert "notify_member" not in library.made


def test_a_look_up_that_fails_for_a_moment_is_tried_again():
    library = Library({"get_loan": ["Service temporarily unavailable, try again."]})
    (told,) = talk(library, "When is loan L-102 due?")
    assert "2026-06-03" in told


def test_a_write_without_an_answer_is_not_repeated():
    library = Library({"renew_loan": ["Timed out after 30 s."]})
    (told,) = talk(library, "Please renew loan L-101. My email is ana@example.org.")
    assert library.made.count("renew_loan") == 1
    assert "cannot say whether it went through" in told


def test_an_error_is_told_and_not_hidden():
    library = Library({"renew_loan": ["This loan was renewed three times already."]})
    (told,) = talk(library, "Please renew loan L-101. My email is ana@example.org.")
    assert "could not" in told
    assert "three times" in told


@pytest.mark.parametrize("name", ZOO_NAMES)
def test_every_agent_of_the_zoo_answers_in_a_library(name: str):
    async def reply() -> str:
        return await zoo_named(name)(policy=POLICY, seed=1).respond("Please renew loan L-101.", Library())

    assert asyncio.run(reply())


def test_every_planted_failure_has_an_agent():
    assert set(PLANTED) < set(ZOO_NAMES)


def test_a_typo_in_an_agents_name_is_answered_with_the_nearest_one():
    with pytest.raises(UsageError, match="Did you mean 'guesses'"):
        zoo_named("gueses")
