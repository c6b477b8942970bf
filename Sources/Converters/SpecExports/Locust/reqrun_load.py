"""What the users in locustfile.py have in common: sending, values of responses, and checks of them."""

import base64
import csv
import functools
import importlib.util
import io
import json
import os
import pathlib
import re
import time
import urllib.parse

from locust import HttpUser
from locust.exception import RescheduleTask
from urllib3.util import SKIP_HEADER

# What reqrun accepts, as far as this Python can decode it: requirements.txt has what is needed.
ENCODINGS = ", ".join(
    ["deflate", "gzip"]
    + [name for name, module in (("br", "brotli"), ("zstd", "zstandard")) if importlib.util.find_spec(module)]
)
HERE = pathlib.Path(__file__).parent


class Unmet(Exception):
    """An expectation that was not met."""


class Written(float):
    """A number that is sent as it was written."""

    def __new__(cls, lexeme):
        number = super().__new__(cls, lexeme)
        number.lexeme = lexeme
        return number


def once(v, key, make):
    """A value that stays the same for one run of a file."""
    if key not in v:
        v[key] = make()
    return v[key]


def env(name):
    """A secret: from the environment, never from a file."""
    value = os.environ.get(name)
    if value is None:
        raise RuntimeError(f"set the environment variable {name}")
    return value


def basic(user, password):
    """The value of an Authorization header."""
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def data(name):
    """The bytes of a file beside this one."""
    return (HERE / name).read_bytes()


@functools.lru_cache(maxsize=None)
def lines(name):
    """The rows in a file beside this one."""
    with (HERE / name).open(encoding="utf-8") as file:
        return [json.loads(line, parse_float=Written) for line in file]


@functools.lru_cache(maxsize=None)
def secret_rows(variable):
    """Rows with secrets, in the file that an environment variable names."""
    path = pathlib.Path(env(variable))
    content = path.read_text(encoding="utf-8-sig")
    if path.suffix == ".json":
        return json.loads(content, parse_float=Written)
    if path.suffix != ".csv":
        return [json.loads(line, parse_float=Written) for line in content.splitlines() if line.strip()]
    rows = []
    for row in csv.DictReader(io.StringIO(content, newline="")):
        for name in [name for name in row if name.endswith(":=")]:
            cell = row.pop(name)
            row[name[:-2]] = json.loads(cell, parse_float=Written) if cell else None
        rows.append(row)
    return rows


def rows_of(rows, v):
    """Rows: the name of a file, a list, or what a response gave."""
    if callable(rows):
        rows = rows(v)
        if not isinstance(rows, list):
            raise RescheduleTask()
    return lines(rows) if isinstance(rows, str) else rows


def text(value):
    """A value within text."""
    if isinstance(value, str):
        return value
    if isinstance(value, Written):
        return value.lexeme
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def in_path(value):
    """A value within a URL's path."""
    return urllib.parse.quote(text(value), safe="/:@!$&'()*+,;=-._~%")


def in_query(value):
    """A value within a URL's query, or a form."""
    return urllib.parse.quote(text(value), safe="/?:@!$'()*,;-._~")


def in_json(value):
    """A value within a string of a JSON text."""
    return json.dumps(text(value), ensure_ascii=False)[1:-1]


def as_json(value):
    """A value of a JSON text."""
    if isinstance(value, Written):
        return value.lexeme
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def resolved(base, value):
    """A URL that a response gave, absolute or relative."""
    return urllib.parse.urljoin(base, text(value))


def find(document, steps):
    """The values that a JSONPath selects: names, indices, and "*" for all."""
    found = [document]
    for step in steps:
        following = []
        for value in found:
            if step == "*":
                following += value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
            elif isinstance(step, str):
                following += [value[step]] if isinstance(value, dict) and step in value else []
            elif isinstance(value, list) and -len(value) <= step < len(value):
                following.append(value[step])
        found = following
    return found


def holds(value, predicate, operand):
    """Whether a predicate holds for a value."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if predicate == "equals":
        return value == operand and isinstance(value, bool) == isinstance(operand, bool)
    if predicate.startswith("not_"):
        return not holds(value, predicate[4:], operand)
    if predicate == "contains":
        return text(operand) in value if isinstance(value, str) else isinstance(value, list) and operand in value
    if predicate in ("starts_with", "ends_with"):
        return isinstance(value, str) and getattr(value, predicate.replace("_", ""))(text(operand))
    if predicate == "matches":
        return isinstance(value, str) and re.search(operand, value) is not None
    if predicate == "count":
        return hasattr(value, "__len__") and len(value) == operand
    if predicate == "one_of":
        return any(holds(value, "equals", one) for one in operand)
    if predicate == "at_least":
        return number and value >= operand
    if predicate == "at_most":
        return number and value <= operand
    if predicate == "greater_than":
        return number and value > operand
    if predicate == "less_than":
        return number and value < operand
    raise ValueError(predicate)


def as_written(request, **_):
    """Takes back the length that is added where there is no body."""
    if not request.body and request.method not in ("POST", "PUT", "PATCH"):
        request.headers.pop("Content-Length", None)


class Response:
    """A response that becomes a pass or a failure in Locust's statistics."""

    def __init__(self, response):
        self.response = response

    def value(self, subject, key=None):
        """The value of a subject; None if there is none."""
        if subject == "status":
            return self.response.status_code
        if subject == "url":
            return self.response.url
        if subject == "body":
            return self.response.text
        if subject == "header":
            return self.response.headers.get(key)
        if subject == "cookie":
            return self.response.cookies.get(key)
        try:
            found = find(self.response.json(parse_float=Written), key)
        except ValueError:
            return None
        return found if "*" in key else found[0] if found else None

    def exists(self, subject, key=None):
        if subject != "json":
            return self.value(subject, key) is not None
        try:
            return bool(find(self.response.json(), key))
        except ValueError:
            return False

    def status(self, *ranges):
        """Fails unless the status is in one of the ranges."""
        if not any(self.response.status_code in one for one in ranges):
            raise Unmet(f"status {self.response.status_code}")

    def expect(self, label, subject, key, predicate, operand):
        """Fails unless a predicate holds for a subject."""
        if predicate == "exists":
            met = self.exists(subject, key) == operand
        else:
            met = self.exists(subject, key) and holds(self.value(subject, key), predicate, operand)
        if not met:
            raise Unmet(f"{label}: expected {predicate} {operand!r}, found {self.value(subject, key)!r}")

    def capture(self, label, subject, key=None, pattern=None, default=None):
        """The value to use in later requests."""
        value = self.value(subject, key)
        if pattern is not None and value is not None:
            match = re.search(pattern, text(value))
            value = (match.group(1) if match.re.groups else match.group(0)) if match else None
        if value is None and default is None and not self.exists(subject, key):
            raise Unmet(f"{label} was not captured")
        return default if value is None else value


class SpecUser(HttpUser):
    """A user that runs the requests of one file, one after another, again and again."""

    abstract = True

    def __init__(self, environment):
        super().__init__(environment)
        self.needed = {}
        for adapter in self.client.adapters.values():
            adapter.add_headers = as_written

    def begin(self):
        """The captures of a new run, which begins without cookies."""
        self.client.cookies.clear()
        return {}

    def need(self, v, path, name, *requests):
        """What a needed file captured: it runs once for each user."""
        if path not in self.needed:
            own = {}
            for request in requests:
                request(own)
            self.needed[path] = own
            self.client.cookies.clear()
        if name is None:
            v.update(self.needed[path])
        else:
            v[name] = self.needed[path]

    def use(self, outputs, requests, v):
        """Plays the requests of another file, and takes its captures out by their names here."""
        own = dict(v)
        for request in requests:
            request(own)
        v.update({key: own[key] for key in own if key not in v and " " in key})
        v.update({name: own[capture] for name, capture in outputs.items() if capture in own})

    def each(self, rows, requests, v, captures=(), fresh=(), fail_fast=False, goes_on=False):
        """Plays requests once for each row; what rows capture becomes lists."""
        rows = rows_of(rows, v)
        found, failed = {name: [] for name in captures}, False
        for index, row in enumerate(rows):
            own = {key: value for key, value in v.items() if key not in captures}
            own.update(row=row, row_index=index, row_count=len(rows))
            good = True
            try:
                for request in requests:
                    request(own)
            except RescheduleTask:
                good, failed = False, True
            for name in captures:
                found[name].append(own.get(name) if good else None)
            # Random values of the file are the same for all rows.
            v.update({key: own[key] for key in own if key not in v and " " in key and key not in fresh})
            if failed and fail_fast:
                break
        for name in captures:
            v[name] = found[name] + [None] * (len(rows) - len(found[name]))
        if failed and not goes_on:
            raise RescheduleTask()

    def over(self, v, rows, requests, teardown):
        """Plays a flow once for each row, each with a copy of the captures and cookies before it."""
        rows, cookies = rows_of(rows, v), self.client.cookies.copy()
        for index, row in enumerate(rows):
            self.client.cookies = cookies.copy()
            own = {**v, "row": row, "row_index": index, "row_count": len(rows)}
            try:
                for request in requests:
                    request(own)
            except RescheduleTask:
                pass
            finally:
                self.clean_up(own, *teardown)
        self.client.cookies = cookies

    def clean_up(self, v, *requests):
        """Sends the requests of a teardown: those that need what was never captured are left out."""
        for request in requests:
            try:
                request(v)
            except (KeyError, RescheduleTask):
                pass

    def send(
        self, name, method, url, headers, check, body=b"", redirects=True, verify=True, goes_on=False,
        poll=None,
    ):
        """Sends a request; the rest of the run is left out if it fails, as in reqrun."""
        until, timeout, interval, attempts = poll or (None, None, 0, 1)
        end, attempt = None if timeout is None else time.monotonic() + timeout, 0
        sent = {"User-Agent": SKIP_HEADER, "Accept-Encoding": SKIP_HEADER, "Accept": None, "Connection": None}
        for key, value in headers:
            for known in [one for one in sent if one.lower() == key.lower()]:
                earlier = sent.pop(known)
                # A header that is given twice is one line with both values, which means the same.
                value = value if earlier in (None, SKIP_HEADER) else f"{earlier}, {value}"
            sent[key] = value
        sent = {
            key: value.encode() if isinstance(value, str) and value != SKIP_HEADER else value
            for key, value in sent.items()
        }
        while True:
            attempt += 1
            is_last = attempts is not None and attempt >= attempts
            is_last = is_last or end is not None and time.monotonic() + interval >= end
            is_over = until is None
            with self.client.request(
                method, url, name=name, headers=sent, data=body or None, allow_redirects=redirects, verify=verify,
                catch_response=True, auth=lambda request: request,
            ) as response:
                failed = response.error is not None or response.status_code == 0
                if not failed:
                    try:
                        if until is not None and until is not check:
                            until(Response(response))
                            is_over = True
                        check(Response(response))
                        is_over = True
                        response.success()
                    except Unmet as unmet:
                        failed = True
                        if is_over or is_last:
                            response.failure(str(unmet))
                        else:
                            # Not yet.
                            response.success()
            if is_over or is_last:
                break
            time.sleep(interval)
        if failed and not goes_on:
            raise RescheduleTask()
