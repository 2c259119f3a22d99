from stages.reviewing.differences import list_differences

RECORD = {
    "versions": {"torch": "2.11", "numpy": "2.3"},
    "machine": {"flags": "avx2 fma", "cores": 2},
    "threads": {"blas": [{"api": "blas", "num_threads": 1}]},
    "wall_s": {"train": 1.0},
    "gpu": None,
}


def test_the_same_record_differs_in_nothing() -> None:
    assert list_differences(RECORD, RECORD) == []


def test_what_differs_by_its_path() -> None:
    here = RECORD | {"versions": {"torch": "2.12", "numpy": "2.3"}, "wall_s": {}, "gpu": {"name": "a"}}
    assert list_differences(RECORD, here) == [
        ("versions.torch", "2.11", "2.12"),
        ("gpu.name", "\u2013", "a"),
    ]


def test_of_flags_those_on_one_side() -> None:
    here = RECORD | {"machine": {"flags": "avx2 avx512f", "cores": 2}}
    assert list_differences(RECORD, here) == [("machine.flags", "fma", "avx512f")]


def test_inside_a_list() -> None:
    here = RECORD | {"threads": {"blas": [{"api": "blas", "num_threads": 4}]}}
    assert list_differences(RECORD, here) == [("threads.blas.0.num_threads", "1", "4")]
