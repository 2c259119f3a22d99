"""The interface of positional encodings: where one may act in a transformer, and how its file is found.

A scheme is one file in this folder; the file's name is its name in params.yaml. It defines `Encoding`, a
PositionalEncoding that overrides the methods it needs. It is made for a Host; further arguments are the
scheme's settings, each with a type and a default. Parameters have a leading replica axis; buffers that
replicas share have length 1 there.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from importlib import import_module
from inspect import Parameter, getmembers, isfunction, signature
from pathlib import Path
from typing import Any, Literal

from pydantic import PydanticUserError, create_model
from torch import Tensor, nn

from ..positions.positions import Matrix, Positions
from ..randomness.streams import Generators
from ..settings.checking import check
from ..settings.configuration import Architecture, Configuration, read_configuration
from ..settings.errors import InputError, one_of
from ..settings.kinds import STRICT

NEEDS = {
    "coordinates": "coordinates, which these tokens lack; the grid, lattice networks, brain regions, the "
    "probe and the word tasks have them",
    "adjacency": "the true graph, which these tokens lack; the grid (cells of one line), the network, the "
    "recordings (structural connectivity), the probe and the word tasks have one",
    "functional": "functional connectivity, which these tokens lack; the network (training frames) and the "
    "recordings (training subjects) have it",
}
NEEDS["steps"] = NEEDS["coordinates"]
METHODS = ("table", "rotate", "logits", "weights", "mix_values")
PARTS = "parts"  # the setting of a scheme that is made of others


class DoesNotFit(InputError):
    """The scheme needs something that this task's positions lack."""


@dataclass(frozen=True)
class Host:
    """The model that an encoding is made for.

    indices: place in the sequence of every token that the blocks see: 0..n-1 for the task's n tokens, row by
    row on grids; a marker before them is at -1, one behind them at n.
    """

    positions: Positions  # of the task's n tokens, without markers
    generators: Generators  # one per replica
    blocks: int
    width: int  # d
    heads: int  # H
    head_width: int  # d_h, of queries and keys
    value_width: int  # d_v, of a head's values
    indices: tuple[int, ...]
    n_tables: int  # tables are added before this many first blocks: all, one or none
    markers: tuple[int, ...] = ()  # which of the tokens that the blocks see, counted from 0, are markers

    @property
    def span(self) -> int:
        """Count the places from the first token's to the last one's; n where none is left out."""
        return max(self.indices) - min(self.indices) + 1


class PositionalEncoding(nn.Module):
    """Changes nothing; a scheme overrides the methods where it acts.

    Each method gets what the model has computed and returns what the model continues with. Axes: R replicas
    (or 1), B examples, H heads, d_h columns per head, d of a token, n tokens as keys; the queries are m of
    the tokens, the slice `rows`.

    causal: tokens see only themselves and earlier ones, as the scheme or `mask` says; attention itself masks.
    by_index: a token's own place in the sequence is all that is read of it, so that tokens may stand with
    gaps, or start again. False: tokens are read as a whole, one behind the other. A scheme whose settings
    decide sets it as it is made.
    anew: `logits` leaves out the logits that it is given, and makes others of q, k and x.
    in_turn: its parts act in a block each; else they act together.
    drawn: what `draw` drew for the present step of training; None while scoring, and where nothing is drawn.
    """

    causal = False
    by_index = False
    anew = False
    in_turn = False
    drawn: Tensor | None

    def __init__(self, host: Host | None = None) -> None:
        super().__init__()
        self.register_buffer("drawn", None, persistent=False)

    def table(self, block: int) -> Tensor | None:
        """Table [R or 1, n, d] to add to the task's tokens before `block`; None for nothing."""
        return None

    def rotate(self, block: int, q: Tensor, k: Tensor, rows: slice) -> tuple[Tensor, Tensor]:
        """Queries q [R, B, H, m, d_h] of the tokens `rows` and keys k [R, B, H, n, d_h], both rotated."""
        return q, k

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        """Attention logits [R, B, H, m, n] from q k^T / sqrt(d_h); x [R, B, n, d]: tokens behind q and k."""
        return logits

    def weights(self, block: int, weights: Tensor, rows: slice) -> Tensor:
        """Attention weights [R, B, H, m, n] from the normalised weights."""
        return weights

    def mix_values(self, block: int, mixed: Tensor, weights: Tensor, rows: slice) -> Tensor:
        """Outputs of the heads [R, B, H, m, d_v] from `mixed`, the weighted sums of values."""
        return mixed

    def draw(self, generators: Generators, batch: int) -> Tensor | None:
        """Draw what a step of training on `batch` examples takes at random, [R, ...] or [R, batch, ...].

        generators: one per replica, of this step alone; each draws for its own replica.
        """
        return None

    def cut(self, values: Tensor, size: Sequence[int]) -> Tensor:
        """Cut parameters made for many tokens to those of the first of them; `size` is that of few tokens."""
        return values[tuple(slice(length) for length in size)]


def create(configuration: Configuration, host: Host) -> PositionalEncoding:
    """Create a configuration's encoding, one replica per generator.

    Raises InputError for an unknown scheme or setting, DoesNotFit if the positions lack what the scheme
    needs.
    """
    kind, settings = resolve(configuration)
    encoding = kind(host, **settings)
    check_attributes(str(configuration.scheme), [*vars(encoding), *encoding.state_dict()])
    causal = is_causal(configuration)
    for part in list_encodings(encoding).values():
        part.causal = causal
    return encoding


def list_encodings(encoding: PositionalEncoding) -> dict[str, PositionalEncoding]:
    """List an encoding, as "", and its parts with theirs, by name."""
    return {name: part for name, part in encoding.named_modules() if isinstance(part, PositionalEncoding)}


def is_causal(configuration: Configuration) -> bool:
    """Tell whether tokens see only themselves and earlier ones, as the scheme or `mask` says."""
    return configuration.architecture.mask == "causal" or hides_future(*resolve(configuration))


def hides_future(kind: type[PositionalEncoding], settings: dict[str, Any]) -> bool:
    """Tell whether a scheme is causal itself: its class is, one of its parts, or all that act in turn."""
    parts = settings.get(PARTS)
    return (all if kind.in_turn else any)(map(is_causal, parts)) if parts else kind.causal


def acts_in(configuration: Configuration) -> set[str]:
    """Name the methods in which a scheme acts, or any of its parts."""
    kind, settings = resolve(configuration)
    return methods_of(kind, settings)


def methods_of(kind: type[PositionalEncoding], settings: dict[str, Any]) -> set[str]:
    """Name the methods that a class overrides, or any of its parts."""
    if PARTS in settings:
        return set().union(*map(acts_in, settings[PARTS]))
    return {name for name in METHODS if getattr(kind, name) is not getattr(PositionalEncoding, name)}


def require(
    scheme: str, host: Host, need: Literal["coordinates", "steps", "adjacency", "functional"]
) -> Matrix:
    """Return the tokens' coordinates [n, dim], as they are or in steps, or one of their matrices [n, n].

    Raises DoesNotFit without it.
    """
    value: Matrix | None = getattr(host.positions, need)
    if value is None:
        raise DoesNotFit(f"{scheme} needs {NEEDS[need]}")
    return value


def refuse_markers(scheme: str, host: Host) -> None:
    """Raise InputError where tokens beside the task's, which have no true position, would need one."""
    if host.markers:
        raise InputError(
            f"{scheme}: {len(host.markers)} marker tokens given, which have no true position; set markers to "
            "none"
        )


def resolve(configuration: Configuration) -> tuple[type[PositionalEncoding], dict[str, Any]]:
    """Return the class and checked settings of a configuration's scheme.

    Raises InputError if either is at fault.
    """
    path, name = configuration.path, configuration.scheme
    check_scheme(f"{path}.scheme", name)
    encoding = import_module(f".{name}", __package__).Encoding
    check_class(name, encoding)
    allowed = settings_of(encoding)
    for key, value in configuration.settings.items():
        if key not in allowed:
            expected = " and ".join(sorted(allowed)) or "nothing"
            of_model = [field.name for field in fields(Architecture)]
            nearest = get_close_matches(key, [*allowed, *of_model], n=1)
            cure = f"did you mean {nearest[0]}?" if nearest else "remove it or set it to null"
            raise InputError(
                f"{path}.{key}: {value!r} given, but {name} has no {key} (it takes {expected}); {cure}"
            )
    parts = {PARTS: read_parts(configuration)} if PARTS in allowed else {}
    kinds: Any = {key: (one.annotation, one.default) for key, one in allowed.items() if key != PARTS}
    given = {key: value for key, value in configuration.settings.items() if key != PARTS}
    settings = dict(check(create_model("Settings", __config__=STRICT, **kinds), given, path)) | parts
    check_architecture(configuration, encoding, settings)
    return encoding, settings


def check_architecture(
    configuration: Configuration, kind: type[PositionalEncoding], settings: dict[str, Any]
) -> None:
    """Raise InputError for a model that is not to be had around a scheme."""
    path, name, architecture = configuration.path, configuration.scheme, configuration.architecture
    for key in ("where", "dropout"):
        given = getattr(architecture, key)
        if given and "table" not in methods_of(kind, settings):
            raise InputError(
                f"{path}.{key}: {given!r} given, but {name} adds nothing to the tokens; remove it or set it "
                "to null"
            )
    if architecture.mask == "causal" and hides_future(kind, settings):
        raise InputError(f"{path}.mask: 'causal' given, but {name} is causal itself; remove it")
    parts = settings[PARTS] if kind.in_turn else ()
    causal = [part.path for part in parts if is_causal(part)]
    if causal and architecture.mask != "causal" and len(causal) < len(parts):
        raise InputError(
            f"{' and '.join(causal)}: causal, and parts of other blocks are not, but all have one mask; take "
            f"causal ones alone, or write mask: causal beside {PARTS}"
        )


def read_parts(configuration: Configuration) -> list[Configuration]:
    """Read the configurations of the encodings that a scheme is made of. Raises InputError."""
    given, place = configuration.settings.get(PARTS), f"{configuration.path}.{PARTS}"
    if not isinstance(given, list) or not given or not all(isinstance(one, dict) for one in given):
        raise InputError(
            f"{place}: {given!r} given, expected a list of encodings, such as [{{scheme: rope}}, {{scheme: "
            "learned}]"
        )
    for index, one in enumerate(given):
        for field in fields(Architecture):
            if one.get(field.name) is not None:
                raise InputError(
                    f"{place}[{index}].{field.name}: {one[field.name]!r} given, but all parts have one model "
                    f"around them; write it beside {PARTS}"
                )
    return [read_configuration(f"{place}[{index}]", one) for index, one in enumerate(given)]


def list_schemes(configuration: Configuration) -> list[str]:
    """List a configuration's scheme and those of its parts."""
    parts = read_parts(configuration) if PARTS in configuration.settings else []
    return [str(configuration.scheme), *(name for part in parts for name in list_schemes(part))]


def check_scheme(place: str, name: str | None) -> None:
    """Raise InputError for a scheme that has no file, or one that is not found by its name."""
    if name in schemes():
        return
    for file in Path(__file__).parent.glob("[!a-z_]*.py"):
        if file.stem.lower() == str(name).lower():
            raise InputError(
                f"{place}: {name!r} given, expected a file that begins with a small letter a-z; rename "
                f"stages/core/encodings/{file.name} and give its new name"
            )
    raise InputError(f"{place}: {name!r} given, expected {one_of(str(name or ''), schemes())}")


def check_class(scheme: str, kind: type[PositionalEncoding]) -> None:
    """Raise InputError for a method that is never called, or is called otherwise, and an untyped setting."""
    place, base = f"stages/core/encodings/{scheme}.py", PositionalEncoding
    acts = any(getattr(kind, name) is not getattr(base, name) for name in METHODS)
    for name, method in getmembers(kind, isfunction):
        if name in METHODS:
            given, expected = (
                ", ".join(signature(each).parameters) for each in (method, getattr(base, name))
            )
            if given != expected:
                raise InputError(f"{place}: {name}({given}) given, expected {name}({expected})")
            continue
        if name.startswith("_") or hasattr(base, name):
            continue
        # beside a method that acts this may be a helper, unless its name is nearly that of a method
        if meant := get_close_matches(name.lower(), METHODS, n=1, cutoff=0.8 if acts else 0):
            known = ", ".join(METHODS)
            raise InputError(f"{place}: {name} overrides no method; did you mean {meant[0]}? ({known})")
    check_attributes(scheme, set(dir(kind)) - set(dir(base)))
    check_settings(scheme, kind, ("scheme", *(field.name for field in fields(Architecture))), "the model")
    for name, setting in settings_of(kind).items():
        typed: Any = {name: (setting.annotation, setting.default)}
        try:
            create_model("Setting", __config__=STRICT, **typed)
            complete = setting.default is not Parameter.empty
        except PydanticUserError:
            complete = False
        if not complete:
            raise InputError(
                f"{place}: setting '{setting}' given, expected a type that YAML has and a default, such as "
                f"'{name}: float = 0.5'"
            )


def check_attributes(scheme: str, names: Iterable[str]) -> None:
    """Raise InputError for a name that may stand for `causal`, which is read from the class alone."""
    for name in sorted(names):
        if get_close_matches(name.lower(), ["causal"], cutoff=0.8):
            raise InputError(
                f"stages/core/encodings/{scheme}.py: {name} is never read; did you mean `causal = True`, "
                "in the class and outside its methods?"
            )


def check_settings(scheme: str, kind: type[PositionalEncoding], taken: Iterable[str], by: str) -> None:
    """Raise InputError for a setting whose name is taken: it would never get a value."""
    for name in sorted(set(settings_of(kind)).intersection(taken)):
        raise InputError(
            f"stages/core/encodings/{scheme}.py: setting '{name}' given, but {by} takes what is written for "
            f"{name}, expected another name; rename it, such as own_{name}"
        )


def settings_of(encoding: type[PositionalEncoding]) -> dict[str, Parameter]:
    """Return the scheme's settings with type and default: the arguments of its class behind the host."""
    _, *settings = signature(encoding, eval_str=True).parameters.values()
    return {setting.name: setting for setting in settings}


def adds_tables(configuration: Configuration) -> bool:
    """Tell whether the scheme adds tables to the tokens, or any of its parts."""
    return "table" in acts_in(configuration)


def acts_in_attention(encoding: PositionalEncoding) -> bool:
    """Tell whether a token's queries are treated by its place, and not by what was added to it alone."""
    methods = [name for name in METHODS if name != "table"]
    own = any(getattr(type(encoding), name) is not getattr(PositionalEncoding, name) for name in methods)
    return own or encoding.causal


def schemes() -> list[str]:
    """Return names of all schemes: the files of this folder except this one."""
    files = Path(__file__).parent.glob("[a-z]*.py")
    return sorted({file.stem for file in files} - {"interface"})
