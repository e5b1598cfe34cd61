"""Tensor operations in index notation, of tensors of any order: those of YATeTo's immediate language.

They are instructions of the namespace `yateto`, which the manual of the tensor language has not; the pass
`loop-over-gemm` turns them into instructions that it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..diagnostics.words import counted
from ..ir.constraints import MEMREF, SCALAR
from ..ir.fields import Operand
from ..ir.operation import Check, Problem, check
from ..ir.registry import instruction
from ..ir.types import Extent
from .index_notation import IndexMap, IndexMapPart, Indices
from .reshape import times
from .updates import Update, scalar_checks

SECTION = "Index notation"


class Contraction(Update):
    """`target := alpha f(factors) + beta target`, where an index map names the modes of all tensors."""

    map: Any

    @property
    def operand_indices(self) -> Iterator[tuple[str, Indices]]:
        """Each tensor operand's name with its indices, the target last."""
        yield from zip((*self.factors, self.target), self.map.operands)

    def equal_modes(self) -> Iterator[list[tuple[str, int]]]:
        names = (*self.factors, self.target)
        for index in self.map.names:
            modes = [(names[number], mode) for number, mode in self.map.modes_of(index)]
            if len(modes) > 1:
                yield modes

    def size_name(self, name: str, mode: int) -> str:
        indices = dict(self.operand_indices)[name]
        return f"the size of index {indices.names[mode]} in {name}"


# What holds of every index map.


@check("PYTL-0601", "an index map has as many inputs as the instruction has factors", SECTION, is_basic=True)
def input_count(op: Contraction) -> Iterator[Problem]:
    expected, actual = len(op.factors), len(op.map.inputs)
    if expected != actual:
        form = "{indices to indices}" if expected == 1 else "{indices, indices to indices}"
        message = f"the index map has {counted(actual, 'input')}, but there are {counted(expected, 'factor')}"
        yield Problem(message, f"write {form}", location=_location(op, op.map.location))


@check("PYTL-0602", "an operand has one index for each of its modes", SECTION, is_basic=True)
def index_count(op: Contraction) -> Iterator[Problem]:
    for name, indices in op.operand_indices:
        type_ = getattr(op, name).type
        if len(indices.names) != type_.order:
            index_text = counted(len(indices.names), "index", "indices")
            message = f"{name} has {index_text} in the index map, but is {type_}, of order {type_.order}"
            yield Problem(message, part=name, location=_location(op, indices.location))


@check("PYTL-0603", "[ ] and ( ) are for the index map of yateto.log", SECTION)
def no_modifiers(op: Contraction) -> Iterator[Problem]:
    for name, indices in op.operand_indices:
        for piece in indices.pieces:
            if piece.kind != "plain":
                location = piece.locations[0] if piece.locations else indices.location
                message = f"{name} has {piece} in the index map, which says how a loop-over-GEMM is computed"
                yield Problem(message, f"write {piece.names}", location=_location(op, location))


def once_check(code: str, text: str, side: str) -> Check:
    """The rule that no index is repeated in an operand: in `every` operand, or in the `output` alone."""

    @check(code, text, SECTION, is_basic=True)
    def once(op: Contraction) -> Iterator[Problem]:
        for name, indices in op.operand_indices:
            if side == "output" and name != op.target:
                continue
            for mode, index in enumerate(indices.names):
                if index in indices.names[:mode]:
                    message = f"index {index} occurs twice in {name}"
                    yield Problem(message, location=_location(op, indices.location_of(mode)))

    return once


once_in_every_operand = once_check("PYTL-0604", "an index occurs once in an operand", "every")
once_in_output = once_check(
    "PYTL-0605",
    "an index occurs once in the output; indices that are repeated in the input take its diagonal",
    "output",
)


@check("PYTL-0606", "modes with the same index have the same size; a static size never equals a dynamic one", SECTION)
def sizes_agree(op: Contraction) -> Iterator[Problem]:
    indices = dict(op.operand_indices)
    for modes in op.equal_modes():
        (first, first_mode), *others = modes
        expected = getattr(op, first).type.shape[first_mode]
        for name, mode in others:
            actual = getattr(op, name).type.shape[mode]
            if actual != expected:
                index = indices[name].names[mode]
                message = f"index {index} has size {expected} in {first}, but {actual} in {name}"
                yield Problem(message, part=name, location=_location(op, indices[name].location_of(mode)))


def _location(op: Contraction, location: Any) -> Any:
    """Where to point: at a character of the index map, or at the map where that is not known."""
    return location or op.location_of("map")


def _missing(op: Contraction, name: str, allowed: str, message: str) -> Iterator[Problem]:
    """A problem for each index of an operand that is not among the wanted ones."""
    indices = dict(op.operand_indices)[name]
    for mode, index in enumerate(indices.names):
        if index not in allowed:
            yield Problem(message.format(index=index, name=name), location=_location(op, indices.location_of(mode)))


_SECTION_AXPBY = "Axpby in index notation"


@check("PYTL-0610", "the input's indices are those of the output, in any order", _SECTION_AXPBY)
def same_indices(op: Contraction) -> Iterator[Problem]:
    a, b = op.map.inputs[0].names, op.map.output.names
    yield from _missing(op, "B", a, "{name} has index {index}, which A has not")
    yield from _missing(op, "A", b, "{name} has index {index}, which B has not: yateto.sum sums over it")


# The instructions.


@instruction
class IndexedAxpby(Contraction):
    """`B := alpha A + beta B`, where an index map says which modes of A and B belong together.

    B is not read where beta is the constant 0.
    """

    mnemonic = "yateto.axpby"
    section = _SECTION_AXPBY
    map: Any = IndexMapPart(1, "the indices of A and B")
    alpha: Any = Operand(SCALAR, "factor of A")
    A: Any = Operand(MEMREF, "what is added")
    beta: Any = Operand(SCALAR, "factor of B")
    B: Any = Operand(MEMREF, "what is updated")
    assembly = "` ` $map `, ` $alpha `, ` $A `, ` $beta `, ` $B"
    rules = (
        input_count,
        index_count,
        once_in_output,
        no_modifiers,
        same_indices,
        sizes_agree,
        *scalar_checks("PYTL-0611", "PYTL-0612", None, _SECTION_AXPBY, "A", None, "B"),
    )
    factors = ("A",)
    target = "B"

    def allows_in_place(self, factor: str) -> bool:
        return bool(self.map.inputs[0].names == self.map.output.names)


_SECTION_SUM = "Sum in index notation"


@check("PYTL-0613", "the output's indices are among those of the input", _SECTION_SUM)
def output_in_input(op: Contraction) -> Iterator[Problem]:
    yield from _missing(op, "B", op.map.inputs[0].names, "{name} has index {index}, which A has not")


@instruction
class IndexedSum(Contraction):
    """`B := alpha ∑ A + beta B`, over the indices of A that B has not.

    B is not read where beta is the constant 0.
    """

    mnemonic = "yateto.sum"
    section = _SECTION_SUM
    map: Any = IndexMapPart(1, "the indices of A and B")
    alpha: Any = Operand(SCALAR, "factor of the sum")
    A: Any = Operand(MEMREF, "what is summed up")
    beta: Any = Operand(SCALAR, "factor of B")
    B: Any = Operand(MEMREF, "what is updated")
    assembly = "` ` $map `, ` $alpha `, ` $A `, ` $beta `, ` $B"
    rules = (
        input_count,
        index_count,
        once_in_output,
        no_modifiers,
        output_in_input,
        sizes_agree,
        *scalar_checks("PYTL-0614", "PYTL-0615", None, _SECTION_SUM, "A", None, "B"),
    )
    factors = ("A",)
    target = "B"


_SECTION_PRODUCT = "Product in index notation"


@check("PYTL-0616", "the output's indices are those of the inputs, and each index of an input", _SECTION_PRODUCT)
def union_of_inputs(op: Contraction) -> Iterator[Problem]:
    a, b, c = (indices.names for indices in op.map.operands)
    yield from _missing(op, "C", a + b, "{name} has index {index}, which neither A nor B has")
    for name in op.factors:
        yield from _missing(
            op, name, c, "{name} has index {index}, which C has not: yateto.log sums over indices of A and B"
        )


@instruction
class IndexedProduct(Contraction):
    """`C := alpha A B + beta C`, element by element: each element of C has the indices of one of A and one of B.

    C is not read where beta is the constant 0.
    """

    mnemonic = "yateto.product"
    section = _SECTION_PRODUCT
    map: Any = IndexMapPart(2, "the indices of A, B and C")
    alpha: Any = Operand(SCALAR, "factor of the product")
    A: Any = Operand(MEMREF, "left factor")
    B: Any = Operand(MEMREF, "right factor")
    beta: Any = Operand(SCALAR, "factor of C")
    C: Any = Operand(MEMREF, "what is updated")
    assembly = "` ` $map `, ` $alpha `, ` $A `, ` $B `, ` $beta `, ` $C"
    rules = (
        input_count,
        index_count,
        once_in_every_operand,
        no_modifiers,
        union_of_inputs,
        sizes_agree,
        *scalar_checks("PYTL-0617", "PYTL-0618", None, _SECTION_PRODUCT, "A", "B", "C"),
    )
    factors = ("A", "B")
    target = "C"

    def allows_in_place(self, factor: str) -> bool:
        return bool(self.map.inputs[self.factors.index(factor)].names == self.map.output.names)


_SECTION_LOG = "Loop-over-GEMM"


@check("PYTL-0620", "each index is in two or three of A, B and C", _SECTION_LOG)
def paired(op: Contraction) -> Iterator[Problem]:
    a, b, c = (indices.names for indices in op.map.operands)
    yield from _missing(op, "A", b + c, "{name} alone has index {index}: sum over it first with yateto.sum")
    yield from _missing(op, "B", a + c, "{name} alone has index {index}: sum over it first with yateto.sum")
    yield from _missing(op, "C", a + b, "{name} alone has index {index}")


@check("PYTL-0621", "an index that is looped over in one operand is so in every operand that has it", _SECTION_LOG)
def loops_alike(op: Contraction) -> Iterator[Problem]:
    marked = {index for indices in op.map.operands for index in indices.loops}
    for name, indices in op.operand_indices:
        for mode, index in enumerate(indices.names):
            if index in marked and index not in indices.loops:
                message = f"index {index} of {name} is not marked, but other operands have [{index}]"
                yield Problem(message, f"write [{index}]", location=_location(op, indices.location_of(mode)))


@check(
    "PYTL-0622",
    "indices that are fused in one operand stand fused in the same order in every operand that has one",
    _SECTION_LOG,
)
def fused_alike(op: Contraction) -> Iterator[Problem]:
    for group in op.map.fused:
        for name, indices in op.operand_indices:
            mode = next((mode for mode, index in enumerate(indices.names) if index in group), None)
            if mode is None or group in indices.fused:
                continue
            lacking = [index for index in group if index not in indices.names]
            help = None if lacking or group not in indices.names else f"write ({group})"
            message = f"{name} has {indices}, but another operand has ({group})"
            yield Problem(message, help, location=_location(op, indices.location_of(mode)))


@check("PYTL-0623", "fused indices are contiguous in memory: stride[n] = shape[j] stride[j] for (jn)", _SECTION_LOG)
def fused_contiguous(op: Contraction) -> Iterator[Problem]:
    for name, mode in fused_modes(op):
        type_ = getattr(op, name).type
        indices = dict(op.operand_indices)[name]
        first, second = indices.names[mode - 1], indices.names[mode]
        end: Extent = times(type_.shape[mode - 1], type_.strides[mode - 1])
        stride = type_.strides[mode]
        if isinstance(end, int) and isinstance(stride, int) and end != stride:
            message = f"index {first} of {name} ends after {end} elements, but the stride of {second} is {stride}"
            help = f"loop over one of them: [{second}]"
            yield Problem(message, help, name, _location(op, indices.location_of(mode)))


def fused_modes(op: Contraction) -> Iterator[tuple[str, int]]:
    """Each mode that is fused with the one before: the operand's name and the mode."""
    for name, indices in op.operand_indices:
        mode = 0
        for piece in indices.pieces:
            if piece.kind == "fused":
                yield from ((name, mode + offset) for offset in range(1, len(piece.names)))
            mode += len(piece.names)


@instruction
class LoopOverGemm(Contraction):
    """`C := alpha ∑ A B + beta C`, over the indices of A and B that C has not.

    It is a matrix product, or loops over matrix products. Indices that A, B and C have are looped over. So are those
    that the map has in brackets: `[k]` in C is an outer loop, and elsewhere a loop that sums up. Indices in
    parentheses, `(jn)`, are one index of the matrix product. Without these modifiers, the order of loops and which
    indices the product has is chosen. C is not read where beta is the constant 0.
    """

    mnemonic = "yateto.log"
    section = _SECTION_LOG
    map: Any = IndexMapPart(2, "the indices of A, B and C")
    alpha: Any = Operand(SCALAR, "factor of the product")
    A: Any = Operand(MEMREF, "left factor")
    B: Any = Operand(MEMREF, "right factor")
    beta: Any = Operand(SCALAR, "factor of C")
    C: Any = Operand(MEMREF, "what is updated")
    assembly = "` ` $map `, ` $alpha `, ` $A `, ` $B `, ` $beta `, ` $C"
    rules = (
        input_count,
        index_count,
        once_in_every_operand,
        paired,
        loops_alike,
        fused_alike,
        sizes_agree,
        fused_contiguous,
        *scalar_checks("PYTL-0624", "PYTL-0625", None, _SECTION_LOG, "A", "B", "C"),
    )
    factors = ("A", "B")
    target = "C"


__all__ = ["Contraction", "IndexMap", "IndexedAxpby", "IndexedProduct", "IndexedSum", "LoopOverGemm", "fused_modes"]
