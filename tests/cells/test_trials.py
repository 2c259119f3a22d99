"""Encodings whose numbers something decides that no key names: each is refused by name."""

import json
import shutil
import sys

import pytest
from changed_params import ROOT
from commands import attempt

WRITTEN = '''"""A penalty."""

{imports}
import torch
from torch import Tensor

from stages.core.encodings.interface import Host, PositionalEncoding
from stages.core.randomness.initial import normal

{top}


class Encoding(PositionalEncoding):
    penalty: Tensor

    def __init__(self, host: Host, slope: float = 0.5) -> None:
        super().__init__()
        place = torch.tensor(host.indices, dtype=torch.float32)
        self.register_buffer("penalty", slope * (place - place[:, None]).abs()[None])
        {make}

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        {ask}
        return logits - {factor} * self.penalty[0, rows]
'''
PARTS = {"imports": "", "top": "", "make": "pass", "ask": "pass", "factor": "1"}
# of each encoding what differs from the one above, and what is said of it; nothing of what is as it should be
ENCODINGS: dict[str, tuple[dict[str, str], str | None]] = {
    "right": ({}, None),
    "remembers": (
        {"imports": "from scipy.linalg import hadamard", "top": "KEPT = {}",
         "ask": "hadamard(4)", "factor": "KEPT.setdefault((block, rows.start), 1 + block)"},
        None,
    ),
    "warns": ({"imports": "import warnings", "ask": "warnings.warn('slow', stacklevel=3)"}, None),
    "draws_once": (
        {"top": "KEPT = {}", "factor": "self.drawn",
         "make": "self.drawn = torch.nn.Parameter(KEPT.setdefault(host.width, normal(.1, (1, 1, 1, 1), "
         "host.generators)).clone())"},
        "drawn of a seed differs where other seeds stand beside it",
    ),
    "counts_in_a_closure": (
        {"top": "def start(n=[0]):\n    n[0] += 1\n    return 1 - 1e-6 * min(n[0], 60)", "factor": "start()"},
        "logits gives other values when it is called again",
    ),
    "keeps_the_first": (
        {"top": "KEPT = {}",
         "make": "self.penalty *= KEPT.setdefault(0, float(host.generators[0].random()))"},
        "start of penalty differs in another process, where other seeds came first",
    ),
    "reads_a_variable": (
        {"imports": "import os", "factor": "float(os.environ.get('MY_SLOPE', '1'))"},
        "reads MY_SLOPE of the environment, which no key names",
    ),
    "reads_a_variable_at_its_top": (
        {"imports": "from os import getenv", "top": "S = float(getenv('MY_SLOPE', '1'))", "factor": "S"},
        "reads MY_SLOPE of the environment, which no key names",
    ),
    "runs_a_text": (
        {"imports": "from pathlib import Path",
         "top": "exec(Path(__file__).with_name('part.txt').read_text())", "factor": "FACTOR"},
        "reads stages/core/encodings/part.txt, which no key names",
    ),
    "reads_an_array": (
        {"imports": "import numpy as np", "make": "self.penalty *= float(np.load('slope.npy'))"},
        "reads slope.npy, which no key names",
    ),
    "imports_by_name": (
        {"imports": "from importlib import import_module",
         "top": "PART = import_module('stages.studies.names' 'ake')", "factor": "PART.FACTOR"},
        "imports stages/studies/namesake.py by a name that is made as it runs, which no key names",
    ),
    "imports_a_library_by_name": (
        {"make": "__import__('PIL.Image')"},
        "imports PIL by a name that is made as it runs, which no key names",
    ),
    "imports_beside_the_lock": (
        {"imports": "import outside"},
        "encodings/imports_beside_the_lock.py imports outside, which stages/requirements.lock lacks",
    ),
}  # fmt: skip
SCRIPT = """
import json, sys
from pathlib import Path
from stages.cells.keys import find_keys
from stages.cells.trials import check_trials
from stages.core.settings.errors import InputError
from small_studies import cells_of
said = {}
if __name__ == "__main__":
    for scheme in sys.argv[1:]:
        cells = cells_of(tasks=["probe"], cells={"one": {"scheme": scheme}})
        try:
            check_trials(Path(), cells, find_keys(Path(), cells, cells))
        except InputError as error:
            said[scheme] = str(error)
    print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Tell what is said of each encoding."""
    folder = tmp_path_factory.mktemp("trials")
    shutil.copytree(ROOT / "stages", folder / "stages", ignore=shutil.ignore_patterns("__pycache__"))
    for scheme, (parts, _) in ENCODINGS.items():
        text = WRITTEN.format(**PARTS | parts)
        (folder / f"stages/core/encodings/{scheme}.py").write_text(text, encoding="utf-8")
    (folder / "stages/core/encodings/part.txt").write_text("FACTOR = 1.0\n")
    (folder / "stages/studies/namesake.py").write_text("FACTOR = 1.0\n")
    (folder / "outside.py").write_text("FACTOR = 1.0\n")
    (folder / "library").mkdir()
    (folder / "outside.py").rename(folder / "library/outside.py")
    (folder / "script.py").write_text(SCRIPT, encoding="utf-8")
    shutil.copy(ROOT / "params.yaml", folder)
    save = "import numpy; numpy.save('slope.npy', 1.0)"
    assert attempt(folder, sys.executable, "-c", save).returncode == 0
    path = ":".join(map(str, (folder, folder / "library", ROOT / "tests")))
    done = attempt(folder, sys.executable, "script.py", *ENCODINGS, PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("scheme", ENCODINGS)
def test_what_no_key_names_is_refused_by_name(scheme: str, said: dict[str, str]) -> None:
    _, expected = ENCODINGS[scheme]
    assert (expected is None) == (scheme not in said)
    assert (expected or "") in said.get(scheme, ""), said.get(scheme)
