"""Tools that run shell commands → a Toolbox that runs the common ones on a tree in memory, and nowhere else."""

import posixpath
from collections.abc import Mapping, Sequence
from random import Random
from typing import cast

from misstep.core.errors import UnknownToolError
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool
from misstep.core.words import split_identifier, words
from misstep.tools.checked import problem
from misstep.tools.disk.files import HOME, starting_tree
from misstep.tools.disk.globs import alternatives, fits_glob
from misstep.tools.disk.shell_commands import COMMANDS, Place
from misstep.tools.disk.shell_texts import Printed, UsedWronglyError
from misstep.tools.disk.shell_words import Command, Redirection, ShellSyntaxError, expanded, parsed
from misstep.tools.disk.tree import Tree, TreeError
from misstep.tools.records.entities import properties
from misstep.tools.records.making_up import completed

TABLE = "shell"
_RUNS = frozenset("run execute exec shell bash terminal command sh cmd".split())
_COMMANDS = frozenset("command cmd commands script line input code".split())
_SHELLS = frozenset("shell bash terminal command commands sh zsh console".split())
_QUOTING = frozenset("'\"`$\\")
_DEEPEST = 5
_LONGEST = 1_000_000


def shell_tools(tools: Sequence[Tool]) -> dict[str, str]:
    """Those of the tools that run commands, each with the parameter that takes the command."""
    found: dict[str, str] = {}
    for tool in tools:
        named = {*split_identifier(tool.name)}
        told = {*named, *words(tool.description)[:25]}
        given = properties(tool.input_schema)
        texts = [name for name in given if set(split_identifier(name)) & _COMMANDS]
        required = set(cast("list[str]", tool.input_schema.get("required") or []))
        if named & _RUNS and told & _SHELLS and texts and required <= {texts[0]}:
            found[tool.name] = texts[0]
    return found


class Shell:
    """Keeps its folder and variables between calls, as a terminal does. What it does not know it says it does not."""

    def __init__(self, tools: Sequence[Tool], *, seed: int = 0, tree: Tree | None = None, folder: str = HOME) -> None:
        self._commands = shell_tools(tools)
        self._tools = tuple(tool for tool in tools if tool.name in self._commands)
        self._seed = seed
        self.tree = tree if tree is not None else starting_tree(None)
        home = folder if self.tree.is_folder(folder) else "/"
        self._place = Place(self.tree, home, {"HOME": home, "PWD": home, "USER": "user", "SHELL": "/bin/sh"})
        self._depth = 0

    async def tools(self) -> Sequence[Tool]:
        return self._tools

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        found = next((each for each in self._tools if each.name == tool), None)
        if found is None:
            raise UnknownToolError(tool, self._commands)
        if wrong := problem(found, arguments):
            return Answer(wrong, is_error=True, served_by="simulated")
        given = arguments.get(self._commands[tool])
        line = " ".join(map(str, cast("list[JSON]", given))) if isinstance(given, list) else str(given or "")
        done = self.run(line)
        if found.output_schema:
            known: dict[str, JSON] = {
                **dict.fromkeys(("stdout", "output", "result", "content", "text"), done.out),
                **dict.fromkeys(("stderr", "error"), done.wrong),
                **dict.fromkeys(("exit_code", "exitCode", "code", "returncode", "status"), done.code),
            }
            named = properties(found.output_schema)
            wanted = {name: value for name, value in known.items() if name in named}
            content = completed(found.output_schema, wanted, Random(f"{self._seed}/{line}"))
            return Answer(content, served_by="simulated")
        text = done.out + done.wrong
        if done.code:
            text += f"exit code {done.code}"
        return Answer(text.rstrip("\n"), is_error=done.code != 0, served_by="simulated")

    def snapshot(self) -> State:
        place: dict[str, JSON] = {"folder": self._place.folder, **self._place.variables}
        return {**self.tree.snapshot(), TABLE: {"place": place}}

    def restore(self, state: State) -> None:
        self.tree.restore(state)
        kept = dict(state.get(TABLE, {}).get("place", {}))
        self._place.folder = str(kept.pop("folder", "/"))
        self._place.variables = {name: str(value) for name, value in kept.items()}

    def run(self, line: str) -> Printed:
        """Run a whole command line; the code is that of the last command that ran."""
        try:
            pipelines = parsed(line)
        except ShellSyntaxError as error:
            return Printed("", f"sh: {error}\n", 2)
        out = wrong = ""
        code = 0
        for pipeline in pipelines:
            if (pipeline.after == "&&" and code) or (pipeline.after == "||" and not code):
                continue
            given = ""
            done = Printed()
            for command in pipeline.commands:
                done = self._one(command, given)
                given, wrong = done.out, wrong + done.wrong
            out, code = out + done.out, done.code
            self._place.variables["?"] = str(code)
        return Printed(out[:_LONGEST], wrong[:_LONGEST], code)

    def _one(self, command: Command, given: str) -> Printed:
        try:
            said = self._words(command.words)
            redirections = [(each, self._target(each)) for each in command.redirections]
            for each, target in redirections:
                if each.kind == "<<":
                    given = target
                elif each.kind == "<":
                    given = self.tree.text_of(self._place.at(target))
            return self._redirected(self._ran(said, given), redirections)
        except TreeError as error:
            return Printed("", f"sh: {error.path}: {error.reason}\n", 1)
        except (ShellSyntaxError, UsedWronglyError) as error:
            return Printed("", f"sh: {error}\n", 2)

    def _ran(self, said: list[str], given: str) -> Printed:
        while said and "=" in said[0] and said[0].partition("=")[0].isidentifier():
            name, _, value = said.pop(0).partition("=")
            self._place.variables[name] = value
        if not said:
            return Printed()
        while said[:1] == ["sudo"]:
            said = said[1:]
        name, *rest = said
        if name in ("sh", "bash") and rest[:1] == ["-c"] and len(rest) > 1:
            return self._inner(rest[1])
        if name == "xargs":
            target = rest or ["echo"]
            return self._ran([*target, *given.split()], "")
        run = COMMANDS.get(posixpath.basename(name))
        if run is None:
            return Printed("", f"sh: {name}: not known to this simulated shell; it knows {', '.join(KNOWN)}\n", 127)
        try:
            return run(self._place, rest, given)
        except UsedWronglyError as error:
            text = str(error)
            return Printed("", f"{text if text.startswith(f'{name}:') else f'{name}: {text}'}\n", 2)

    def _inner(self, line: str) -> Printed:
        if self._depth >= _DEEPEST:
            raise ShellSyntaxError("commands within commands go too deep")
        self._depth += 1
        try:
            return self.run(line)
        finally:
            self._depth -= 1

    def _words(self, raw: Sequence[str]) -> list[str]:
        made: list[str] = []
        spread = [each for word in raw for each in (alternatives(word) if not set(word) & _QUOTING else [word])]
        for word in spread:
            for each in expanded(word, self._place.variables, lambda line: self._inner(line).out):
                made += self._matching(each.text) if each.globs else [each.text]
        return made

    def _matching(self, pattern: str) -> list[str]:
        """The names that a star stands for; the pattern itself where there is none."""
        absolute = pattern.startswith("/")
        top = "/" if absolute else self._place.folder
        wanted = pattern.lstrip("/")
        hits = [
            relative
            for place in self.tree.below(top)
            if fits_glob(relative := posixpath.relpath(place, top), wanted) and not _is_hidden(relative, wanted)
        ]
        return [f"/{hit}" if absolute else hit for hit in hits] or [pattern]

    def _target(self, redirection: Redirection) -> str:
        whole = expanded(redirection.target, self._place.variables, lambda line: self._inner(line).out)
        if len(whole) != 1 and redirection.kind != "<<":
            raise ShellSyntaxError("ambiguous redirect")
        return whole[0].text if whole else ""

    def _redirected(self, done: Printed, redirections: Sequence[tuple[Redirection, str]]) -> Printed:
        out, wrong = done.out, done.wrong
        for each, target in redirections:
            if each.kind not in (">", ">>"):
                continue
            if target in ("&1", "&2"):
                out, wrong = (out + wrong, "") if target == "&1" else ("", wrong + out)
                continue
            text = out if each.stream == 1 else wrong if each.stream == 2 else out + wrong
            if target != "/dev/null":
                (self.tree.append if each.kind == ">>" else self.tree.write)(self._place.at(target), text)
            out = out if each.stream == 2 else ""
            wrong = wrong if each.stream == 1 else ""
        return Printed(out, wrong, done.code)


KNOWN = tuple(sorted(name for name in COMMANDS if name.isalpha()))


def _is_hidden(path: str, pattern: str) -> bool:
    return any(
        name.startswith(".") and not wanted.startswith(".")
        for name, wanted in zip(path.split("/"), pattern.split("/"), strict=False)
    )
