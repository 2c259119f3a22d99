import pandas as pd
import pytest
from a_report import rows, with_table

from stages.reporting import trained_models


def test_attention_averages_heads_and_keeps_the_largest_p() -> None:
    head = rows(head=0, reference="same_line", null_mean=0.5, p_value=0.01)
    heads = pd.concat([head, head.assign(head=1, p_value=0.2, value=head.value + 0.2)])
    table = pd.concat(
        [heads.assign(block=1, measure="auc"), heads.assign(block=1, measure="answer_excess_ternary")]
    )
    lines, edges = trained_models.attention_section(with_table("attention", table)).tables
    assert lines.cells()[0][:5] == ["grid", "1", "ternary", "learned_s020 (\u03c3 = 0.2)", "0.600"]
    assert edges.cells()[1][2:5] == ["same_line", "learned_s200 (\u03c3 = 2)", "0.200"]
    assert lines.frame.p_value.tolist() == edges.frame.p_value.tolist() == [0.2, 0.2]


def changes() -> pd.DataFrame:
    unchanged = rows(intervention="unchanged", amount=0.0, control="", draw=0)
    two = {"amount": 2.0, "draw": 0}
    components = rows(intervention="components", control="random_components", **two)
    random = rows(intervention="random_components", control="", **two)
    permuted = rows(intervention="permuted", amount=1.0, draw=0, control="unchanged")
    parts = [
        unchanged,
        components.assign(value=components.value - 0.1),
        random.assign(value=random.value - 0.3),
        permuted.assign(value=permuted.value - 0.2),
        permuted.assign(value=permuted.value - 0.4, draw=1),
    ]
    return pd.concat(parts)


def test_changes_stand_beside_their_own_control() -> None:
    known = with_table("interventions", changes())
    compared = trained_models.compare_with_controls(known).set_index(["encoding", "intervention"])
    beyond = compared.loc["learned_s020"].beyond
    assert beyond.drop(["unchanged", "random_components"]).to_dict() == pytest.approx(
        {"components": 0.2, "permuted": -0.3}
    )
    assert beyond[["unchanged", "random_components"]].isna().all()


def test_controls_drawn_in_the_figure_are_not_tabulated() -> None:
    (table,) = trained_models.interventions_section(with_table("interventions", changes())).tables
    assert set(table.frame.intervention) == {"unchanged", "components", "permuted"}
    assert table.caption.startswith("Latin-square puzzles: score of trained models")


def test_complexities_are_shown_at_one_amount_and_people_elsewhere() -> None:
    table = rows(perturbation="removed", metric="accuracy")
    table = pd.concat([table.assign(amount=1.0), table.assign(amount=2.0, value=0.25)])
    by_level = table.assign(metric="accuracy_binary")
    people = table.iloc[:1].assign(encoding="people")
    solver = table.iloc[:1].assign(encoding="solver", value=1.0)
    section = trained_models.robustness_section(
        with_table("robustness", pd.concat([table, by_level, people, solver]))
    )
    (shown,) = section.tables
    cells = [(row[1], row[2], row[3].split(" ")[0], row[4]) for row in shown.cells()]
    by_amount = [("1.00", "accuracy", "0.500"), ("2.00", "accuracy", "0.250")]
    learned = [*by_amount, ("2.00", "accuracy_binary", "0.250")]
    assert [(a, m, v) for a, m, name, v in cells if name == "learned_s020"] == learned
    assert cells[-1] == ("1.00", "accuracy", "solver", "1.000")
