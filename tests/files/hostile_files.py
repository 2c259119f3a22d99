"""Files that someone damaged or made to do harm, as hypothesis draws them."""

import os
import pickle
import resource
import struct
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

MARKER = "executed"
MEMORY = 2**31  # bytes that opening a small file may take


class Harm:
    """Unpickled, it leaves a file in the working folder."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return os.mkdir, (MARKER,)


PICKLES = [pickle.dumps(Harm(), protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
PIECES = [*PICKLES, bytes(8), b"\xff" * 4, b"\xff" * 8, b"\xff\xff\xff\x7f", b"<script>", b'"', b"\n", b","]


@st.composite
def damage(draw: st.DrawFn, whole: st.SearchStrategy[bytes]) -> bytes:
    """Damage a whole file: some bytes are others, more or fewer, most of them where its header is."""
    content = bytearray(draw(whole))
    for _ in range(draw(st.integers(0, 4))):
        end = draw(st.sampled_from([16, 256, len(content)]))
        place = draw(st.integers(0, max(0, min(end, len(content)) - 1)))
        removed = draw(st.sampled_from([0, 1, 1, 8, 64, len(content)]))
        content[place : place + removed] = draw(st.sampled_from(PIECES) | st.binary(max_size=16))
    return bytes(content)


@st.composite
def arrays(draw: st.DrawFn) -> bytes:
    """Draw .npy files whose header declares what is not there: sizes, objects, code."""
    kinds = ["'<f8'", "'|O'", "'<U5'", "'<U99999999'", "'|V0'", "'<M8[s]'", "[('a', '|O')]", "'<f8' * 9**9"]
    shapes = ["(3,)", "(0,)", "()", "(-1,)", "(2**40,)", "(1000000000000,)", "(9999999, 9999999, 9999999)"]
    shapes += ["(True,)", "None", "(" * 300 + ")" * 300, f"__import__('os').mkdir('{MARKER}')"]
    kind, shape = draw(st.sampled_from(kinds)), draw(st.sampled_from(shapes))
    order = draw(st.sampled_from(["True", "False", "1"]))
    header = f"{{'descr': {kind}, 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()
    content = draw(st.sampled_from([*PICKLES, b"", bytes(24), bytes(4096)]))
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + content


@st.composite
def archives(draw: st.DrawFn) -> bytes:
    """Draw .npz files of such arrays, under names that climb out of the folder."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in draw(st.lists(st.sampled_from(["a.npy", "../b.npy", "/c.npy", "d"]), max_size=3)):
            archive.writestr(name, draw(arrays()), draw(st.sampled_from([0, zipfile.ZIP_DEFLATED])))
    return file.getvalue()


@contextmanager
def little_memory() -> Iterator[None]:
    """Refuse, inside it, more than MEMORY beyond what is mapped now, as MemoryError."""
    mapped = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
