"""Requests of exports of Insomnia (versions 4 and 5), as Insomnia sends them by its documentation."""

import base64
import json
import re

from comparison import ANY, Meant, Part, json_value
from postman import file_content
from reading import Values, basic, has, plain_name, query_text, signed, with_query, without

try:
    import yaml
except ImportError:
    yaml = None

if yaml:
    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        """Texts such as 2026-01-01 stay texts."""

    Loader.yaml_implicit_resolvers = {
        letter: [pair for pair in pairs if not pair[0].endswith("timestamp")]
        for letter, pairs in Loader.yaml_implicit_resolvers.items()}

KIND = "insomnia"
MISSING = "" if yaml else "this Python has no PyYAML"
TOLD = {"hawk", "oauth1", "asap", "custom"}


def document(path):
    try:
        value = yaml.load(path.read_text(), Loader=Loader)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    known = isinstance(value.get("resources"), list) and value.get("__export_format") == 4
    return value if known or isinstance(value.get("collection"), list) and "insomnia" in str(value.get("type")) else None


def sources(folder):
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in (".yaml", ".yml", ".json")]
    return [[path] for path in files if document(path)]


def meant(paths):
    export = document(paths[0])
    values = Values(json.dumps(export).replace("{{_.", "{{ _."))
    captured = re.findall(r"(?:nvironment|baseEnvironment|collectionVariables|variables|globals)\.set\([\"'](.*?)[\"']",
                          json.dumps(export).replace('\\"', '"'))
    requests = []
    for request, folders, environments in (version4 if "resources" in export else version5)(export):
        values.known = {}
        for environment in environments:
            values.known |= flattened(environment)
        values.scripted.update(captured)
        if request.get("url"):
            requests.append(read(request, folders, Texts(values), paths[0].parent))
    return requests, values.asked


def version4(export):
    resources = {entry.get("_id"): entry for entry in export["resources"]}

    def environment(parent):
        return next((entry for entry in export["resources"]
                     if entry.get("_type") == "environment" and entry.get("parentId") == parent), {})

    for entry in export["resources"]:
        if entry.get("_type") != "request":
            continue
        folders, above = [], resources.get(entry.get("parentId"))
        while above and above.get("_type") == "request_group" and above not in folders:
            folders.insert(0, above)
            above = resources.get(above.get("parentId"))
        base = environment((above or {}).get("_id", "-"))
        chosen = [base.get("data") or {}, environment(base.get("_id", "-")).get("data") or {}]
        yield entry, folders, chosen + [folder.get("environment") or {} for folder in folders]


def version5(export):
    base = export.get("environments") or {}
    environments = [base.get("data") or {}] + [entry.get("data") or {} for entry in (base.get("subEnvironments") or [])[:1]]

    def walk(items, folders):
        for item in items or []:
            if "children" in item:
                yield from walk(item["children"], [*folders, item])
            elif "method" in item and "url" in item:
                yield item, folders, environments + [folder.get("environment") or {} for folder in folders]

    return walk(export["collection"], [])


def flattened(value, prefix=""):
    flat = {}
    for name, member in value.items():
        flat[prefix + name] = member
        if isinstance(member, dict):
            flat |= flattened(member, prefix + name + ".")
    return flat


class Texts:
    """Texts with variables and tags."""

    def __init__(self, values):
        self.values = values

    def text(self, source, depth=0):
        source = source if isinstance(source, str) else "" if source is None else json.dumps(source)
        source = re.sub(r"\{\{\s*(?:_\.)?([\w.$-]+)\s*\}\}", r"{{\1}}", source)
        source = re.sub(r"\{\{\s*_\['([^']+)'\]((?:\.\w+)*)\s*\}\}", r"{{\1\2}}", source)
        # A value has references itself.
        self.values.known = {
            name: re.sub(r"\{\{\s*_\.", "{{", value) if isinstance(value, str) else value
            for name, value in self.values.known.items()}
        return self.values.text(re.sub(r"\{%.*?%\}", self.tag, source, flags=re.S))

    def tag(self, match):
        words = re.match(r"\{%\s*(\w+)\s*(.*?)\s*%\}", match[0], re.S)
        arguments = re.findall(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"", words[2])
        arguments = [one or other for one, other in arguments]
        if words[1] == "base64" and len(arguments) > 1:
            arguments = [base64.b64decode(text[5:-5]).decode() if text.startswith("b64::") else text for text in arguments]
            if arguments[0] == "encode":
                return base64.b64encode(self.text(arguments[-1]).encode()).decode()
            return base64.b64decode(self.text(arguments[-1])).decode()
        return ANY


def enabled(entries):
    return [entry for entry in entries or [] if isinstance(entry, dict) and not entry.get("disabled")]


def read(request, folders, texts, root):
    url = texts.text(request["url"].strip())
    for parameter in request.get("pathParameters") or []:
        name, value = parameter.get("name", ""), texts.text(parameter.get("value"))
        url = re.sub(rf"/:{re.escape(name)}(?=[/?#]|$)", lambda match: "/" + value.replace("/", "%2F"), url)
    if not re.match(r"^[a-z]+://", url):
        url = "http://" + url
    query = [query_text(texts.text(entry["name"])) + "=" + query_text(texts.text(entry.get("value")))
             for entry in enabled(request.get("parameters")) if entry.get("name")]
    headers = []
    for layer in [*folders, request]:
        for entry in enabled(layer.get("headers")):
            if entry.get("name"):
                name = texts.text(entry["name"])
                if layer is not request:
                    headers = without(headers, name)
                elif any(header.lower() == name.lower() for folder in folders for header, _ in
                         [(item.get("name", ""), "") for item in folder.get("headers") or []]):
                    headers = without(headers, name)
                headers.append((name, texts.text(entry.get("value")).strip()))
    headers, body = content(request.get("body") or {}, headers, texts, root)
    headers, told = authorized(request, folders, headers, query, texts)
    settings = request.get("settings") or {}
    follows = request.get("settingFollowRedirects") if "_type" in request else settings.get("followRedirects")
    scripts = json.dumps([request.get("preRequestScript"), request.get("scripts")])
    if re.search(r"request\.(add|remove|update|upsert|headers\.|body\.|url)", scripts):
        told = "scripts that change the request"
    return Meant(request.get("name", url), texts.text(request.get("method") or "GET"), with_query(url.partition("#")[0], query),
                 headers, body, follows=follows not in ("off", False), told=texts.values.why(told))


def content(body, headers, texts, root):
    type = body.get("mimeType")
    if type == "application/x-www-form-urlencoded" and "params" in body:
        fields = [(texts.text(entry.get("name")), texts.text(entry.get("value"))) for entry in enabled(body["params"])]
        return without(headers, "content-type") + [("Content-Type", type)], fields
    if type == "multipart/form-data":
        parts = []
        for entry in enabled(body.get("params")):
            name = texts.text(entry.get("name"))
            if entry.get("type") == "file":
                path = entry.get("fileName") or ""
                parts.append(Part(name, file_content(root, path), path.rpartition("/")[2]))
            else:
                parts.append(Part(name, texts.text(entry.get("value"))))
        return without(headers, "content-type") + [("Content-Type", type)], parts
    if type == "application/octet-stream" and body.get("fileName"):
        return headers if has(headers, "content-type") else headers + [("Content-Type", type)], file_content(root, body["fileName"])
    text = body.get("text")
    if not text:
        return headers, None
    if not has(headers, "content-type") and type:
        headers = headers + [("Content-Type", "application/json" if type == "application/graphql" else type)]
    if type == "application/graphql":
        payload = json_value(texts.text(text))
        variables = payload.get("variables")
        if isinstance(variables, str):
            payload["variables"] = json.loads(variables) if variables.strip() else {}
        return headers, {name: value for name, value in payload.items() if value not in (None, "", {})}
    return headers, texts.text(text)


def authorized(request, folders, headers, query, texts):
    for layer in [request, *reversed(folders)]:
        auth = layer.get("authentication") or {}
        if auth.get("type"):
            break
    if auth.get("disabled"):
        return headers, ""
    type = auth.get("type")

    def value(name):
        return texts.text(auth.get(name))

    if type == "basic":
        headers = without(headers, "authorization") + [("Authorization", basic(value("username"), value("password")))]
    elif type == "bearer" and value("token"):
        prefix = value("prefix") if auth.get("prefix") else "Bearer"
        headers = without(headers, "authorization") + [("Authorization", f"{prefix} {value('token')}")]
    elif type == "apikey" and value("key"):
        if auth.get("addTo") == "queryParams":
            query.append(f"{query_text(value('key'))}={query_text(value('value'))}")
        elif auth.get("addTo") == "cookie":
            headers = headers + [("Cookie", f"{value('key')}={value('value')}")]
        else:
            headers = without(headers, value("key")) + [(value("key"), value("value"))]
    elif type == "iam":
        headers = signed(headers, value("sessionToken"))
    elif type == "oauth2" and auth.get("grantType") in ("client_credentials", "password"):
        headers = without(headers, "authorization") + [("Authorization", "Bearer acc3ss-77")]
    elif type in TOLD or type == "oauth2":
        return headers, f"credentials of {type}"
    return headers, ""
