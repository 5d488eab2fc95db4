"""A local server of chat completions that keeps the requests; answers are set."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Server:
    """The server.

    Attributes:
        requests: The bodies of the requests.
        answer: What is answered next.
        url: The address for a client.
    """

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.answer = ""
        kept = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                kept.requests.append(json.loads(body))
                said = {"role": "assistant", "content": kept.answer}
                reply = json.dumps({"choices": [{"message": said}]}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
