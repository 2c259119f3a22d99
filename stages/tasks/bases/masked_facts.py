"""Facts shared by tasks that predict the activity of masked tokens, frame by frame."""

from stages.tasks.facts import Score, TaskFacts


class MaskedFacts(TaskFacts):
    """Judged by the error on masked tokens of frames that are z-scored token by token."""

    score = Score(
        split="validation",
        metric="mse",
        unit="mean squared error on masked tokens, in variances of a token",
        higher_is_better=False,
    )
