"""The fixed work whose cost is recorded."""

from dataclasses import dataclass

QUIET = ("--quiet", ".")


@dataclass(frozen=True)
class Run:
    """One run of the program."""

    files: tuple
    arguments: tuple = QUIET


@dataclass(frozen=True)
class Work:
    """What a run costs: all of it, or what it costs beyond another, for each of so many pieces."""

    run: Run
    without: Run | None = None
    pieces: int = 1


def spec(count, line, head=""):
    return f"{head}requests:\n" + "".join(f"  - {line(i)}\n" for i in range(count))


def single(count, line, head="", more=()):
    return Run((("a.yaml", spec(count, line, head)), *more))


def plain(i):
    return "{name: r%d, url: SERVER/}" % i


def asserted(i):
    return "{name: r%d, url: SERVER/, expect: {status: 200, headers: {Content-Type: application/json}, json: {$.id: 1}}}" % i


def with_query(i):
    return "{name: r%d, url: SERVER/, query: {page: %d, size: 20, sort: name}}" % (i, i)


def with_template(i):
    return '{name: r%d, url: "SERVER/?user=${{ user | upper }}", headers: {X-Name: "${{ user }}-${{ 3 + 4 }}"}}' % i


def capturing(i):
    return "{name: r%d, url: SERVER/, capture: {id%d: $.id}}" % (i, i)


def using(i):
    return "{name: r%d, use: _used.yaml, take: {id%d: id}}" % (i, i)


USED = (("_used.yaml", spec(1, lambda i: "{url: SERVER/, capture: {id: $.id}}")),)


def requests(line, head=""):
    """The cost of a request, in a file of many."""
    return Work(single(1000, line, head), single(100, line, head), 900)


def folder(count, requests):
    return Run(tuple((f"f{i:03}.yaml", spec(requests, plain)) for i in range(count)))


def needing(count):
    """Files of one request each, each of which needs a file of its own."""
    made = [(f"f{i:03}.yaml", spec(1, plain, f"needs: {{made: _n{i:03}.yaml}}\n")) for i in range(count)]
    return Run(tuple(made + [(f"_n{i:03}.yaml", USED[0][1]) for i in range(count)]))


def rows(count):
    return Run((("a.yaml", f'requests:\n  - {{each: {{count: {count}}}, url: "SERVER/?row=${{{{ row }}}}"}}\n'),))


def report(kind):
    """The cost of a report of 100 requests."""
    run = single(100, asserted)
    return Work(Run(run.files, ("--report", f"{kind}=report", *QUIET)), run)


def large(line):
    return single(1, lambda i: line)


ONE = single(1, plain)
CHECK = Run(ONE.files, ("check", "."))
VERSION = Run((), ("--version",))
USER = "variables: {user: leanne}\n"

INSTRUCTIONS = {
    "--version": Work(VERSION),
    "check of one request": Work(CHECK),
    "run of one request": Work(ONE),
    "a request": requests(plain),
    "a request with a query": requests(with_query),
    "a request with expectations": requests(asserted),
    "a request with templates": requests(with_template, USER),
    "a request that captures": Work(single(500, capturing), single(100, capturing), 400),
    "a file of five requests": Work(folder(250, 5), folder(50, 5), 200),
    "a JSON body of 6 MB": Work(large('{url: SERVER/large, expect: {json: {"$.rows[0].name": Leanne}}}'), ONE),
    "a file that is needed": Work(needing(100), folder(100, 1), 100),
    "a use of a file": Work(single(500, using, more=USED), single(100, using, more=USED), 400),
    "a row": Work(rows(500), rows(100), 400),
    **{f"report: {kind}": report(kind) for kind in ("junit", "json", "jsonl", "html", "tap", "har", "markdown")},
}

# System calls, and memory at its peak.
STARTS = {"--version": VERSION, "check of one request": CHECK, "run of one request": ONE}
SYSTEM_CALLS = {
    "a request": Work(single(1000, plain), single(100, plain), 900),
    "a file, checked": Work(*(Run(folder(count, 5).files, ("check", ".")) for count in (250, 50)), 200),
    "a file of five requests": INSTRUCTIONS["a file of five requests"],
}
MEMORY = {"a request": Work(single(10_000, plain), single(1000, plain), 9000)}
