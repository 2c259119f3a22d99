"""What a run makes of the end of a stage."""

from concurrent.futures import Future

from stages.pipeline.run import take_outcome
from stages.pipeline.worker import StageOutcome


def ended(error: Exception) -> Future[StageOutcome]:
    future: Future[StageOutcome] = Future()
    future.set_exception(error)
    return future


def test_a_worker_lost_without_a_word_is_a_failure() -> None:
    assert take_outcome(ended(TimeoutError())).failure == "TimeoutError"
    assert take_outcome(ended(OSError("the node\n  is gone"))).failure == "the node is gone"


def test_a_stage_s_own_outcome_is_passed_on() -> None:
    future: Future[StageOutcome] = Future()
    future.set_result(StageOutcome(1.5, "Grid: 0 given"))
    assert take_outcome(future) == (1.5, "Grid: 0 given")
