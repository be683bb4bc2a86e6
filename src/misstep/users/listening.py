"""The tape → what the agent has said since one last listened; and every word and act that it has ever spoken of."""

from misstep.core.event import Message
from misstep.core.tape import View
from misstep.core.words import atoms, words
from misstep.wording.layout import plain
from misstep.wording.topics import actions_in
from misstep.wording.values import folded


class Ear:
    """Hears messages only: tool calls and results are not for users' eyes."""

    def __init__(self) -> None:
        self._read = 0
        self.words: set[str] = set()
        """Words and literals."""
        self.actions: set[str] = set()

    def hears(self, tape: View) -> str:
        fresh = tape[self._read :]
        self._read = len(tape)
        said = [event.text for event in fresh if isinstance(event, Message) and event.role == "agent"]
        message = "\n".join(said)
        self.words.update(words(message), words(plain(message)))  # `Wed` is heard as Wednesday too
        self.words.update(folded(atom.text).strip() for atom in atoms(message))
        self.actions.update(actions_in(message))
        return message
