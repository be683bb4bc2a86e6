"""Secrets out of JSON: by the key that names them and by the form that gives them away."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import cast

from misstep.core.tool import JSON

_KEY = re.compile(
    r"(?:^|[_\-.])(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_\-]?key|auth(?:orization)?|bearer|cookie"
    r"|credentials?|private[_\-]?key|access[_\-]?key|session[_\-]?(?:id|key)|client[_\-]?secret|signature|otp|pin|cvv)s?$",
    re.IGNORECASE,
)
_FORMS = (
    ("private-key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----", re.DOTALL)),
    ("jwt", re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*")),
    ("bearer", re.compile(r"(?<=\bBearer )[\w.~+/=-]{8,}", re.IGNORECASE)),
    (
        "key",
        re.compile(r"\b(?:sk|pk|rk|ghp|gho|ghs|ghu|glpat|xox[abpr]|AKIA|ASIA|AIza|hf|npm|pypi|shpat)[-_]?[\w-]{16,}"),
    ),
    ("login", re.compile(r"(?<=://)[^/\s:@]+:[^/\s@]+(?=@)")),
)


REDACTED = "«redacted"
"""How what stands for a secret begins."""


def redacted(value: JSON, key: str = "") -> JSON:
    """The same without its secrets; what was taken out is marked with its kind, so that two secrets never differ."""
    if isinstance(value, Mapping):
        named = cast("Mapping[str, JSON]", value)
        return {str(name): redacted(inner, str(name)) for name, inner in named.items()}
    if isinstance(value, list):
        return [redacted(inner, key) for inner in cast("list[JSON]", value)]
    if not isinstance(value, str):
        return value
    if value and names_secret(key):
        return f"{REDACTED}»"
    for kind, form in _FORMS:
        value = form.sub(f"{REDACTED} {kind}»", value)
    return value


def names_secret(key: str) -> bool:
    """Whether what stands under a key is a secret by its name."""
    return bool(_KEY.search(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key)))


def looks_secret(value: str) -> bool:
    return any(form.search(value) for _, form in _FORMS)


def without(value: JSON, secrets: Collection[str]) -> JSON:
    """The same with each of these texts taken out, wherever it stands; the longest first, where one holds another."""
    if not secrets:
        return value
    if isinstance(value, Mapping):
        named = cast("Mapping[str, JSON]", value)
        return {str(without(name, secrets)): without(inner, secrets) for name, inner in named.items()}
    if isinstance(value, list | tuple):
        return [without(inner, secrets) for inner in cast("Sequence[JSON]", value)]
    if not isinstance(value, str):
        return value
    for secret in sorted(secrets, key=lambda each: (-len(each), each)):
        value = value.replace(secret, f"{REDACTED}»")
    return value
