"""Files that are damaged or meant to harm, of every format that is read, and what happens to who opens them.

CASES is the number of files of each format (environment; 200 unless given).
"""

import os
import pickle
import resource
import struct
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import hypothesis
from hypothesis import strategies as st

every_file = hypothesis.settings(
    max_examples=int(os.environ.get("CASES", "200")),
    deadline=timedelta(seconds=60),  # on a busy machine; an endless reader is still found
    database=None,
    derandomize="CASES" not in os.environ,  # the same files in every run, other ones on request
    suppress_health_check=list(hypothesis.HealthCheck),
)
MEMORY = 2**31  # bytes that opening a small file may take
MARKER = "executed"
Bytes = st.SearchStrategy[bytes]


class Harm:
    """Unpickled, it leaves a file in the working folder."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return os.mkdir, (MARKER,)


PICKLES = [pickle.dumps(Harm(), protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
PIECES = [
    *PICKLES,
    b"\x00" * 8,
    b"\xff" * 4,
    b"\xff" * 8,
    b"\xff\xff\xff\x7f",
    b"<script>",
    b'"',
    b"\n",
    b",",
]


@st.composite
def damage(draw: st.DrawFn, whole: Bytes) -> bytes:
    """A whole file after some flips, cuts and insertions, most of them where its header is."""
    content = bytearray(draw(whole))
    for _ in range(draw(st.integers(0, 4))):
        end = draw(st.sampled_from([16, 256, len(content)]))
        place = draw(st.integers(0, max(0, min(end, len(content)) - 1)))
        match draw(st.sampled_from(["flip", "cut", "delete", "insert", "overwrite", "double"])):
            case "flip" if content:
                content[place] ^= 1 << draw(st.integers(0, 7))
            case "cut":
                del content[place:]
            case "delete":
                del content[place : place + draw(st.integers(1, 64))]
            case "insert":
                content[place:place] = draw(st.sampled_from(PIECES) | st.binary(max_size=16))
            case "overwrite":
                piece = draw(st.sampled_from(PIECES) | st.binary(max_size=16))
                content[place : place + len(piece)] = piece
            case "double":
                content[place:place] = content[place:]
    return bytes(content)


@st.composite
def arrays(draw: st.DrawFn) -> bytes:
    """.npy files whose header declares what is not there: sizes, objects, code."""
    kinds = ["'<f8'", "'|O'", "'<U5'", "'<U99999999'", "'|V0'", "'<M8[s]'", "[('a', '|O')]", "'<f8' * 9**9"]
    shapes = ["(3,)", "(0,)", "()", "(-1,)", "(2**40,)", "(1000000000000,)", "(9999999, 9999999, 9999999)"]
    shapes += ["(True,)", "None", "(" * 300 + ")" * 300, f"__import__('os').mkdir('{MARKER}')"]
    kind, shape = draw(st.sampled_from(kinds)), draw(st.sampled_from(shapes))
    order = draw(st.sampled_from(["True", "False", "1"]))
    header = f"{{'descr': {kind}, 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()
    content = draw(st.sampled_from([*PICKLES, b"", bytes(24), bytes(4096)]))
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + content


@st.composite
def array_archives(draw: st.DrawFn) -> bytes:
    """.npz files of such arrays, under names that climb out of the folder."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in draw(st.lists(st.sampled_from(["a.npy", "../b.npy", "/c.npy", "d"]), max_size=3)):
            archive.writestr(name, draw(arrays()), draw(st.sampled_from([0, zipfile.ZIP_DEFLATED])))
    return file.getvalue()


@contextmanager
def little_memory() -> Iterator[None]:
    """Inside it, more than MEMORY beyond what is mapped now is refused, as MemoryError."""
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def try_open(read: Callable[[Path], object], path: Path, content: bytes) -> bool:
    """Whether `read` takes the file; refusing it, it names the file, in one line as ValueError or OSError.

    Nothing else may come into the file's folder, which is the working one.
    """
    path.write_bytes(content)
    try:
        with little_memory():
            read(path)
        taken = True
    except (ValueError, OSError) as error:
        assert path.name in str(error) and "\n" not in str(error), str(error)
        taken = False
    assert list(path.parent.iterdir()) == [path] and path.read_bytes() == content
    return taken
