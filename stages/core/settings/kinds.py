"""Kinds of values that parameters have, strict: no text for a number, nothing that is not finite."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0)]
NonNegative = Annotated[float, Field(ge=0)]
Fraction = Annotated[float, Field(gt=0, lt=1)]
Share = Annotated[float, Field(ge=0, lt=1)]
Format = Literal["fp32", "bf16"]  # of the matrix products in training
Precision = Literal["auto", "fp32", "bf16"]  # auto: bf16 where the machine multiplies it, else fp32
Reproducible = Literal["machine", "anywhere"]
Algorithm = Literal["adamw", "adam", "sgd"]
