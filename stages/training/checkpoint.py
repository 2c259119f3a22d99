"""Checkpoints of a training run: written atomically, and resumed only by the same run."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from stages.files.artifacts import write_atomically

INTERVAL_S = 20  # seconds between checkpoints


@dataclass
class Checkpoint:
    """The checkpoint file of one run; `key` tells the run from all others."""

    path: Path
    key: str
    saved_at: float = field(default_factory=monotonic)

    def is_due(self) -> bool:
        return monotonic() - self.saved_at > INTERVAL_S

    def save(self, tensors: dict[str, Tensor], state: object) -> None:
        """Replace the last checkpoint by tensors and a JSON value.

        Raises OSError if it cannot be written, for example on a full disk; the last checkpoint then stays.
        """
        try:
            with write_atomically(self.path) as beside:
                save_file(tensors, beside, metadata={"key": self.key, "state": json.dumps(state)})
        except (SafetensorError, OSError) as error:
            reason = getattr(error, "strerror", None) or error
            raise OSError(
                f"{self.path}: checkpoint not written ({reason}), expected free disk space; free some and "
                "run again, training goes on from the last checkpoint"
            ) from None
        self.saved_at = monotonic()

    def load(self) -> tuple[dict[str, Tensor], object] | None:
        """Load the tensors and value that this run saved.

        Returns None if the file is absent, damaged or another run's.
        """
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
