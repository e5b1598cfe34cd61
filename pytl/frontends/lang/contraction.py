"""Contractions in a kernel body, in the subscripts of numpy.einsum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...diagnostics import Rule
from ...diagnostics.words import counted
from ...ir.types import MemrefType, ScalarType, promote_all
from ...ir.values import Value
from ...ops import Alloca
from ...ops.constants import constant_of
from ...ops.index_notation import IndexMap, Indices
from ...ops.subscripts import OPERANDS, SubscriptProblem, Subscripts
from ...ops.views import root_of, viewed_by, views_behind
from ...passes.analysis.contraction_steps import ALIGNMENT, memory_for, steps_of
from .function import Call, CalledFunction
from .scalars import Number, Tensor
from .traced import Transposed, advice_on_array, describe

TEMPORARY = Rule(
    "PYTL-0693",
    "what a contraction computes on the way, and its result where no `out` is given, has a static size",
    "Contractions",
    explanation="It lies in temporary memory, whose size is known when the kernel is compiled.",
)


def _build(call: Call) -> Any:
    text = call.arguments["subscripts"]
    if not isinstance(text, str):
        call.fail(f"the subscripts are {describe(text)}, not a Python string", 'write "ik,kj->ij"', "subscripts")
    operands = [_tensor(call, item, "operands") for item in call.arguments["operands"]]
    out = call.arguments["out"]
    target = None if out is None else _tensor(call, out, "out")
    if not operands:
        call.fail("contract takes the tensors that the subscripts name", 'write contract("ik,kj->ij", A, B, out=C)')
    try:
        return _Contraction(call, text, operands, target).write()
    except SubscriptProblem as problem:
        call.fail(problem.message, problem.help, "subscripts", problem.rule, problem.location)


def _tensor(call: Call, item: Any, argument: str) -> Any:
    """A memref or the transpose of one."""
    tensor = item.matrix if isinstance(item, Transposed) else item
    if not isinstance(tensor, Value) or not isinstance(tensor.type, MemrefType):
        advice = advice_on_array(tensor) or "contract takes memrefs; pass a number as alpha"
        call.fail(f"an operand of contract is {describe(tensor)}, not a memref", advice, argument)
    return item


class _Contraction:
    """The instructions of one call."""

    def __init__(self, call: Call, text: str, operands: Sequence[Any], out: Any) -> None:
        self.call = call
        tensors = [*operands, *([] if out is None else [out])]
        self.values = [item.matrix if isinstance(item, Transposed) else item for item in tensors]
        orders = [value.type.order for value in self.values[: len(operands)]]

        def location_of(start: int, end: int) -> Any:
            return call.characters("subscripts", start, end)

        read = Subscripts.read(text, orders, location_of)
        if out is not None and len(read.output.names) != self.values[-1].type.order:
            order = self.values[-1].type.order
            index_count = counted(len(read.output.names), "index", "indices")
            message = f"out has {counted(order, 'mode')}, but the output {index_count}"
            raise SubscriptProblem(OPERANDS, message, read.output.location)
        transposed = [_transposed(i) if isinstance(item, Transposed) else i for i, item in zip(_all(read), tensors)]
        inputs, output = tuple(transposed[: len(operands)]), read.output if out is None else transposed[-1]
        self.subscripts = Subscripts(inputs, output)
        self.subscripts.check_sizes([value.type.shape for value in self.values])
        self.out = None if out is None else self.values.pop()
        self.extents = {
            name: extent
            for indices, value in zip(inputs, self.values)
            for name, extent in zip(indices.names, value.type.shape)
        }

    def write(self) -> Any:
        call = self.call
        types = [value.type for value in self.values]
        out = None if self.out is None else self.out.type
        steps = steps_of(self.subscripts, types, [*map(_is_shared, self.values)], out)
        tensors = list(self.values)
        for number, step in enumerate(steps):
            inputs = [tensors[k] for k in step.inputs]
            element = self._element(inputs)
            is_last = number == len(steps) - 1
            target = self.out if is_last else None
            if target is None:
                target = self._temporary(element, step.map, not is_last)
            alpha: Any = call.arguments["alpha"] if is_last else 1
            beta: Any = call.arguments["beta"] if is_last and self.out is not None else 0
            call.emit(
                step.operation,
                alpha=call.typed(alpha, element, "alpha"),
                beta=call.typed(beta, target.type.element, "beta"),
                **step.parts(inputs, target),
            )
            tensors.append(target)
        return None if self.out is not None else tensors[-1]

    def _element(self, inputs: Sequence[Value]) -> ScalarType:
        elements = [value.type.element for value in inputs]
        element = promote_all(elements)
        if element is None:
            shown = " and ".join(map(str, elements))  # of a product of two
            self.call.fail(
                f"operands have elements of {shown}, and neither type holds all numbers of the other",
                argument="operands",
            )
        return element

    def _temporary(self, element: ScalarType, map: IndexMap, is_intermediate: bool) -> Value:
        """Memory for a result."""
        names = map.output.names
        for name in names:
            if not isinstance(self.extents[name], int):
                self.call.fail(
                    f"index {name} of what is computed on the way to the result, or of the result, has a dynamic size",
                    "pass out=, multiply fewer tensors at once, or give the parameter a static size",
                    "subscripts",
                    TEMPORARY,
                    self._first_location(name),
                )
        type_ = memory_for(element, [self.extents[name] for name in names], is_intermediate)
        return self.call.emit(Alloca, [type_], attributes={"alignment": ALIGNMENT}).result

    def _first_location(self, name: str) -> Any:
        indices = next(indices for indices in self.subscripts.inputs if name in indices.names)
        return indices.location_of(indices.names.index(name))


def _all(subscripts: Subscripts) -> list[Indices]:
    return [*subscripts.inputs, subscripts.output]


def _transposed(indices: Indices) -> Indices:
    """The indices of the matrix whose transpose an operand is."""
    return Indices(indices.pieces[::-1], indices.location)


def _is_shared(value: Value) -> bool:
    """Whether a tensor is the same for all work-groups: a parameter, or a view on one at constant places."""
    root = root_of(value)
    if root.owner is not None or not isinstance(root.type, MemrefType):
        return False
    places = (place for view in views_behind(value) for place in view.operands if place is not viewed_by(view))
    return all(constant_of(place) is not None for place in places)


def _writing_steps(declaration: Callable[..., Any]) -> Any:
    """Make a kernel function of a declaration that becomes several instructions."""
    return CalledFunction(declaration, _build)


@_writing_steps
def contract(subscripts: str, *operands: Tensor, out: Tensor | None = None, alpha: Number = 1, beta: Number = 0) -> Any:
    """`out := alpha ∑ A B … + beta out`: a contraction in the subscripts of numpy.einsum.

    Takes one tensor or more, of any order: permuted copies (`"ijk->kji"`), sums, diagonals and traces (`"ii->"`),
    element-wise products (`"i,i->i"`), products of tensors. `[k]` and `(jn)` in the subscripts say what is looped over
    and what is one index of the matrix product, which are chosen where nothing says so; `k.ir("loop-over-gemm")` shows
    the choice with its reason. `A.T` is the transposed matrix. Of more than two tensors, two are multiplied at a time,
    in the order with the fewest operations; intermediate results lie in local memory, or stay in registers. Without
    `out`, the result is a new `alloca`, which needs static sizes.

    Sizes of one index agree; a static size never matches a dynamic one. alpha's type is promotable to the operands',
    and theirs to that of `out`. Where beta is 0, `out` is not read. Allowed in collective regions. YATeTo's immediate
    language: Loop-over-GEMM, Product, Sum, Axpby.

    >>> from pytl import Memref, contract, f32
    >>> from pytl.frontends.python import trace
    >>> def f(K: Memref[f32, 56, 35], Q: Memref[f32, 35, 9], A: Memref[f32, 9, 9], R: Memref[f32, 56, 9]):
    ...     contract("kl,lq,qp->kp", K, Q, A, out=R, beta=1)
    >>> lines = [line.strip() for line in str(trace(f)).splitlines() if "yateto" in line]
    >>> [line.partition("}")[0] + "}" for line in lines]
    ['yateto.log {lq, qp to lp}', 'yateto.log {kl, lp to kp}']
    """
