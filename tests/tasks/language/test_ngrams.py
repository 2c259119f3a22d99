from collections import Counter

import numpy as np
from scipy.optimize import minimize_scalar

from stages.tasks.language.ngrams import count_after, fit_weights, join


def test_shares_are_those_of_a_count_and_fall_back_where_nothing_was_seen() -> None:
    random = np.random.default_rng(0)
    seen, asked = ((random.integers(5, size=60), random.integers(7, size=60)) for _ in range(2))
    asked[0][:10] = 6  # a context that was never seen
    found = count_after(seen, asked, 7, np.full(60, 0.1))
    contexts, pairs = Counter(seen[0].tolist()), Counter(zip(*map(np.ndarray.tolist, seen), strict=True))
    expected = [
        pairs[context, word] / contexts[context] if contexts[context] else 0.1
        for context, word in zip(*map(np.ndarray.tolist, asked), strict=True)
    ]
    np.testing.assert_allclose(found, expected)
    assert found[:10].tolist() == [0.1] * 10


def test_contexts_are_told_apart() -> None:
    left, right = np.divmod(np.arange(9), 3)
    assert len(set(join((left, right), 3).tolist())) == 9


def test_weights_are_those_of_the_greatest_likelihood() -> None:
    random = np.random.default_rng(0)
    parts = {name: random.random(500) for name in ("a", "b")}

    def surprise(weight: float) -> float:
        return -float(np.log(weight * parts["a"] + (1 - weight) * parts["b"]).mean())

    weights = fit_weights(parts)
    best = minimize_scalar(surprise, bounds=(0, 1), method="bounded")
    assert abs(sum(weights.values()) - 1) < 1e-12
    assert surprise(weights["a"]) - best.fun < 1e-4
