"""Requests that OpenAPI documents (3.0 and 3.1) allow: each that is sent must be one of an operation."""

import json
import re
import urllib.parse

from comparison import SECRET, Meant, multipart, split
from insomnia import MISSING, Loader, yaml  # noqa: F401

KIND = "openapi"
METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]


def load(path):
    text = path.read_text("utf-8-sig")
    return json.loads(text) if text.lstrip().startswith("{") else yaml.load(text, Loader=Loader)


def sources(folder):
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in (".yaml", ".yml", ".json")]
    return [[path] for path in files if re.search(r"""(?m)^\s*["{]*openapi"?\s*:\s*["']?3\.[01]""", path.read_text("utf-8-sig")[:5000])]


def meant(paths):
    return [], {"base_url": "http://e-api.example", "BASE_URL": "http://e-api.example"}


def prepare(text):
    """A spec whose tokens need no person: the server that records issues them."""
    text = re.sub(r"grant_type: (?:authorization_code|device_code)", "grant_type: client_credentials", text)
    return re.sub(r"(?m)^ *(?:authorization_url|device_authorization_url|redirect_uri): .*\n", "", text)


def compared(paths, sent):
    """The number of operations that a request was sent for as the document says, and the others with what differs."""
    document = Document(load(paths[0]), paths[0])
    left, equal, different = list(sent), 0, []
    for operation in document.operations():
        found = [(operation.problems(request), request) for request in left if operation.matches(request)]
        if not found:
            different.append((operation.meant, None))
            continue
        problems, request = min(found, key=lambda pair: len(pair[0]))
        left.remove(request)
        if problems:
            different.append((operation.meant, problems))
        else:
            equal += 1
    return equal, different


class Document:
    def __init__(self, root, path):
        self.root, self.path, self.files = root, path, {}

    def resolved(self, node, depth=0):
        while isinstance(node, dict) and isinstance(node.get("$ref"), str) and depth < 50:
            file, _, pointer = node["$ref"].partition("#")
            if file and file not in self.files:
                try:
                    self.files[file] = load(self.path.parent / file)
                except (OSError, ValueError):
                    return {}
            value = self.files[file] if file else self.root
            for name in pointer.strip("/").split("/") if pointer.strip("/") else []:
                name = urllib.parse.unquote(name).replace("~1", "/").replace("~0", "~")
                value = value.get(name, {}) if isinstance(value, dict) else {}
            siblings = {name: member for name, member in node.items() if name != "$ref"}
            node = {**value, **siblings} if isinstance(value, dict) and siblings else value
            depth += 1
        return node if node is not None else {}

    def operations(self):
        found = []
        for path, item in (self.root.get("paths") or {}).items():
            item = self.resolved(item)
            for method in METHODS:
                if isinstance(item.get(method), dict):
                    found.append(Operation(self, method, path, item, item[method]))
        # Those without parameters in the path first: others match their paths, too.
        return sorted(found, key=lambda operation: operation.path.count("{"))


class Operation:
    def __init__(self, document, method, path, item, node):
        self.document, self.method, self.path, self.node = document, method.upper(), path.partition("#")[0], node
        parameters = {}
        for source in (item.get("parameters") or [], node.get("parameters") or []):
            for parameter in [found for found in map(document.resolved, source) if isinstance(found, dict)]:
                parameters[parameter.get("name"), parameter.get("in")] = parameter
        self.parameters = list(parameters.values())
        servers = node.get("servers") or item.get("servers") or document.root.get("servers") or [{"url": "/"}]
        server = servers[0].get("url") or "/"
        for name, variable in (servers[0].get("variables") or {}).items():
            server = server.replace("{" + name + "}", str(variable.get("default", "")))
        address, base, _ = split(server)
        self.host = address if "://" in server else None
        names = iter(re.findall(r"\{([^{}]+)\}", self.path))
        pieces = re.split(r"\{[^{}]+\}", base.rstrip("/") + self.path.partition("?")[0])
        self.names = list(names)
        self.pattern = "([^/]+?)".join(map(re.escape, pieces))
        self.meant = Meant(node.get("operationId") or f"{method} {path}", self.method, server.rstrip("/") + self.path)
        security = node.get("security", document.root.get("security")) or [{}]
        schemes = (document.root.get("components") or {}).get("securitySchemes") or {}
        self.security = [document.resolved(schemes.get(name, {})) for name in security[0]]
        if any(self.needs_a_person(scheme) for scheme in self.security):
            self.meant.told = "credentials that need a person or a server of theirs"

    @staticmethod
    def needs_a_person(scheme):
        flows = scheme.get("flows") or {}
        return scheme.get("type") == "openIdConnect" or scheme.get("type") == "oauth2" and flows.keys() <= {"implicit"}

    def matches(self, request):
        address, path, _ = split(request.url)
        return request.method == self.method and self.host in (None, address) and bool(re.fullmatch(self.pattern, path))

    def problems(self, request):
        found = []
        _, path, query = split(request.url)
        in_path = dict(zip(self.names, re.fullmatch(self.pattern, path).groups()))
        pairs = [pair.partition("=")[::2] for pair in query.split("&") if pair]
        fixed = [pair.partition("=")[::2] for pair in self.path.partition("?")[2].split("&") if pair]
        pairs = [pair for pair in pairs if pair not in fixed]
        headers = {name.lower(): value for name, value in request.headers}
        cookies = [cookie.partition("=")[::2] for cookie in headers.get("cookie", "").split("; ") if cookie]
        for scheme in self.security:
            found += self.credential(scheme, pairs, headers, cookies)
        for parameter in self.parameters:
            name, place = parameter.get("name", ""), parameter.get("in")
            if place == "header" and name.lower() in ("accept", "content-type", "authorization"):
                continue
            raw = {"path": lambda: in_path.get(name), "header": lambda: headers.get(name.lower()),
                   "query": lambda: taken(parameter, pairs, self.schema(parameter)),
                   "cookie": lambda: taken(parameter, cookies, self.schema(parameter))}.get(place, lambda: None)()
            if raw is None or raw == []:
                # An empty list or object has no form in a query.
                schema = self.schema(parameter)
                empty = kind_of(schema, self.document) == "object" and not schema.get("properties")
                absent = empty or isinstance(self.example(parameter), (list, dict)) or place == "path" and name not in self.names
                if parameter.get("required") and not absent:
                    found.append((f"{place} {name}", "required", None))
                continue
            try:
                value = decoded(parameter, raw, self.schema(parameter), self.document)
            except ValueError as error:
                found.append((f"{place} {name}", str(error), raw))
                continue
            found += self.checked(f"{place} {name}", parameter, self.schema(parameter), value)
        found += [(f"query {name}", None, value) for name, value in pairs]
        return found + self.body(request, headers)

    def credential(self, scheme, pairs, headers, cookies):
        kind, name = scheme.get("type"), scheme.get("name", "")
        if kind == "apiKey" and scheme.get("in") == "header":
            present = name.lower() in headers
        elif kind == "apiKey":
            among = pairs if scheme.get("in") == "query" else cookies
            present = any(urllib.parse.unquote(key) == name for key, _ in among)
            among[:] = [pair for pair in among if urllib.parse.unquote(pair[0]) != name]
        elif kind == "http" and str(scheme.get("scheme")).lower() in ("basic", "bearer"):
            present = headers.get("authorization", "").lower().startswith(scheme["scheme"].lower() + " ")
        else:
            present = True
        return [] if present else [("security", scheme, None)]

    def schema(self, parameter):
        if parameter.get("content"):
            return self.document.resolved(next(iter(parameter["content"].values())).get("schema", {}))
        return self.document.resolved(parameter.get("schema", {}))

    def example(self, holder):
        if "example" in holder:
            return self.document.resolved(holder["example"])
        for example in (holder.get("examples") or {}).values() if isinstance(holder.get("examples"), dict) else []:
            example = self.document.resolved(example)
            if "value" in example:
                return self.document.resolved(example["value"])
        return None

    def checked(self, place, holder, schema, value):
        problem = invalid(schema, value, self.document)
        if problem:
            return [(place, problem, value)]
        example = self.example(holder)
        # An example that its own schema rejects is not sent.
        if example is not None and not invalid(schema, example, self.document) and not same(example, value):
            return [(place, example, value)]
        return []

    def body(self, request, headers):
        body = self.document.resolved(self.node.get("requestBody") or {})
        content = body.get("content") or {}
        if not request.body:
            return [("body", "required", None)] if body.get("required") and content else []
        sent = headers.get("content-type", "").partition(";")[0].strip().lower()
        for type, media in content.items():
            plain = type.partition(";")[0].strip().lower()
            if plain == sent or re.fullmatch(re.escape(plain).replace(r"\*", ".*"), sent):
                break
        else:
            return [("body", list(content), sent or request.body[:80])]
        media = self.document.resolved(media)
        schema = self.document.resolved(media.get("schema", {}))
        if sent == "application/json" or sent.endswith("+json"):
            try:
                return self.checked("body", media, schema, json.loads(request.body))
            except ValueError:
                return [("body", "JSON", request.body[:80])]
        if sent == "application/x-www-form-urlencoded":
            names = [name for name, _ in urllib.parse.parse_qsl(request.body.decode(), keep_blank_values=True)]
        elif sent == "multipart/form-data":
            names = [part.name for part in multipart(headers["content-type"], request.body)]
        else:
            return []
        known = properties(schema, self.document)
        missing = [name for name in schema.get("required") or []
                   if not any(sent == name or sent.startswith(name + "[") for sent in names)]
        other = [name for name in names if known and re.sub(r"\[.*", "", name) not in known and "additionalProperties" not in schema]
        return [("body", name, None) for name in missing] + [("body", None, name) for name in other]


def properties(schema, document):
    schema = document.resolved(schema)
    names = set(schema.get("properties") or {})
    for word in ("allOf", "oneOf", "anyOf"):
        for part in schema.get(word) or []:
            names |= properties(part, document)
    return names


def kind_of(schema, document):
    schema = document.resolved(schema)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((name for name in kind if name != "null"), None)
    if kind:
        return kind
    if "properties" in schema:
        return "object"
    if "items" in schema:
        return "array"
    for word in ("allOf", "oneOf", "anyOf"):
        for part in schema.get(word) or []:
            found = kind_of(part, document)
            if found:
                return found
    return None


def taken(parameter, pairs, schema):
    """The raw pairs of a parameter, which are taken out of all."""
    name = parameter["name"]
    style = parameter.get("style", "form")
    explode = parameter.get("explode", style == "form")
    fields = set(schema.get("properties") or {}) if style == "form" and explode else set()

    def mine(key):
        key = urllib.parse.unquote(key)
        return key == name or key in fields or style == "deepObject" and key.startswith(name + "[")

    found = [pair for pair in pairs if mine(pair[0])]
    if not found and style == "form" and explode and kind_of(schema, Empty) == "object":
        found = list(pairs)
    for pair in found:
        pairs.remove(pair)
    return found


class Empty:
    @staticmethod
    def resolved(node):
        return node if isinstance(node, dict) else {}


def decoded(parameter, raw, schema, document):
    """The value of what is sent for a parameter, by its style."""
    name, place = parameter["name"], parameter.get("in")
    unquote = urllib.parse.unquote if place == "path" else urllib.parse.unquote_plus if place == "query" else str
    if parameter.get("content"):
        text = raw if isinstance(raw, str) else raw[0][1]
        return json.loads(unquote(text))
    style = parameter.get("style") or ("form" if place in ("query", "cookie") else "simple")
    explode = parameter.get("explode", style == "form")
    kind = kind_of(schema, document)
    fields = schema.get("properties") or {}
    items = document.resolved(schema.get("items", {}))

    def one(text, own):
        return scalar(unquote(text), own, document)

    def pairs_of(texts):
        return {unquote(key): one(value, document.resolved(fields.get(unquote(key), {}))) for key, value in texts}

    if isinstance(raw, list):
        if style == "deepObject":
            return {unquote(key)[len(name) + 1:-1]: one(value, document.resolved(fields.get(unquote(key)[len(name) + 1:-1], {})))
                    for key, value in raw}
        if kind == "object" and explode:
            return pairs_of(raw)
        if kind == "array" and explode:
            return [one(value, items) for _, value in raw]
        raw = raw[0][1]
        separator = {"spaceDelimited": r"%20|\+", "pipeDelimited": r"\||%7C"}.get(style, ",|%2C" if place == "cookie" else ",")
    else:
        separator = ","
        if style == "matrix":
            texts = [text.partition("=")[::2] for text in raw.lstrip(";").split(";")]
            if kind == "object" and explode:
                return pairs_of(texts)
            if kind == "array" and explode:
                return [one(value, items) for _, value in texts]
            raw = texts[0][1]
        elif style == "label":
            raw, separator = raw.removeprefix("."), r"\." if explode else ","
    if kind == "array":
        return [one(text, items) for text in re.split(separator, raw)] if raw else []
    if kind == "object":
        texts = re.split(separator, raw)
        if explode and style in ("simple", "label"):
            return pairs_of(text.partition("=")[::2] for text in texts)
        return pairs_of(zip(texts[::2], texts[1::2]))
    return one(raw, schema)


def scalar(text, schema, document):
    kind = kind_of(schema, document)
    if text == SECRET:
        return text
    if kind == "integer":
        return int(text)
    if kind == "number":
        return float(text)
    if kind == "boolean" and text in ("true", "false"):
        return text == "true"
    return text


def same(one, other):
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other or other == SECRET or str(one) == str(other)


FORMATS = {
    "uuid": r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", "date": r"\d{4}-\d\d-\d\d",
    "date-time": r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d.*", "email": r"[^@\s]+@[^@\s]+", "ipv4": r"\d+(\.\d+){3}",
}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


TYPES = {
    "object": lambda value: isinstance(value, dict), "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str), "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None, "number": is_number,
    "integer": lambda value: is_number(value) and value == int(value),
}


def invalid(schema, value, document, depth=0):
    """Why a value is not one of a schema, in a few words; None if it is."""
    schema = document.resolved(schema)
    if not isinstance(schema, dict) or depth > 40 or value == SECRET:
        return None
    if value is None and schema.get("nullable"):
        return None
    kinds = schema.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds] if kinds else []
    if kinds and not any(TYPES.get(kind, lambda _: True)(value) for kind in kinds):
        return f"type {kinds}"
    if "enum" in schema and not any(same(value, one) for one in schema["enum"]):
        return f"one of {schema['enum']}"
    if "const" in schema and not same(value, schema["const"]):
        return f"constant {schema['const']}"
    for part in schema.get("allOf") or []:
        problem = invalid(part, value, document, depth + 1)
        if problem:
            return problem
    for word in ("oneOf", "anyOf"):
        if schema.get(word) and all(invalid(part, value, document, depth + 1) for part in schema[word]):
            return f"{word}"
    if isinstance(value, str):
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            return "length"
        if schema.get("pattern"):
            try:
                if not re.search(schema["pattern"], value):
                    return f"pattern {schema['pattern']}"
            except re.error:
                pass
        if not re.fullmatch(FORMATS.get(schema.get("format"), ".*"), value, re.S):
            return f"format {schema['format']}"
    if is_number(value):
        low, high = schema.get("minimum"), schema.get("maximum")
        if low is not None and (value < low or value == low and schema.get("exclusiveMinimum") is True):
            return f"minimum {low}"
        if high is not None and (value > high or value == high and schema.get("exclusiveMaximum") is True):
            return f"maximum {high}"
        if is_number(schema.get("exclusiveMinimum")) and value <= schema["exclusiveMinimum"]:
            return "exclusive minimum"
        if is_number(schema.get("exclusiveMaximum")) and value >= schema["exclusiveMaximum"]:
            return "exclusive maximum"
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            return "number of items"
        for item in value:
            problem = invalid(schema.get("items", {}), item, document, depth + 1)
            if problem:
                return problem
    if isinstance(value, dict):
        fields = schema.get("properties") or {}
        for name in schema.get("required") or []:
            if name not in value and not document.resolved(fields.get(name, {})).get("readOnly"):
                return f"required {name}"
        for name, member in value.items():
            own = fields.get(name, schema.get("additionalProperties", {}))
            if own is False:
                return f"property {name}"
            problem = invalid(own, member, document, depth + 1)
            if problem:
                return f"{name}: {problem}"
    return None
