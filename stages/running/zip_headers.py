"""The headers that zipfile writes since Python 3.11.4, in older ones too: then an .npz has the same bytes.

Up to then an entry that may grow large, as numpy calls all of them, had its sizes in other fields.
Source: python/cpython issue 103861.
"""

import struct
import sys
from zipfile import ZIP64_VERSION, ZipInfo

FIXED = (3, 11, 4)
VERSION, SIZES = slice(4, 5), slice(18, 26)  # APPNOTE 4.3.7: needed to extract; compressed and uncompressed
IN_EXTRA = b"\xff" * 8  # both sizes stand in the extra field


def write_as_newer() -> None:
    """Make zipfile of an older Python write the headers of a newer one. To call it twice does no harm."""
    if sys.version_info >= FIXED or getattr(ZipInfo.FileHeader, "as_newer", False):
        return
    older = ZipInfo.FileHeader

    def write_header(self: ZipInfo, zip64: bool | None = None) -> bytes:
        header = older(self, zip64)
        if not zip64:
            return header
        self.extract_version = max(ZIP64_VERSION, self.extract_version)  # the directory at the end repeats it
        self.create_version = max(ZIP64_VERSION, self.create_version)
        changed = bytearray(header)
        changed[VERSION] = struct.pack("B", self.extract_version)
        changed[SIZES] = IN_EXTRA
        return bytes(changed)

    write_header.as_newer = True  # type: ignore[attr-defined]
    ZipInfo.FileHeader = write_header  # type: ignore[method-assign]
