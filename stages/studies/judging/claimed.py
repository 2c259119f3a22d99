"""Say on which side of a difference a test holds, and at which values of the axis."""

from math import inf

from stages.studies.claim import Test, Within
from stages.studies.judging.statistics import Alternative
from stages.studies.tables import find_score, name_value, split_name


def claimed(test: Test) -> tuple[float, float]:
    """Return the interval of differences for which a test holds."""
    if isinstance(test.expect, Within):
        return -test.expect.within, test.expect.within
    higher = find_score(test.task).higher_is_better
    upwards = {"better": higher, "worse": not higher, "above": True, "below": False}[test.expect]
    return (0.0, inf) if upwards else (-inf, 0.0)


def find_alternative(test: Test) -> Alternative:
    """Find the side that p is of: that on which the claim says that the difference lies."""
    least, most = claimed(test)
    return "greater" if most == inf else "less" if least == -inf else "two-sided"


def list_named(test: Test, side: str) -> list[str]:
    """List the values of the axis that a test names for a side; none where it is about all."""
    _, at = split_name(side)
    return [at] if at else [name_value(one) for one in test.at]
