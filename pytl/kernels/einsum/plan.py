"""How `pytl.einsum` computes a contraction: one launch, or a matrix product between permuted copies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from ...ops.index_notation import Indices
from ...ops.subscripts import Subscripts
from ...process.records import dataclass
from .copies import Copies, PermutedCopy
from .layouts import Layout
from .matrices import Matrices, MatrixProduct
from .work import Work, ordered

MAX_ORDERS = 2
"""The orders of a factor that are tried together with those of the other one."""
MIN_SIZE = 64
"""The fewest rows, columns and summands of a product that is a launch of its own."""


@dataclass(frozen=True)
class Stage:
    """A launch: what its work-groups compute, and the number of the array that each parameter is."""

    work: Work | MatrixProduct | Copies
    arrays: tuple[int, ...]
    targets: int = 1
    """How many of the arrays, the last ones, are written."""


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
        layouts = [Layout(array.element, array.shape, array.strides) for array in arrays]
        if _is_permuted_copy(read, layouts):
            copy = PermutedCopy.of((read[0].names, layouts[0]), (read[1].names, layouts[1]))
            return cls([Stage(Copies((copy,)), (0, 1))], ())
        reordered = Subscripts(tuple(read[:-1]), read[-1])
        direct = Work.of(reordered, layouts)
        plan = cls([Stage(direct, tuple(range(len(arrays))))], ())
        names = [indices.names for indices in read]
        # where each work-group has a whole product by itself, one kernel serves all batches
        if not _is_product_of_two(names) or subscripts.has_modifiers or direct.is_whole:
            return plan
        without_copies = _copying(names, layouts, (None, None))
        plans = [without_copies, *_as_matrices(names, layouts), *_with_copies(names, layouts)]
        return min(plans, key=lambda plan: plan.cost)

    @property
    def cost(self) -> float:
        """The time of all launches, in vectors of multiply-adds; of products of two tensors."""
        return sum(stage.work.cost() for stage in self.stages)


def _is_permuted_copy(read: Sequence[Indices], layouts: Sequence[Layout]) -> bool:
    """Whether nothing is summed, cast, repeated or left out."""
    names = [indices.names for indices in read]
    return (
        len(names) == 2
        and bool(names[0])
        and sorted(names[0]) == sorted(set(names[1])) == sorted(names[1])
        and layouts[0].element == layouts[1].element
        and not any(indices.fused for indices in read)
    )


def _is_product_of_two(names: Sequence[str]) -> bool:
    """Whether it is one of two tensors, where each index is in two of the three and in none twice."""
    return (
        len(names) == 3
        and all(len(set(letters)) == len(letters) for letters in names)
        and all(count > 1 for count in Counter("".join(names)).values())
    )


def _as_matrices(names: Sequence[str], layouts: Sequence[Layout]) -> Iterator[Plan]:
    """A product of matrices, with permuted copies of what is none in memory."""
    matrices = Matrices.of(names, layouts)
    if matrices is not None and min(matrices.shape) >= MIN_SIZE:
        main = MatrixProduct(names, layouts, matrices)
        yield _staged(list(zip(names, layouts)), main.used, main)


def _with_copies(names: Sequence[str], layouts: Sequence[Layout]) -> Iterator[Plan]:
    """A permuted copy of a factor, of both or of none, in the orders with which products are cheapest."""
    output = names[2]
    best_orders: list[list[str]] = []
    for number in range(2):
        own, other = names[number], names[1 - number]
        fixed = "".join(name for name in output if name in own)
        sums = ["".join(name for name in letters if name in own and name not in output) for letters in (own, other)]
        every = dict.fromkeys(fixed[:at] + each + fixed[at:] for each in sums for at in range(len(fixed) + 1))
        orders = [order for order in every if order != own]
        plans = {order: _copying(names, layouts, (order, None) if number == 0 else (None, order)) for order in orders}
        yield from plans.values()
        best_orders.append(sorted(plans, key=lambda order: (plans[order].cost, order))[:MAX_ORDERS])
    for both in product(*best_orders):
        yield _copying(names, layouts, both)


def _work(names: Sequence[str], layouts: Sequence[Layout]) -> Work:
    *inputs, output = map(Indices.of, names)
    return min(Work.choices(Subscripts(tuple(inputs), output), layouts), key=lambda work: work.cost())


def _copying(names: Sequence[str], layouts: Sequence[Layout], orders: Sequence[str | None]) -> Plan:
    """Permuted copies of A and B to the orders that are given, and the product."""
    given = list(zip(names, layouts))
    sizes = {name: n for each, layout in given for name, n in zip(each, layout.shape)}
    used = list(given)
    for number, order in enumerate(orders):
        if order is not None:
            shape = tuple(sizes[name] for name in order)
            used[number] = (order, Layout.packed(layouts[number].element, shape))
    return _staged(given, used, _work(*zip(*used)))


def _staged(
    given: Sequence[tuple[str, Layout]], used: Sequence[tuple[str, Layout]], main: Work | MatrixProduct
) -> Plan:
    """A product, with permuted copies where it uses A, B or C in another order: of both factors by one launch."""
    arrays = [0, 1, 2]
    between: list[tuple[int, ...]] = []
    before: list[int] = []
    after: list[Stage] = []
    for number, (own, other) in enumerate(zip(given, used)):
        if own[0] == other[0]:
            continue
        arrays[number] = 3 + len(between)
        between.append(other[1].shape)
        if number == 2:
            after.append(Stage(Copies((PermutedCopy.of(other, own),)), (arrays[number], number)))
        else:
            before.append(number)
    stages = [Stage(main, tuple(arrays)), *after]
    if before:
        copies = Copies(tuple(PermutedCopy.of(given[number], used[number]) for number in before))
        stages.insert(0, Stage(copies, (*before, *(arrays[number] for number in before)), len(before)))
    return Plan(stages, between)
