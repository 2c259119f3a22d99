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
from pathlib import Path

import pytest

SSHD = """
Port {port}
ListenAddress 127.0.0.1
HostKey {home}/host
AuthorizedKeysFile {home}/user.pub
PidFile {home}/pid
StrictModes no
PasswordAuthentication no
Subsystem sftp internal-sftp
"""


def program(name: str, package: str) -> str:
    """Where a server is installed; without it the test is skipped."""
    found = shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/bin") or shutil.which(name)
    return found or pytest.skip(f"{name} is not installed ({package})")


@contextmanager
def running(command: list[str], port: int) -> Iterator[None]:
    """The server while it runs, once it answers."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            assert process.poll() is None, f"{command[0]} ended with status {process.returncode}"
            with socket.socket() as client:
                if not client.connect_ex(("127.0.0.1", port)):
                    break
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextmanager
def http(folder: Path) -> Iterator[str]:
    """Python's own, which answers GET and HEAD alone."""
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "-d", str(folder)]
    with running(command, port):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def sshd(home: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """URL of the folder `remote` in `home`, and the options of the remote."""
    server, port = program("sshd", "Debian: openssh-server"), free_port()
    for key in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(home / key)], check=True)
    (home / "sshd_config").write_text(SSHD.format(home=home, port=port))
    if getpass.getuser() == "root":
        Path("/run/sshd").mkdir(exist_ok=True)  # where sshd drops its privileges
    with running([server, "-D", "-f", str(home / "sshd_config")], port):
        yield f"ssh://{getpass.getuser()}@127.0.0.1:{port}{home}/remote", {"keyfile": str(home / "user")}


@contextmanager
def s3(home: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """moto's server, an S3 in memory, from the environment `.venv/moto` or the path: URL and options."""
    beside = Path(sys.prefix) / "moto/bin/moto_server"
    server = str(beside) if beside.is_file() else program("moto_server", "PyPI: moto[server]")
    port = free_port()
    with running([server, "-H", "127.0.0.1", "-p", str(port)], port):
        keys = {"access_key_id": "a", "secret_access_key": "b", "region": "us-east-1"}
        url = f"http://127.0.0.1:{port}"
        urllib.request.urlopen(urllib.request.Request(f"{url}/bucket", method="PUT"))
        yield "s3://bucket/remote", {"endpointurl": url, **keys}
