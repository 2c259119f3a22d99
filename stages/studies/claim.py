"""A claim: a sentence that a person wrote, and the tests that a machine makes of it."""

import re
from dataclasses import field
from difflib import get_close_matches
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic.dataclasses import dataclass

from stages.core.settings.errors import InputError
from stages.core.settings.kinds import STRICT, Positive
from stages.parameters.params import Name

Expected = Literal["better", "worse", "above", "below"]  # that a test expects
FEWEST_SEEDS = 3  # that both sides of a test need
METRICS = ("score", "train", "alignment", "gain")  # or split/metric
PUBLISHED = "published"  # correlated with: what `beside` says was published
ON_LENGTHS = Literal["Press", "Chi", "Kazemnejad", "Chen", "Peng", "Li", "Ruoss", "Lin", "Sun"]
SOURCES = Literal["Ito", "Su", "Vaswani", "Wang & Chen", "Luo", "ours", ON_LENGTHS]


def check_metric(name: str) -> str:
    """Check the name of a metric.

    Raises InputError for one that is neither known nor a split with a metric.
    """
    if name not in METRICS and not re.fullmatch(r"\w+/\w+", name):
        near = get_close_matches(name, METRICS, n=1)
        raise InputError(near[0] if near else f"{', '.join(METRICS)} or split/metric, as validation/new")
    return name


def is_score(metric: str) -> bool:
    """Tell whether one end of a metric is better, by the task's own direction."""
    return metric in ("score", "train") or metric.endswith(("/seen", "/new"))


def check_correlated(name: str) -> str:
    """Check the name of a metric, or that of published scores."""
    return name if name == PUBLISHED else check_metric(name)


Metric = Annotated[str, AfterValidator(check_metric)]
Correlated = Annotated[str, AfterValidator(check_correlated)]


def check_expected(value: Any) -> Any:
    """Raise InputError for what no test can expect."""
    margin: Any = value.get("within") if isinstance(value, dict) and len(value) == 1 else None
    if value not in get_args(Expected) and not (type(margin) in (int, float) and margin > 0):
        raise InputError(f"{', '.join(get_args(Expected))} or {{within: a number above 0}}")
    return value


@dataclass(frozen=True, config=STRICT)
class Within:
    """Equal up to a margin, by two one-sided tests (Schuirmann 1987, doi 10.1007/BF01068419)."""

    within: Positive


@dataclass(frozen=True, config=STRICT)
class Test:
    """One comparison of a claim. A cell is named `learned`, or `learned@0.2` at one value of the axis."""

    a: str
    task: Name | Literal[""] = ""  # "": the study is one of fetched tables
    b: str | None = None  # another cell or a floor
    than: float | None = None  # in place of b, a constant
    published: bool = False  # in place of b, what `beside` says was published
    at: list[float | str] = field(default_factory=list)  # values of the axis; none: all that both have
    over: Literal["seeds", "axis"] = "seeds"  # what is counted; axis: its values, each the mean of its seeds
    metric: Metric = "score"  # the task's own, as facts.py of its folder says; see find_metric in tables.py
    correlate: Correlated | None = (
        None  # with this metric of the same models; `than` is beside their correlation
    )
    expect: Annotated[Expected | Within, BeforeValidator(check_expected)] = "better"

    def __post_init__(self) -> None:
        if (self.b is not None) + (self.than is not None) + self.published != 1:
            raise InputError("one of b, than, published")
        if self.a == self.b:
            raise InputError(f"two different cells, not '{self.a}' twice")
        if self.correlate is not None:
            self.check_correlation()
        elif self.over == "axis" and self.b is None:
            raise InputError("a cell or a floor as b, as over: axis compares two at every value of the axis")
        if self.over == "axis" and "@" in f"{self.a}{self.b}":
            raise InputError("a and b without @, as over: axis counts every value of the axis")
        if self.at and "@" in self.a and "@" in (self.b or "@"):
            raise InputError("either `at`, or values of the axis behind @")
        if self.expect in ("better", "worse") and not is_score(self.metric):
            raise InputError(f"`above` or `below`, as neither end of {self.metric} is better")

    def check_correlation(self) -> None:
        if self.than is None or not -1 < self.than < 1:
            raise InputError("than: a number between -1 and 1, to compare the correlation with")
        if self.expect in ("better", "worse"):
            raise InputError("`above`, `below` or `within`, as neither end of a correlation is better")
        if self.correlate == PUBLISHED and self.over != "axis":
            raise InputError("over: axis with correlate: published, as of each value one mean was published")
        if self.over == "axis" and "@" in self.a:
            raise InputError("a without @, as over: axis counts every value of the axis")

    @property
    def measured(self) -> str:
        """Return the metric, or the two that are correlated."""
        return self.metric if self.correlate is None else f"{self.metric} ~ {self.correlate}"

    @property
    def metrics(self) -> list[str]:
        """Return the metrics that are scored here, one or two."""
        return [one for one in (self.metric, self.correlate) if one not in (None, PUBLISHED)]

    @property
    def other(self) -> str:
        """Return the second cell, or what takes its place."""
        return self.b if self.b is not None else "published" if self.published else f"{self.than:g}"

    @property
    def expected(self) -> str:
        """Say what is expected, in a word or two: better, within 0.05."""
        return f"within {self.expect.within:g}" if isinstance(self.expect, Within) else self.expect


@dataclass(frozen=True, config=STRICT)
class Claim:
    """A sentence that a person wrote, and the tests that it stands or falls with: all must hold."""

    says: str
    source: SOURCES
    stated: Literal["before", "after"]  # before: in git before the later of the scores that a test compares
    tests: Annotated[list[Test], Field(min_length=1)]
    main: bool = False  # shown in README
    plain: str = ""  # the same for readers, written later; says stays as it stood before its scores

    @property
    def told(self) -> str:
        """The claim as readers see it."""
        return self.plain or self.says
