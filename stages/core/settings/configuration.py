"""Read what a cell trains: an encoding with its settings, and the model around it."""

from dataclasses import dataclass as plain_dataclass
from dataclasses import field as own
from dataclasses import fields
from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from .checking import check
from .errors import InputError
from .kinds import STRICT, Fraction, Positive


@dataclass(frozen=True, config=STRICT)
class Architecture:
    """The model around an encoding; null: the usual choice."""

    where: Literal["every_block", "input"] | None = None  # a table is added; null: before every block
    dropout: Fraction | None = None  # of tokens with the table added to them, in training; null: none
    normaliser: Literal["softmax", "l2", "l2_signed", "exp_mean", "relu2_mean"] | None = None  # null: block's
    mask: Literal["none", "causal"] = "none"  # causal: tokens see only themselves and earlier ones
    block: Literal["post_norm", "gau"] = "post_norm"
    markers: Literal["none", "cls", "cls_sep"] = "none"  # tokens before, or before and behind, the task's
    extra_hidden: Annotated[int, Field(ge=0)] = 0  # units more in every MLP, to make parameter counts equal
    embedding_gain: Positive = 1.0  # initial weights of the tokens' embedding are this times the usual ones
    readout_gain: Positive = 1.0  # and those of the readout
    qk_gain: Positive = 1.0  # and those that make queries and keys

    def __post_init__(self) -> None:
        if self.extra_hidden and self.block == "gau":
            raise InputError("extra_hidden with block post_norm: a gated attention unit has no MLP")


@plain_dataclass(frozen=True, repr=False)
class Configuration:
    """A positional-encoding configuration as written; the scheme itself checks its settings."""

    path: str = own(compare=False)  # where it stands in params.yaml
    scheme: Any
    settings: dict[str, Any]
    architecture: Architecture = Architecture()

    def __repr__(self) -> str:
        written = {"scheme": self.scheme, **self.settings}
        return "{" + ", ".join(f"{key}: {value}" for key, value in written.items()) + "}"


def read_configuration(path: str, values: dict[str, Any]) -> Configuration:
    """Read the configuration at `path` with these values."""
    given = {key: value for key, value in values.items() if value is not None}
    of_model = {field.name for field in fields(Architecture)}
    architecture = check(Architecture, {key: given[key] for key in given if key in of_model}, path)
    settings = {key: given[key] for key in given if key not in {"scheme", *of_model}}
    return Configuration(path, given.get("scheme"), settings, architecture)
