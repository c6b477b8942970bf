"""The inputs of the program, by kind."""

import random
import re
from dataclasses import dataclass, field
from pathlib import Path

from .mutations import Edges, changed_bytes, mutated
from .seeds import *
from .server import response

FIFO = object()
RUN = ["--max-time", "3s", "--file-root", ".", "--timeout", "2s", "-v"]


@dataclass
class Input:
    """Files below a folder, of which `spec.yaml` is run; `{{server}}` in them is where its responses are.

    A response whose name begins with `/` is there for all, at `{{origin}}`.
    """

    files: dict
    responses: dict = field(default_factory=dict)  # name: bytes, or a list of them
    links: dict = field(default_factory=dict)  # name: the file it is a hard link to
    surroundings: Path = None  # the folder whose copy the files are put into
    codes: tuple = ()  # the exit codes that are right, where not all are
    name: str = ""
    argument: str = "spec.yaml"  # the file that the command names


class Kind:
    """A generator of inputs; those with the same arguments are run in one process."""

    def __init__(self, name, arguments, batch, seeds, words=b"", make=None):
        self.name, self.arguments, self.batch = name, arguments, batch
        self.seeds, self.words = seeds, words.split()
        self.make = make or (lambda data: Input({"spec.yaml": data}))
        self.edges = None

    def input(self, seed, number):
        """The input with that number: every second one has a number replaced by an edge case."""
        if self.edges is None:
            self.edges = Edges(self.seeds, random.Random(f"{seed}/{self.name}"))
        rng = random.Random(f"{seed}/{self.name}/{number}")
        if number % 2 and self.edges.all:
            return self.make(self.edges[number // 2])
        return self.make(mutated(rng, rng.choice(self.seeds), self.words, self.seeds))


def expectations(expect, body, media_type=b"application/json", extra=b""):
    spec = b'requests:\n  - url: "{{server}}/a"\n' + extra + b"    expect: " + expect + b"\n"
    return Input({"spec.yaml": spec}, {"a": response(body, media_type)})


def answered(spec, names=("a",), head=b""):
    """Inputs whose response consists of mutated bytes, after a valid head or with their own."""

    def make(data):
        body = data if not head else response(data, head)
        return Input({"spec.yaml": spec}, {name: body for name in names})

    return make


def playlist(data):
    return Input(
        {"spec.yaml": PLAYLIST_SPEC},
        {
            "a": response(data, b"application/vnd.apple.mpegurl"),
            "k": response(b"0123456789abcdef"),
            "s": response(b"x" * 32),
        },
    )


class Archives(Kind):
    def input(self, seed, number):
        rng = random.Random(f"{seed}/{self.name}/{number}")
        data = rng.choice(self.seeds)
        for _ in range(rng.choice((1, 1, 2, 3))):
            data = changed_bytes(rng, data)
        return self.make(data)


def archive(data):
    return Input(
        {"spec.yaml": b'requests:\n  - {url: "{{server}}/a", download: {to: a.zip, unzip: out}}\n'},
        {"a": response(data, b"application/zip")},
    )


def schema(data):
    name = "s.json" if data.lstrip()[:1] in (b"{", b"") else "s.yaml"
    made = expectations(b"{schema: %s}" % name.encode(), JSON)
    made.files.update(SHARED_SCHEMAS)
    made.files[name] = data
    return made


def contract(data):
    spec = (
        b'openapi: api.yaml\ndefaults: {base_url: "{{origin}}"}\nrequests:\n'
        b"  - {url: /api/users?limit=2, continue_on_failure: true}\n  - {url: /api/users, json: {name: A, email: a@b}}\n"
    )
    return Input({"spec.yaml": spec, "api.yaml": data}, {"/api/users": response(b'[{"id": 1, "name": "Ann"}]')})


def document(data):
    media_type = (
        b"text/html"
        if b"<html" in data or b"<!doctype html" in data
        else b"application/xml" if b"<" in data else b"application/json"
    )
    expect = (
        b'{json: {"$..a": {count: 2}, "$[*]": {exists: true}}, body: {matches: "a+b"}}'
        if media_type.endswith(b"json")
        else b'{xpath: {"//title": {count: 2}, "count(//*[@id])": 2, "string(//entry[2]/title)": Two}}'
    )
    return expectations(expect, data, media_type)


EXPRESSIONS = (
    [b"t " + e for e in TEMPLATES]
    + [b"r " + e for e in REGEXES]
    + [b"j " + e for e in JSONPATHS]
    + [b"x " + e for e in XPATHS]
)


def expression(data):
    kind, text = data[:1], data[2:].replace(b"\n", b" ").replace(b"'", b"''")
    variables = {b"t": b'variables: {text: "a,b,c", list: [3, 1, 2], user: {name: Ann}}\n'}.get(kind, b"")
    expect = {
        b"t": b"{json: {$.id: '${{ " + text + b" }}'}}",
        b"r": b"{body: {matches: '" + text + b"'}}",
        b"j": b"{json: {'" + text + b"': {count: 2}}}",
    }
    made = expectations(
        expect.get(kind, b"{xpath: {'" + text + b"': x}}"),
        FEED if kind == b"x" else JSON,
        b"application/xml" if kind == b"x" else b"application/json",
    )
    made.files["spec.yaml"] = variables + made.files["spec.yaml"]
    return made


def example(data):
    return Input({"spec.yaml": data}, surroundings=ROOT / "Examples")


class Imports(Kind):
    """The files of another tool, one directory for each process."""

    def __init__(self, kind, name, pattern, words):
        # Golden files have placeholders for what differs from run to run.
        seeds = [re.sub(rb"<(port|time|date|version)>", b"1", seed) for seed in specs(pattern, 200_000)]
        super().__init__(f"import-{kind}", ["import", "--force", "-o", "out", kind], 20, seeds, words)
        self.make = lambda data: Input({name: data}, argument=name)


class Exports(Kind):
    """Specs in the format of another tool, in turn."""

    FORMATS = ("curl", "hurl", "http", "postman", "har", "openapi", "locust")

    def __init__(self, format, seeds):
        super().__init__(f"export-{format}", ["export", "--force", "-o", "out", format], 20, seeds, SPEC_WORDS)


def project(data):
    """Files that need, use and extend each other: the three parts of the bytes, under names that they may contain."""
    parts = (data.split(b"\n===\n") + [b"", b""])[:3]
    return Input(dict(zip(("spec.yaml", "a.yaml", "b.yaml"), parts)), {"a": response(JSON)})


class Examples(Kind):
    """The examples themselves, with the demo server, with their numbers replaced by edge cases."""

    def __init__(self):
        super().__init__("examples", RUN, 3, specs("Examples/[0-9]*.yaml"), make=example)

    def input(self, seed, number):
        return super().input(seed, 2 * number + 1)


def kinds():
    cases = specs("Examples/*.yaml") + specs("Tests/Products/EndToEndTests/Cases/*/*/*.yaml", 6_000)
    return [
        Kind("check", ["check"], 60, cases, SPEC_WORDS),
        Kind("dry-run", ["--dry-run", *RUN], 60, cases, SPEC_WORDS),
        Examples(),
        Kind(
            "responses",
            RUN,
            10,
            HEADS,
            b"\r\n \r\n\r\n : ; , chunked gzip -1 0 HTTP/1.1 HTTP/2 Location: Content-Length: Set-Cookie: \x00 \xff",
            answered(HEAD_SPEC),
        ),
        Kind(
            "streams",
            RUN,
            10,
            STREAMS,
            b'data: id: event: retry: \n \n\n \r { } [ ] " \x00',
            answered(STREAM_SPEC, head=b"text/event-stream"),
        ),
        Kind(
            "playlists",
            RUN,
            10,
            PLAYLISTS,
            b'#EXTINF: #EXT-X-ENDLIST #EXT-X-BYTERANGE: @ , = " 0x NONE SAMPLE-AES URI="../x" \n',
            playlist,
        ),
        Archives("archives", RUN, 20, archives(), make=archive),
        Kind(
            "schemas",
            RUN,
            20,
            SCHEMAS,
            b"$ref $dynamicRef $anchor allOf not {} [] true null # #/$defs/d ^(a+)+$ -1 oneOf",
            schema,
        ),
        Kind(
            "contracts",
            RUN,
            10,
            specs("Examples/shared/users-api.yaml"),
            b"$ref: allOf: nullable: {} [] '#/components/schemas/User' default: 2XX",
            contract,
        ),
        Kind(
            "documents",
            RUN,
            20,
            [JSON, XML, FEED, HTML],
            b'< > </ & &e; <!-- --> <![CDATA[ ]]> { } [ ] [[[[[[ {"a": , " \\ud800 <div> <b xmlns:',
            document,
        ),
        Kind(
            "expressions",
            RUN,
            30,
            EXPRESSIONS,
            b"( ) [ ] | . $ .. @ ? * + {1,9} (?: ( // :: \" ' and == 1e309 -1",
            expression,
        ),
        Kind(
            "projects",
            RUN,
            20,
            PROJECTS,
            SPEC_WORDS + b" needs: use: with: take: each: count: a.yaml b.yaml spec.yaml share_cookies: setup: teardown:",
            project,
        ),
        Kind(
            "sessions",
            ["send", "--ignore-stdin", "--offline", "http://127.0.0.1:9/", "--session"],
            1,
            SESSIONS,
            b'{ } [ ] " : null -1 1e309 headers auth scheme bearer basic digest user secret "name" "value" \\u0000',
            lambda data: Input({"session.json": data}, argument="session.json"),
        ),
    ] + [Imports(*of) for of in IMPORTS] + [Exports(format, cases) for format in Exports.FORMATS]
