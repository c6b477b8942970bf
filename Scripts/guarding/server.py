"""A server that answers every request in one piece, so that a client does the same work in each run."""

import json
import socketserver
import threading

SMALL = b'{"id":1,"name":"Leanne","tags":["a","b"],"price":0.10}'
ROW = {"id": 1, "name": "Leanne", "tags": ["a", "b"], "price": 0.25, "isOpen": True, "address": {"city": "Oslo"}}
LARGE = json.dumps({"rows": [dict(ROW, id=index) for index in range(58_000)]}).encode()


def response(body):
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


RESPONSES = {b"/large": response(LARGE)}
OTHERWISE = response(SMALL)


class Connection(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self):
        try:
            while line := self.rfile.readline():
                while self.rfile.readline() not in (b"\r\n", b""):
                    pass
                self.wfile.write(RESPONSES.get(line.split()[1], OTHERWISE))
        except ConnectionError:
            pass


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 128


def start():
    """The address of a server that lives as long as this process."""
    server = Server(("127.0.0.1", 0), Connection)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"
