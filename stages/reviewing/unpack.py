"""An archive from a file, a folder, a URL or a DOI, and its faults. Needs Python's standard library alone."""

import re
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import Request, urlopen
from zipfile import BadZipFile, ZipFile

from stages.reviewing import records, signatures
from stages.reviewing.records import Fault

SUMS = "SHA256SUMS"  # of every file in the archive
RESOLVER = "https://doi.org/"
DOI = re.compile(r"(?:doi:|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/\S+)")
ITEM = re.compile(r'<([^>]+)>(?=[^<]*rel="?item\b)(?=[^<]*application/zip)')  # in a Link header
DAMAGE = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


@contextmanager
def unpack(source: str) -> Iterator[Path]:
    """A folder with what can be read of an archive, which is removed afterwards; of a folder, itself.

    OSError or ValueError: there is none.
    """
    if Path(source).is_dir():
        yield Path(source)
        return
    with TemporaryDirectory() as folder:
        file = Path(source)
        if doi := DOI.fullmatch(source):
            source = find_archive(RESOLVER + doi[1])
        if "://" in source:
            file = Path(folder, "archive.zip")
            with urlopen(source) as reply, file.open("wb") as local:
                shutil.copyfileobj(reply, local)
        extract(file, Path(folder, "archive"))
        yield Path(folder, "archive")


def find_archive(page: str) -> str:
    """The URL of the one zip that a repository's page names in its Link header (signposting.org)."""
    with urlopen(Request(page, method="HEAD")) as reply:
        found = ITEM.findall(", ".join(reply.headers.get_all("Link", [])))
    if len(found) != 1:
        raise ValueError(
            f"{page} links to {len(found)} zip files, expected 1; fetch it by hand, and name the file"
        )
    return str(found[0])


def extract(file: Path, folder: Path) -> None:
    """Extract what is readable: what is not is then told by the sums. ValueError: no zip at all."""
    try:
        with ZipFile(file) as archive:
            for member in archive.infolist():
                with suppress(*DAMAGE):
                    archive.extract(member, folder)
    except DAMAGE as error:
        raise ValueError(f"{file}: not a whole zip ({error}); fetch it again") from None


def check_archive(folder: Path, signers: Path) -> tuple[list[str], list[Fault]]:
    """Who signed the archive in `folder`, one line if it is signed; and its faults."""
    faults = records.check_folder(folder, SUMS)
    if not signatures.signature_of(folder / SUMS).exists():
        return ["archive not signed"], faults
    signer = signatures.identify_signer(folder, SUMS, signers)
    if isinstance(signer, Fault):
        return [], [signer, *faults]
    return [f"archive signed by {signer}"], faults
