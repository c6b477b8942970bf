"""Requests of collections in .bru files, as Bruno sends them by its documentation."""

import json
import re

from comparison import Meant, Part, json_value
from reading import Values, basic, has, query_text, signed, typed_as_parts, with_query, without

KIND = "bruno"
METHODS = {"get", "post", "put", "delete", "patch", "options", "head", "connect", "trace", "query"}
TYPES = {"json": "application/json", "text": "text/plain", "xml": "application/xml", "sparql": "application/sparql-query"}
TOLD = {"wsse", "oauth1", "hawk", "edgegrid"}


def sources(folder):
    return [[path.parent] for path in sorted(folder.rglob("bruno.json"))]


def blocks(text):
    """The blocks by name: lists of (key, value, annotations) of what is enabled, texts of bodies and scripts."""
    found = {}
    for match in re.finditer(r"^([\w:-]+) (\{|\[)\n(.*?)^[}\]]", text.replace("\r\n", "\n"), re.M | re.S):
        name, opening, inner = match.groups()
        inner = re.sub(r"^  ", "", inner, flags=re.M)
        if name.startswith(("body:json", "body:text", "body:xml", "body:sparql", "body:graphql", "script:", "tests",
                            "docs")) or name == "body":
            found[name] = inner.rstrip("\n")
        elif opening == "[":
            found[name] = [line.strip().rstrip(",") for line in inner.splitlines() if line.strip()]
        else:
            found[name] = entries(inner)
    return found


def entries(text):
    pairs, note = [], ""
    lines = iter(text.splitlines())
    for line in lines:
        line = line.strip()
        if line.startswith("@"):
            if "'''" in line and line.count("'''") < 2:
                for more in lines:
                    if "'''" in more:
                        break
            else:
                note = line[1:]
            continue
        match = re.match(r'(~?)("(?:[^"\\]|\\.)*"|[^:]+?)\s*:\s*(.*)', line)
        if not match:
            continue
        disabled, key, value = match.groups()
        if value == "'''":
            inner = []
            for more in lines:
                if more.strip().startswith("'''"):
                    value = "\n".join(inner) + more.strip()[3:]
                    break
                inner.append(re.sub("^  ", "", more))
        if key.startswith('"'):
            key = json.loads(key)
        if not disabled:
            pairs.append((key, value.strip(), note))
        note = ""
    return pairs


def plain(pairs):
    return {key: value for key, value, *_ in pairs or []}


def meant(paths):
    root = paths[0]
    files = [path for path in sorted(root.rglob("*.bru")) if "node_modules" not in path.parts]
    everything = "\n".join(path.read_text() for path in files)
    values = Values(everything.replace("process.env", "_process"))
    requests = []
    collection = blocks((root / "collection.bru").read_text()) if (root / "collection.bru").is_file() else {}
    environments = sorted((root / "environments").glob("*.bru")) if (root / "environments").is_dir() else []
    environment = plain(blocks(environments[0].read_text()).get("vars")) if environments else {}
    values.scripted.update(re.findall(r"bru\.set\w*Var\w*\(\s*[\"'](.*?)[\"']", everything))
    for path in files:
        values.scripted.update(name for name, *_ in blocks(path.read_text()).get("vars:post-response", []))
    for path in files:
        if path.name in ("collection.bru", "folder.bru") or path.parent.name == "environments":
            continue
        folders = []
        above = path.parent
        while above != root:
            if (above / "folder.bru").is_file():
                folders.insert(0, blocks((above / "folder.bru").read_text()))
            above = above.parent
        item = blocks(path.read_text())
        method = next((name for name in item if name in METHODS), "http" if "http" in item else None)
        if not method or not plain(item[method]).get("url"):
            continue
        values.known = {
            **plain(collection.get("vars:pre-request")), **environment,
            **{name: value for folder in folders for name, value in plain(folder.get("vars:pre-request")).items()},
            **plain(item.get("vars:pre-request"))}
        requests.append(read(item, method, [collection, *folders], Interpolation(values), root, path.stem))
    return requests, values.asked


class Interpolation:
    """Texts with the variables of the process beside those of the collection."""

    def __init__(self, values):
        self.values = values

    def text(self, source):
        return self.values.text(re.sub(r"\{\{\s*process\.env(?:\.|\[')([\w-]+)(?:'\])?\s*\}\}", self.process, source or ""))

    def process(self, match):
        return self.values.value(match[1])


def read(item, method, around, values, root, stem):
    start = plain(item[method])
    name = plain(item.get("meta")).get("name", stem)
    url = values.text(start["url"])
    for key, value, _ in item.get("params:path", []):
        url = re.sub(rf"(/):{re.escape(key)}(?=[/?.]|$)", lambda match: "/" + values.text(value), url)
    if not re.match(r"^[a-z]+://", url):
        url = "http://" + url
    headers = []
    for layer in [*around, item]:
        for key, value, _ in layer.get("headers", []):
            key = values.text(key)
            headers = without(headers, key) + [(key, values.text(value))]
    headers, body = content(item, start.get("body", "none"), headers, values, root)
    query = []
    headers, told = authorized(start.get("auth", "none"), item, around, headers, query, values)
    scripts = " ".join(layer.get("script:pre-request", "") for layer in [*around, item])
    settings = plain(item.get("settings"))
    return Meant(
        name, (start.get("method") or method).upper(), with_query(url.partition("#")[0], query), headers, body,
        follows=settings.get("followRedirects") != "false",
        told="scripts that change the request" if re.search(r"\breq\.(set|delete)", scripts) else values.values.why(told))


def content(item, mode, headers, values, root):
    def typed(type):
        return headers if has(headers, "content-type") else headers + [("Content-Type", type)]

    text = item.get("body:" + {"formUrlEncoded": "form-urlencoded", "multipartForm": "multipart-form"}.get(mode, mode))
    if mode == "json" and text is None:
        text = item.get("body")
    if mode in TYPES and text:
        text = values.text(text)
        return typed(TYPES[mode]), uncommented(text) if mode == "json" else text
    if mode == "graphql" and text:
        payload = {"query": values.text(text)}
        if item.get("body:graphql:vars"):
            payload["variables"] = json_value(uncommented(values.text(item["body:graphql:vars"])))
        return typed("application/json"), payload
    if mode == "formUrlEncoded":
        return (without(headers, "content-type") + [("Content-Type", "application/x-www-form-urlencoded")],
                [(values.text(key), values.text(value)) for key, value, _ in text or []])
    if mode == "multipartForm":
        parts = []
        for key, value, _ in text or []:
            type = re.search(r"\s*@contentType\((.*?)\)\s*$", value)
            value = value[:type.start()] if type else value
            type = type and type[1]
            if value.startswith("@file("):
                for path in values.text(value[6:-1]).split("|"):
                    parts.append(Part(values.text(key), data_of(root, path), path.rpartition("/")[2], type))
            else:
                parts.append(Part(values.text(key), values.text(value), None, type))
        return typed_as_parts(headers), parts
    if mode == "file" and text:
        value = text[0][1]
        path = re.search(r"@file\((.*?)\)", value)
        type = re.search(r"@contentType\((.*?)\)", value)
        return typed(type[1]) if type else headers, data_of(root, values.text(path[1]))
    return headers, None


def data_of(root, path):
    return (root / path).read_bytes() if (root / path).is_file() else b"x"


def uncommented(text):
    """JSON without its comments."""
    return re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda match: match[1] or "", text, flags=re.S)


def authorized(mode, item, around, headers, query, values):
    layer = item
    if mode == "inherit":
        for layer in reversed(around):
            mode = plain(layer.get("auth")).get("mode", "inherit" if "meta" in layer else "none")
            if mode != "inherit":
                break
    given = plain(layer.get(f"auth:{mode}"))

    def value(name):
        return values.text(given.get(name))

    if any("$oauth2" in text for text in given.values()):
        return headers, "tokens of other requests' OAuth 2"
    if mode == "basic":
        headers = without(headers, "authorization") + [("Authorization", basic(value("username"), value("password")))]
    elif mode == "bearer" and not value("token"):
        return without(headers, "authorization"), "credentials without a value"
    elif mode == "bearer":
        headers = without(headers, "authorization") + [("Authorization", "Bearer " + value("token"))]
    elif mode == "apikey" and given.get("placement") == "queryparams":
        query.append(f"{value('key')}={query_text(value('value'))}")
    elif mode == "apikey":
        headers = without(headers, value("key")) + [(value("key"), value("value"))]
    elif mode == "awsv4":
        headers = signed(headers, value("sessionToken"))
    elif mode == "oauth2" and given.get("grant_type") in ("client_credentials", "password"):
        headers = without(headers, "authorization") + [("Authorization", "Bearer acc3ss-77")]
    elif mode in TOLD or mode == "oauth2":
        return headers, f"credentials of {mode}"
    return headers, ""
