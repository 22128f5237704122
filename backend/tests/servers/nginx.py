"""A private nginx on loopback in front of a server, with its default buffering."""

from __future__ import annotations

import socket
import subprocess
import time
from pathlib import Path

from tests.servers.programs import free_port, last_lines, program

_CONFIG = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; user root;
events {{ worker_connections 64; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  gzip on;
  server {{
    listen 127.0.0.1:{port};
    location / {{ proxy_pass http://127.0.0.1:{upstream}; proxy_set_header Host $http_host; }}
  }}
}}
"""


class Nginx:
    def __init__(self, folder: Path, upstream: int) -> None:
        self.port = free_port()
        config = folder / "nginx.conf"
        config.write_text(_CONFIG.format(folder=folder, port=self.port, upstream=upstream))
        daemon = program("nginx", package="nginx-light")
        self._process = subprocess.Popen([daemon, "-c", str(config), "-p", str(folder)], stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise RuntimeError(f"nginx did not start:\n{last_lines(folder / 'error.log')}") from None
                time.sleep(0.05)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=20)
