"""How a stage module becomes a command: a user's mistake is one line and exit status 1, not a traceback."""

import sys
from collections.abc import Callable


def run(main: Callable[[], None]) -> None:
    """Run `main`; ValueError and OSError become one line on stderr and exit status 1."""
    try:
        main()
    except (ValueError, OSError) as error:
        print(f"error: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(1)
