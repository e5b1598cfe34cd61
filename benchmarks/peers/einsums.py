"""Contractions by `numpy.einsum`, `torch.einsum` and a jitted `jax.numpy.einsum`, on arrays with the batch first.

All are given the subscripts of a whole batch, and find the order of products themselves. Each item is row-major.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from measure import Variant
from memory import placed

from peers.libraries import import_peer
from peers.steps import Batch

JAX = "python install.py bench-jax"
Arrays = dict[str, Any]


@dataclass(frozen=True)
class Factor:
    """The first elements along each mode of a tensor, in an item's subscripts; all of them without sizes."""

    name: str
    sizes: tuple[int, ...] = ()

    def of(self, array: Any, is_own: bool) -> Any:
        if not self.sizes:
            return array
        begin = (slice(None),) if is_own else ()
        return array[(*begin, *(slice(size) for size in self.sizes))]


@dataclass(frozen=True)
class Term:
    """target := alpha Σ factors + beta target, in an item's subscripts, as `kl,lq->kq`."""

    subscripts: str
    factors: tuple[Factor, ...]
    target: Factor
    beta: int = 0
    alpha: float = 1.0
    whole: str | None = None
    """The subscripts of the whole batch, where they are not those of an item with g in front."""

    def of_batch(self, shared: Mapping[str, Any]) -> str:
        """The subscripts of the whole batch; shared factors have no index for the item."""
        if self.whole is not None:
            return self.whole
        inputs, _, output = self.subscripts.partition("->")
        pairs = zip(inputs.split(","), self.factors)
        marked = (names if factor.name in shared else f"g{names}" for names, factor in pairs)
        return f"{','.join(marked)}->g{output}"


@dataclass(frozen=True)
class Softmax:
    """The last mode of a tensor, exp(x) divided by its sum."""

    name: str


Terms = Sequence[Term | Softmax]


@dataclass(frozen=True)
class Library:
    """What terms need of a library."""

    einsum: Callable[..., Any]
    softmax: Callable[[Any], Any]
    add: Callable[[Arrays, Factor, Any], None]
    """Adds to a part of an array."""


def execute(terms: Terms, library: Library, arrays: Arrays, shared: Mapping[str, Any]) -> None:
    """Do all terms; what is not in `arrays` before is made."""
    for term in terms:
        if isinstance(term, Softmax):
            arrays[term.name] = library.softmax(arrays[term.name])
            continue
        factors = [factor.of(arrays[factor.name], factor.name not in shared) for factor in term.factors]
        result = library.einsum(term.of_batch(shared), *factors)
        if term.alpha != 1.0:
            result = result * term.alpha
        if term.beta:
            library.add(arrays, term.target, result)
        else:
            arrays[term.target.name] = result


def batch_first(batch: Batch) -> Arrays:
    """Copies of a batch's arrays, each item row-major."""
    own = {name: placed(np.moveaxis(array, -1, 0), "C") for name, array in batch.own.items()}
    return {**own, **{name: placed(array, "C") for name, array in batch.shared.items()}}


def result_of(batch: Batch, arrays: Arrays) -> dict[str, np.ndarray]:
    """What was written, column-major with the batch last."""
    found = {}
    for name in batch.written:
        array = np.asarray(arrays[name])
        array = array.reshape(batch.items, *batch.own[name].shape[:-1])
        found[name] = np.asfortranarray(np.moveaxis(array, 0, -1))
    return found


Result = Callable[[Mapping[str, np.ndarray]], Any]


def _add_in_place(arrays: Arrays, target: Factor, result: Any) -> None:
    part = target.of(arrays[target.name], True)
    part += result


def _softmax(x: np.ndarray) -> np.ndarray:
    exponentials = np.exp(x - x.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def numpy_einsum(subscripts: str, *factors: np.ndarray) -> np.ndarray:
    return np.einsum(subscripts, *factors, optimize=True)


NUMPY = Library(numpy_einsum, _softmax, _add_in_place)


def by_numpy(terms: Terms, batch: Batch, result: Result) -> Variant:
    arrays = batch_first(batch)
    return Variant(
        "NumPy", lambda: execute(terms, NUMPY, arrays, batch.shared), lambda: result(result_of(batch, arrays))
    )


def by_torch(terms: Terms, batch: Batch, result: Result) -> Variant:
    torch = import_peer("torch", "python install.py bench-torch")
    library = Library(torch.einsum, lambda x: torch.softmax(x, -1), _add_in_place)
    arrays = {name: torch.from_numpy(array) for name, array in batch_first(batch).items()}
    return Variant(
        "torch", lambda: execute(terms, library, arrays, batch.shared), lambda: result(result_of(batch, arrays))
    )


def by_jax(terms: Terms, batch: Batch, result: Result) -> Variant:
    """One compiled function from all arrays to those that are written."""
    jax = import_peer("jax", JAX)
    numpy = jax.numpy

    def add(arrays: Arrays, target: Factor, value: Any) -> None:
        array = arrays[target.name]
        begin = (slice(None), *(slice(size) for size in target.sizes))
        arrays[target.name] = array.at[begin].add(value) if target.sizes else array + value

    library = Library(numpy.einsum, jax.nn.softmax, add)

    @jax.jit
    def function(arrays: Arrays) -> Arrays:
        found = dict(arrays)
        execute(terms, library, found, batch.shared)
        return {name: found[name] for name in batch.written}

    jax.config.update("jax_enable_x64", True)  # without it, jax makes float32 of float64
    given = {name: numpy.asarray(array) for name, array in batch_first(batch).items()}
    written: Arrays = {}

    def run() -> None:
        written.update(jax.block_until_ready(function(given)))

    return Variant("jax", run, lambda: result(result_of(batch, written)))
