"""An OpenAI-compatible endpoint that answers, or fails, as a test says."""

import contextlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from aq_gym.models.endpoint import endpoint_at


def answer(text, finish_reason="stop", **fields):
    """Answer with a completion, whose message can have further fields."""
    usage = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
    message = {"role": "assistant", "content": text, **fields}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    body = {"id": "x", "object": "chat.completion", "created": 0, "model": "m"}
    return raw(200, json.dumps({**body, "choices": [choice], "usage": usage}))


def raw(status, body, **headers):
    """Answer with these bytes."""

    def send(handler):
        data = body.encode()
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)

    return send


def drip(handler):
    """Send the headers a byte at a time, each sooner than a read times out."""
    for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 100:
        handler.wfile.write(bytes([byte]))
        time.sleep(0.2)


def hang(handler):
    """Send nothing until the client has given up."""
    handler.connection.recv(1)


def drop(handler):
    """Close the connection in the middle."""
    handler.connection.close()


class Server(ThreadingHTTPServer):
    # Many episodes may connect at once; a refused connection is tried again after 1 s.
    request_queue_size = 128
    daemon_threads = True


class ScriptedServer:
    """Takes the next of some answers for each request; the last one for ever."""

    def __init__(self, *script):
        self.script = list(script)
        self.requests = []
        self.bodies = []
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                server.bodies.append(body)
                request = json.loads(body)
                with contextlib.suppress(OSError):  # the client may have gone
                    server.next(request)(self)

            def log_message(self, *arguments):
                pass

        self._http = Server(("127.0.0.1", 0), Handler)
        self._http.handle_error = lambda *arguments: None
        serve = self._http.serve_forever
        threading.Thread(target=serve, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"

    def next(self, request):
        with self._lock:
            self.requests.append(request)
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def close(self):
        self._http.shutdown()
        self._http.server_close()
        # What was learnt of this server must not be known of another one at its port.
        endpoint_at.cache_clear()


@pytest.fixture
def serve():
    """Start a server with a script."""
    servers = []

    def start(*script):
        servers.append(ScriptedServer(*script))
        return servers[-1]

    yield start
    for server in servers:
        server.close()
