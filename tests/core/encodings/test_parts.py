"""Encodings that are made of others: what each part does, where, and what is refused."""

from typing import Any

import pytest
import torch
from hosts import inputs, make_host, output, randomise

from stages.core.encodings.lookup.resolve import acts_in, create, is_causal, list_schemes
from stages.core.settings.configuration import read_configuration
from stages.core.settings.errors import InputError

QKV = inputs(make_host())


def made(values: dict[str, Any]) -> Any:
    return create(read_configuration("pe", values), make_host())


def of(scheme: str, *parts: dict[str, Any], **other: Any) -> dict[str, Any]:
    return {"scheme": scheme, "parts": [*parts], **other}


@torch.no_grad()
def test_combined_parts_act_one_after_the_other() -> None:
    parts: list[dict[str, Any]] = [{"scheme": "rope"}, {"scheme": "t5_bias"}, {"scheme": "learned"}]
    whole: Any = randomise(made(of("combined", *parts, {"scheme": "random_fixed"}))).double()
    turned, biased, learned, fixed = whole.encodings
    q, k, _, x = QKV
    content = torch.randn(2, 2, 3, 16, 16, dtype=torch.float64)
    both = whole.rotate(1, q, k, slice(None)), turned.rotate(1, q, k, slice(None))
    assert all(map(torch.equal, *both))
    assert whole.logits(1, content, q, k, x, slice(None)).equal(
        biased.logits(1, content, q, k, x, slice(None))
    )
    assert whole.table(1).equal(learned.table(1) + fixed.table(1))


@torch.no_grad()
def test_tokens_are_conditioned_by_each_part_or_by_that_of_the_block() -> None:
    x = QKV[-1]
    both: Any = randomise(made(of("combined", {"scheme": "peg"}, {"scheme": "peg", "kernel": 5}))).double()
    first, second = both.encodings
    assert both.condition(1, x).equal(second.condition(1, first.condition(1, x)))
    in_turn: Any = randomise(made(of("per_block", {"scheme": "peg"}, {"scheme": "rope"}))).double()
    assert (
        in_turn.condition(0, x).equal(in_turn.encodings[0].condition(0, x)) and in_turn.condition(1, x) is x
    )
    assert not in_turn.condition(0, x).equal(x)


def test_parts_draw_from_streams_of_their_own() -> None:
    one, other = made(of("combined", {"scheme": "learned"}, {"scheme": "learned"})).encodings
    again, _ = made(of("combined", {"scheme": "learned"}, {"scheme": "tupe"})).encodings
    assert not one.tables.equal(other.tables) and one.tables.equal(again.tables)


@torch.no_grad()
def test_each_block_has_its_own() -> None:
    whole = made(of("per_block", {"scheme": "learned"}, {"scheme": "alibi"})).double()
    first, second = whole.encodings
    assert whole.table(0).equal(first.table(0)) and first.tables.shape[1] == 1 and whole.table(1) is None
    alone = made({"scheme": "alibi"}).double()
    assert output(whole, QKV).equal(output(alone, QKV))  # in block 1


def test_a_configuration_is_what_its_parts_are() -> None:
    def answers(values: dict[str, Any]) -> tuple[set[str], bool, bool]:
        read = read_configuration("pe", values)
        return acts_in(read), is_causal(read), create(read, make_host()).by_index

    rope, cope, shaw = ({"scheme": name} for name in ("rope", "cope", "shaw"))
    nested = of("combined", of("combined", shaw), rope)
    assert answers(of("combined", rope)) == ({"rotate"}, False, True)
    assert answers(nested) == ({"rotate", "logits", "mix_values"}, False, False)
    assert answers(of("per_block", cope, {"scheme": "causal_none"})) == ({"logits"}, True, False)
    assert answers(of("per_block", cope, rope, mask="causal"))[1] and answers(of("combined", cope, rope))[1]
    assert list_schemes(read_configuration("pe", nested)) == ["combined", "combined", "shaw", "rope"]
    masked = made(of("combined", {"scheme": "erpe"}, rope, mask="causal"))
    assert all(part.causal for part in masked.encodings)  # eRPE adds nothing to later tokens then


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"scheme": "combined"},
            r"pe\.parts: None given, expected a list of encodings, such as \[{scheme: rope}",
        ),
        (
            {"scheme": "combined", "parts": {"scheme": "rope"}},
            r"pe\.parts: {'scheme': 'rope'} given, expected a",
        ),
        (of("combined", {"scheme": "ropee"}), r"pe\.parts\[0\]\.scheme: 'ropee' given, expected rope"),
        (
            of("combined", {"scheme": "rope", "fraction": 2}),
            r"pe\.parts\[0\]\.fraction: 2 given, expected less",
        ),
        (
            of("combined", {"scheme": "rope", "mask": "causal"}),
            r"pe\.parts\[0\]\.mask: .*; write it beside parts",
        ),
        (of("combined", of("combined", {"scheme": "x"})), r"pe\.parts\[0\]\.parts\[0\]\.scheme: 'x' given"),
        (
            of("combined", {"scheme": "alibi"}, {"scheme": "pope"}),
            r"pe\.parts\[1\]: pope makes logits anew.*first",
        ),
        (
            of("combined", {"scheme": "learned"}, {"scheme": "rope"}, {"scheme": "path"}),
            r"pe\.parts\[2\]: path makes logits anew.*first",
        ),
        (
            of("per_block", {"scheme": "rope"}, {"scheme": "cope"}),
            r"pe\.parts\[1\]: causal, and parts of other",
        ),
        (
            of("combined", {"scheme": "fox"}, mask="causal"),
            r"pe\.mask: 'causal' given, but combined is causal",
        ),
        (
            of("combined", {"scheme": "rope"}, dropout=0.1),
            r"pe\.dropout: 0\.1 given, but combined adds no table",
        ),
        (of("combined", {"scheme": "rope"}, sigma=1), r"pe\.sigma: 1 given, but combined has no sigma"),
        (of("per_block", {"scheme": "rope"}), "per_block: 1 parts given, expected 2, one for each block"),
        ({"scheme": "rope", "parts": []}, r"pe\.parts: \[\] given, but rope has no parts"),
    ],
)
def test_mistakes_are_named_with_their_path(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}") as error:
        made(values)
    assert "\n" not in str(error.value)


def test_a_table_that_would_never_be_added_is_refused() -> None:
    values = of("per_block", {"scheme": "rope"}, {"scheme": "learned"}, where="input")
    with pytest.raises(InputError, match="a table in a later block given"):
        create(read_configuration("pe", values), make_host(n_tables=1))
