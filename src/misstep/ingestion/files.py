"""A path that somebody gave → the files there that may hold traces."""

from pathlib import Path

from misstep.core.errors import UsageError

_OF_A_RUN = "traces.jsonl"
_SUFFIXES = (".json", ".jsonl", ".ndjson", ".traj", ".eval", ".pb", ".binpb", ".otlp", ".gz")


def files_at(path: Path) -> tuple[Path, ...]:
    """The file itself; or the files of a folder: those named `traces.jsonl`, or else all that traces are kept in."""
    if path.is_dir():
        found = _regular(path, (_OF_A_RUN,)) or _regular(path, _SUFFIXES)
        if not found:
            kinds = ", ".join(_SUFFIXES)
            raise UsageError(f"There is no trace file in {path}: nothing that ends in {kinds}. Name the file itself.")
        return tuple(found)
    if not path.exists():
        raise UsageError(f"There is no file or folder {path}.")
    if not path.is_file():
        raise UsageError(f"{path} is no regular file. Save what it gives in one, and give that.")
    return (path,)


def _regular(folder: Path, endings: tuple[str, ...]) -> list[Path]:
    """Without what would be waited for, such as a pipe, or never ends, such as a device; and without hidden ones."""
    return sorted(
        each
        for each in folder.rglob("*")
        if each.name.endswith(endings)
        and not any(part.startswith(".") for part in each.relative_to(folder).parts)
        and each.is_file()
    )
