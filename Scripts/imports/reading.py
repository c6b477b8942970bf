"""What the readers of several kinds share."""

import base64
import json
import re
import zlib

from comparison import ANY


SCRIPTED = "reads what a script sets"


def plain_name(name):
    return re.sub(r"\W", "_", name)


class Values:
    """The values of variables: those of the source, and one for each name that has none, which the spec reads from the
    environment.
    """

    def __init__(self, source, pattern=r"\{\{([^{}]*)\}\}"):
        self.pattern = pattern
        self.known = {}
        self.asked = {}
        self.scripted = set()  # names of variables that scripts set
        self.reads_scripts = self.computes = False
        # A variable with which a URL begins is an address.
        beginning = r"""(?m)(?:"(?:raw|url)":\s*"|\burl:\s*["']?|^\s*(?:[A-Z]+ +)?)\{\{\s*(?:_\.)?([^{}]*?)\s*\}\}(?!://)"""
        self.addresses = {plain_name(name) for name in re.findall(beginning, source)}

    def why(self, told):
        """Why a spec may send a request otherwise that was read since the last call."""
        reads, computes = self.reads_scripts, self.computes
        self.reads_scripts = self.computes = False
        return told or ("expressions" if computes else SCRIPTED if reads else "")

    def value(self, name):
        """The value of a variable that the source lacks."""
        name = plain_name(name)
        if name not in self.asked:
            label = name.replace("_", "-").lower().strip("-")
            self.asked[name] = (
                f"http://e-{label}.example" if name in self.addresses else f"7{zlib.crc32(name.encode())}")
        return self.asked[name]

    def text(self, source, depth=0):
        if source is None:
            return ""
        if not isinstance(source, str):
            source = json.dumps(source)

        def replaced(match):
            name = match[1].strip()
            if name.startswith("$"):
                return ANY
            name = name.removeprefix("_.")
            if name in self.scripted:
                self.reads_scripts = True
                return ANY
            if re.search(r"[(+\[]", name):
                self.computes = True
                return ANY
            if name not in self.known:
                return self.value(name)
            value = self.known[name]
            if value is None or depth > 8:
                return ""
            return self.text(value if isinstance(value, str) else json.dumps(value), depth + 1)

        return re.sub(self.pattern, replaced, source)


def basic(user, password):
    text = f"{user}:{password}"
    return ANY if ANY in text else "Basic " + base64.b64encode(text.encode()).decode()


def without(headers, name):
    return [pair for pair in headers if pair[0].lower() != name.lower()]


def has(headers, name):
    return any(header.lower() == name.lower() for header, _ in headers)


def query_text(text):
    return text.replace("#", "%23").replace("&", "%26").replace("+", "%2B")


def with_query(url, pairs):
    """The URL with more parameters: texts that are encoded as far as they must be."""
    if not pairs:
        return url
    return url + ("&" if "?" in url else "?") + "&".join(pairs)


def typed_as_parts(headers):
    if any(name.lower() == "content-type" and value.startswith("multipart/") for name, value in headers):
        return headers
    return without(headers, "content-type") + [("Content-Type", "multipart/form-data")]


def signed(headers, token):
    """With the headers of a signature for AWS."""
    for name in ("Authorization", "X-Amz-Date", "X-Amz-Security-Token"):
        headers = without(headers, name)
    headers = headers + [("Authorization", ANY), ("X-Amz-Date", ANY)]
    return headers + [("X-Amz-Security-Token", token)] if token else headers
