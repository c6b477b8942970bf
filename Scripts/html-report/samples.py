"""Specs whose reports have something of everything."""

import base64

FILES = {
    "mix.yaml": r"""
name: A mix of outcomes
tags: [smoke]
openapi: contract.yaml
requests:
  - name: reads
    url: "${{ demo }}/get"
    query: {page: 1}
    expect: [{status: [200, 404]}, {when: {status: 404}, json: {$.error: {exists: true}}}]
  - name: a user that differs
    tags: [users]
    method: POST
    url: "${{ demo }}/post"
    openapi: none
    json: {user: {id: 7, name: Ann, roles: [admin, dev]}, note: "first\nsecond\nthird"}
    expect:
      status: 200
      headers: {content-type: {contains: json}}
      json:
        $.json.user: {equals: {id: 7, name: Anna, roles: [admin, ops]}}
        $.json.note: "first\nsecnd\nthird"
        $.json.user.id: {greater_than: 100}
  - name: follows redirects
    tags: [users]
    url: "${{ demo }}/redirect/2"
    openapi: none
    expect: {status: 200}
  - name: a page
    url: "${{ demo }}/html"
    openapi: none
    expect: {status: 200, body: {contains: "not there"}}
  - name: some XML
    url: "${{ demo }}/xml"
    openapi: none
  - name: no server
    url: "http://127.0.0.1:1/"
    openapi: none
    timeout: 1s
  - name: polls
    url: "${{ demo }}/get?poll"
    openapi: none
    poll: {interval: 10ms, attempts: 12, until: {json: {$.state: done}}}
  - name: retries
    url: "${{ demo }}/api/flaky?key=report"
    openapi: none
    retry: {attempts: 5, interval: 10ms}
""",
    "rows.yaml": r"""
name: Flows and rows
flows:
  - name: an admin
    requests:
      - name: by size
        each: {in: [s, m, l, xl], name: "${{ row }}"}
        url: "${{ demo }}/get?size=${{ row }}"
        expect: {status: 200, json: {$.args.size: {matches: "^.$"}}}
  - name: a guest
    requests:
      - name: waits
        url: "${{ demo }}/delay/0.2"
        skip: true
      - name: is not there
        url: "${{ demo }}/status/503"
        path: {unused: 1}
      - name: another that differs
        url: "${{ demo }}/get"
        expect: {json: {$.origin: {equals: "1.2.3.4"}}}
      - name: a different status
        url: "${{ demo }}/status/404"
        expect: {status: 200}
""",
    "broken.yaml": "requests:\n  - nam: x\n    url: http://x\n",
}

CONTRACT = r"""
openapi: 3.1.0
info: {title: Demo, version: "1"}
paths:
  /get: {get: {responses: {"200": {description: ok}, "400": {description: bad}}}}
  /other: {get: {deprecated: true, responses: {"200": {description: ok}}}, delete: {responses: {"204": {description: ok}}}}
"""


def rows(count):
    return f"""
name: {count} rows
requests:
  - name: a row
    each: {{count: {count}}}
    url: "${{{{ demo }}}}/get?number=${{{{ row_index }}}}"
    headers: {{X-Request: "${{{{ row_index }}}}"}}
    expect: {{status: 200, json: {{$.args.number: {{matches: "[0-9]+"}}}}}}
"""


def pictures(page, path, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for fragment in ("", "open=0", "open=2", "open=7", "q=size"):
        for width, height in ((1600, 1000), (900, 1000), (360, 780)):
            for dark in (False, True):
                page.open(path, fragment, width, height, dark)
                page.wait("document.documentElement.dataset.ready && document.querySelector('.pane h2')")
                name = f"{fragment.replace('=', '-') or 'overview'}-{width}-{'dark' if dark else 'light'}.png"
                (folder / name).write_bytes(base64.b64decode(page.screenshot()))
