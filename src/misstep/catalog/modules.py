"""`module:attribute` → what it stands for, and a mark of the code that it is written in."""

import hashlib
import importlib
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

from misstep.core.errors import StartError, UsageError, suggestion

_SOURCES = ("*.py", "*.toml")


class NotFoundError(UsageError):
    """There is nothing of that name."""


def attribute_named(spec: str, role: str, forms: str) -> object:
    """What a `module:attribute` stands for."""
    name, colon, attribute = spec.partition(":")
    if not colon or not name or not attribute:
        raise NotFoundError(f"{spec!r} does not say where the {role} {_be(role)}: write {forms}.")
    if name.endswith(".py") or "/" in name:
        dotted = name.removesuffix(".py").removeprefix("./").replace("/", ".")
        raise NotFoundError(f"{name!r} is a file; Python knows it as a module: write '{dotted}:{attribute}'.")
    thing: object = _module(name, spec)
    for part in attribute.split("."):
        known = [each for each in dir(thing) if not each.startswith("_")]
        if not hasattr(thing, part):
            raise NotFoundError(f"{name!r} was found, but has no {part!r} in it ({spec}).{suggestion(part, known)}")
        thing = getattr(thing, part)
    return thing


def _be(role: str) -> str:
    return "are" if role.endswith("s") else "is"


def _module(name: str, spec: str) -> object:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise StartError(
                f"There is no module {name!r} ({spec}), neither installed nor in {here}.{_nearest_module(name)}"
            ) from None
        raise StartError(
            f"{name!r} was found, but needs the module {error.name!r}, which is not installed{_place(error)}. "
            "Install it in the environment that Misstep runs in."
        ) from None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a module of somebody's own may raise anything
        raise StartError(
            f"{name!r} was found, but importing it raised {type(error).__name__}: {error}{_place(error)}. "
            f"Correct that, and see that `python -c 'import {name}'` works."
        ) from None


def _nearest_module(name: str) -> str:
    modules = [path.stem for path in Path.cwd().glob("*.py")]
    return suggestion(name, modules) if modules else " Run Misstep in the folder that holds your code."


def _place(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return ""  # its own text says where
    frames = [each for each in traceback.extract_tb(error.__traceback__) if "importlib" not in each.filename]
    own = [each for each in frames if each.filename != __file__]
    return f" ({own[-1].filename}, line {own[-1].lineno})" if own else ""


def code_digest(*specs: str) -> str:
    """A mark of the files that agent and tools are written in, so that a changed agent is not taken for the old one.

    It sees the package of a module, or the files beside a module that has none; not what those import from elsewhere.
    """
    digest = hashlib.blake2b(digest_size=12)
    for spec in specs:
        for name, data in _sources(spec.partition(":")[0]):
            digest.update(f"{name}\n{len(data)}\n".encode())
            digest.update(data)
    return digest.hexdigest()


def _sources(scheme: str) -> Iterator[tuple[str, bytes]]:
    top = "misstep" if scheme in ("zoo", "world") else scheme.partition(".")[0]
    module = sys.modules.get(top)
    file = getattr(module, "__file__", None)
    if file is None:
        return
    folder = Path(file).parent
    is_package = hasattr(module, "__path__")
    for pattern in _SOURCES if is_package else ("*.py",):
        for source in sorted(folder.rglob(pattern) if is_package else folder.glob(pattern)):
            yield source.relative_to(folder).as_posix(), source.read_bytes()
