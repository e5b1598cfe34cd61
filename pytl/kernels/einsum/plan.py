"""How `pytl.einsum` computes a contraction: one launch, or a matrix product between permuted copies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from ...ops.index_notation import Indices
from ...ops.subscripts import Subscripts
from ...process.records import dataclass
from .copies import PermutedCopy
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

    work: Work | MatrixProduct | PermutedCopy
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
        layouts = [Layout(array.element, array.shape, array.strides) for array in arrays]
        if _is_permuted_copy(read, layouts):
            copy = PermutedCopy((read[0].names, read[1].names), (layouts[0], layouts[1]))
            return cls([Stage(copy, (0, 1), copy.text)], ())
        reordered = Subscripts(tuple(read[:-1]), read[-1])
        direct = Work.of(reordered, layouts)
        plan = cls([Stage(direct, tuple(range(len(arrays))), direct.text)], ())
        names = [indices.names for indices in read]
        # where each work-group has a whole product by itself, one kernel serves all batches
        if not _is_product_of_two(names) or subscripts.has_modifiers or direct.is_whole:
            return plan
        without_copies = _copying(names, layouts, (None, None), _work)
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
    if matrices is None:
        return
    orders = [matrices.names_of(number) if copied else None for number, copied in enumerate(matrices.copied)]
    plan = _copying(names, layouts, orders, lambda names, layouts: MatrixProduct(names, layouts, matrices))
    if min(*matrices.shape) >= MIN_SIZE:
        yield plan


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
        plans = {
            order: _copying(names, layouts, (order, None) if number == 0 else (None, order), _work) for order in orders
        }
        yield from plans.values()
        best_orders.append(sorted(plans, key=lambda order: (plans[order].cost, order))[:MAX_ORDERS])
    for both in product(*best_orders):
        yield _copying(names, layouts, both, _work)


def _work(names: Sequence[str], layouts: Sequence[Layout]) -> Work:
    *inputs, output = map(Indices.of, names)
    return min(Work.choices(Subscripts(tuple(inputs), output), layouts), key=lambda work: work.cost())


def _copying(
    names: Sequence[str],
    layouts: Sequence[Layout],
    orders: Sequence[str | None],
    work: Callable[[Sequence[str], Sequence[Layout]], Work | MatrixProduct],
) -> Plan:
    """Permuted copies of A and B to the orders that are given, the product, and the permuted copy to C."""
    arrays = [0, 1, 2]
    between: list[tuple[int, ...]] = []
    used, letters = list(layouts), list(names)
    sizes = {name: n for each, layout in zip(names, layouts) for name, n in zip(each, layout.shape)}
    before: list[Stage] = []
    after: list[Stage] = []
    for number, order in enumerate(orders):
        if order is None:
            continue
        letters[number] = order
        shape = tuple(sizes[name] for name in order)
        used[number] = Layout.packed(layouts[number].element, shape)
        arrays[number] = 3 + len(between)
        between.append(shape)
        pair = [(names[number], layouts[number], number), (order, used[number], arrays[number])]
        (source, of_source, a), (target, of_target, b) = pair[::-1] if number == 2 else pair
        copy = PermutedCopy((source, target), (of_source, of_target))
        (after if number == 2 else before).append(Stage(copy, (a, b), copy.text))
    main = work(letters, used)
    return Plan([*before, Stage(main, tuple(arrays), main.text), *after], between)
