"""Servers of a folder on 127.0.0.1, each started for one test and stopped by its own process."""

import getpass
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

SSHD = (
    *("ListenAddress=127.0.0.1", "HostKey={home}/host", "AuthorizedKeysFile={home}/user.pub"),
    *("PidFile={home}/pid", "StrictModes=no", "PasswordAuthentication=no", "Subsystem=sftp internal-sftp"),
)


def program(name: str, package: str) -> str:
    """Where a server is installed; without it the test is skipped."""
    found = shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/bin") or shutil.which(name)
    return found or pytest.skip(f"{name} is not installed ({package})")


@contextmanager
def serve(*command: str) -> Iterator[int]:
    """The port of a server once it answers; in the command {port} stands for it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = [word.format(port=port) for word in command]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            assert process.poll() is None, f"{command[0]} ended with status {process.returncode}"
            with socket.socket() as client:
                if not client.connect_ex(("127.0.0.1", port)):
                    break
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()


@contextmanager
def http(folder: Path) -> Iterator[str]:
    """Python's own, which answers GET and HEAD alone."""
    command = ["-m", "http.server", "{port}", "--bind", "127.0.0.1", "-d", str(folder)]
    with serve(sys.executable, *command) as port:
        yield f"http://127.0.0.1:{port}"


@contextmanager
def linking(links: list[str]) -> Iterator[str]:
    """A page with these Link headers."""

    class Page(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.send_response(200)
            for link in links:
                self.send_header("Link", link)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextmanager
def sshd(home: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """URL of the folder `remote` in `home`, and the options of the remote."""
    server = program("sshd", "Debian: openssh-server")
    for key in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(home / key)], check=True)
    if getpass.getuser() == "root":
        Path("/run/sshd").mkdir(exist_ok=True)  # where sshd drops its privileges
    options = [f"-o{option.format(home=home)}" for option in SSHD]
    with serve(server, "-D", "-f", "/dev/null", "-p", "{port}", *options) as port:
        yield f"ssh://{getpass.getuser()}@127.0.0.1:{port}{home}/remote", {"keyfile": str(home / "user")}


@contextmanager
def s3(home: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """moto's server, an S3 in memory, from the environment `.venv/moto` or the path: URL and options."""
    beside = Path(sys.prefix) / "moto/bin/moto_server"
    server = str(beside) if beside.is_file() else program("moto_server", "PyPI: moto[server]")
    with serve(server, "-H", "127.0.0.1", "-p", "{port}") as port:
        keys = {"access_key_id": "a", "secret_access_key": "b", "region": "us-east-1"}
        url = f"http://127.0.0.1:{port}"
        urllib.request.urlopen(urllib.request.Request(f"{url}/bucket", method="PUT"))
        yield "s3://bucket/remote", {"endpointurl": url, **keys}
