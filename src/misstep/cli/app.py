"""The commands together, and what becomes of errors: the only place where an exception turns into an exit code."""

import gc
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer
from typer.exceptions import TyperException

from misstep.cli.calibrate import calibrate
from misstep.cli.demo import demo
from misstep.cli.detect import detect
from misstep.cli.dispute import dispute
from misstep.cli.exits import FAILED, INTERRUPTED, UNDECIDED, USAGE
from misstep.cli.ingest import ingest
from misstep.cli.report import report
from misstep.cli.run import run
from misstep.cli.serve import serve
from misstep.cli.synthesize import synthesize
from misstep.cli.wrap import wrap
from misstep.core.errors import MisstepError, StartError, StoppedError, UsageError

# Help without rich markup: it comes up in a third of the time.
app = typer.Typer(name="misstep", add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def _example(*lines: str) -> str:
    return "\n".join(("\b", "For example:", *(f"  {line}" for line in lines)))  # \b: the lines stay as they are


app.command(epilog=_example("misstep demo", "misstep demo --out somewhere"))(demo)
app.command(
    epilog=_example(
        "misstep run --agent zoo:sound --tools world:shop",
        "misstep run --agent my_agent:factory --tools my_agent:tools --scenarios scenarios --trials 5",
        "misstep run --agent zoo:sound --tools world:shop --only 'easy-*' --trial 2",
    )
)(run)
app.command(
    epilog=_example(
        "misstep synthesize --tools world:shop --count 500",
        "misstep synthesize --tools my_agent:tools --factor goals=1,3 --factor ambiguity=one,several",
        "misstep synthesize --tools mcp.json --check-tools",
    )
)(synthesize)
app.command(
    epilog=_example("misstep ingest traces.json", "misstep ingest spans.jsonl --as openinference --out traces.jsonl")
)(ingest)
app.command(
    epilog=_example("misstep detect runs", "misstep detect traces.jsonl --json findings.json --fail-on false-success")
)(detect)
app.command(epilog=_example("misstep calibrate --from labels.jsonl --traces traces --out learned.json"))(calibrate)
app.command(epilog=_example("misstep report misstep-demo"))(report)
app.command(
    epilog=_example(
        "misstep dispute misstep-demo 'refund-late#2' --because 'the agent asked first, in other words'",
        "misstep dispute misstep-demo --list",
        "misstep dispute misstep-demo --withdraw 'refund-late#2'",
    )
)(dispute)
app.command(
    epilog=_example(
        "misstep serve --tools mcp.json --routing",
        "misstep serve --tools mcp.json --http 8123 --out session",
        "misstep serve --tools world:desk",
    )
)(serve)
app.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    epilog=_example(
        "misstep wrap --mcp-config mcp.json -- my-agent --tools {mcp} 'Tidy up my files'",
        "misstep wrap -- my-agent --mcp-config mcp.json",
    ),
)(wrap)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415 - late: only this option needs it

        typer.echo(f"misstep {version('misstep')}")
        raise typer.Exit


@app.callback(invoke_without_command=True, epilog=_example("misstep demo", "misstep run --help"))
def misstep(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> int:
    """Put an AI agent through realistic trouble, and see what went wrong and where.

    No language model, no key, no network. Exit codes: 0 pass or done, 1 fail, 2 undecided or invalid, 64 wrong usage.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(USAGE)
    return 0


def main() -> None:
    """The program `misstep`."""
    gc.set_threshold(50_000)  # What a command imports stays: to look for garbage in it is a tenth of the start.
    sys.exit(exit_code(sys.argv[1:]))


def exit_code(arguments: Sequence[str]) -> int:
    """Run a command line and say how it ended."""
    try:
        code = app(args=list(arguments), prog_name="misstep", standalone_mode=False)
    except TyperException as error:
        _complain(f"{error.format_message().rstrip('.')}. See `misstep --help` and `misstep COMMAND --help`.")
        return USAGE
    except UsageError as error:
        _complain(str(error))
        return UNDECIDED if isinstance(error, StartError) else USAGE
    except StoppedError as error:
        _complain(str(error))
        return FAILED if error.blame == "agent" else UNDECIDED
    except MisstepError as error:
        _complain(str(error))
        return UNDECIDED
    except typer.Abort:
        _complain("Stopped.")
        return INTERRUPTED
    except Exception:  # noqa: BLE001 - the process edge: our own error must not look like an agent's failure
        traceback.print_exc()
        _complain("This is an error in Misstep itself, not in your agent. Please report it with the lines above.")
        return UNDECIDED
    return code if isinstance(code, int) else 0


def _complain(text: str) -> None:
    typer.echo(f"misstep: {text}", err=True)
