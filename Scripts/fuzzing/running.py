"""One run of the program, with a check of how it ended."""

import os
import resource
import signal
import subprocess
import sys
import threading

HANG_SECONDS = 20
MEMORY_MEGABYTES = 500
EXIT_CODES = tuple(range(6))


def problem(command, folder, seconds=HANG_SECONDS, memory=MEMORY_MEGABYTES, codes=EXIT_CODES):
    """The failure by which the command ended; None if there is none."""
    errors = os.path.join(folder, "stderr.txt")
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": folder, "API_TOKEN": "token-of-the-environment"}
    with open(errors, "wb") as stderr:
        child = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            start_new_session=True,
        )
    if hasattr(resource, "prlimit"):
        # Limits that protect the machine and the disk.
        for limit, amount in (
            (resource.RLIMIT_DATA, 3 << 30),
            (resource.RLIMIT_FSIZE, 1 << 30),
            (resource.RLIMIT_CORE, 0),
        ):
            try:
                resource.prlimit(child.pid, limit, (amount, amount))
            except ProcessLookupError:
                pass
    killed = threading.Event()

    def kill():
        killed.set()
        os.killpg(child.pid, signal.SIGKILL)

    timer = threading.Timer(seconds, kill)
    timer.start()
    _, status, usage = os.wait4(child.pid, 0)
    timer.cancel()
    child.returncode = status
    # The peak of a child starts at that of this process, which is far below the limit.
    megabytes = usage.ru_maxrss // (1 << 20 if sys.platform == "darwin" else 1 << 10)
    if megabytes > memory:
        return f"memory: {megabytes} MB"
    if killed.is_set():
        return f"hang: more than {seconds} s"
    if os.WIFSIGNALED(status):
        return f"signal {os.WTERMSIG(status)}: {last_line(errors)}".rstrip(": ")
    if os.WEXITSTATUS(status) not in codes:
        return f"exit code {os.WEXITSTATUS(status)}: {last_line(errors)}".rstrip(": ")
    return None


def last_line(path):
    with open(path, "rb") as file:
        lines = [line for line in file.read()[-4000:].decode("utf-8", "replace").splitlines() if line.strip()]
    fatal = [line for line in lines if "Fatal error" in line or "rror:" in line]
    return "".join(c if c.isprintable() else "?" for c in (fatal or lines or [""])[-1])[:200]


def check_detection(folder):
    """Plants each kind of failure: a fuzzer that misses them is useless."""
    python = [sys.executable, "-c"]
    planted = {
        "signal 11": ["sh", "-c", "kill -SEGV $$"],
        "signal 6": python + ["import os; os.abort()"],
        "exit code 134": ["sh", "-c", "exit 134"],
        "hang": ["sleep", "5"],
        "memory": python + ["b = bytearray(300 << 20); b[::4096] = b'x' * len(b[::4096])"],
    }
    for expected, command in planted.items():
        found = problem(command, folder, seconds=0.5 if expected == "hang" else 10, memory=250)
        if not (found or "").startswith(expected):
            sys.exit(f"fuzz: `{' '.join(command)}` is not seen to fail by {expected}, but: {found}")
    if found := problem(["true"], folder):
        sys.exit(f"fuzz: `true` is taken for a failure: {found}")
