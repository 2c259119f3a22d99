"""Ask a remote whether it is there: dvc asks a silent one for every folder anew, minutes each."""

from ssl import SSLError
from threading import Thread
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from stages.parameters.errors import InputError

PATIENCE_S = 30


def refuse_silent(odb: Any, url: str) -> None:
    """Raise InputError unless the remote at `url`, to dvc `odb`, answers in time, be it no."""
    answers: list[Exception | None] = []

    def ask() -> None:
        try:
            if odb.fs.protocol in ("http", "https"):
                ask_server(url)
            else:
                odb.fs.exists(odb.path)
            answers.append(None)
        except Exception as error:  # every protocol has its own
            answers.append(error)

    thread = Thread(target=ask, daemon=True)  # which outlives its use where nothing answers
    thread.start()
    thread.join(PATIENCE_S)
    if not answers:
        raise InputError(f"no answer within {PATIENCE_S} s")
    if isinstance(answers[0], Exception):
        raise InputError(f"it cannot be reached ({answers[0]})")


def ask_server(url: str) -> None:
    """Ask a web server for its front page; OSError where there is none."""
    try:
        urlopen(Request(url, method="HEAD"), timeout=PATIENCE_S).close()
    except HTTPError:
        pass  # an answer; files may be there although the front page is not
    except URLError as error:
        if not isinstance(error.reason, SSLError):  # which dvc may be told to accept
            raise
