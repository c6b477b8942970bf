"""Requests of Hurl files, as Hurl itself sends them."""

import os
import re
import shlex
import shutil
import subprocess

from comparison import ANY

KIND = "hurl"
COMMAND = shlex.split(os.environ.get("REQRUN_HURL", "")) or [shutil.which("hurl")]
MISSING = "" if COMMAND[0] else "Hurl is not on PATH, and REQRUN_HURL doesn't name it"
RANDOM = "|".join([
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", r"\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?::|%3A)\d\d[.\d]*Z?", "AWS4-HMAC-SHA256 .*",
    r"\d{8}T\d{6}Z",
])


def sources(folder):
    files = sorted(folder.rglob("*.env"))
    return [[path, *files] for path in sorted(folder.rglob("*.hurl"))]


def meant(paths, server, variables):
    options = ["--variables-file=" + str(path) for path in paths[1:2]]
    server.take()
    play(paths[0], server, options + [f"--variable={name}={value}" for name, value in variables.items()])
    return exports.as_meant(server.take())


def play(path, server, options):
    subprocess.run(
        [*COMMAND, "--continue-on-error", "--no-output", "--insecure", "--max-time=20",
         f"--connect-to=::127.0.0.1:{server.port}", *options, str(path)],
        cwd=path.parent, capture_output=True, timeout=120)


def changing(text):
    return re.sub(RANDOM, ANY, text)


import exports  # noqa: E402  which plays by this
