"""What is tracked is of use to anybody: no lock files, machine paths or package hosts; all direct versions pinned."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
OWN_FOLDERS = [folder for folder in (ROOT, Path.home()) if len(folder.parts) > 1 and folder.parts[1:] != ("src",)]
PACKAGE_HOST = re.compile(
    r"https?://[\w.-]*(?:pypi|pythonhosted|artifactory|nexus|registry|mirror)[\w.-]*", re.IGNORECASE
)
PINNED = re.compile(
    r"^(?P<name>[\w.-]+)==(?P<version>[^\s;\\]+)[^\n]*\\\n(?P<hashes>(?:    --hash=\S+(?: \\)?\n)+)", re.MULTILINE
)


def tracked() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def test_no_tracked_file_names_a_machines_path_or_a_package_host() -> None:
    for path in tracked():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        named = [*PACKAGE_HOST.findall(text), *(str(each) for each in OWN_FOLDERS if f"{each}/" in text)]
        assert not named, f"{path.relative_to(ROOT)} names {named[0]}"


def test_lock_files_that_name_hosts_are_not_tracked() -> None:
    names = {path.name for path in tracked()}
    assert not names & {"uv.lock", "pylock.toml"}
    ignored = subprocess.run(
        ["git", "check-ignore", "uv.lock", "pylock.toml"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ignored.stdout.split() == ["uv.lock", "pylock.toml"]


def direct_requirements() -> list[Requirement]:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    groups = [*data["project"]["optional-dependencies"].values(), *data["dependency-groups"].values()]
    listed = [*data["project"]["dependencies"], *(each for group in groups for each in group)]
    return [Requirement(each) for each in listed]


def pinned() -> dict[str, str]:
    text = (ROOT / "requirements.lock.txt").read_text("utf-8")
    return {canonicalize_name(match["name"]): match["version"] for match in PINNED.finditer(text)}


@pytest.mark.parametrize("requirement", direct_requirements(), ids=lambda each: each.name)
def test_every_direct_dependency_is_pinned_to_a_version_that_fits(requirement: Requirement) -> None:
    version = pinned().get(canonicalize_name(requirement.name))
    assert version, f"{requirement.name} is not in requirements.lock.txt; CONTRIBUTING.md says how to renew it"
    assert requirement.specifier.contains(version), (
        f"requirements.lock.txt has {version}; pyproject.toml wants {requirement}"
    )


def test_every_pinned_version_has_a_hash() -> None:
    text = (ROOT / "requirements.lock.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if re.match(r"[\w.-]+", line)]
    assert lines
    assert len(lines) == len(list(PINNED.finditer(text)))
