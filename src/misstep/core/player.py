"""Player: who plays the persons of scenarios that have no script."""

from typing import Literal

Player = Literal["plain", "modelled"]
"""The plain person costs nothing and says the same each time; a model is livelier."""
