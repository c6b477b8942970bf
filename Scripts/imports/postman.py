"""Requests of collections, as Newman sends them by its documentation."""

import json
import re
from pathlib import Path

from comparison import Meant, Part, json_value
from reading import Values, basic, has, query_text, signed, typed_as_parts, with_query, without

KIND = "postman"
TYPES = {"json": "application/json", "xml": "application/xml", "html": "text/html", "javascript": "application/javascript"}
TOLD = {"oauth1", "hawk", "edgegrid", "jwt", "asap", "akamai"}


def document(path):
    try:
        value = json.loads(path.read_text("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    value = value.get("collection", value) if isinstance(value, dict) else None
    return value if isinstance(value, dict) and isinstance(value.get("item"), list) and "info" in value else None


def sources(folder):
    return [[path] for path in sorted(folder.rglob("*.json")) if document(path)]


def meant(paths):
    text = paths[0].read_text("utf-8-sig")
    collection = document(paths[0])
    values = Values(text)
    for variable in enabled(collection.get("variable")):
        values.known[variable.get("key") or variable.get("id")] = variable.get("value")
    for name in re.findall(r"\.(?:set|setEnvironmentVariable|setGlobalVariable)\(\s*\\?[\"'](.*?)\\?[\"']", text):
        values.scripted.add(name)
    requests = []
    for item, auth, behavior in items(collection, collection.get("auth"), {}):
        request = read(item, auth, behavior, values, paths[0].parent)
        if request:
            requests.append(request)
    return requests, values.asked


def enabled(entries):
    return [entry for entry in entries or [] if isinstance(entry, dict) and not entry.get("disabled")]


def items(folder, auth, behavior):
    for item in folder.get("item") or []:
        if not isinstance(item, dict):
            continue
        own = {**behavior, **(item.get("protocolProfileBehavior") or {})}
        if isinstance(item.get("item"), list):
            yield from items(item, item["auth"] if isinstance(item.get("auth"), dict) else auth, own)
        elif isinstance(item.get("request"), (dict, str)):
            yield item, auth, own


def member(parameters, name):
    if isinstance(parameters, list):
        return next((entry.get("value") for entry in reversed(parameters) if entry.get("key") == name), None)
    return (parameters or {}).get(name)


def address(url, values):
    if isinstance(url, str) or not url.get("host") and url.get("raw"):
        text = values.text(url if isinstance(url, str) else url["raw"]).strip().partition("#")[0]
        text, mark, query = text.partition("?")
        return text, [query] if mark else []
    host = url.get("host") or ""
    text = values.text(".".join(host) if isinstance(host, list) else host)
    if url.get("protocol"):
        text = f"{values.text(url['protocol'])}://{text}"
    if url.get("port"):
        text += ":" + values.text(str(url["port"]))
    variables = {entry.get("key") or entry.get("id"): entry.get("value") for entry in enabled(url.get("variable"))}
    path = url.get("path") or []
    for segment in path.lstrip("/").split("/") if isinstance(path, str) else path:
        segment = segment.get("value", "") if isinstance(segment, dict) else segment
        name = segment[1:].partition(".")[0]
        if segment.startswith(":") and variables.get(name):
            segment = variables[name] + segment[1 + len(name):]
        text += "/" + values.text(segment).replace("?", "%3F").replace("#", "%23")
    query = []
    for entry in enabled(url.get("query")):
        name = query_text(values.text(entry.get("key") or "")).replace("=", "%3D").replace("%2B", "+")
        value = entry.get("value")
        query.append(name if value is None else
                     f"{name}={query_text(values.text(value)).replace('%2B', '+')}")
    return text, query


def read(item, auth, behavior, values, folder):
    request = item["request"]
    if isinstance(request, str):
        request = {"url": request}
    if isinstance(request.get("auth"), dict):
        auth = request["auth"]
    url = request.get("url")
    if not url or isinstance(url, dict) and not (url.get("host") or url.get("raw")):
        return None
    url, query = address(url, values)
    if not re.match(r"^[a-z]+://", url):
        url = "http://" + url
    headers = []
    if isinstance(request.get("header"), str):
        for line in request["header"].splitlines():
            name, colon, value = line.partition(":")
            if colon:
                headers.append((name.strip(), values.text(value.strip())))
    else:
        for entry in enabled(request.get("header")):
            if (entry.get("key") or "").strip():
                headers.append((values.text(entry["key"].strip()), values.text(entry.get("value")).strip()))
    own = list(headers)
    method = values.text(request.get("method") or "GET")
    headers, body = content(request.get("body"), headers, values, folder)
    if method.upper() in ("GET", "COPY", "HEAD", "PURGE", "UNLOCK") and not behavior.get("disableBodyPruning"):
        headers, body = own, None
    headers, query, told = authorized(auth, headers, query, values)
    return Meant(item.get("name") or url, method, with_query(url, query), headers, body,
                 follows=behavior.get("followRedirects", True), told=values.why(told))


def content(body, headers, values, folder):
    if not isinstance(body, dict) or body.get("disabled"):
        return headers, None
    mode = body.get("mode")
    data = body.get(mode)
    typed = has(headers, "content-type")
    if mode == "raw" and data:
        language = ((body.get("options") or {}).get("raw") or {}).get("language")
        return (headers if typed else headers + [("Content-Type", TYPES.get(language, "text/plain"))],
                values.text(data))
    if mode == "urlencoded" and isinstance(data, list):
        fields = [(values.text(entry.get("key") or ""), values.text(entry.get("value"))) for entry in enabled(data)]
        if fields:
            return without(headers, "content-type") + [("Content-Type", "application/x-www-form-urlencoded")], fields
    if mode == "formdata" and isinstance(data, list):
        parts = []
        for entry in enabled(data):
            name, type = values.text(entry.get("key") or ""), entry.get("contentType")
            if entry.get("type") != "file":
                parts.append(Part(name, values.text(entry.get("value")), None, type))
                continue
            source = entry.get("src")
            for path in source if isinstance(source, list) else [source] if source else []:
                parts.append(Part(name, file_content(folder, path), path.replace("\\", "/").rpartition("/")[2], type))
        if parts:
            return typed_as_parts(headers), parts
    if mode == "graphql" and isinstance(data, dict):
        payload = {"query": values.text(data.get("query"))}
        if data.get("operationName"):
            payload["operationName"] = values.text(data["operationName"])
        if data.get("variables"):
            try:
                variables = data["variables"]
                payload["variables"] = json_value(values.text(variables)) if isinstance(variables, str) else variables
            except ValueError:
                pass
        return headers if typed else headers + [("Content-Type", "application/json")], payload
    if mode == "file":
        path = data.get("src") if isinstance(data, dict) else data
        return headers, file_content(folder, path) if path else None
    return headers, None


def file_content(folder, path):
    """Files that are not beside the source are made of one letter."""
    name = path.replace("\\", "/")
    file = folder / (name.rpartition("/")[2] if name.startswith("/") else name)
    return file.read_bytes() if file.is_file() else b"x"


def authorized(auth, headers, query, values):
    kind = (auth or {}).get("type")
    parameters = (auth or {}).get(kind)

    def value(name):
        return values.text(member(parameters, name))

    if kind == "basic":
        headers = without(headers, "authorization") + [("Authorization", basic(value("username"), value("password")))]
    elif kind == "bearer" and value("token"):
        headers = without(headers, "authorization") + [("Authorization", "Bearer " + value("token"))]
    elif kind == "apikey" and value("key"):
        if value("in") == "query":
            name = query_text(value("key"))
            query = [text for text in query if text.partition("=")[0] != name]
            query = query + [f"{name}={query_text(value('value'))}"]
        else:
            headers = without(headers, value("key")) + [(value("key"), value("value"))]
    elif kind == "oauth2" and value("accessToken"):
        if value("addTokenTo") == "queryParams":
            query = query + [f"access_token={query_text(value('accessToken'))}"]
        else:
            prefix = member(parameters, "headerPrefix")
            prefix = "Bearer " if prefix is None else values.text(prefix).strip() + " "
            headers = without(headers, "authorization") + [("Authorization", prefix.lstrip() + value("accessToken"))]
    elif kind == "awsv4" and value("accessKey"):
        headers = signed(headers, value("sessionToken"))
    elif kind in TOLD:
        return headers, query, f"credentials of {kind}"
    return headers, query, ""
