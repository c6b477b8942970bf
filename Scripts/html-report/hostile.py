"""A server whose responses attack whoever shows them, and a spec that reads them all."""

import http.server
import threading

ATTACK = "</script><script>window.attacked=1</script><img src=x onerror=window.attacked=2>"
PAGES = {
    "/page": ("text/html", f"<!doctype html><title>{ATTACK}</title>{ATTACK}<svg onload=window.attacked=3>".encode()),
    "/json": ("application/json", ('{"</script>": "<!--<script>", "__proto__": {"attacked": 4}, "n": 1e999999, '
                                   f'"link": "javascript:window.attacked=5", "html": "{ATTACK}"}}').encode()),
    "/deep": ("application/json", b"[" * 500 + b"]" * 500),
    "/broken": ("application/json", b'{"a": ' + b"[" * 100 + ATTACK.encode()),
    "/xml": ("application/xml", f'<?xml version="1.0"?><a b="{ATTACK.replace("<", "&lt;")}"><!--{ATTACK}--></a>'.encode()),
    "/controls": ("text/plain; charset=utf-8", "a\u202eb\u2066c\u200bd\u0007e\u009bf\u2028g\ufeffh\u0000".encode()),
    "/invalid": ("text/plain; charset=utf-8", b"\xff\xfe\xc3(\xed\xa0\x80\xf8\x88" + ATTACK.encode()),
    "/image": ("image/png", b"\x89PNG\r\n\x1a\n" + bytes(range(256))),
    "/long": ("text/plain", b"x" * 300_000),
}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/redirect":
            self.send_response(302, ATTACK)
            self.send_header("Location", "javascript:window.attacked=6")
            self.send_header("Content-Length", "0")
            return self.end_headers()
        kind, body = PAGES[self.path]
        self.send_response(200, ATTACK)
        self.send_header("Content-Type", kind)
        self.send_header("X-Attack", f"\" onmouseover=window.attacked=7 {ATTACK}")
        self.send_header(f"X-{'n' * 200}", "v" * 60_000)
        self.send_header("Refresh", "0; url=javascript:window.attacked=8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def serve():
    """The server, and its port."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, server.server_address[1]


def spec(port):
    paths = [*PAGES, "/redirect"]
    lines = [f"name: '{ATTACK}'", f"tags: ['{ATTACK}']", "requests:"]
    for path in paths:
        lines += [f"  - name: '{path} {ATTACK}'", f"    url: http://127.0.0.1:{port}{path}", "    continue_on_failure: true",
                  "    redirects: none" if path == "/redirect" else "    timeout: 20s",
                  f"    expect: {{body: {{contains: '{ATTACK} \\u202e'}}}}"]
    return "\n".join(lines) + "\n"
