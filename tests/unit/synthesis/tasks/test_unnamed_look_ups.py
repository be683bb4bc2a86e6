"""Tools whose words do not say that they look: they are seen to, however many calls name what is not there."""

import asyncio
from collections.abc import Callable

from made_once import made_once

from misstep.synthesis.tasks.tasking import Tasks, tasks_of
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held


def allotments() -> list[Callable[..., object]]:
    tenants = {
        f"T{2000 + at}": {"name": name, "post": f"{at} Mill Lane"}
        for at, name in enumerate(("Ida Brook", "Otto Fenn", "Una Marsh", "Vic Dale"), 1)
    }
    plots = {
        f"PL-{400 + at}": {"tenant": f"T{2000 + who}", "soil": soil, "shed": shed}
        for at, who, soil, shed in (
            (1, 1, "clay", True),
            (2, 2, "loam", False),
            (3, 3, "peat", True),
            (4, 1, "chalk", False),
        )
    }
    leases: list[dict[str, object]] = [
        {"lease": 7100 + at, "plot": 400 + at % 3, "rent": 20.0 + at, "begins": f"2026-0{1 + at % 2}-01", "paid": paid}
        for at, paid in enumerate((True, False, False, True))
    ]

    def show_tenant(tenant_ref: str) -> dict[str, object]:
        """Show a tenant."""
        return {"tenant_ref": tenant_ref, **tenants[tenant_ref]}

    def plots_of_tenant(tenant_ref: str) -> list[dict[str, object]]:
        """Plots of a tenant."""
        if tenant_ref not in tenants:
            raise LookupError(f"No tenant with reference {tenant_ref}.")
        return [{"plot_ref": key, **plot} for key, plot in plots.items() if plot["tenant"] == tenant_ref]

    def lease(lease: int) -> dict[str, object]:
        """garden lease"""
        return next(each for each in leases if each["lease"] == lease)

    def pay(lease: int) -> dict[str, object]:
        """Pay the rent of a lease."""
        found = next(each for each in leases if each["lease"] == lease)
        if found["paid"]:
            raise ValueError("It is paid already")
        found["paid"] = True
        return found

    def unlock(plot_ref: str) -> None:
        """Unlock the shed of a plot."""
        if not plots[plot_ref]["shed"]:
            raise ValueError("There is no shed")

    return [show_tenant, plots_of_tenant, lease, pay, unlock]


@made_once
def made(seed: int) -> Tasks:
    make = asyncio.run(held(as_toolbox(allotments))).make
    assert make is not None
    return asyncio.run(tasks_of(lambda _: make(), seed=seed, count=40))


def test_a_look_up_that_was_mostly_called_with_keys_of_other_kinds_is_reached() -> None:
    assert all("plots_of_tenant" in made(seed).reached for seed in range(4))


def test_a_look_up_by_a_number_that_is_no_key_is_reached_though_most_numbers_are_nobodys() -> None:
    assert all("lease" in made(seed).reached for seed in range(4))


def test_no_tool_of_which_calls_worked_is_said_to_have_none_that_did() -> None:
    for seed in range(4):
        assert "No call of it worked" not in made(seed).unreached["unlock"]
