"""What a source means, and what arrived, in a form in which they can be compared."""

import base64
import email.parser
import json
import re
import urllib.parse
from dataclasses import dataclass, field

ANY = "\x01"  # in what is expected: any text, such as a random number
SECRET = "S3CRET"  # what secrets are when a spec runs: a source has its own text there


@dataclass
class Part:
    name: str
    value: bytes | str
    filename: str | None = None
    type: str | None = None


@dataclass
class Meant:
    """A request as the source means it."""

    name: str
    method: str
    url: str
    headers: list = field(default_factory=list)
    body: object = None  # text, bytes, a list of pairs (a form) or of Parts, a dictionary (JSON)
    follows: bool = True
    told: str = ""  # why a spec cannot send it so


# Headers that clients add, or that say how the body is sent.
AUTOMATIC = {
    "accept-encoding", "connection", "content-length", "transfer-encoding", "expect", "user-agent", "accept",
    "upgrade", "http2-settings",
}


def same_text(meant, sent):
    if meant == sent:
        return True
    if ANY in meant and re.fullmatch(re.escape(meant).replace(re.escape(ANY), ".*"), sent, re.S):
        return True
    return SECRET in sent and bool(
        re.fullmatch(re.escape(sent).replace(SECRET, ".*"), meant.replace(ANY, SECRET), re.S))


def json_value(text):
    """The value of a JSON text, in which any values may stand without quotes."""
    quoted = re.sub(f'("(?:[^"\\\\]|\\\\.)*")|{ANY}+', lambda match: match[1] or f'"{ANY}"', text)
    return json.loads(quoted, strict=False)


def same_json(meant, sent):
    if isinstance(meant, dict) and isinstance(sent, dict):
        return meant.keys() == sent.keys() and all(same_json(meant[name], sent[name]) for name in meant)
    if isinstance(meant, list) and isinstance(sent, list):
        return len(meant) == len(sent) and all(map(same_json, meant, sent))
    if isinstance(meant, str):
        return ANY in meant and not isinstance(sent, str) or isinstance(sent, str) and same_text(meant, sent)
    if sent == SECRET:
        return True
    return type(meant) is type(sent) and meant == sent or meant == sent and not isinstance(meant, bool)


def split(url):
    """The address, the path and the query, also of what is no URL."""
    scheme, host, path, query = re.match(r"(?:([\w+.-]+)://)?([^/?#]*)([^?#]*)(?:\?([^#]*))?", url, re.S).groups("")
    host = host.rpartition("@")[2].lower()
    for name, port in (("http", ":80"), ("https", ":443")):
        if scheme.lower() == name:
            host = host.removesuffix(port)
    return f"{scheme.lower()}://{host}", path, query


def decoded(text):
    """Without the encoding of octets that need none."""
    return re.sub("%([0-9A-Fa-f]{2})", lambda match: octet(int(match[1], 16)), text)


def octet(number):
    plain = number < 128 and chr(number).isalnum() or chr(number) in "-._~!$'()*,;:@[]|"
    return chr(number) if plain else f"%{number:02X}"


def target(url):
    _, path, query = split(url)
    return decoded(encoded(path) or "/"), decoded(encoded(query)).replace("%2F", "/").replace("%3F", "?")


def encoded(text):
    """What no client sends as it is."""
    return "".join(
        character if "!" <= character <= "~" and character not in '"<>\\^`{}' or character == ANY
        else urllib.parse.quote(character, safe="") for character in text)


def same_url(meant, sent):
    if not same_text(split(meant)[0], split(sent)[0]):
        return False
    (path, query), (sent_path, sent_query) = target(meant), target(sent)
    return same_text(path, sent_path) and same_text(query.replace("+", "%20"), sent_query.replace("+", "%20"))


def multipart(content_type, body):
    message = email.parser.BytesParser().parsebytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body)
    parts = []
    for part in message.get_payload() if message.is_multipart() else []:
        name = part.get_param("name", header="content-disposition")
        parts.append(Part(
            name, part.get_payload(decode=True) or b"", part.get_filename(),
            part.get_content_type() if "content-type" in part else None))
    return parts


def same_part(meant, sent):
    value = meant.value if isinstance(meant.value, bytes) else meant.value.encode()
    return (
        same_text(meant.name or "", sent.name or "") and (meant.filename or "") == (sent.filename or "")
        and (not meant.type or meant.type == sent.type)
        and (value == sent.value or same_text(value.decode("latin1"), sent.value.decode("latin1"))
             or same_body(value.decode("latin1"), sent.value, "")))


def same_body(meant, body, content_type):
    if meant is None:
        return not body
    if isinstance(meant, bytes):
        return meant == body
    if isinstance(meant, dict):
        try:
            return same_json(meant, json.loads(body))
        except ValueError:
            return False
    if isinstance(meant, list) and meant and isinstance(meant[0], Part):
        sent = multipart(content_type, body)
        return len(meant) == len(sent) and all(map(same_part, meant, sent))
    text = body.decode("utf-8", "replace")
    if isinstance(meant, str) and content_type.startswith("application/x-www-form-urlencoded") and "=" in meant:
        meant = urllib.parse.parse_qsl(meant, keep_blank_values=True)
    if isinstance(meant, list):
        pairs = urllib.parse.parse_qsl(text, keep_blank_values=True)
        return len(meant) == len(pairs) and all(
            same_text(name, sent_name) and same_text(value, sent_value)
            for (name, value), (sent_name, sent_value) in zip(meant, pairs))
    if same_text(meant.replace("\r\n", "\n").rstrip("\n"), text.replace("\r\n", "\n").rstrip("\n")):
        return True
    try:
        return same_json(json_value(meant), json.loads(text))
    except ValueError:
        return False


def grouped(headers):
    groups = {}
    for name, value in headers:
        groups.setdefault(name.lower(), []).append(value.strip())
    return groups


def same_header(name, meant, sent):
    if name == "content-type":
        meant, sent = ([re.sub(r";\s*boundary=.*", "", value).lower() for value in values] for values in (meant, sent))
        # Reqrun names the charset of a form.
        meant, sent = ([value.replace("; ", ";").replace("urlencoded;charset=utf-8", "urlencoded") for value in values]
                       for values in (meant, sent))
    if name == "cookie":
        meant, sent = (sorted(re.split(r";\s*", "; ".join(values))) for values in (meant, sent))
    if len(meant) != len(sent):
        return ", ".join(meant) == ", ".join(sent)
    for one, other in zip(meant, sent):
        if one[:6].lower() == other[:6].lower() == "basic " and ANY not in one:
            try:
                one, other = (base64.b64decode(value[6:]).decode("latin1") for value in (one, other))
            except ValueError:
                pass
        if not same_text(one, other):
            return False
    return True


def differences(meant, sent):
    """What differs, as triples of the place and both texts."""
    found = []
    if meant.method != sent.method:
        found.append(("method", meant.method, sent.method))
    if not same_url(meant.url, sent.url):
        found.append(("url", meant.url, sent.url))
    ours, theirs = grouped(meant.headers), grouped(sent.headers)
    for name in sorted(ours.keys() | theirs.keys()):
        if name not in ours and (name in AUTOMATIC or name == "host"):
            continue
        if name in ("content-length", "connection", "transfer-encoding"):
            continue
        if name not in theirs and ours[name] == [""]:
            continue
        if name not in ours or name not in theirs or not same_header(name, ours[name], theirs[name]):
            found.append((f"header {name}", ours.get(name), theirs.get(name)))
    content_type = theirs.get("content-type", [""])[0]
    if not same_body(meant.body, sent.body, content_type):
        found.append(("body", meant.body, sent.body))
    return found


def matched(meant, sent):
    """The number of equal requests, and the others with what differs from the nearest that was sent."""
    left, rest, equal = list(sent), [], 0
    for request in sorted(meant, key=lambda request: repr(ANY)[1:-1] in repr(request)):
        for other in left:
            if not differences(request, other):
                left.remove(other)
                equal += 1
                break
        else:
            rest.append(request)
    different = []
    for request in rest:
        near = min(((differences(request, other), index) for index, other in enumerate(left)),
                   key=lambda pair: (any(place == "url" for place, *_ in pair[0]), len(pair[0])), default=(None, 0))
        if near[0] is not None and not any(place == "url" for place, *_ in near[0]):
            different.append((request, near[0]))
            left.pop(near[1])
        else:
            different.append((request, None))
    return equal, different
