"""Base class of schemes that are made of others."""

from collections.abc import Sequence
from dataclasses import replace

from torch import nn

from ...settings.configuration import Configuration
from ..interface import Host, PositionalEncoding
from ..lookup.resolve import create

Parts = Sequence[Configuration]


class OfParts(PositionalEncoding):
    """Encodings, each made for a host of its own, with random streams that it shares with no other."""

    def __init__(self, parts: Parts, hosts: Sequence[Host]) -> None:
        super().__init__()
        streams = zip(*(stream.spawn(len(parts)) for stream in hosts[0].generators), strict=True)
        made = [
            create(part, replace(host, generators=own))
            for part, host, own in zip(parts, hosts, streams, strict=True)
        ]
        self.parts = nn.ModuleList(made)
        self.by_index = all(part.by_index for part in made)

    @property
    def encodings(self) -> Sequence[PositionalEncoding]:
        """List the parts."""
        return [part for part in self.parts if isinstance(part, PositionalEncoding)]
