"""Kinds of values that parameters have, strict: no text for a number, nothing that is not finite."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0)]
NonNegative = Annotated[float, Field(ge=0)]
Fraction = Annotated[float, Field(gt=0, lt=1)]
Share = Annotated[float, Field(ge=0, lt=1)]
Precision = Literal["fp32", "tf32", "bf16"]
Reproducible = Literal["machine", "anywhere"]
Algorithm = Literal["adamw", "adam", "sgd"]
