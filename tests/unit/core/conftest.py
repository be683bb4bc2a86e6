"""What the tests of the nouns and of statistics share."""

from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def stats() -> ModuleType:
    """Scipy's, imported by the worker that compares with it: seconds, which the others need not spend."""
    from scipy import stats  # noqa: PLC0415

    return stats
