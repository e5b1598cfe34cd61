"""How `pytl.einsum` computes a contraction: one launch, or a matrix product between permuted copies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..ops.index_notation import Indices
from ..ops.subscripts import Subscripts
from .einsum_matrices import Layout, Matrices, MatrixProduct
from .einsum_work import Work, ordered

PER_ELEMENT = 6.0
"""What an element of a permuted copy costs, in the time of a vector of multiply-adds: it is read and written."""
LAUNCH = 20_000.0
"""What one more launch costs, in the same time."""

LEAST_SIZE = 64
"""The fewest rows, columns and summands of a product that is a launch of its own."""


@dataclass(frozen=True)
class Stage:
    """A launch: what its work-groups compute, and the number of the array that each parameter is."""

    work: Work | MatrixProduct
    arrays: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class Plan:
    """The launches of a contraction. Arrays are its operands, its output, and then what lies between launches."""

    stages: Sequence[Stage]
    between: Sequence[tuple[int, ...]]
    """The shapes of what lies between launches, from the innermost mode on."""

    @classmethod
    def of(cls, subscripts: Subscripts, arrays: Sequence[Any]) -> Plan:
        """The cheapest plan; `arrays` are in the order of memory, and know the order of their modes."""
        operands = (*subscripts.inputs, subscripts.output)
        read = [ordered(indices, array.order) for indices, array in zip(operands, arrays)]
        given = Subscripts(tuple(read[:-1]), read[-1])
        layouts = [Layout(array.element, array.shape, array.strides) for array in arrays]
        direct = Work.of(given, layouts)
        matrices = _as_matrices(given, layouts)
        if matrices is not None:
            copying = _copying(given, layouts, matrices)
            if _is_cheaper(matrices, copying, direct):
                return copying
        return cls([Stage(direct, tuple(range(len(arrays))), direct.text)], ())


def _as_matrices(subscripts: Subscripts, layouts: Sequence[Layout]) -> Matrices | None:
    """The matrix product that a contraction of two tensors is."""
    if len(layouts) != 3 or subscripts.has_modifiers:
        return None
    return Matrices.of([indices.names for indices in (*subscripts.inputs, subscripts.output)], layouts)


def _is_cheaper(matrices: Matrices, copying: Plan, direct: Work) -> bool:
    """Whether the product of matrices, with its copies, is cheaper than the one launch.

    Where each work-group of the one launch has a whole product by itself, it stays: one kernel serves all batches.
    """
    product = next(stage.work for stage in copying.stages if isinstance(stage.work, MatrixProduct))
    if direct.is_whole or min(*product.shape, product.depth) < LEAST_SIZE or direct.is_near:
        return False
    copies = PER_ELEMENT * matrices.elements + LAUNCH * sum(matrices.copied)
    return product.cost() + copies < direct.cost()


def _copying(given: Subscripts, layouts: Sequence[Layout], matrices: Matrices) -> Plan:
    """The permuted copies of A and B, the product, and the permuted copy to C."""
    names = [indices.names for indices in (*given.inputs, given.output)]
    arrays = [0, 1, 2]
    between: list[tuple[int, ...]] = []
    used, letters = list(layouts), list(names)
    sizes = {name: n for each, layout in zip(names, layouts) for name, n in zip(each, layout.shape)}
    before: list[Stage] = []
    after: list[Stage] = []
    for number, is_copied in enumerate(matrices.copied):
        if not is_copied:
            continue
        letters[number] = matrices.names_of(number)
        shape = tuple(sizes[name] for name in letters[number])
        used[number] = Layout.packed(layouts[number].element, shape)
        arrays[number] = 3 + len(between)
        between.append(shape)
        pair = [(names[number], layouts[number], number), (letters[number], used[number], arrays[number])]
        (source, of_source, a), (target, of_target, b) = pair[::-1] if number == 2 else pair
        copy = Work.of(Subscripts((Indices.of(source),), Indices.of(target)), [of_source, of_target])
        (after if number == 2 else before).append(Stage(copy, (a, b), f"a permuted copy, {copy.text}"))
    product = MatrixProduct(letters, used, matrices)
    return Plan([*before, Stage(product, tuple(arrays), product.text), *after], between)
