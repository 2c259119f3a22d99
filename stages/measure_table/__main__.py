"""Measure what a learned table of positions holds: `python -m stages.measure_table FILE`."""

from stages.kernels import configure

configure()  # before numpy and torch load

from stages.measure_table.measure_file import main  # noqa: E402
from stages.running.command import guard  # noqa: E402

with guard():
    main()
