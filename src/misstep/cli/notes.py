"""A sentence for a person → stderr, beside the data."""

import typer


def note(text: str) -> None:
    typer.echo(text, err=True)
