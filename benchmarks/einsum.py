"""Contractions by `pytl.contract` and `pytl.einsum`, beside kernels by hand and the einsum of NumPy, torch and jax.

    python benchmarks/einsum.py [--budget SECONDS] [--write]

SeisSol's kernels are those of benchmarks/seissol.py; those on tensors are in benchmarks/tensors.py. pytl's kernels have
column-major items, the batch last, and a work-group per item; the libraries have row-major items, the batch first, and
find the order of products themselves. What is one contraction is measured with `pytl.einsum`, too.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from bars import EINSUMS, fastest
from contracted import KERNELS, terms_of
from measure import ELEMENTS, Cell, Variant, interleaved, on_cores, taking_part
from memory import on_device, on_host
from peers.einsums import Term, by_jax, by_numpy, by_torch
from peers.steps import Batch
from seissol import CASES, ITEMS, ORDERS, by_pytl, random_batch, scaled, volume_basis
from tensors import Work, attention, coupled_cluster, kronecker, spectral_elements
from workload import main, peak_of

BY_HAND, EINSUM = "pytl, by hand", "pytl.einsum"


def seissol_work(name: str, order: int) -> Work:
    case = CASES[name](order)
    return Work(case, KERNELS[name](order), terms_of(name, order), case.flops, ITEMS, 4 * volume_basis(order))


def works() -> dict[str, Callable[[], Work]]:
    """What is measured, by the name of its row."""
    found: dict[str, Callable[[], Work]] = {
        f"{name}, order {order}": partial(seissol_work, name, order) for name in CASES for order in ORDERS
    }
    found["CCSD ring term, 8 and 24"] = partial(coupled_cluster, 8, 24)
    found["CCSD ring term, 16 and 32"] = partial(coupled_cluster, 16, 32)
    for rows, columns, items in ((8, 8, 20_000), (24, 16, 4_000), (32, 32, 2_000)):
        found[f"Kronecker, {rows}×{columns}"] = partial(kronecker, rows, columns, items)
    for order in range(4, 9):
        found[f"spectral elements, order {order}"] = partial(spectral_elements, order, 4_000)
    for tokens, features in ((16, 16), (32, 32), (64, 32)):
        found[f"attention, {tokens}×{features}"] = partial(attention, tokens, features, 2_000)
    return found


def by_einsum(work: Work, batch: Batch, result: Callable[[Mapping[str, Any]], Any]) -> Variant:
    """`pytl.einsum` on arrays of the same layout as the kernels', the batch last."""
    import pytl

    (term,) = work.terms
    assert isinstance(term, Term)
    arrays = {name: on_device(array) for name, array in {**batch.own, **batch.shared}.items()}
    factors = [arrays[factor.name] for factor in term.factors]
    subscripts, out = batch_last(term, batch.shared), arrays[term.target.name]
    if term.whole is not None:
        subscripts, out = in_batches(term.whole, factors, out)

    def run() -> None:
        pytl.einsum(subscripts, *factors, out=out)

    return Variant(EINSUM, run, lambda: result({name: on_host(array) for name, array in arrays.items()}))


def batch_last(term: Term, shared: Mapping[str, Any]) -> str:
    """The subscripts of the whole batch, with g behind those of an item."""
    inputs, _, output = term.subscripts.partition("->")
    pairs = zip(inputs.split(","), term.factors)
    return f"{','.join(names if f.name in shared else names + 'g' for names, f in pairs)}->{output}g"


def in_batches(whole: str, factors: Sequence[Any], out: Any) -> tuple[str, Any]:
    """The subscripts with the indices of the batch behind those of an item, and the output with a mode for each."""
    inputs, output = whole.split("->")
    modes = out.ndim - 1
    output = output[-modes:] + output[: len(output) - modes][::-1]
    sizes = {name: n for names, factor in zip(inputs.split(","), factors) for name, n in zip(names, factor.shape)}
    shape = tuple(sizes[name] for name in output)
    if isinstance(out, np.ndarray):
        return f"{inputs}->{output}", out.reshape(shape, order="F")
    import dpctl.tensor as dpt

    return f"{inputs}->{output}", dpt.reshape(out, shape, order="F", copy=False)


def is_one_einsum(work: Work) -> bool:
    """Whether it is a single contraction that adds to nothing."""
    return len(work.terms) == 1 and isinstance(term := work.terms[0], Term) and not term.beta


def makers_of(work: Work, dtype: str, items: int) -> tuple[list[Callable[[], Variant]], np.ndarray]:
    """All who take part, and what they have to find."""
    case = work.case
    batch = random_batch(case, dtype, items)
    found = case.expected({**batch.own, **batch.shared})
    result = partial(scaled, case, {name: float(np.abs(array).max()) for name, array in found.items()})
    makers: list[Callable[[], Variant]] = [
        partial(by_pytl, replace(case, kernel=work.contracted), batch, result),
        partial(by_pytl, case, batch, result, BY_HAND),
    ]
    if is_one_einsum(work):
        makers.append(partial(by_einsum, work, batch, result))
    makers += [partial(by, work.terms, batch, result) for by in (by_numpy, by_torch, by_jax)]
    expected = result({name: np.asfortranarray(array) for name, array in found.items()})
    return makers, expected.astype(dtype)


def measured(row: str, work: Work, dtype: str, cores: int, budget: float, peak: float | None) -> Cell:
    makers, expected = makers_of(work, dtype, work.items)
    variants, absent = taking_part(makers, expected, work.steps)
    seconds = interleaved(variants, budget)
    flops = float(work.flops * work.items)
    return Cell(f"contractions, {on_cores(cores)}", row, ELEMENTS[dtype], cores, flops, seconds, peak, absent)


def cells(cores: int, budget: float) -> Iterator[Cell]:
    found = []
    for dtype in ("float32", "float64"):
        peak = peak_of(dtype)
        for row, work in works().items():
            found.append(measured(row, work(), dtype, cores, budget, peak))
            yield found[-1]
    print(in_short(found), file=sys.stderr)


def in_short(found: Sequence[Cell]) -> str:
    """The geometric mean of the ratios to the fastest library, and the least ratio to a kernel by hand."""
    beside = [ratio for cell in found if (ratio := fastest(cell, EINSUMS)) is not None]
    by_hand = [ratio for cell in found if (ratio := cell.ratio(BY_HAND)) is not None]
    if not (beside and by_hand):
        return "nothing to compare with"
    mean = statistics.geometric_mean(beside)
    return f"{mean:.2f} times as fast as the fastest library; at least {min(by_hand):.2f} of the kernels by hand"


if __name__ == "__main__":
    main(__file__, __doc__, {"einsum": cells})
