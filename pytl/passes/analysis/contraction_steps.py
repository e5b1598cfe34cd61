"""A contraction of any number of tensors as instructions of index notation, each of one tensor or of two.

The order of products is that of opt_einsum, by the number of operations. What operands that all work-groups share give
together is computed first, where that leaves less to do for each work-group. A result between two products has its
modes in the order that makes both cheap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import permutations
from typing import Any

from ...ir.operation import Operation
from ...ir.types import MemrefType, ScalarType
from ...ir.values import Value
from ...ops.contraction import IndexedAxpby, IndexedProduct, IndexedSum, LoopOverGemm
from ...ops.index_notation import IndexMap, Indices, unique
from ...ops.subscripts import SUBSCRIPTS, SubscriptProblem, Subscripts
from ...process.records import dataclass
from .loop_over_gemm import assumed_sizes, choose

MAX_EXACT = 6
"""From more operands on, the search for the best order is not exhaustive."""
MAX_PERMUTED = 4
"""The most modes of an intermediate result of which all orders are tried."""


@dataclass(frozen=True)
class Step:
    """An instruction: the numbers of its operands, and its index map.

    The operands of the contraction have the first numbers, and the results of steps the next ones.
    """

    operation: type[Operation]
    inputs: tuple[int, ...]
    map: IndexMap

    def parts(self, inputs: Sequence[Value], target: Value) -> dict[str, Any]:
        """The instruction's parts but alpha and beta."""
        return {"map": self.map, **dict(zip("AB", inputs)), "B" if len(inputs) == 1 else "C": target}


def memory_for(element: ScalarType, shape: Sequence[int], is_intermediate: bool) -> MemrefType:
    """The type of a temporary result; the columns of an intermediate matrix begin with whole vectors."""
    if len(shape) != 2 or not is_intermediate:
        return MemrefType(element, tuple(shape), space="local")
    lanes = max(_PADDED // element.size, 1)
    return MemrefType(element, tuple(shape), (1, -(-shape[0] // lanes) * lanes), "local")


ALIGNMENT = 64
"""Bytes that temporary results begin at a multiple of."""
_PADDED = 32
"""Bytes that columns of intermediate results begin at a multiple of."""


def steps_of(
    subscripts: Subscripts,
    types: Sequence[MemrefType],
    shared: Sequence[bool] = (),
    out: MemrefType | None = None,
) -> list[Step]:
    """The steps of a contraction of operands of these types; the last one gives the result.

    `shared` says of each operand whether it is the same for all work-groups; `out` is the type of the result, unless
    that is new memory.

    >>> from pytl.ir.text import parse_type
    >>> types = [parse_type(f"memref<f32x{shape}>") for shape in ("56x35", "35x9", "9x9")]
    >>> for step in steps_of(Subscripts.read("kl,lq,qp->kp", [2, 2, 2]), types):
    ...     print(step.operation.mnemonic, step.inputs, step.map)
    yateto.log (1, 2) {lq, qp to lp}
    yateto.log (0, 3) {kl, lp to kp}
    """
    sizes = assumed_sizes((indices.names for indices in subscripts.inputs), types)
    steps = _Steps(subscripts, sizes, shared).multiplied()
    return _Layouts(steps, sizes, types, out).chosen()


@dataclass
class _Tensor:
    number: int
    names: str
    position: int
    """The place of its first operand in the subscripts: the left factor of a product is the one that stands first."""
    shared: bool


@dataclass
class _Steps:
    subscripts: Subscripts
    sizes: Mapping[str, int]
    shared: Sequence[bool]
    steps: list[Step] = field(default_factory=list)

    def multiplied(self) -> list[Step]:
        inputs, output = self.subscripts.inputs, self.subscripts.output
        if self.subscripts.has_modifiers:
            return [self._modified()]
        shared = [*self.shared, *[False] * (len(inputs) - len(self.shared))]
        tensors = [_Tensor(k, indices.names, k, shared[k]) for k, indices in enumerate(inputs)]
        if len(tensors) == 1:
            repeated = set(tensors[0].names) == set(output.names)
            operation = IndexedAxpby if repeated else IndexedSum
            return [Step(operation, (0,), IndexMap((inputs[0],), output))]
        tensors = [self._alone(tensor, tensors) for tensor in tensors]
        for pair in self._pairs(tensors):
            self._multiply(tensors, *pair)
        return self.steps

    def _modified(self) -> Step:
        """The one product of two tensors whose modifiers the user wrote."""
        inputs, output = self.subscripts.inputs, self.subscripts.output
        if len(inputs) != 2:
            marked = next(indices for indices in (*inputs, output) if indices.has_modifiers)
            message = "[ ] and ( ) say how a product of two tensors is computed"
            raise SubscriptProblem(SUBSCRIPTS, message, marked.location, "write the indices without them")
        return Step(LoopOverGemm, (0, 1), IndexMap(inputs, output))

    def _needed(self, tensors: Sequence[_Tensor]) -> str:
        return self.subscripts.output.names + "".join(tensor.names for tensor in tensors)

    def _alone(self, tensor: _Tensor, tensors: Sequence[_Tensor]) -> _Tensor:
        """The tensor without what it has alone: summed over indices that nothing else has, and on its diagonal."""
        needed = self._needed([other for other in tensors if other is not tensor])
        names = unique(name for name in tensor.names if name in needed)
        if names == tensor.names:
            return tensor
        operation = IndexedAxpby if set(names) == set(tensor.names) else IndexedSum
        return self._add(operation, (tensor,), names)

    def _add(
        self, operation: type[Operation], inputs: tuple[_Tensor, ...], names: str, is_last: bool = False
    ) -> _Tensor:
        output = self.subscripts.output if is_last else Indices.of(names)
        input_indices = tuple(
            self.subscripts.inputs[tensor.number]
            if tensor.number < len(self.subscripts.inputs)
            else Indices.of(tensor.names)
            for tensor in inputs
        )
        self.steps.append(Step(operation, tuple(tensor.number for tensor in inputs), IndexMap(input_indices, output)))
        number = len(self.subscripts.inputs) + len(self.steps) - 1
        return _Tensor(number, names, inputs[0].position, all(tensor.shared for tensor in inputs))

    def _multiply(self, tensors: list[_Tensor], first: int, second: int) -> None:
        """Replace two of the tensors with their product, at the end of the list."""
        pair = sorted((tensors.pop(max(first, second)), tensors.pop(min(first, second))), key=lambda t: t.position)
        a, b = pair
        needed = self._needed(tensors)
        a, b = (self._alone(x, [y, *tensors]) for x, y in ((a, b), (b, a)))
        names_left = unique(name for name in a.names + b.names if name in needed)
        both = [name for name in names_left if name in a.names and name in b.names]
        names = "".join([*(name for name in names_left if name not in both), *both])
        is_last = not tensors
        operation = LoopOverGemm if set(a.names + b.names) - set(names_left) else IndexedProduct
        tensors.append(self._add(operation, (a, b), self.subscripts.output.names if is_last else names, is_last))

    # The order.

    def _pairs(self, tensors: Sequence[_Tensor]) -> list[tuple[int, int]]:
        """Which two of the tensors are multiplied, again and again, as places in a list that gets each product last."""
        if len(tensors) == 2:
            return [(0, 1)]
        plain, cost = self._path(tensors)
        shared = [k for k, tensor in enumerate(tensors) if tensor.shared]
        if not 2 <= len(shared) < len(tensors):
            return plain
        alone = [k for k in range(len(tensors)) if k not in shared]
        names = unique(
            name
            for k in shared
            for name in tensors[k].names
            if name in self._needed([tensors[other] for other in alone])
        )
        first, _ = self._path([tensors[k] for k in shared], names)
        rest, left = self._path([*(tensors[k] for k in alone), _Tensor(-1, names, 0, True)])
        if left >= cost:
            return plain
        return [*_placed(first, shared, len(tensors)), *rest]

    def _path(self, tensors: Sequence[_Tensor], output: str | None = None) -> tuple[list[tuple[int, int]], float]:
        """The best order of some products, and how many operations they are."""
        from opt_einsum import contract_path  # which takes a while to import

        names = ",".join(tensor.names for tensor in tensors)
        output = self.subscripts.output.names if output is None else output
        shapes = [tuple(self.sizes[name] for name in tensor.names) for tensor in tensors]
        how = "optimal" if len(tensors) <= MAX_EXACT else "auto"
        path, information = contract_path(f"{names}->{output}", *shapes, shapes=True, optimize=how)
        return _two_by_two(path, len(tensors)), float(information.opt_cost)


def _two_by_two(path: Sequence[tuple[int, ...]], count: int) -> list[tuple[int, int]]:
    """A path whose entries name two tensors each: of more, the first two are multiplied before the others."""
    pairs: list[tuple[int, int]] = []
    for entry in path:
        positions = sorted(entry)
        while len(positions) > 1:
            first, second, *others = positions
            pairs.append((first, second))
            count -= 1
            positions = [*(position - 2 for position in others), count - 1] if others else []
    return pairs


def _placed(pairs: Sequence[tuple[int, int]], among: Sequence[int], count: int) -> list[tuple[int, int]]:
    """Pairs of places in a part of a list as places in the whole list; each product goes to the end of both."""
    part = list(among)
    whole_pairs = []
    for first, second in pairs:
        a, b = part[first], part[second]
        whole_pairs.append((a, b))
        part = [
            position - (position > a) - (position > b) for k, position in enumerate(part) if k not in (first, second)
        ]
        count -= 1
        part.append(count - 1)
    return whole_pairs


# The layouts of what lies between two products.


@dataclass
class _Layouts:
    """Steps whose intermediate results get their modes in another order, where that makes products cheaper."""

    steps: list[Step]
    sizes: Mapping[str, int]
    types: Sequence[MemrefType]
    out: MemrefType | None

    def chosen(self) -> list[Step]:
        count = len(self.types)
        for number in reversed(range(len(self.steps) - 1)):
            names = self.steps[number].map.output.names
            using = [k for k, step in enumerate(self.steps) if count + number in step.inputs]
            affected = [self.steps[k] for k in (number, *using)]
            # matrices stay as they are: the product that reads one takes its transpose as well
            if len(names) > 2 and all(step.operation is LoopOverGemm for step in affected):
                self._reorder(number, using, names)
        return self.steps

    def _reorder(self, number: int, using: Sequence[int], names: str) -> None:
        output = self.steps[-1].map.output.names
        first = "".join(name for name in output if name in names)
        last = "".join(name for name in names if name not in output)
        all_orders = len(names) <= MAX_PERMUTED
        orders = ["".join(order) for order in permutations(names)] if all_orders else [first + last, last + first]
        best, lowest = self.steps, self._cost(self.steps, (number, *using))
        for order in orders:
            steps = self._with(number, order)
            cost = self._cost(steps, (number, *using))
            if cost < lowest:
                best, lowest = steps, cost
        self.steps = best

    def _with(self, number: int, order: str) -> list[Step]:
        """The steps with the modes of one result in another order."""
        result = len(self.types) + number
        indices = Indices.of(order)
        changed = list(self.steps)
        for k, step in enumerate(changed):
            inputs = tuple(indices if i == result else old for i, old in zip(step.inputs, step.map.inputs))
            output = indices if k == number else step.map.output
            changed[k] = replace(step, map=IndexMap(inputs, output))
        return changed

    def _cost(self, steps: Sequence[Step], counted: Sequence[int]) -> float:
        element = self.types[0].element
        types = list(self.types)
        for step in steps:
            shape = [self.sizes[name] for name in step.map.output.names]
            types.append(memory_for(element, shape, True))
        if self.out is not None:
            types[-1] = self.out
        return sum(
            choose(steps[k].map, [*(types[i] for i in steps[k].inputs), types[len(self.types) + k]]).cost
            for k in counted
        )
