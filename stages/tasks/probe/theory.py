"""The position probe: what theory predicts for every configuration, beside random and trained models."""

import numpy as np
import pandas as pd

from stages.core.settings.configuration import Configuration

OF_MODEL = ["scheme", "normaliser", "block", "markers", "mask"]
USUAL = {"post_norm": "softmax", "gau": "relu2_mean"}  # normaliser of a block

OF_SEED = ["accuracy", "loss", "row_spread"]
LEARNED = 0.99  # share of the greatest accuracy that every seed must reach
NATS = 1e-3  # greatest error of a loss
TIED = 1e-2  # within this of the least loss, the outputs of mirror images are as good as equal
EQUAL = 1e-5  # greatest spread of rows that theory says are equal: float32 rounding


def compare(
    configuration: Configuration, theory: pd.DataFrame, drawn: int, n_drawn: int, runs: pd.DataFrame, n: int
) -> dict[str, float]:
    """Compare distinct rows as counted and by theory.

    Returns both, the greatest accuracy by theory, and whether they agree (1, 0). A number that is unknown is
    left out.

    theory: data/reference/probe_theory.csv as text; drawn: distinct rows of an untrained model of n_drawn
    tokens; runs: the trained probe's rows of scores, of n tokens.
    """
    described = describe(configuration)
    rows = theory[(theory[OF_MODEL] == [described[name] for name in OF_MODEL]).all(axis=1)]
    found = {"distinct_rows": float(drawn)}
    if not len(rows):
        return found
    row = rows.iloc[0]
    expected = evaluate_term(row.distinct_rows, n_drawn), evaluate_term(row.accuracy, n)
    found |= {"distinct_rows_theory": expected[0], "accuracy_theory": expected[1]}
    metrics = runs.pivot_table(index="seed", columns="metric", values="value").reindex(columns=OF_SEED)
    found["agrees"] = float(check(drawn, *expected, metrics))
    return found


def describe(configuration: Configuration) -> dict[str, str]:
    """Describe the settings that theory depends on, defaults filled in."""
    model = configuration.architecture
    normaliser = model.normaliser or USUAL[model.block]
    values = (str(configuration.scheme), normaliser, model.block, model.markers, model.mask)
    return dict(zip(OF_MODEL, values, strict=True))


def evaluate_term(term: str, n: float) -> float:
    """Evaluate a term of probe_theory.csv for n tokens, NaN for none.

    The middle of an odd number mirrors itself.
    """
    halves = np.ceil(n / 2)
    return float({"n": n, "n/2": halves, "1": 1, "1/n": 1 / n, "1/2": halves / n}.get(term, np.nan))


def check(drawn: int, distinct: float, accuracy: float, metrics: pd.DataFrame) -> bool:
    """Tell whether measurements agree with theory; metrics: OF_SEED of each seed, NaN of one that diverged.

    Theory gives the exact number of distinct rows of a random model. Tokens with equal rows share their
    probabilities. So accuracy has an upper bound, and the loss a lower one, -ln of that accuracy.

    If all tokens can be told apart, every seed must reach the greatest accuracy. If only mirror images are
    alike, training need not get as far. If outputs are equal, rounding decides which is largest. So with all
    rows equal, loss and row spread count, not accuracy. With mirror images, accuracy may pass its bound where
    the loss is that of a tie. A seed that diverged shows nothing, so it does not agree.
    """
    if not np.isfinite(metrics).all(axis=None):
        return False
    loss, least_loss = metrics.loss.mean(), -np.log(accuracy)
    if drawn != distinct or loss < least_loss - NATS:
        return False
    if distinct == 1:
        return bool(loss <= least_loss + NATS and metrics.row_spread.max() <= EQUAL)
    if metrics.accuracy.max() > accuracy and loss > least_loss + TIED:
        return False
    return bool(accuracy < 1 or metrics.accuracy.min() >= LEARNED * accuracy)
