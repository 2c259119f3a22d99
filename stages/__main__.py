"""Run a step of the pipeline: `python -m stages train sigma`; without arguments, list all steps."""

import signal
import sys

from stages.kernels import configure, use_large_pages

# libraries load for seconds: a command that Ctrl-C ends meanwhile has no traceback; `guard` sets it back
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

configure()  # before numpy and torch load
use_large_pages()

from stages.running.command import run_command  # noqa: E402

run_command(sys.argv[1:])
