"""Turn steps into commands: `python -m stages STEP NAME`. A mistake is one line, and exit status 1."""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from inspect import getdoc, signature
from io import TextIOWrapper
from pathlib import Path
from traceback import extract_tb

from stages.core.settings.errors import InputError, one_of
from stages.parameters import params
from stages.running.parent import end_with_parent

CODE = Path(__file__).parents[1]
BY_DVC = "DVC_STAGE"  # environment variable that dvc gives to what it runs
COPIES = "scale"  # the step that makes what runs at SCALE
STOPPED = 128 + signal.SIGINT  # exit status, as shells have it
# module and function of each step, which takes the project's root and names
STEPS = {
    "fetch": ("stages.data", "fetch"),
    "read": ("stages.data", "read"),
    "data": ("stages.data", "make"),
    "train": ("stages.train", "train"),
    "score": ("stages.score", "score"),
    "tables": ("stages.pretrained.fetch", "fetch_tables"),
    "measure": ("stages.pretrained.measure", "measure_study"),
    "conclude": ("stages.conclude", "conclude"),
    "maps": ("stages.map_tables", "map_tables"),
    "report": ("stages.report", "report"),
    "why": ("stages.why", "why"),
    "catalogue": ("stages.catalogue", "write_readme"),
    "scale": ("stages.scale", "copy_at_scale"),
    "declare": ("stages.studies.planning.declare", "write_declared"),
    "add": ("stages.studies.planning.add", "add"),
}


def run_command(arguments: Sequence[str]) -> None:
    """Run a step in the project that is the working folder."""
    with guard():
        if not arguments:
            print("\n".join(describe(name) for name in STEPS))
            return
        name, *given = arguments
        if name not in STEPS:
            raise InputError(f"step '{name}' given, expected {one_of(name, STEPS)}")
        refuse_other_scale(name)
        if BY_DVC in os.environ:
            end_with_parent()
        step = find_step(name)
        names = list(signature(step).parameters)[1:]
        if len(given) != len(names):
            expected = " ".join(["python -m stages", name, *(one.upper() for one in names)])
            raise InputError(f"{len(given)} names given, expected `{expected}`")
        step(Path(), *given)


def refuse_other_scale(step: str) -> None:
    """Raise InputError where SCALE names another scale than that of params.yaml, which alone counts here."""
    wanted = os.environ.get("SCALE")
    if not wanted or step == COPIES:
        return
    here = params.load().scale
    if wanted != here:
        raise InputError(
            f"SCALE '{wanted}' given in the environment, but a step runs at that of params.yaml, {here}; "
            f"write `make repro SCALE={wanted}`, set scale in params.yaml, or `unset SCALE`"
        )


def find_step(name: str) -> Callable[..., None]:
    module, function = STEPS[name]
    step: Callable[..., None] = getattr(import_module(module), function)
    return step


def describe(name: str) -> str:
    """Write a step, its names and the first line of what its function does."""
    step = find_step(name)
    names = " ".join(one.upper() for one in list(signature(step).parameters)[1:])
    return f"{name:9} {names:7} {(getdoc(step) or '').splitlines()[0]}"


@contextmanager
def guard() -> Iterator[None]:
    """Turn an InputError into one line on stderr and exit status 1, an OSError too, with its place.

    Any other error keeps its traceback: it is a fault of the code, perhaps of an encoding of the user's own.
    Ctrl-C is one line, too.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_DFL:  # stages/__main__.py
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if isinstance(sys.__stdout__, TextIOWrapper):  # dvc's colours may have wrapped sys.stdout
        sys.__stdout__.reconfigure(errors="backslashreplace")  # what the locale cannot write stops nothing
    try:
        yield
    except (InputError, OSError) as error:
        place = "" if isinstance(error, InputError) else f" ({place_of(error)})"
        print(f"error: {' '.join(str(error).split())}{place}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # another ends it at once
        sys.unraisablehook = lambda _: None  # nor does what was left half-way say anything
        print("stopped; run the same command again to continue", file=sys.stderr)
        sys.exit(STOPPED)


def place_of(error: BaseException) -> str:
    """Find where in the project's own code an error came up; in any code where it did not in ours."""
    frames = extract_tb(error.__traceback__)
    own = [frame for frame in frames if CODE in Path(frame.filename).parents and frame.filename != __file__]
    last = (own or frames)[-1]
    return f"{last.filename.removeprefix(f'{CODE.parent}/')}, line {last.lineno}"
