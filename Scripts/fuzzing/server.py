"""A server on loopback that sends the bytes given for a path, and closes the connection."""

import re
import socketserver
import threading


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, port=0):
        super().__init__(("127.0.0.1", port), Handler)
        self.port = self.server_address[1]
        self.responses = {}  # path: the responses to its first, second … request
        self.served = 0
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def next_response(self, path):
        with self.lock:
            queue = self.responses.get(path)
            self.served += queue is not None
            if not queue:
                return response(b"nothing is here", status=b"404 Not Found")
            return queue.pop(0) if len(queue) > 1 else queue[0]

    def handle_error(self, request, address):
        pass


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.settimeout(2)
        head = b""
        while b"\r\n\r\n" not in head and len(head) < 1 << 18:
            piece = self.request.recv(65536)
            if not piece:
                return
            head += piece
        head, _, body = head.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)\ncontent-length: *(\d{1,7})\r?$", head, re.M)
        while length and len(body) < int(length[1]):
            piece = self.request.recv(65536)
            if not piece:
                return
            body += piece
        path = (head.split(b" ") + [b""])[1].split(b"?")[0].decode("latin-1")
        self.request.sendall(self.server.next_response(path))


def response(body, media_type=b"application/json", status=b"200 OK", headers=()):
    lines = [b"HTTP/1.1 " + status, b"Content-Type: " + media_type, b"Content-Length: %d" % len(body)]
    return b"\r\n".join(lines + [b"Connection: close", *headers]) + b"\r\n\r\n" + body
