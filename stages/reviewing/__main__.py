"""Run one of these checks with nothing else of the checkout in reach: `python3 -I stages/reviewing verify`.

Python is given this folder to run, not the root, and `stages` is bound to the one that holds it. So a file
planted in the root under the name of a library is never imported. -I leaves out what PYTHONPATH adds.
"""

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path

HERE = Path(__file__).resolve().parent
# modules, each with a function of its name
CHECKS = ("verify", "claims", "pull", "replay", "publish", "archive")


def bind_project() -> None:
    """Make `stages` the package of this checkout, and search no folder of it for others."""
    root = HERE.parents[1]
    sys.path[:] = [path for path in sys.path if Path(path or ".").resolve() not in (HERE, root)]
    spec = spec_from_file_location("stages", HERE.parent / "__init__.py")
    assert spec and spec.loader
    sys.modules["stages"] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules["stages"])


def run_check(name: str = "no check", *given: str) -> None:
    """Run a check in the project that is the working folder; a mistake is one line, and exit status 1."""
    from stages.core.settings.errors import InputError

    try:
        if name not in CHECKS:
            raise InputError(f"{name} given, expected one of {', '.join(CHECKS)}")
        if name != "verify":  # which needs nothing installed
            import_module("stages.kernels").configure()  # before numpy loads
        check = getattr(import_module(f"stages.reviewing.{name}"), name)
        names = signature(check)
        try:
            names.bind(Path(), *given)
        except TypeError as error:
            raise InputError(f"{name}: {error}, expected {names}") from None
        check(Path(), *given)
    except (InputError, OSError) as error:
        sys.exit(f"error: {' '.join(str(error).split())}")
    except KeyboardInterrupt:
        print("stopped; run the same command again to continue", file=sys.stderr)
        sys.exit(130)  # 128 and the signal, as shells have it


if __name__ == "__main__":
    bind_project()
    run_check(*sys.argv[1:])
