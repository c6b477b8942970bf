"""A server of HTTP and HTTPS at one port that records what arrives."""

import http.server
import json
import re
import socket
import socketserver
import ssl
import subprocess
import threading
from dataclasses import dataclass

BODY = {"id": 42, "token": "t0k3n-9f8e", "access_token": "acc3ss-77", "token_type": "Bearer", "items": [{"id": 7}]}
CAPTURED = "4711"  # a number, too


@dataclass
class Recorded:
    method: str
    url: str  # with the host that the client named, whatever it connected to
    headers: list
    body: bytes


def with_member(value, path):
    """The value with a text at a path of names and indices, if it has nothing there."""
    if not path:
        return value if value is not None else CAPTURED
    if isinstance(path[0], int):
        items = list(value) if isinstance(value, list) else []
        items += [{}] * (min(path[0], 100) + 1 - len(items))
        items[path[0]] = with_member(items[path[0]] or None, path[1:])
        return items
    members = dict(value) if isinstance(value, dict) else {}
    members[path[0]] = with_member(members.get(path[0]), path[1:])
    return members


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 60

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.reply
        raise AttributeError(name)

    def log_message(self, *arguments):
        pass

    def content(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", "").lower():
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def reply(self):
        body = self.content()
        url = self.path
        if not url.startswith("http"):
            url = f"{self.server.scheme_of(self.connection)}://{self.headers.get('Host')}{url}"
        self.server.recorded.append(Recorded(self.command, url, list(self.headers.items()), body))
        path = self.path.partition("?")[0]
        self.send_response(302 if path.endswith("/redirect") else 200)
        if path.endswith("/redirect"):
            self.send_header("Location", "/landed")
        if path.endswith("/cookie"):
            self.send_header("Set-Cookie", "sid=c00kie; Path=/")
        for name in self.server.headers:
            self.send_header(name, CAPTURED)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(self.server.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(self.server.body)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, folder):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2",
             "-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"], check=True, capture_output=True)
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/key.pem")
        self.recorded = []
        self.reply_for("")
        super().__init__(("127.0.0.1", 0), Handler)
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def finish_request(self, request, client_address):
        # In the thread of the connection: a handshake must not hold up others.
        request.settimeout(60)
        if request.recv(1, socket.MSG_PEEK) == b"\x16":
            request = self.tls.wrap_socket(request, server_side=True)
        super().finish_request(request, client_address)

    def handle_error(self, request, client_address):
        pass  # a client that gave up

    def reply_for(self, specs):
        """Lets the responses have what the specs capture."""
        body = json.loads(json.dumps(BODY))
        for path in re.findall(r"(?m)^ +(?:- )?[\w-]+: (\$[.\[].*?)$", specs):
            names = re.findall(r"\.([\w-]+)|\['([^']+)'\]|\[(\d+)\]", path)
            if "".join(f".{one}" if one else f"['{two}']" if two else f"[{number}]" for one, two, number in names) == path[1:]:
                body = with_member(body, [one or two or int(number) for one, two, number in names])
        self.body = json.dumps(body).encode()
        self.headers = {
            name for name in re.findall(r"(?m)^ +header: ([\w-]+)$", specs)
            if name.lower() not in ("location", "set-cookie", "content-type", "content-length")}

    @staticmethod
    def scheme_of(connection):
        return "https" if isinstance(connection, ssl.SSLSocket) else "http"

    def take(self):
        """The requests since the last call."""
        taken, self.recorded = self.recorded, []
        return taken
