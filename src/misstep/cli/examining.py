"""One file after another looked at, with complaints on stderr and results into their files; what `detect` does."""

from collections.abc import Iterable
from importlib.metadata import version

from misstep.cli.complaints import Complaints
from misstep.cli.findings_file import FindingsList
from misstep.cli.whole_file import WholeFile
from misstep.core.progress import Stage, Tell
from misstep.diagnosis.examining import Examined
from misstep.diagnosis.side_by_side import Look
from misstep.ingestion.nouns import BadRecord
from misstep.reporting.detected import Detected
from misstep.reporting.sarif import SarifLog


class Outputs:
    """Where what is found goes."""

    def __init__(self, *, json: WholeFile, html: WholeFile, sarif: WholeFile) -> None:
        self.detected = Detected(keep=html.wanted)
        self.complaints = Complaints()
        self._version = version("misstep")
        self._json = FindingsList(json)
        self._html = html
        self._sarif = sarif
        self._log = SarifLog(self._version)

    def add(self, examined: Examined) -> None:
        self.detected.add(examined.file, examined.trace, examined.findings, examined.culprit)
        self._json.add(examined)
        if self._sarif.wanted:
            self._log.add(examined)

    def end(self) -> None:
        self.complaints.end()
        self.detected.unread += self.complaints.count
        self._json.end()
        if self._html.wanted:
            from misstep.reporting.detected_page import detected_html  # noqa: PLC0415

            self._html.write(detected_html(self.detected, version=self._version).encode())
        if self._sarif.wanted:
            self._sarif.write(self._log.encoded())


def examine(looks: Iterable[Look], outputs: Outputs, *, files: int, tell: Tell) -> None:
    """Take in what is seen of the traces, file after file; what could not be read is counted and told."""
    detected = outputs.detected
    for number, look in enumerate(looks):
        before = detected.traces
        for each in look:
            if isinstance(each, BadRecord):
                outputs.complaints.add(each)
                continue
            for error in each.errors:
                outputs.complaints.broke(look.file, error)
            detected.unread += bool(each.errors)
            outputs.add(each)
            if files == 1:
                tell(Stage("traces", detected.traces))
        outputs.complaints.finish(look.file, traces=detected.traces - before)
        detected.losses.add(look.losses)
        if files > 1:
            tell(Stage("files", number + 1, files))
