"""Valid seeds: specs, responses, streams, playlists, archives, schemas, documents and expressions."""

import gzip
import io
import re
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def specs(pattern, largest=20_000):
    found = [
        path.read_bytes() for path in sorted(ROOT.glob(pattern)) if path.is_file() and path.stat().st_size < largest
    ]
    assert found, f"no file is {pattern}"
    return found


SPEC_WORDS = b"""url: requests: - { } [ ] "${{ ${{ }} & * &a *a << !!str ! | > ' " # --- ... ? : expect: json: $..* null true
capture: when: extends: foreach: defaults: variables: secrets: 1e309 -1 0x10 .inf !regex {a:{a:{a: [[[[ headers:"""


JSON = b'{"id": 7, "name": "Ann", "tags": ["a", "b", 3.5e2, null], "deep": {"a": {"a": [1, 2, {"a": "x"}]}}, "n": -0.0}'
XML = b"""<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e "text">]><feed xmlns="http://f/" xmlns:p="http://p/"><entry id="1">
<title>One &e; &#65;</title><p:price>12.50</p:price></entry><entry id="2"><title><![CDATA[Two]]></title></entry></feed>"""
FEED = re.sub(rb"<!DOCTYPE.*?]>", b"", XML).replace(b"&e;", b"&amp;")
HTML = b"""<!doctype html><html><head><meta charset="utf-8"><title>A page</title></head><body><div class=a><p>one<p>two
<table><tr><td>1<td colspan="2">2</table><a href="/x?a=1&amp;b=2">link</a></div><script>if (1 < 2) {}</script></body></html>"""

HEADS = [
    b'HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: 110\r\nETag: "a"\r\n'
    b"Cache-Control: max-age=60, stale-while-revalidate=5\r\nAge: 3\r\nDate: Sun, 22 Nov 2026 10:00:00 GMT\r\n"
    b"Set-Cookie: a=b; Max-Age=10; Path=/; Expires=Sun, 22 Nov 2026 10:00:00 GMT\r\nSet-Cookie: c=d; Domain=127.0.0.1\r\n\r\n"
    + JSON,
    b"HTTP/1.1 302 Found\r\nLocation: /next?a=1#f\r\nContent-Length: 0\r\nRetry-After: 1\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\nContent-Type: text/plain\r\n\r\n5\r\nhello\r\n3;x=1\r\nabc\r\n0\r\nX-T: 1\r\n\r\n",
    b'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm="r", nonce="1", qop="auth,auth-int", algorithm=SHA-256, stale=true\r\nContent-Length: 2\r\n\r\nno',
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 206 Partial\r\nContent-Range: bytes 0-4/10\r\nContent-Length: 5\r\n\r\nhello",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
    + gzip.compress(JSON, mtime=0),
    b"HTTP/1.1 429 Too Many\r\nRetry-After: 1\r\nContent-Type: text/html; charset=iso-8859-1\r\nContent-Length: %d\r\n\r\n"
    % len(HTML)
    + HTML,
    b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Length: %d\r\nVary: Accept\r\n\r\n" % len(XML) + XML,
]

HEAD_SPEC = b"""requests:
  - {url: "{{server}}/a", auth: {digest: {username: u, password: p}}, session: {cache: protocol}, cookies: {own: 1}, continue_on_failure: true,
     expect: {status: 200, json: {"$..a": {count: 2}}, headers: {x: y}, cookies: {a: b}, duration: {less_than: 1s}, schema: {type: object}}}
  - {url: "{{server}}/a", session: {cache: protocol}, expect: {xpath: {//title: {count: 2}}, body: {matches: "a+b"}}, continue_on_failure: true}
  - {url: "{{server}}/a", download: {to: out/, parallel: 2}, continue_on_failure: true}
  - {url: "{{server}}/a", stream: {max_events: 3, timeout: 300ms}}
"""


STREAMS = [
    b': hello\nretry: 10\nid: 1\nevent: tick\ndata: {"number": 1}\n\nid: 2\ndata: one\ndata: two\n\n\ndata: {"number": 3}\r\n\r\n',
    b'\xef\xbb\xbfdata: 1\rdata\rid\r\revent: end\ndata: {"a": [1, 2, {"b": null}]}\n\n',
    b'{"id": 1, "a": [1, 2]}\n\n{"id": 2}\r\n"text"\n3.5e1\nnull\n{"id": 18}',
]
STREAM_SPEC = b"""requests:
  - {url: "{{server}}/a", stream: {max_events: 20, timeout: 200ms, until: {json: {$.json.number: 3}}}, continue_on_failure: true,
     expect: {events: {count: 3, "[0].json.number": 1, every: {includes: {event: tick}}}}}
  - {url: "{{server}}/a", stream: {format: ndjson, timeout: 200ms}, continue_on_failure: true, expect: {events: {"[*].json.id": [1, 2]}}}
  - {url: "{{server}}/a", stream: {format: text, max_events: 5, timeout: 200ms}}
"""

PLAYLISTS = [
    b'#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:3\n#EXT-X-MAP:URI="s",BYTERANGE="3@0"\n'
    b'#EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x00000000000000000000000000000001\n#EXTINF:9.009,title\n#EXT-X-BYTERANGE:2@1\ns\n'
    b"#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:2026-11-22T10:00:00.000Z\n#EXT-X-KEY:METHOD=NONE\n#EXTINF:3,\ns\n#EXT-X-ENDLIST\n",
    b'#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000,AVERAGE-BANDWIDTH=60000,RESOLUTION=320x180,FRAME-RATE=25.0,CODECS="avc1.4d,mp4a",AUDIO="a"\na\n'
    b'#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="n",DEFAULT=YES,CHANNELS="2",URI="a"\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="a"\n',
    b"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:3\n#EXTINF:9.009,title\ns\n#EXTINF:3,\ns?2\n#EXT-X-ENDLIST\n",
    b"#EXTM3U\r\n#EXT-X-TARGETDURATION:1\r\n#EXTINF:1\r\ns\r\n#EXT-X-GAP\r\n#EXTINF:1.5\r\ns?x=1\r\n",
]
PLAYLIST_SPEC = (
    b'requests:\n  - {url: "{{server}}/a", hls: {to: out, live: 100ms, parallel: 3, variant: {bandwidth: {at_most: 100000}}}, continue_on_failure: true}\n'
    b'  - {url: "{{server}}/a", hls: {to: out2}}\n'
)


def archives():
    found = []
    for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", compression) as archive:
            for name, content in (("readme.txt", b"Read me."), ("charts/", b""), ("charts/bay.txt", b"The bay. " * 50)):
                archive.writestr(zipfile.ZipInfo(name, (2026, 11, 22, 10, 0, 0)), content)
            archive.comment = b"a comment"
        found.append(out.getvalue())
    # With 64-bit sizes and offsets, and the corresponding end of the directory.
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, archive.open(zipfile.ZipInfo("big.txt"), "w", force_zip64=True) as entry:
        entry.write(b"large")
    plain = out.getvalue()
    end = plain.rindex(b"PK\5\6")
    directory = plain.index(b"PK\1\2")
    wide = b"PK\6\6" + (44).to_bytes(8, "little") + b"\x2d\0\x2d\0" + bytes(8) + (1).to_bytes(8, "little") * 2
    wide += (end - directory).to_bytes(8, "little") + directory.to_bytes(8, "little")
    wide += b"PK\6\7" + bytes(4) + end.to_bytes(8, "little") + (1).to_bytes(4, "little")
    found.append(plain[:end] + wide + plain[end : end + 8] + b"\xff" * 12 + b"\0\0")
    return found


SHARED_SCHEMAS = {path.name: path.read_bytes() for path in ROOT.glob("Examples/shared/*.schema.*")}
SCHEMAS = specs("Examples/shared/*.schema.yaml") + [
    b'{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "http://a/b", "$defs": {"p": {"type": "object", "properties":'
    b' {"id": {"type": "integer", "minimum": 1, "maximum": 9, "multipleOf": 0.5}, "name": {"type": "string", "minLength": 2, "maxLength": 5,'
    b' "pattern": "^[A-Z]a*"}, "tags": {"type": "array", "items": {"type": ["string", "number", "null"]}, "minItems": 1, "maxItems": 9,'
    b' "uniqueItems": true, "contains": {"const": "a"}, "minContains": 1}}, "required": ["id"], "additionalProperties": true,'
    b' "propertyNames": {"maxLength": 9}, "patternProperties": {"^d": {"$ref": "#/$defs/d"}}}, "d": {"anyOf": [{"type": "object",'
    b' "additionalProperties": {"$ref": "#/$defs/d"}}, {"items": {"$ref": "#/$defs/d"}}, true]}}, "$ref": "#/$defs/p", "unevaluatedProperties":'
    b' {"type": "object"}, "if": {"minProperties": 3}, "then": {"dependentRequired": {"id": ["name"]}}, "else": false}'
]


TEMPLATES = [
    b"random_int(1, 6)",
    b"random_string(8)",
    b'now | plus("1d") | format("yyyy-MM-dd")',
    b'hmac_sha256("message", "key") | base64 | upper',
    b'text | replace("a", "b") | split(",") | join("-") | length',
    b"list[0] + list[-1] * 2 - 7",
    b'user.name == "Ann" and not (length(list) > 3) or true',
    b"user | json | sha256",
    b"text | trim | url_encode | hex | url_decode",
    b"list | first | default(5) | to_string",
    b'"1.5" | to_number',
    b"uuid",
    b'now | format("http")',
    b"list | flatten | last",
    b'user["name"] | lower',
    b'"12" | to_integer',
    b"list | json | from_json",
    b"9223372036854775807 + 1 - 0.1 * 1e10",
    b'file("spec.yaml") | md5 | base64 | base64_decode',
]
REGEXES = [
    rb"^(a+)+$",
    rb"(?<year>\d{4})-(?<month>\d\d)",
    rb"[[:alpha:]]+\p{L}\x{41}\Q.\E",
    rb"(?i)(?=a)(?!b)(?<=c)(?<!d)a{2,5}?",
    rb"(a|b)*\1?+",
    rb"\bA.*?n$",
    rb"a(b(?1)?c)?(?R)?",
    rb"(*LIMIT_MATCH=5)a|b",
]
JSONPATHS = [
    b"$..a",
    b'$[?@.a > 1 && (@.b == "x" || !@.c)]',
    b"$.tags[1:3:1]",
    b"$..[0,0,-1]",
    b'$["deep"].a.a[2].a',
    b"$[?length(@.tags) >= 2]",
    b'$[?match(@.name, "A.*")]',
    b"$[?count(@..*) > 3]",
    b"$.tags[-1:0:-2]",
    b'$[?search(@, "[a-z]+")]',
]
XPATHS = [
    b"//title",
    b"string(//entry[2]/title)",
    b"count(//*[@id > 1 and position() < 3])",
    b"//entry[last()]/following-sibling::*",
    b"sum(//@id) div 2 mod 3",
    b'concat(substring("abc", 1, 2), translate("a", "a", "b"))',
    b'//*[contains(name(), "t")]/ancestor-or-self::node()',
    b'id("1") | //comment()',
    b"normalize-space(//title)",
    b"round(-1.5) = floor(2.5) != true()",
]

# Files that need, use and extend each other: spec.yaml, a.yaml and b.yaml.
PROJECTS = [
    b"""variables: {v: 1}
needs: [{use: a.yaml, with: {v: "${{ v }}"}}]
requests: [{url: "{{server}}/a", headers: {X: "${{ id }}"}}]
===
needs: [b.yaml]
variables: {v: 0}
requests: [{url: "{{server}}/a?v=${{ v }}", capture: {id: $.id}}]
===
requests: [{url: "{{server}}/a", expect: {status: 200}}]""",
    b"""requests:
  - {use: a.yaml, each: {count: 3}, with: {n: "${{ row }}"}, take: {ids: id}}
  - {url: "{{server}}/a", json: {ids: "${{ ids }}"}}
===
variables: {n: 0}
requests: [{use: b.yaml, each: [{a: 1}, {a: 2}]}, {url: "{{server}}/a", capture: {id: $.id}}]
===
requests: [{url: "{{server}}/a"}]
teardown: [{url: "{{server}}/a", method: DELETE}]""",
    b"""extends: a.yaml
flows:
  - {name: one, requests: [{url: /a}]}
  - {name: two, setup: [{use: b.yaml}], requests: [{url: /a, each: {matrix: {a: [1, 2], b: [x, y]}}}]}
===
defaults: {base_url: "{{server}}", headers: {A: b}}
===
requests: [{url: "{{server}}/a"}]""",
]

CASES = "Tests/Products/EndToEndTests/Cases"
# Of each import: the name of the file, valid ones, and what to mix in.
IMPORTS = [
    ("curl", "a.sh", f"{CASES}/export/curl/expected/out/*.sh", b"-d -H -F -u --json --next -K @ ' \" $( ) $'\\x ${a:-b} \\\n && | {1..9}"),
    ("har", "a.har", f"{CASES}/running/*/expected/*.har", b'{ } [ ] null -1 1e309 "postData": "text": "encoding": "base64"'),
    ("postman", "a.json", f"{CASES}/import/postman/*.json", b'{ } [ ] null {{a}} "item": "event": "pm.test(" "auth": "type": -1'),
    ("insomnia", "a.yaml", f"{CASES}/import/insomnia/*.yaml", b"{ } [ ] {{ }} {% %} children: - null & * collection: environments:"),
    ("openapi", "a.yaml", f"{CASES}/import/openapi/*.yaml", b"$ref: allOf: oneOf: '#/components/schemas/A' {} [] -1 maximum: pattern:"),
    ("http", "a.http", f"{CASES}/import/http/*/*.http", b"### # @name {{ }} < > > {% %} GET HTTP/1.1 ?? == : \r\n"),
    ("hurl", "a.hurl", f"{CASES}/import/hurl/*/*.hurl", b"[Asserts] [Captures] HTTP * ``` {{ }} file,a; base64,/; jsonpath \" count == 1e309"),
    ("bruno", "a.bru", f"{CASES}/import/bruno/*/*/*.bru", b"meta { } script:pre-request body:json tests ~ : \'\'\' {{ }} @file("),
]

SESSIONS = [
    b'{"headers": [{"name": "X-A", "value": "b"}, {"name": "Accept", "value": "text/html"}],\n'
    b' "auth": {"scheme": "bearer", "user": "", "secret": "abc"}}',
    b'{"headers": [], "auth": {"scheme": "basic", "user": "ann", "secret": "secret"}}',
]
