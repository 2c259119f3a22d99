"""Refuse what stands in the place of a file that git keeps elsewhere, until it is fetched."""

from pathlib import Path

from stages.core.settings.errors import InputError

LARGEST = 1024  # bytes of a pointer
LFS = b"version https://git-lfs.github.com/spec/"
ANNEX = "/annex/objects/"  # a link leads there; where links cannot be, a file has that path in it


def refuse_pointer(path: Path) -> None:
    """Raise InputError with the command that fetches the file, where something else stands for it."""
    if path.is_symlink() and not path.exists():
        target = path.readlink().as_posix()
        if ANNEX in target:
            raise InputError(
                f"{path} is a link of git-annex to what was not fetched; run `git annex get` on it"
            )
        raise InputError(f"{path} is a link to {target}, which is not there; put the file there")
    if path.is_file() and path.stat().st_size < LARGEST:
        content = path.read_bytes()
        if content.startswith(LFS):
            raise InputError(
                f"{path} is a pointer of Git LFS, as the file was not fetched; run `git lfs pull` there"
            )
        if content.startswith(ANNEX.encode()):
            raise InputError(
                f"{path} is a pointer of git-annex, as the file was not fetched; run `git annex get` on it"
            )
