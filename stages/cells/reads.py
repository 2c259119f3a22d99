"""Note what code reads or imports that no key names, as it runs.

ASSUME a process of its own: what is changed here of Python stays so until the process ends.
"""

import builtins
import importlib
import linecache
import os
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from importlib.util import resolve_name, source_from_cache
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from stages.cells.code import ROOT, find_files

# files of libraries, whose versions are in keys, and of the system
USUAL = {Path(path) for path in ("/proc", "/sys", "/dev", "/etc", sys.prefix, sys.base_prefix)}
USUAL |= {Path(path) for path in sysconfig.get_paths().values()}
# code that looks something up for others
SHOWS_SOURCE = linecache.getlines.__code__.co_filename  # of code, beside an error or a warning
BETWEEN = {__file__, os.getenv.__code__.co_filename, Mapping.get.__code__.co_filename, "<string>"}


class Named(NamedTuple):
    """The names in a key, and the files of code whose reads are compared with it."""

    own: Set[Path]
    files: Set[Path]  # of the project
    libraries: Set[str]  # as import statements call them


class Reads:
    """Keep what is read beside what is named."""

    def __init__(self) -> None:
        self.named, self.own = Named(set(), set(), set()), set[str]()
        self.found: list[str] = []
        sys.addaudithook(self.note_file)
        self.watch_variables()
        self.watch_imports()

    @contextmanager
    def beside(self, named: Named) -> Iterator[list[str]]:
        """List what is read beside what is named, as the list grows."""
        self.named, self.own, self.found = named, {str(path) for path in named.own}, []
        try:
            yield self.found
        finally:
            self.own = set()

    def note(self, said: str) -> None:
        if said not in self.found:
            self.found.append(said)

    def note_file(self, event: str, given: tuple[Any, ...]) -> None:
        reads = event == "ctypes.dlopen" or (event == "open" and given[2] & os.O_ACCMODE == os.O_RDONLY)
        if not reads or not isinstance(given[0], str | bytes | os.PathLike):
            return
        path = Path(os.path.abspath(os.fsdecode(given[0])))
        if self.is_named(path):
            return
        callers = {*list_callers()}
        if self.own & callers and SHOWS_SOURCE not in callers:
            self.note(f"reads {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}")

    def is_named(self, path: Path) -> bool:
        """Tell whether a key names a file, or the one that it was compiled from, or its library."""
        source = Path(source_from_cache(path)) if path.parent.name == "__pycache__" else path
        return source in self.named.files or any(map(path.is_relative_to, USUAL))

    def watch_variables(self) -> None:
        kind: Any = type(os.environ)
        usual = kind.__getitem__

        def look_up(variables: Any, name: Any) -> Any:
            if self.is_asked_by_own():
                self.note(f"reads {os.fsdecode(name)} of the environment")
            return usual(variables, name)

        kind.__getitem__ = look_up

    def watch_imports(self) -> None:
        statement, by_name = builtins.__import__, importlib.import_module

        def do_statement(name: str, names: Any = None, here: Any = None, what: Any = (), up: int = 0) -> Any:
            if up == 0:  # else it is of the project, in a statement
                self.note_import(name, *(f"{name}.{one}" for one in what or ()))
            return statement(name, names, here, what, up)

        def do_by_name(name: str, package: str | None = None) -> Any:
            self.note_import(resolve_name(name, package))
            return by_name(name, package)

        vars(builtins)["__import__"], vars(importlib)["import_module"] = do_statement, do_by_name

    def note_import(self, module: str, *parts: str) -> None:
        if not self.is_asked_by_own():
            return
        top = module.partition(".")[0]
        for file in {file for name in (module, *parts) for file in find_files(ROOT, name)} - self.named.files:
            self.note(f"imports {file.relative_to(ROOT)} by a name that is made as it runs")
        if not find_files(ROOT, top) and top not in self.named.libraries | sys.stdlib_module_names:
            self.note(f"imports {top} by a name that is made as it runs")

    def is_asked_by_own(self) -> bool:
        return next((file for file in list_callers() if file not in BETWEEN), "") in self.own


def list_callers() -> Iterator[str]:
    """List the files of the functions that are being called, the innermost first."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        yield frame.f_code.co_filename
        frame = frame.f_back
