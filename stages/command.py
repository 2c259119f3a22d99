"""How a stage module becomes a command: a user's mistake is one line and exit status 1, not a traceback."""

import os
import sys
from collections.abc import Callable

# Torch's threads spin while they wait for each other. Where another program holds a core, that made training
# up to twenty times slower; a short spin costs nothing measurable. Read once, when torch is first imported.
os.environ.setdefault("GOMP_SPINCOUNT", "5000")


def run(main: Callable[[], None]) -> None:
    """Run `main`; ValueError and OSError become one line on stderr and exit status 1."""
    try:
        main()
    except (ValueError, OSError) as error:
        print(f"error: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(1)
