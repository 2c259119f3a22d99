"""Write the README.md of the encodings: what each does, from its file, and what each can do, by trying it."""

import json
import re
from importlib import import_module
from inspect import cleandoc
from pathlib import Path

from stages.core import abilities
from stages.core.encodings.interface import METHODS, DoesNotFit, PositionalEncoding, overridden
from stages.core.encodings.lookup.check_class import settings_of
from stages.core.encodings.lookup.resolve import PARTS, schemes
from stages.core.plain import Encoding
from stages.core.settings.errors import InputError
from stages.files.artifacts import write_bytes

README = Path("stages/core/encodings/README.md")
LONGEST = 100  # letters of what an encoding does
INTRODUCTION = '''
# Positional encodings

Each encoding is one file, named as its `scheme` in studies and in `pe` of `params.yaml`. `interface.py` says
where an encoding may act; `bases/` holds base classes that several share; `lookup/` finds and makes them.

To add one, write a file with:

1. a docstring: first line what it does (at most 100 characters), then the formula, last a line `Source: ...`
   that ends with a full stop;
2. `Encoding`, a `PositionalEncoding` that overrides the methods where it acts. It is made for a `Host`;
   further arguments are the keys allowed beside `scheme`, each with a type and a default.

This one lets attention fade with distance:

```python
# stages/core/encodings/nearness.py
"""A penalty on attention logits that grows with distance: b_ij = -slope |i - j|.

Source: Press et al. 2022, arXiv 2108.12409, with one slope.
"""

import torch
from torch import Tensor

from .interface import Host, PositionalEncoding


class Encoding(PositionalEncoding):
    penalty: Tensor

    def __init__(self, host: Host, slope: float = 0.5) -> None:
        super().__init__()
        place = torch.tensor(host.indices, dtype=torch.float32)
        self.register_buffer("penalty", slope * (place - place[:, None]).abs()[None])

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        return logits - self.penalty[0, rows]
```

`by_index = True` in the class says that nothing but `host.indices` is read of places: tokens may then stand
with gaps or start again, as packed documents do. Where settings decide, `__init__` sets it. One that reads
`host.positions` nevertheless is refused. `host.markers` says which of the tokens are markers.

Then `dvc exp run -S pe.scheme=nearness` trains it beside all that is known. Or add a cell to a study, such as
`nearness: {scheme: nearness}` to `studies/encodings.yaml`. `python -m stages catalogue` writes this file
again. No other file changes.

`dvc exp run -S` changes keys that `params.yaml` has. A setting that is not there takes a plus:
`-S pe.scheme=rope -S +pe.fraction=0.5`.

## Parameters that are trained

All seeds of a cell train side by side, as R replicas of one model. So the first axis of every parameter is R,
one value or table for each seed; that of every buffer is R too, or 1. Here each head of each seed learns how
fast attention fades:

```python
# stages/core/encodings/trained_nearness.py
"""A penalty on attention logits that grows with distance, as fast as each head learns.

b_ij = -exp(s_h) |i - j|
Source: Press et al. 2022, arXiv 2108.12409, with slopes that are trained.
"""

from math import log

import torch
from torch import Tensor, nn

from .interface import Host, PositionalEncoding


class Encoding(PositionalEncoding):
    distance: Tensor

    def __init__(self, host: Host, slope: float = 0.5) -> None:
        super().__init__()
        place = torch.tensor(host.indices, dtype=torch.float32)
        # 1 in place of R: the same for all seeds
        self.register_buffer("distance", (place - place[:, None]).abs()[None])
        self.log_slope = nn.Parameter(torch.full((len(host.generators), host.heads), log(slope)))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        slope = self.log_slope.exp()[:, None, :, None, None]  # [R, 1, H, 1, 1]
        return logits - slope * self.distance[0, rows]
```

`table` and `condition` change the task's tokens before a block, the other methods act within attention. There
`rows` says which tokens ask: all of them, but in the last block only those whose output is read.

Whatever is drawn at random comes from `host.generators`, one for each seed: `normal(0.1, (n, d),
host.generators)` of `stages/core/randomness/initial.py` is [R, n, d] with a standard deviation of 0.1.

What is drawn anew in each step of training is what `draw(self, generators, batch)` returns, [R, ...] or
[R, batch, ...]. It stands in `self.drawn`, which is None while scores are taken (`randomised.py`).

Before anything is trained, a trial calls the encoding with made-up tokens (`stages/trial/try_out.py`). It
refuses answers that change with other rows, seeds or examples, with later tokens under a causal mask, when
the same is called or made again, or where gradients are taken. Gradients may not change with other seeds or
examples either. It refuses parameters, queries, keys and values that get no gradient, and a count of calls.
It refuses edits of `host.positions` and of what a process shares, such as `torch.set_num_threads`. It refuses
a plain tensor too: a buffer moves with the model. It says where what `logits` adds is alike for all keys of a
query, which softmax cancels. It says where matrix products in bf16, as a GPU takes them, lose the places:
compute large ones as `fourier_features.py` does.

A second trial, in another process and after other seeds, has to give the same bits
(`stages/cells/elsewhere.py`). It refuses what no key names by name: files that the encoding reads, as by
`np.load`, variables of the environment, and modules imported by a name that is made as it runs.

A setting has no name that cells have for something else, such as `dropout` or `seeds`.

A cell is trained again when its encoding's file changes, or one beside it that it imports, or `bases/`. Under
`pe` of `params.yaml` only the file itself and `bases/` count.

## Encodings made of others

`combined` lets several act together, `per_block` another one in each block:

```yaml
turned: {scheme: combined, parts: [{scheme: rope}, {scheme: learned, init_std: 0.2}]}
local_then_free: {scheme: per_block, parts: [{scheme: alibi}, {scheme: none}]}  # a model of two blocks
```

Each part draws from streams of its own: not the numbers that its scheme draws alone. A cell is trained again
when the file of a part changes.

## Where an encoding acts

R seeds, B examples, H heads of d_h columns (d_v for values), n tokens, of which m ask.

| Method | What it changes |
| --- | --- |
'''

ABILITIES = """
## What each can do in your own PyTorch code

```python
from stages.core.plain import Encoding  # posenc.plain after `pip install .`

encoding = Encoding("rope", width=64, heads=4)
x = encoding.condition(x)  # [B, n, d], before a block; `peg` acts here
q, k = encoding.rotate(q, k)  # [B, H, n, d_h]
y = scaled_dot_product_attention(q, k, v, attn_mask=encoding.bias(q, k))
```

A table that is trained already, such as a vision transformer's `pos_embed` [1, 1 + 14·14, d] with a class
token first, may be asked for other numbers of patches (`resized.py` says how):

```python
def fill(rows, columns):
    return torch.cartesian_prod(torch.arange(rows), torch.arange(columns))


d = pos_embed.shape[-1]
table = Encoding("resized", width=d, heads=1, trained_shape=[14, 14], places=fill(14, 14))
with torch.no_grad():
    table.inner.tables.copy_(pos_embed[:, 1:])
    patches = table.table(fill(24, 32))  # [768, d], row by row
    pos_embed = torch.cat([pos_embed[:, :1], patches[None]], dim=1)
```

Of a line: `Encoding("resized", width=64, heads=4, trained_tokens=512).table(1024)`.

Every answer below comes from numbers (`stages/core/abilities.py`), with 4 heads of 8 columns and one block.
Empty: it needs more than a sequence. Lengths, packing and steps are tried of tables, conditioned tokens,
rotations and logits, not of what acts behind softmax. A scheme that reads the tokens behind queries and keys,
such as `fox`, takes them as `x=x` in `bias`, `logits` and `attend`. Nothing is drawn here: `randomised` is as
it is scored. That an encoding takes longer sequences does not say that it predicts well there: see the study
[`lengths`](../../../studies/lengths.yaml).

Tokens see later ones, unless the scheme is causal. `Encoding(..., mask="causal")` hides those in `bias`,
`logits`, `score_mod` and `attend`. Call `score_mod` in each forward pass: what it returns has the biases of
the parameters as they were. Called after they changed, it raises `InputError`. But what `flex_attention` has
traced before goes on with the old ones: a trace cannot see that parameters change. `torch.compile` takes an
encoding; `torch.export` and `torch.jit` do not, as they cannot follow numbers of tokens that are read.

| Column | What was tried |
| --- | --- |
| Tells apart | how many of 12 equal tokens get an output of their own in one attention |
| Lengths | the first 12 of 20 tokens are treated as 12 tokens alone are |
| Packing | two documents in one sequence, each from place 0 on, are as each is alone |
| Steps | keys kept from earlier steps give what the whole sequence gives |
| Door | what attention must offer: a `score_mod` or an `attn_mask`, an `attn_mask`, all of `attend` |
| Trained | numbers that are trained, for 12 tokens |
| Values | computed by attention of 20 tokens, where 1 is attention without an encoding |

| Encoding | Tells apart | Lengths | Packing | Steps | Door | Trained | Values |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


def render_readme() -> str:
    """Write the introduction, the methods and a row per encoding, in Markdown."""
    methods = [row(f"`{name}`", getattr(PositionalEncoding, name).__doc__) for name in METHODS]
    header = "\n| Encoding | What it does | Acts in | Settings | Source |\n| --- | --- | --- | --- | --- |\n"
    encodings = [describe(scheme) for scheme in schemes()]
    tried = [try_out(scheme) for scheme in schemes()]
    return INTRODUCTION.lstrip() + "".join(methods) + header + "".join(encodings) + ABILITIES + "".join(tried)


def try_out(scheme: str) -> str:
    """Try what one encoding can do, in a row of the table."""

    def make(n: int) -> Encoding:
        return Encoding(scheme, **abilities.SIZES, tokens=n)

    if PARTS in settings_of(import_module(f"stages.core.encodings.{scheme}").Encoding):
        return row(f"`{scheme}`", *[""] * 7)
    can = (abilities.takes_lengths, abilities.takes_documents, abilities.takes_steps)
    try:
        make(abilities.N)
    except DoesNotFit:
        return row(f"`{scheme}`", *[""] * 7)
    of_none = abilities.count_values(lambda n: Encoding("none", **abilities.SIZES))
    door = abilities.find_door(make)
    return row(
        f"`{scheme}`",
        f"{abilities.tell_apart(make)} of {abilities.N}",
        *("yes" if ability(make) else "no" for ability in can),
        f"`{door}`" if door else "",
        str(abilities.count_parameters(make)),
        f"{abilities.count_values(make) / of_none:.1f}",
    )


def describe(scheme: str) -> str:
    """Describe one encoding in a row of the table.

    Raises InputError if its docstring lacks what the row needs.
    """
    module = import_module(f"stages.core.encodings.{scheme}")
    doc = cleandoc(module.__doc__ or "")
    what, source = doc.partition("\n")[0], re.search(r"^Source: (.*)\.$", doc, re.MULTILINE)
    if not what or len(what) > LONGEST or source is None:
        raise InputError(
            f"stages/core/encodings/{scheme}.py: expected a docstring with a first line of at most {LONGEST} "
            "letters and a last one `Source: ...` that ends with a full stop; write both"
        )
    acts = [f"`{name}`" for name in overridden(module.Encoding)] + ["causal mask"] * module.Encoding.causal
    settings = settings_of(module.Encoding).items()
    options = ", ".join(f"`{name}: {json.dumps(setting.default)}`" for name, setting in settings)
    return row(f"[`{scheme}`]({scheme}.py)", what, ", ".join(acts), options, source[1])


def row(*cells: str) -> str:
    """Return a row of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def write_readme(root: Path) -> None:
    """Write the list of encodings, stages/core/encodings/README.md, from their files."""
    write_bytes(root / README, render_readme().encode())
