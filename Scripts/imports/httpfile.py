"""Requests of .http files, as REST Client, JetBrains and httpyac send them by their documentation."""

import json
import re

from comparison import ANY, Meant, json_value, multipart
from reading import Values, basic, has, signed, without

KIND = "http"
ENVIRONMENTS = ["http-client.env.json", "rest-client.env.json", "http-client.private.env.json"]
METHODS = r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|GRAPHQL|LOCK|UNLOCK|PROPFIND|PROPPATCH|PURGE|COPY|" \
    r"MOVE|MKCOL|SEARCH|CONNECT|QUERY|REPORT|MERGE|CHECKOUT|CHECKIN|MKACTIVITY|MKWORKSPACE|(?:VERSION|BASELINE)-CONTROL)"
OTHERS = r"(?:GRPC|WS|WSS|WEBSOCKET|SSE|EVENTSOURCE|MQTT|AMQP|RABBITMQ)"


def sources(folder):
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".http", ".rest"))
    return [[path, *(path.parent / name for name in ENVIRONMENTS if (path.parent / name).is_file())] for path in files]


def meant(paths):
    own = re.sub(r"(?ms)^/\*.*?\*/\s*$", "", paths[0].read_text("utf-8-sig").replace("\r\n", "\n"))
    text = own
    for name in re.findall(r"(?m)^#\s*@import\s+(\S+)", own):
        if (paths[0].parent / name).is_file():
            text += (paths[0].parent / name).read_text("utf-8-sig")
    values = Values(text)
    if re.search(rf"(?m)^(?:{METHODS} +)?/", own):
        values.addresses.add("host")  # before what is a path alone
    for path in paths[1:]:
        environments = json.loads(path.read_text("utf-8-sig"))
        shared = environments.pop("$shared", {})
        values.known |= shared | next(iter(environments.values()), {})
    set_by_scripts = r"(?:client\.global|request\.variables|exports)\.(?:set\(\s*[\"'](.*?)[\"']|(\w+)\s*=)"
    values.scripted.update(one or two for one, two in re.findall(set_by_scripts, text))
    names = set(re.findall(r"(?m)^(?:#|//)\s*@name[ =]+([\w-]+)", text))
    for name, value in re.findall(r"(?m)^@([\w.-]+)\s*=\s*(.*?)\s*$", text):
        values.known[name] = value
    for name in set(re.findall(r"\{\{\s*([\w$.\[\]*'-]+?)\s*\}\}", text)):
        if name.partition(".")[0] in names and "." in name:
            values.scripted.add(name)
    requests = []
    for region in re.split(r"(?m)^###.*$", own):
        for block in blocks(region):
            request = read(block, values, paths[0].parent)
            if request:
                requests.append(request)
    return requests, values.asked


def blocks(region):
    """A block of lines for each request of a region."""
    region = re.sub(r"(?ms)^<\s*\{%.*?%\}\s*$", "", region)
    # A comment before the next request ends one without a body.
    region = re.sub(rf"(?m)^(?:(?:#|//)(?! *@).*\n)+\n*(?={METHODS} +(?:https?:|/|\{{\{{))", r"\n", region)
    current, body = [], False
    for line in region.split("\n"):
        starts = re.match(rf"{METHODS} +\S", line) or re.match(r"https?://\S+(?: HTTP/\S+)?$", line)
        if starts and body and not any(re.match("content-", entry, re.I) for entry in current):
            yield current
            current, body = [], False
        if starts and any(re.match(rf"{METHODS} +\S", entry) for entry in current) and not body:
            yield current
            current = []
        if current and any(re.match(rf"{METHODS} |https?:", entry) for entry in current) and not line.strip():
            body = True
        current.append(line)
    yield current


def read(lines, values, folder):
    settings = {}
    lines = list(lines)
    while lines and (not lines[0].strip() or lines[0].startswith(("#", "//", "@"))):
        note = re.match(r"(?:#|//)\s*@([\w-]+)[ =]*(.*)", lines.pop(0))
        if note:
            settings[note[1]] = note[2].strip()
    if not lines or "disabled" in settings or re.match(OTHERS + r"\s", lines[0]):
        return None
    start = lines.pop(0).strip()
    while lines and re.match(r"\s+\S", lines[0]):
        start += lines.pop(0).strip()
    start = re.sub(r"\s+HTTP/[\d.]+$", "", start)
    method, url = re.match(r"(?:([A-Z]+) +)?(.*)", start).groups()
    if not url:
        return None
    headers = []
    while lines and lines[0].strip():
        line = lines.pop(0)
        if line.startswith(("#", "//")):
            continue
        if line.startswith(("?", "&")) and not headers:
            url += line.strip()
            continue
        if line.startswith(("> ", "??", "<> ", "HTTP/")):
            lines.insert(0, line)
            break
        header = re.match(r"([\w!#$%&'*+.^`|~-]+)\s*:(.*)", line)
        if not header:
            # The body, which httpyac takes without an empty line before it.
            lines.insert(0, line)
            break
        headers.append((header[1], values.text(header[2].strip())))
    body = []
    for line in lines:
        if re.match(r"(?:> )?EXPECTED_RESPONSE|> ?\{%|> \S|>>!? |<> |\?\? |HTTP/[\d.]+ +\d{3}|\{\{(?:@\w+)?\s*$", line):
            break
        body.append(line)
    url = values.text(url).partition("#")[0].strip()
    host = next((value for name, value in headers if name.lower() == "host"), None)
    if url.startswith("/") or url == "*":
        host = host or values.text("{{host}}")
        host = host if "://" in host else "http://" + host
        url = "/".join(host.split("/")[:3]) + "*" if url == "*" else host + url
        headers = without(headers, "host")
    elif "://" not in url.partition("?")[0]:
        url = "http://" + url
    method = method or "GET"
    headers, content = read_body("\n".join(body).strip("\n"), method, headers, values, folder)
    headers = authorized(headers)
    told = values.why(
        "loops" if "loop" in settings else
        "client certificates" if any("clientcert" in name.lower() for name, _ in headers) else "")
    return Meant(settings.get("name") or start, "POST" if method == "GRAPHQL" else method, url, headers, content,
                 follows="no-redirect" not in settings, told=told)


def read_body(text, method, headers, values, folder):
    type = next((value for name, value in headers if name.lower() == "content-type"), "")
    asked = any(name.lower() == "x-request-type" and value.lower() == "graphql" for name, value in headers)
    if asked or method == "GRAPHQL" or re.match(r"\s*(?:query|mutation|fragment)\s+\w+[^{]*\{", text):
        query, _, variables = text.partition("\n\n")
        payload = {"query": values.text(query).strip()}
        if variables.strip():
            payload["variables"] = json_value(values.text(variables))
        name = re.match(r"\s*(?:query|mutation)\s+(\w+)", query)
        headers = without(headers, "x-request-type")
        return headers if type else headers + [("Content-Type", "application/json")], payload
    if not text.strip():
        return headers, None
    single = re.fullmatch(r"<(@\S*)? +(\S.*?)\s*", text)
    if single:
        data = file_data(folder, values.text(single[2]))
        return headers, values.text(data.decode()) if single[1] else data
    if type.startswith("multipart/"):
        data = b"\r\n".join(part_line(line, values, folder) for line in text.split("\n"))
        return headers, multipart(type, data)
    lines = []
    for line in text.split("\n"):
        included = re.fullmatch(r"<(@\S*)? +(\S.*?)\s*", line)
        if included:
            data = file_data(folder, values.text(included[2])).decode("utf-8", "replace")
            line = values.text(data) if included[1] else data
        else:
            line = values.text(line)
        if type.startswith("application/x-www-form-urlencoded"):
            line = line.strip()
        lines.append(line)
    form = type.startswith("application/x-www-form-urlencoded")
    return headers, ("" if form else "\n").join(lines)


def part_line(line, values, folder):
    included = re.fullmatch(r"<(?:@\S*)? +(\S.*?)\s*", line)
    return file_data(folder, values.text(included[1])) if included else values.text(line).encode()


def file_data(folder, path):
    file = folder / path
    return file.read_bytes() if file.is_file() else b"x"


def authorized(headers):
    result = []
    for name, value in headers:
        words = value.split()
        if name.lower() != "authorization" or len(words) < 2:
            result.append((name, value))
        elif words[0].lower() == "basic" and (len(words) == 3 or ":" in words[1]):
            user, password = words[1:3] if len(words) == 3 else words[1].split(":", 1)
            result.append((name, basic(user, password)))
        elif words[0].lower() == "aws":
            token = next((word[6:] for word in words if word.startswith("token:")), "")
            result = signed(result, token)
        elif words[0].lower() in ("oauth2", "openid"):
            result.append((name, "Bearer acc3ss-77"))
        elif words[0].lower() != "digest" or "=" in value:
            result.append((name, value))
    return result
