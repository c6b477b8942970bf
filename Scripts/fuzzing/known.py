"""Attacks that once crashed the program, blocked it or exhausted the machine; they come first in every run."""

import io
import zipfile
import zlib

from .inputs import FIFO, RUN, Input, archive, contract, example, expectations
from .server import response

GET = b'requests:\n  - url: "{{server}}/a"\n'
# Arguments of `sh`, for inputs made by a shell.
CLOSED = ["sh", "-c", 'exec "$0" "$@" >&-']


def known(wanted):
    """Inputs with their arguments, by the kind they belong to: (kind, arguments, what runs it, input).

    A large response is made only when it is put on the server.
    """
    for kind, make in (
        ("dry-run", reading),
        ("responses", responses),
        ("archives", archives),
        ("expressions", expressions),
        ("documents", documents),
        ("streams", streams),
        ("examples", demo),
        ("schemas", schemas),
        ("contracts", contracts),
    ):
        for name, made, *rest in make() if not wanted or kind in wanted else []:
            made.name = name
            arguments, runner = (rest + [RUN, None][len(rest) :])[:2]
            yield kind, arguments, runner, made


def packed(pieces, media_type=b"application/json"):
    """A response with a large body, as gzip."""

    def make():
        packer = zlib.compressobj(1, zlib.DEFLATED, 31)
        body = b"".join([packer.compress(piece) for piece in pieces()] + [packer.flush()])
        return response(body, media_type, headers=(b"Content-Encoding: gzip",))

    return make


def variables(lines, use=b"${{ v }}", expect=b""):
    lines = b"".join(b"  " + line + b"\n" for line in lines)
    return Input(
        {"spec.yaml": b"variables:\n" + lines + GET + b'    json: {v: "' + use + b'"}\n' + expect},
        {"a": response(b"{}")},
    )


def reading():
    for words in (["check"], RUN):
        word = words[0].strip("-")
        chain = {f"e{n}.yaml": b"extends: e%d.yaml\n" % (n + 1) for n in range(3000)}
        yield f"3,000 extends, {word}", Input(
            {**chain, "e3000.yaml": b"variables: {a: 1}\n", "spec.yaml": b"extends: e0.yaml\n" + GET},
            {"a": response(b"{}")},
        ), words
        yield f"closed standard output, {word}", Input({"spec.yaml": GET}, {"a": response(b"{}")}), words, CLOSED
        yield f"extends a FIFO, {word}", Input({"spec.yaml": b"extends: f\n" + GET, "f": FIFO}), words
        yield f"a FIFO as a spec, {word}", Input({"spec.yaml": FIFO}), words
        yield f"a mark in what is no UTF-8, {word}", Input({"spec.yaml": b"\xff\xff"}), words
        yield f"a FIFO as a body, {word}", Input({"spec.yaml": GET + b"    body: {file: f}\n", "f": FIFO}), words
    yield "50,000 variables in a chain", variables(
        [b"v0: 1"] + [b'v%d: "${{ v%d }}"' % (n + 1, n) for n in range(50_000)] + [b'v: "${{ v50000 }}"']
    ), ["check"]
    yield "500,000 templates in a scalar", variables([b"v: 1"], b"${{ v }}" * 500_000), ["check"]
    yield "300,000 open templates", variables([b"v: 1"], b"${{ " * 300_000), ["check"]
    yield "300,000 parts of a path", Input(
        {"spec.yaml": b'requests:\n  - url: "http://127.0.0.1/' + b"{a}" * 300_000 + b'"\n'}
    ), ["check"]


def responses():
    for total in (2**50, 2**57, 2**63 - 1, 2**64 - 1):
        head = b'HTTP/1.1 206 P\r\nETag: "a"\r\nContent-Range: bytes 0-%d/%d\r\nContent-Length: %d\r\n\r\na' % (
            total - 1,
            total,
            total,
        )
        yield f"a total of {total}", Input(
            {"spec.yaml": GET + b"    download: {to: o.bin, parallel: 4}\n"}, {"a": head}
        )
        head = (
            b'HTTP/1.1 206 P\r\nETag: "a"\r\nContent-Range: bytes 0-1048575/%d\r\nContent-Length: 1048576\r\n\r\n'
            % total
            + b"a" * (1 << 20)
        )
        yield f"a piece of {total}", Input(
            {"spec.yaml": GET + b"    download: {to: o.bin, parallel: 4}\n"}, {"a": head}
        )
    numbers = packed(lambda: [b"["] + [b"0," * 500_000] * 300 + [b"0]"])
    yield "300 MB of numbers, as gzip", Input({"spec.yaml": GET + b"    expect: {json: {$.a: 1}}\n"}, {"a": numbers})
    names = packed(
        lambda: [b"{"]
        + [b",".join(b'"%x":0' % (n * 50_000 + k) for k in range(50_000)) + b"," for n in range(40)]
        + [b'"z":0}']
    )
    yield "2,000,000 names", Input({"spec.yaml": GET + b"    expect: {json: {equals: {a: 1}}}\n"}, {"a": names})
    tree = packed(lambda: [b"<a>"] + [b"<b/>" * 100_000] * 60 + [b"</a>"], b"application/xml")
    yield "XML of 24 MB", Input({"spec.yaml": GET + b"    expect: {xpath: {//b: {count: 1}}}\n"}, {"a": tree})
    yield "a bomb", Input(
        {"spec.yaml": GET + b"    expect: {body: {contains: x}}\n"}, {"a": packed(lambda: [bytes(1 << 20)] * 2000)}
    )


def archives():
    def directory(offset, name=b"a", size=b"\1\0\0\0"):
        extra = b"\1\0\x08\0" + offset.to_bytes(8, "little")
        entry = (
            b"PK\1\2\x2d\0\x2d\0"
            + bytes(12)
            + size * 2
            + len(name).to_bytes(2, "little")
            + b"\x0c\0"
            + bytes(10)
            + b"\xff" * 4
            + name
            + extra
        )
        return entry + b"PK\5\6" + bytes(4) + b"\1\0\1\0" + len(entry).to_bytes(4, "little") + bytes(6)

    def one(name):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as made:
            made.writestr("x" * len(name), b"text")
        return out.getvalue().replace(b"x" * len(name), name)

    for offset in (2**63 - 1, 2**63, 2**64 - 1, 2**63 - 32, 2**32):
        yield f"an offset of {offset}", archive(directory(offset))
    for name in (
        b"a\n::set-output name=x::y",
        b"../a",
        b"/etc/a",
        b"a\0b",
        b"a/../../b",
        b"spec.yaml",
        b"reqrun.yaml",
        b".x",
    ):
        yield f"an entry {name!r}", archive(one(name))


def expressions():
    yield "800 variables in a chain", variables(
        [b"v0: 1"] + [b'v%d: "${{ v%d }}"' % (n + 1, n) for n in range(800)] + [b'v: "${{ v800 }}"']
    )
    nested = [b"v0: []"] + [b"v%d: " % (n + 1) + b"[" * 55 + b'"${{ v%d }}"' % n + b"]" * 55 for n in range(80)]
    for use in (b"${{ v80 }}", b"${{ v80 | json }}", b"${{ v80 == v80 }}", b"${{ v80 | flatten }}"):
        yield f"4,000 levels, {use.decode()}", variables(nested, use)
    yield "replace by replace", variables(
        [b'a: "${{ random_string(10000) }}"', b"b: \"${{ a | replace('', a) }}\"", b"v: \"${{ b | replace('', b) }}\""]
    )
    yield "replace of 100 KB by 100 KB, twice", variables(
        [b"a: " + b"a" * 100_000, b"b: \"${{ a | replace('a', a) }}\"", b"v: \"${{ b | replace('a', b) }}\""]
    )
    yield "40 doublings", variables(
        [b"v0: aaaaaaaa"] + [b'v%d: "${{ v%d }}${{ v%d }}"' % (n + 1, n, n) for n in range(40)] + [b'v: "${{ v40 }}"']
    )
    yield "40 doublings of a list", variables(
        [b"v0: [1, 2]"]
        + [b'v%d: ["${{ v%d }}", "${{ v%d }}"]' % (n + 1, n, n) for n in range(40)]
        + [b'v: "${{ v40 | json }}"']
    )
    for function in (b"json", b"hex"):
        yield f"{function.decode()} 40 times", variables([b"v: '\"a\"'"], b"${{ v" + (b" | " + function) * 40 + b" }}")
    items = b"[" + b",".join([b'"' + b"a" * 60 + b'b"'] * 3000) + b"]"
    yield "3,000 slow matches", expectations(b'{json: {$: {every: {matches: "(a+)+$"}}}}', items)
    yield "one slow match", expectations(b'{body: {matches: "^(([a-z])+.)+[A-Z]([a-z])+$"}}', b"a" * 1_000_000)


def documents():
    deep = b"<!doctype html>" + b"<div>" * 240 + b"x"
    for path in (
        b"//div//div//div//span",
        b"//*//*//*//*",
        b"//div//div//div//div",
        b"count(//*[//*[//*[//*]]])",
        b"//node()/preceding::*/following::*/preceding::*",
    ):
        yield f"XPath {path.decode()}", expectations(b'{xpath: {"' + path + b'": {count: 1}}}', deep, b"text/html")
    yield "concat of 300 documents", expectations(
        b'{xpath: {"concat(' + b",".join([b"/"] * 300) + b')": x}}',
        b"<a>" + b"x" * 1_000_000 + b"</a>",
        b"application/xml",
    )
    wide = b"[" + b",".join([b'{"a":' * 250 + b"1" + b"}" * 250] * 300) + b"]"
    yield "JSONPath $..a of 1 MB", expectations(b'{json: {"$..a": {count: 1}}}', wide)
    yield "JSONPath $..a..a", expectations(b'{json: {"$..a..a": {count: 1}}}', wide)
    lists = b"[" * 500 + b"1" + b"]" * 500
    for path in (
        b"$..[0,0]..[0,0]",
        b"$..[0,0]..[0,0]..[0,0]",
        b"$..*..*..*",
        b"$[?@..[?@..[?@..a]]]",
        b"$" + b"[0,0]" * 60,
    ):
        yield f"JSONPath {path.decode()[:24]}", expectations(b'{json: {"' + path + b'": {count: 1}}}', lists)
        yield f"captured {path.decode()[:24]}", Input(
            {"spec.yaml": GET + b'    capture: {a: "' + path + b'"}\n'}, {"a": response(lists)}
        )


def streams():
    events = packed(lambda: [b'data: {"a": 1}\n\n' * 65_000] * 250, b"text/event-stream")
    yield "250 MB of events", Input(
        {"spec.yaml": GET + b"    stream: {timeout: 2s}\n    expect: {events: {count: 1}}\n"}, {"a": events}
    )
    for text in (
        b"data: " + b"x" * (64 << 20),
        b"retry: 18446744073709551615\n\n",
        b"id: 1\nretry: 9223372036854775807\ndata: x\n\n",
    ):
        yield f"a stream of {text[:40]!r}", Input(
            {"spec.yaml": GET + b"    stream: {timeout: 300ms, max_events: 2}\n"},
            {"a": response(text, b"text/event-stream")},
        )


def demo():
    spec = b"requests:\n"
    for number in (b"-9223372036854775808", b"-3", b"-1", b"9223372036854775807", b"18446744073709551615"):
        spec += (
            b"  - {url: /events/5, headers: {Last-Event-ID: '%s'}, stream: {max_events: 1, timeout: 200ms}, continue_on_failure: true}\n"
            % number
        )
        for fields in (
            b"dzchunkbyteoffset: '%s', dztotalfilesize: 9",
            b"offset: '%s'",
            b"resumableChunkNumber: '%s', resumableChunkSize: 9223372036854775807",
            b"resumableChunkNumber: 3, resumableChunkSize: '%s'",
            b"total: '%s'",
        ):
            spec += (
                b"  - {url: /upload/known, method: POST, multipart: {file: {value: abc, filename: f}, %s}, continue_on_failure: true}\n"
                % (fields % number)
            )
        for path in (
            b"/bytes/%s",
            b"/range/%s",
            b"/stream/%s",
            b"/events/%s",
            b"/status/%s",
            b"/redirect/%s",
            b"/drip?numbytes=%s",
            b"/api/users?limit=%s&offset=%s",
            b"/cache/%s",
            b"/upload/x?fail=%s&incomplete=%s",
        ):
            spec += b"  - {url: '%s', timeout: 200ms, continue_on_failure: true}\n" % path.replace(b"%s", number)
        spec += b"  - {url: /range/26, headers: {Range: 'bytes=%s-%s'}, continue_on_failure: true}\n" % (number, number)
        spec += (
            b"  - {url: /upload/known, method: PUT, body: abc, headers: {Content-Range: 'bytes %s-%s/%s'}, continue_on_failure: true}\n"
            % (number, number, number)
        )
    yield "numbers for the demo server", example(spec), ["--jobs", "1", *RUN]


def schemas():
    network = GET + b'    expect: {schema: "{{server}}/s.json"}\n'
    for number in range(20):
        made = Input(
            {"spec.yaml": network}, {"a": response(b"5"), "s.json": response(b'{"type": "integer"}')}, codes=(0,)
        )
        yield f"a schema of the network {number + 1}", made, ["--remote-schemas", *RUN]
    yield "allOf of 20,000", expectations(
        b"{schema: {allOf: [" + b",".join([b"{type: object}"] * 20_000) + b"]}}", b"{}"
    )
    loop = (
        b'{$defs: {a: {anyOf: [{items: {$ref: "#/$defs/a"}}, {items: {$ref: "#/$defs/a"}}, false]}}, $ref: "#/$defs/a"}'
    )
    yield "a schema that doubles", expectations(b"{schema: " + loop + b"}", b"[" * 400 + b"]" * 400)


def contracts():
    paths = b"".join(
        b"  /a/{x%d}/b{y%d}/c%d: {get: {responses: {'200': {description: d}}}}\n" % (n, n, n) for n in range(3000)
    )
    made = contract(b"openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n" + paths)
    made.files["spec.yaml"] = b'openapi: api.yaml\nrequests:\n  - url: "{{server}}/a/' + b"x" * 2000 + b'"\n'
    yield "the nearest of 3,000 paths", made
