"""What exported specs send when their players play them: bash with curl, and Hurl."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import hurl
from comparison import Meant, multipart

KINDS = {
    "curl": "" if all(map(shutil.which, ("bash", "curl", "jq"))) else "bash, curl and jq are not all on PATH",
    "hurl": hurl.MISSING,
}


def as_meant(sent):
    """Requests that were sent, for comparison with others; what is random may differ."""
    requests = []
    for number, request in enumerate(sent):
        type = next((value for name, value in request.headers if name.lower() == "content-type"), "")
        body = multipart(type, request.body) if "multipart/" in type else request.body or None
        if isinstance(body, bytes):
            try:
                body = hurl.changing(body.decode())
            except UnicodeDecodeError:
                pass
        tools = ("hurl/", "curl/", "reqrun/")
        headers = [(name, hurl.changing(value)) for name, value in request.headers
                   if name.lower() not in ("host", "accept", "accept-encoding") and not value.startswith(tools)]
        requests.append(Meant(f"{number + 1}", request.method, hurl.changing(request.url), headers, body, follows=False))
    return requests


def played(kind, folder, server, environment):
    """The requests that arrive from the files of an export."""
    server.take()
    for path in sorted(folder.rglob("*.sh" if kind == "curl" else "*.hurl")):
        if kind == "hurl":
            hurl.play(path, server, [f"--variable={name}={value}" for name, value in environment.items()])
            continue
        tools = Path(folder) / "tools"
        tools.mkdir(exist_ok=True)
        (tools / "curl").write_text(
            f'#!/bin/sh\nexec {shutil.which("curl")} --insecure --connect-to ::127.0.0.1:{server.port} "$@"\n')
        (tools / "curl").chmod(0o755)
        # A failed check ends a script, and so do those of a server that only records.
        text = re.sub(r"(?m)^(expect|check|expect_header|fail)\(\) \{$", r"\1() { return 0", path.read_text())
        subprocess.run(
            ["bash", "-c", text, str(path)], cwd=folder, capture_output=True, timeout=120,
            env={"PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(folder), **environment})
    return server.take()
