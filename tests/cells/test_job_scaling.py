from stages.cells.job_scaling import GONE_S, find_lost


def test_a_job_is_lost_when_all_its_workers_left_for_long() -> None:
    jobs = {"a": {"group": ["-0", "-1"]}, "b": {"group": ["-0", "-1"]}, "c": {}, "d": {}, "waiting": {}}
    seen_at = {"a-0": 0.0, "a-1": 1.0, "b-0": 0.0, "b-1": 9.0, "c": 0.0, "d": 9.0, "stopped": 0.0}
    assert find_lost(jobs, seen_at, 2 + GONE_S) == ["a", "c"]
    assert find_lost(jobs, seen_at, 1 + GONE_S) == ["c"]
