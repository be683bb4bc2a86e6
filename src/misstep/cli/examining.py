"""One file after another looked at, with complaints on stderr and results into their files; what `detect` does."""

from importlib.metadata import version
from pathlib import Path

from misstep.cli.complaints import Complaints
from misstep.cli.findings_file import FindingsList
from misstep.cli.whole_file import WholeFile
from misstep.diagnosis.examining import Examination, Examined, Means
from misstep.ingestion.nouns import BadRecord
from misstep.reporting.detected import Detected, detected_html
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
            self._html.write(detected_html(self.detected, version=self._version).encode())
        if self._sarif.wanted:
            self._sarif.write(self._log.encoded())


def examine(file: Path, means: Means, outputs: Outputs, *, dialect: str | None) -> None:
    """Look at the traces of one file; what could not be read is counted and told."""
    detected = outputs.detected
    before = detected.traces
    examination = Examination(file, means, dialect=dialect)
    for each in examination:
        if isinstance(each, BadRecord):
            outputs.complaints.add(each)
            continue
        for error in each.errors:
            outputs.complaints.broke(file, error)
        detected.unread += bool(each.errors)
        outputs.add(each)
    outputs.complaints.finish(file, traces=detected.traces - before)
    detected.losses.add(examination.ingestion.losses)
