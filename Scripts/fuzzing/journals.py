"""Journals of downloads and uploads, written by the program itself."""

import os
import random
from pathlib import Path

from .inputs import RUN, Input, Kind
from .mutations import Edges, mutated
from .server import response

DOWNLOAD_SPEC = b'requests:\n  - {url: "{{origin}}/journals/f", download: {to: f, parallel: 2}}\n'
UPLOAD_SPEC = b'requests:\n  - {url: "{{origin}}/journals/u", method: PUT, upload: {file: u.bin, segments: {size: 4, parallel: 1, retry: 0}}}\n'
PART = b'HTTP/1.1 %s\r\nContent-Length: %d\r\nETag: "a"\r\nAccept-Ranges: bytes\r\nConnection: close%s\r\n\r\n%s'
JOURNAL_RESPONSES = {
    "/journals/f": [PART % (b"206 Partial", 40, b"\r\nContent-Range: bytes 60-99/100", b"y" * 40)],
    "/journals/u": [response(b"more", status=b"202 Accepted")],
}


# Lines that an upload's journal may have on a faulty disk: beyond the file, and with extreme numbers.
BROKEN_LINES = [
    b"%d-%d" % (first, last)
    for last in (0, 39, 40, 99, 2**63 - 2, 2**63 - 1)
    for first in (0, 39, 40, 2**63 - 2)
    if first <= last
]


class Journals(Kind):
    """Journals that the program has written itself, for truncated responses."""

    def __init__(self):
        super().__init__("journals", RUN, 20, [])

    def prepare(self, run, server, folder):
        os.makedirs(folder, exist_ok=True)
        self.source = os.path.join(folder, "u.bin")
        Path(self.source).write_bytes(b"0123456789" * 4)
        for name, spec in (("d.yaml", DOWNLOAD_SPEC), ("u.yaml", UPLOAD_SPEC)):
            Path(folder, name).write_bytes(spec.replace(b"{{origin}}", b"http://127.0.0.1:%d" % server.port))
        cut = PART % (b"200 OK", 100, b"", b"x" * 60)
        server.responses.update(
            {"/journals/f": [cut], "/journals/u": [response(b"more", status=b"202 Accepted")] * 2 + [b""]}
        )
        run(["d.yaml", "u.yaml"], folder)
        self.written = {}
        for path in sorted(Path(folder).iterdir()):
            if path.suffix in (".reqrun-journal", ".reqrun-part", ".upload"):
                self.written[path.name] = path.read_bytes()
        assert len(self.written) == 3, f"the program kept no journals: {list(self.written)}"
        self.names = [name for name in self.written if not name.endswith("part")]
        self.all_edges = {name: Edges([self.written[name]], random.Random(name)) for name in self.names}

    def input(self, seed, number):
        rng = random.Random(f"{seed}/{self.name}/{number}")
        if number < len(BROKEN_LINES):
            name = next(name for name in self.names if name.endswith(".upload"))
            return Input(
                {**self.written, name: self.written[name] + BROKEN_LINES[number] + b"\n", "spec.yaml": UPLOAD_SPEC},
                JOURNAL_RESPONSES,
                {"u.bin": self.source},
            )
        name = self.names[number % 2]
        # The identity of the transfer stays, or the rest would not be read.
        head, mark, rest = self.written[name].partition(b"\netag" if name.endswith("journal") else b"\nid")
        data = (
            self.all_edges[name][number // 4]
            if number % 4 < 2
            else head
            + mark
            + mutated(
                rng,
                rest,
                [
                    b"ranges 0-10",
                    b"length 100",
                    b"0-9223372036854775806",
                    b"9223372036854775806-9223372036854775806",
                    b"\n",
                ],
            )
        )
        spec = DOWNLOAD_SPEC if name.endswith("journal") else UPLOAD_SPEC
        return Input({**self.written, name: data, "spec.yaml": spec}, JOURNAL_RESPONSES, links={"u.bin": self.source})
