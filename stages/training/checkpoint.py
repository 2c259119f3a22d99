"""Checkpoints of a training run: written atomically, resumed only by the very same run."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from stages.files.artifacts import written_beside

INTERVAL_S = 20  # at most this much work, and one step, is lost


def fingerprint(described: Iterable[object], paths: Iterable[Path]) -> str:
    """A digest of everything a run depends on: values by their representation, files by their bytes.

    Of a folder, the files in it.
    """
    digest = hashlib.sha256(repr([*described, torch.__version__, torch.get_num_threads()]).encode())
    files = [file for path in paths for file in (path.iterdir() if path.is_dir() else [path])]
    for path in sorted(files):
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


@dataclass
class Checkpoint:
    """The file of one run; `key` is the run's fingerprint."""

    path: Path
    key: str
    saved_at: float = 0.0

    def __post_init__(self) -> None:
        self.saved_at = monotonic()

    def due(self) -> bool:
        return monotonic() - self.saved_at > INTERVAL_S

    def save(self, tensors: dict[str, Tensor], state: object) -> None:
        """Tensors and a JSON value, in place of what was saved before."""
        with written_beside(self.path) as beside:
            save_file(tensors, beside, metadata={"key": self.key, "state": json.dumps(state)})
        self.saved_at = monotonic()

    def load(self) -> tuple[dict[str, Tensor], object] | None:
        """What this run saved, None if nothing, something unreadable or another run's."""
        if not self.path.is_file():
            return None
        try:
            with safe_open(self.path, framework="pt") as stored:
                metadata = stored.metadata()
                if metadata.get("key") != self.key:
                    return None
                tensors = {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118
                return tensors, json.loads(metadata["state"])
        except (SafetensorError, AttributeError, LookupError, ValueError, RecursionError):
            return None
