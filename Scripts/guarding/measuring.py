"""Runs of the program that are counted."""

import re
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

from guarding.server import start

SERVER = start()
# The same in each run: hash values differ otherwise, and the names of variables and folders are read too.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LC_ALL": "C.UTF-8", "SWIFT_DETERMINISTIC_HASHING": "1"}


@contextmanager
def folder(run):
    with tempfile.TemporaryDirectory(prefix="guard-", dir="/tmp") as path:
        work = Path(path, "work")
        work.mkdir()
        for name, text in run.files:
            (work / name).write_text(text.replace("SERVER", SERVER))
        yield work


def execute(binary, run, work, before=()):
    """Runs the program, and returns what it has written to standard output."""
    done = subprocess.run(
        [*before, str(binary), *run.arguments], cwd=work, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
        capture_output=True)
    if done.returncode:
        sys.exit(f"reqrun {' '.join(run.arguments)}: exit status {done.returncode}:\n{done.stderr.decode()[-800:]}")
    return done.stdout


# A process begins with the peak of the one that starts it, so that has to be a small one.
STARTER = """
import os, sys
child = os.fork()
if child == 0:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
print(usage.ru_minflt, usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def usage(binary, run):
    """The page faults, and the memory at its peak in KB, of a run."""
    with folder(run) as work:
        output = execute(binary, run, work, (sys.executable, "-I", "-S", "-c", STARTER))
        faults, memory = map(int, output.split())
        return faults, memory


def system_calls(binary, run):
    """The number of each system call of a run."""
    with folder(run) as work:
        log = work.parent / "calls"
        execute(binary, run, work, ("strace", "-f", "-c", "-o", str(log)))
        calls = Counter()
        for line in log.read_text().splitlines():
            cells = line.split()
            if len(cells) >= 5 and cells[3].isdigit() and cells[-1] != "total":
                calls[cells[-1]] = int(cells[3])
        return calls


def instructions(binary, run, *options):
    """The instructions of each function of a run: its own, and with those that it calls."""
    with folder(run) as work:
        log = work.parent / "callgrind"
        tool = ("valgrind", "--tool=callgrind", f"--callgrind-out-file={log}", "--quiet", "--fair-sched=yes", *options)
        execute(binary, run, work, tool)
        return parsed(log)


# They call all that their thread does.
ROOTS = {"clone", "start_thread", "(below main)"}


def parsed(log):
    """Reads the file of callgrind: a name stands in full once, and is a number afterwards."""
    names, own, inclusive = {}, Counter(), Counter()
    current = callee = None
    with log.open(errors="replace") as lines:
        for line in lines:
            if line[0] in "+-*0123456789":
                cost = int(line.split()[1])
                if callee is None:
                    own[current] += cost
                elif callee != current:
                    inclusive[current] += cost
                callee = None
            elif line.startswith(("fn=", "cfn=")):
                key, _, rest = line.partition("=")
                number, _, name = rest.strip().partition(" ")
                if name:
                    names[number] = name
                if key == "fn":
                    current = number
                else:
                    called = number
            elif line.startswith("calls="):
                callee = called
    result = {}
    for number, name in names.items():
        # A recursive function has a name for each depth.
        name = re.sub(r"'\d+$", "", name)
        mine, all_in_all = result.get(name, (0, 0))
        result[name] = (mine + own[number], max(all_in_all, own[number] + inclusive[number]))
    return result


def demangled(names):
    """Names of functions without their modules, so that they survive a move."""
    names = list(names)
    done = subprocess.run(
        ["swift", "demangle", "--simplified", "--compact"], input="\n".join(names), text=True, capture_output=True)
    return dict(zip(names, done.stdout.splitlines() if done.returncode == 0 else names))
