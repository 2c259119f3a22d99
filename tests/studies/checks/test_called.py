"""Names that say another scheme, σ or table than a cell has."""

import re
from pathlib import Path
from typing import Any

import pytest
from refused_studies import LEARNED, said


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"cells": {"random": LEARNED}},
            "cells.random: 'learned' given, but the name looks like random_fixed;",
        ),
        (
            {"cells": {"none_learned": LEARNED}},
            "cells.none_learned: 'learned' given, but the name looks like none",
        ),
        (
            {"cells": {"truth_free": LEARNED}},
            "cells.truth_free: 'learned' given, but the name looks like mds;",
        ),
        (
            {"cells": {"rope_nd_wide": {"scheme": "rope"}}},
            "cells.rope_nd_wide: 'rope' given, but the name looks",
        ),
        (
            {"cells": {"heads_s050": LEARNED}},
            "cells.heads_s050: s050 in the name looks like init_std 0.5, but none is",
        ),
        (
            {"cells": {"s020": LEARNED | {"init_std": 2.0}}},
            "cells.s020: s020 in the name looks like init_std 0.2, but 2",
        ),
        (
            {"cells": {"exchanged": LEARNED}},
            "cells.exchanged: the name says that its table is shuffled, but it is",
        ),
    ],
)
def test_a_name_that_says_another_cell_is_refused(
    tmp_path: Path, values: dict[str, Any], message: str
) -> None:
    assert re.match(message, said(tmp_path, **values))
