"""Hold pages, README's table and metrics against the committed tables that they are made of.

Pictures are not drawn again: that is seconds for each, and takes matplotlib.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from difflib import ndiff
from functools import partial
from itertools import zip_longest
from os.path import commonprefix
from pathlib import Path

from stages.core.settings.errors import InputError
from stages.parameters import params
from stages.reporting import readme
from stages.reporting.claims_list import CLAIMS, write_claims
from stages.reporting.page import render, study_page
from stages.reporting.whole import METRICS, REPORT, STUDY, make_page, measure_focus, read_maps, read_scores
from stages.studies.tables import REPORTS

BEFORE, SHOWN = 20, 60  # letters of a line before the first that differs, and of all that is shown


def hold_pages(root: Path) -> Iterator[tuple[str, str, bool, list[str]]]:
    """Name README and each page that is here, what of it is held, whether it is main, and its faults."""
    settings = params.load(root / params.FILE)
    page = make_page(root, settings, read_maps(root))
    block = readme.write_block(root, page.sections, page.banner)
    yield str(readme.README), "Its tables.", True, hold_readme(root, block)
    made = {
        REPORTS / one.name / "page.html": partial(study_page, replace(one, folder=""), settings.scale)
        for one in page.sections
    }
    made |= {REPORT: partial(render, page), CLAIMS: partial(write_claims, page.sections)}
    for path, write in made.items():
        if (root / path).is_file():
            yield path.as_posix(), "Its words and numbers.", False, tell_change(root / path, write())
    if (root / METRICS).is_file():
        yield METRICS.as_posix(), "Its means.", False, hold_metrics(root)


def hold_readme(root: Path, block: str) -> list[str]:
    """Tell lines of README's table that differ, or why none can be told from the rest."""
    try:
        lines = ndiff(readme.read_block(root).splitlines(), block.splitlines())
    except InputError as error:
        return [str(error)]
    return [line for line in lines if line[0] in "-+"]


def hold_metrics(root: Path) -> list[str]:
    committed, here = json.loads((root / METRICS).read_bytes()), measure_focus(read_scores(root, STUDY))
    return [] if committed == here else [f"committed {committed}; here {here}"]


def tell_change(path: Path, here: str) -> list[str]:
    """Tell where the first line differs that a file has otherwise than as it is made here."""
    committed = path.read_text(encoding="utf-8", errors="replace").splitlines()
    pairs = zip_longest(committed, here.splitlines(), fillvalue="")
    for number, (theirs, ours) in enumerate(pairs, 1):
        if theirs != ours:
            start = max(len(commonprefix([theirs, ours])) - BEFORE, 0)
            shown = [line[start : start + SHOWN] for line in (theirs, ours)]
            return [f"line {number}: committed {shown[0]!r}; here {shown[1]!r}"]
    return []
