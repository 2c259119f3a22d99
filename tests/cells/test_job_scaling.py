import pytest

from stages.cells.job_scaling import GONE_S, IDLE_S, find_stopped, name_workers

JOBS = {job: [f"{job}-0", f"{job}-1"] for job in ("lost", "half", "idle", "waiting")}


def test_workers_are_named_as_dask_does() -> None:
    assert name_workers("a", {"group": ["-0", "-1"]}) == ["a-0", "a-1"] and name_workers("a", {}) == ["a"]


@pytest.mark.parametrize(("wanted", "stopped"), [(2, ["lost", "idle"]), (3, ["lost"]), (9, ["lost"])])
def test_lost_jobs_are_stopped_and_idle_ones_that_nobody_wants(wanted: int, stopped: list[str]) -> None:
    now = 100.0 + IDLE_S + GONE_S
    seen_at = {"lost-0": 0.0, "lost-1": 99.0, "half-0": 0.0, "half-1": now, "idle-0": now, "idle-1": now}
    busy_at = {"lost-0": 0.0, "lost-1": 0.0, "half-0": 0.0, "half-1": now, "idle-0": 0.0, "idle-1": 1.0}
    assert find_stopped(JOBS, wanted, seen_at, busy_at, now) == stopped
    assert find_stopped(JOBS, wanted, dict.fromkeys(seen_at, now), dict.fromkeys(busy_at, now), now) == []
