"""What another draw of the validation puzzles would change: reports/published/redraw.csv."""

from pathlib import Path

import numpy as np
import pandas as pd

from stages.files import artifacts
from stages.published.gather import list_known
from stages.published.settings import FILE
from stages.running.command import run

SOLVED = Path("reports/published/solved")
BESIDE = Path("reports/published/beside.csv")
REDRAW = Path("reports/published/redraw.csv")


def spread_draws(solved: pd.DataFrame) -> pd.DataFrame:
    """Per run and condition: seeds, puzzles drawn, mean accuracy, and `draw_sd` of another such draw.

    draw_sd is the standard error of a stratified sample, complexities being the strata and a puzzle's share
    its mean over turns and seeds. It is above the truth, as chance of the seeds spreads these shares too. NaN
    where a complexity has one puzzle.
    Source: Cochran, Sampling Techniques (1977), equation 5.6 without its correction for finite populations.
    """
    shares = solved.assign(share=solved.solved / solved.turns)
    of_puzzle = shares.groupby(["run", "complexity", "puzzle"], sort=False).share.mean()
    of = of_puzzle.groupby(["run", "complexity"], sort=False).agg(["size", "mean", "var"]).reset_index()
    parts = [of.assign(condition=of.complexity), of.assign(condition="all")]
    strata = pd.concat(parts)
    strata["weight"] = strata["size"] / strata.groupby(["run", "condition"])["size"].transform("sum")
    strata["mean"] *= strata.weight
    strata["of_draw"] = strata.weight**2 * strata["var"] / strata["size"]
    of_run = strata.groupby(["run", "condition"], sort=False)
    table = of_run[["size", "mean"]].sum().reset_index()
    table["of_draw"] = of_run.of_draw.agg(lambda parts: parts.sum(skipna=False)).to_numpy()
    table["draw_sd"] = np.sqrt(table.of_draw)
    seeds = solved.groupby("run").seed.nunique()
    table = table.rename(columns={"size": "puzzles"}).assign(seeds=table.run.map(seeds))
    return table[["run", "condition", "seeds", "puzzles", "mean", "draw_sd"]]


def set_beside(draws: pd.DataFrame, beside: pd.DataFrame) -> pd.DataFrame:
    """The same with `difference`, ours minus published of all n seeds, and `in_sds`, that in draws' spreads.

    Ours and theirs are two draws, so the spread of their difference is sqrt(2) times that of one. NaN where
    all puzzles are solved alike.
    """
    validation = beside[beside.split == "validation"]
    keys = ["run", "condition"]
    table = draws.merge(validation[[*keys, "n", "difference"]], "left", keys)
    return table.assign(in_sds=table.difference / (np.sqrt(2) * table.draw_sd.where(table.draw_sd > 0)))


def main(root: Path = Path()) -> None:
    paths = [path for path in (root / SOLVED / f"{name}.csv" for name in list_known(root)) if path.exists()]
    if not paths:
        raise ValueError(f"{root / SOLVED} holds no run of {FILE}; run `make published`")
    draws = spread_draws(pd.concat([artifacts.read_csv(path) for path in paths]))
    artifacts.write_csv(root / REDRAW, set_beside(draws, artifacts.read_csv(root / BESIDE)))


if __name__ == "__main__":
    run(main)
