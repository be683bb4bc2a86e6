"""A command line of Misstep → how it ended, in a process that has all of it imported already where one can be had."""

import multiprocessing
import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import misstep.detectors
import misstep.reporting.html
import misstep.reporting.terminal
import misstep.simulation.worker
import misstep.synthesis.synthesizing
import misstep.worlds
from misstep.cli.app import main

_IMPORTED = misstep
"""Commands import what they need late; whoever is forked finds it here."""


class Done(NamedTuple):
    code: int | None
    """None where it took too long."""
    stderr: str


def ran(arguments: Sequence[str], folder: Path, *, limit_s: float, **environment: str) -> Done:
    """Like `misstep ARGUMENTS` in the folder; what it prints lies beside the folder for a moment."""
    # Where nothing can be forked, a spawned process does the same.
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    told = folder.with_name(f"{folder.name}.stderr")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside threads, which hold nothing of ours
        process = multiprocessing.get_context(method).Process(
            target=_main, args=(tuple(arguments), folder, told, environment)
        )
        process.start()
    process.join(limit_s)
    late = process.is_alive()
    if late:
        process.kill()
        process.join()
    return Done(None if late else process.exitcode, told.read_text("utf-8", "replace"))


def _main(arguments: Sequence[str], folder: Path, told: Path, environment: dict[str, str]) -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    errors = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for number, target in enumerate((nowhere, nowhere, errors)):
        os.dup2(target, number)
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, mode, encoding="utf-8") for number, mode in enumerate("rww"))
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["misstep", *arguments]
    main()
