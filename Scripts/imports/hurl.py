"""Requests of Hurl files, as Hurl itself sends them."""

import os
import re
import shlex
import shutil
import subprocess

from comparison import ANY, Meant, multipart

KIND = "hurl"
COMMAND = shlex.split(os.environ.get("REQRUN_HURL", "")) or [shutil.which("hurl")]
MISSING = "" if COMMAND[0] else "Hurl is not on PATH, and REQRUN_HURL doesn't name it"
RANDOM = "|".join([
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", r"\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?::|%3A)\d\d[.\d]*Z?", "AWS4-HMAC-SHA256 .*",
])


def sources(folder):
    files = sorted(folder.rglob("*.env"))
    return [[path, *files] for path in sorted(folder.rglob("*.hurl"))]


def meant(paths, server, variables):
    options = ["--variables-file=" + str(path) for path in paths[1:2]]
    options += [f"--variable={name}={value}" for name, value in variables.items()]
    server.take()
    subprocess.run(
        [*COMMAND, "--continue-on-error", "--no-output", "--insecure", "--max-time=20",
         f"--connect-to=::127.0.0.1:{server.port}", *options, str(paths[0])],
        cwd=paths[0].parent, capture_output=True, timeout=120)
    requests = []
    for number, sent in enumerate(server.take()):
        type = next((value for name, value in sent.headers if name.lower() == "content-type"), "")
        body = multipart(type, sent.body) if "multipart/" in type else sent.body or None
        if isinstance(body, bytes):
            try:
                body = changing(body.decode())
            except UnicodeDecodeError:
                pass
        headers = [(name, changing(value)) for name, value in sent.headers
                   if name.lower() not in ("host", "accept", "accept-encoding") and not value.startswith("hurl/")]
        requests.append(Meant(f"{number + 1}", sent.method, changing(sent.url), headers, body, follows=False))
    return requests


def changing(text):
    return re.sub(RANDOM, ANY, text)
