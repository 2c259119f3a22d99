"""Run one of these checks with nothing else of the checkout in reach: `python3 -I stages/reviewing verify`.

Python is given this folder to run, not the root, and `stages` is bound to the one that holds it. So a file
planted in the root under the name of a library is never imported. -I leaves out what PYTHONPATH adds.
"""

import runpy
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKS = ("verify", "claims", "pull", "replay", "publish", "archive")


def bind_project() -> None:
    """Make `stages` the package of this checkout, and search no folder of it for others."""
    root = HERE.parents[1]
    sys.path[:] = [path for path in sys.path if Path(path or ".").resolve() not in (HERE, root)]
    spec = spec_from_file_location("stages", HERE.parent / "__init__.py")
    assert spec and spec.loader
    sys.modules["stages"] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules["stages"])


def main() -> None:
    if sys.argv[1:2] not in [[check] for check in CHECKS]:
        sys.exit(f"error: {' '.join(sys.argv[1:2]) or 'no check'} given, expected one of {', '.join(CHECKS)}")
    bind_project()
    sys.argv = sys.argv[1:]
    try:
        runpy.run_module(f"stages.reviewing.{sys.argv[0]}", run_name="__main__", alter_sys=True)
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        sys.exit(130)  # 128 and the signal, as shells have it


if __name__ == "__main__":
    main()
