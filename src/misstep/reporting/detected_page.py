"""What was found in traces → one page with their conversations; apart, for most who look at traces want no page."""

from misstep.reporting.detected import Detected
from misstep.reporting.html import page


def detected_html(detected: Detected, *, version: str) -> str:
    """The whole page, of one that was told to keep conversations."""
    sections = detected.sections()
    return page(
        "detected.html.j2",
        detected=detected,
        rows=detected.modes(),
        risks=detected.risks(),
        losses=detected.losses.together(),
        sections=sections,
        anchors={section.mode: section.anchor for section in sections},
        version=version,
    )
