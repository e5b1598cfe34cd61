"""Kernels as functions of linalg on tensors, where they are such: products, sums and updates of whole memrefs.

A memref is a tensor with its modes in reverse order. What a kernel writes, the function takes, and gives anew. Memory
that is indexed by the work-group's number, and the items of groups, have one more dimension in front: all work-groups
together are one parallel iteration. All operations are linalg.generic, with the indices of the instruction as maps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, NoReturn

from ...diagnostics import LanguageError
from ...ir.operation import Operation
from ...ir.types import GroupType, MemrefType, ScalarType
from ...ir.values import Function, Module, Value
from ...mlir.affine import AffineMap
from ...mlir.affine.expressions import Dimension
from ...mlir.text import Block, Complex, Region, Scalar, Tensor, Type
from ...mlir.text import Function as FunctionType
from ...mlir.text import Operation as Made
from ...mlir.text.printer import print_operation
from ...mlir.text.tree import of_dialect
from ...mlir.text.types import INDEX
from ...ops import (
    Alloca,
    Axpby,
    Builtin,
    Constant,
    Gemm,
    Gemv,
    Ger,
    Hadamard,
    IndexedAxpby,
    IndexedProduct,
    IndexedSum,
    LifetimeStop,
    Load,
    LoopOverGemm,
    Subview,
    Sum,
)
from ...process.records import dataclass
from ..base import NOT_WRITTEN
from .tree_writer import TreeWriter

_BATCH = "g"
_OUT = "%out.0"
"""The element of the target: no name of a parameter has a point."""
_ARITHMETIC = {"mul": ("arith.muli", "arith.mulf", "complex.mul"), "add": ("arith.addi", "arith.addf", "complex.add")}


def linalg_text(module: Module) -> str:
    """The kernels of a module. Raises `pytl.LanguageError` at what is no operation of linalg on whole tensors."""
    return "\n".join(print_operation(_Writer(function).written()) for function in module.kernels)


def _type(type_: ScalarType) -> Type:
    return Complex(Scalar(type_.component.name)) if type_.is_complex else Scalar(type_.name)


def _kind(type_: ScalarType) -> int:
    return 2 if type_.is_complex else 1 if type_.is_floating else 0


@dataclass(frozen=True)
class _Tensor:
    """A memref: which tensor it is, whether it is an item for each work-group, and its sizes."""

    root: Value
    is_batch: bool
    type: MemrefType

    @property
    def written(self) -> Tensor:
        """The type of the tensor."""
        sizes = [size if isinstance(size, int) else None for size in reversed(self.type.shape)]
        return Tensor((*([None] if self.is_batch else []), *sizes), _type(self.type.element))


class _Writer(TreeWriter):
    def __init__(self, function: Function) -> None:
        super().__init__(Made("", [], [], [], [], {}))
        self.function = function
        self.tensors: dict[Value, _Tensor] = {}
        self.names: dict[Value, str] = {}
        """Of scalars, and the newest tensor of each memref that was passed or allocated."""
        self.changed: list[Value] = []
        self._count = 0
        views = [op for op in function.walk() if isinstance(op, (Subview, Load)) and _is_item(op)]
        self.batches = {op.tensor for op in views}

    def fail(self, op: Operation, message: str) -> NoReturn:
        help = (
            "it prints as linalg what consists of gemm, gemv, ger, axpby, hadamard, sum and products in index notation"
        )
        raise LanguageError.single(
            NOT_WRITTEN, f"@{self.function.name} is no linalg on tensors: {message}", op.location, help
        )

    def new_name(self) -> str:
        self._count += 1
        return f"%{self._count}"

    def written(self) -> Made:
        parameters = [self._parameter(n, each) for n, each in enumerate(self.function.parameters)]
        for op in self.function.body.operations:
            self._operation(op)
        results = [each for each in self.function.parameters if each in self.changed]
        types = [self._whole(each).written for each in results]
        self.emit("func.return", [self.names[each] for each in results], types)
        type_ = FunctionType(tuple(of for _, of in parameters), tuple(types))
        attributes = {"sym_name": self.function.name, "function_type": type_}
        return Made("func.func", [], [], [], [], attributes, [Region([Block("", parameters, self.out)])])

    def _parameter(self, number: int, value: Value) -> tuple[str, Type]:
        self.names[value] = f"%{value.name or f'p{number}'}"
        is_number = isinstance(value.type, ScalarType)
        return self.names[value], _type(value.type) if is_number else self._whole(value).written

    def _whole(self, value: Value) -> _Tensor:
        type_ = value.type
        if isinstance(type_, GroupType):
            return _Tensor(value, True, type_.memref)
        if value in self.batches:
            return _Tensor(value, True, MemrefType(type_.element, type_.shape[:-1]))
        return _Tensor(value, False, type_)

    # Instructions.

    def _operation(self, op: Operation) -> None:
        if isinstance(op, Constant) and isinstance(op.result.type, ScalarType):
            self._constant(op)
        elif isinstance(op, (Builtin, LifetimeStop)):
            if isinstance(op, Builtin) and op.variant != "group_id":
                self.fail(op, f"it asks for {op.variant}")
        elif isinstance(op, (Subview, Load)) and _is_item(op):
            self.tensors[op.result] = self._whole(op.tensor)
        elif isinstance(op, Alloca):
            self._empty(op)
        elif isinstance(op, (Axpby, IndexedAxpby)):
            self._update(op, [op.A], op.B, _letters(op))
        elif isinstance(op, (Sum, IndexedSum)):
            self._update(op, [op.A], op.b if isinstance(op, Sum) else op.B, _letters(op))
        elif isinstance(op, (Gemm, Hadamard, IndexedProduct, LoopOverGemm)):
            self._update(op, [op.A, op.B], op.C, _letters(op))
        elif isinstance(op, Gemv):
            self._update(op, [op.A, op.b], op.c, _letters(op))
        elif isinstance(op, Ger):
            self._update(op, [op.a, op.b], op.C, _letters(op))
        else:
            self.fail(op, f"it has {op.mnemonic}")

    def _constant(self, op: Constant) -> None:
        type_ = op.result.type
        number = complex(op.literal)
        value: Any = (number.real, number.imag) if type_.is_complex else op.literal
        name = "complex.constant" if type_.is_complex else "arith.constant"
        self.names[op.result] = self.emit(name, [], [], [_type(type_)], {"value": value})

    def _empty(self, op: Alloca) -> None:
        value = op.result
        tensor = self.tensors[value] = _Tensor(value, bool(self.batches), value.type)
        sizes = []
        if tensor.is_batch:
            source = next(each for each in self.function.parameters if each in self.batches)
            operands = [self.names[source], self.index(0)]
            sizes = [self.emit("tensor.dim", operands, [self._whole(source).written], [INDEX])]
        self.names[value] = self.emit("tensor.empty", sizes, [], [tensor.written])

    def _tensor(self, op: Operation, value: Value) -> _Tensor:
        if value in self.tensors:
            return self.tensors[value]
        if value not in self.names:
            self.fail(op, "it has a view of a part of a memref")
        if value in self.batches:
            self.fail(op, "it uses memory as one, and by the work-group's number")
        return self._whole(value)

    def _update(self, op: Any, inputs: Sequence[Value], target: Value, letters: Sequence[str]) -> None:
        """`target := alpha ∏ inputs + beta target`, by the letters of modes."""
        if op.atomic:
            self.fail(op, "it updates memory atomically")
        read, out = [self._tensor(op, each) for each in inputs], self._tensor(op, target)
        if not out.is_batch and (self.batches or any(each.is_batch for each in read)):
            self.fail(op, "all work-groups write the same memory")
        element = out.type.element
        if out.root in self.function.parameters and out.root not in self.changed:
            self.changed.append(out.root)
        # what is read is read before the target is scaled
        operands = [(self.names[each.root], each) for each in read]
        self._scaled(op, out, letters[-1])

        def value(names: Sequence[str]) -> str:
            factors = [self._cast(op, name, each.type.element, element) for name, each in zip(names, read)]
            product = reduce(lambda a, b: self._binary("mul", a, b, element), factors)
            if not _is_number(op.alpha, 1):
                alpha = self._cast(op, self.names[op.alpha], op.alpha.type, element)
                product = self._binary("mul", alpha, product, element)
            return self._binary("add", _OUT, product, element)

        self._generic(operands, out, letters, value)

    def _scaled(self, op: Any, out: _Tensor, letters: str) -> None:
        """The target times beta."""
        if _is_number(op.beta, 1):
            return
        element, old, beta = out.type.element, self.names[out.root], self.names[op.beta]
        if not _is_number(op.beta, 0):
            self._generic(
                [],
                out,
                [letters],
                lambda _: self._binary("mul", self._cast(op, beta, op.beta.type, element), _OUT, element),
            )
            return
        if op.beta.type != element:
            self.fail(op, f"beta is {op.beta.type}, and elements are {element}")
        types, attributes = [_type(element), out.written], {"operandSegmentSizes": (1, 1)}
        self.names[out.root] = self.emit("linalg.fill", [beta, old], types, [out.written], attributes)

    def _generic(
        self,
        operands: Sequence[tuple[str, _Tensor]],
        out: _Tensor,
        letters: Sequence[str],
        value: Callable[[Sequence[str]], str],
    ) -> None:
        """Each element of the target as what a function writes for those of operands."""
        all_ = [*operands, (self.names[out.root], out)]
        iterations = _iterations(letters, [each.is_batch for _, each in all_])
        indices = [(_BATCH if each.is_batch else "") + of[::-1] for (_, each), of in zip(all_, letters)]
        maps = [
            AffineMap(tuple(iterations), (), tuple(Dimension(iterations.index(each)) for each in own))
            for own in indices
        ]
        kinds = ["parallel" if each in indices[-1] else "reduction" for each in iterations]
        names, types = [f"%in.{n}" for n in range(len(operands))], [each.written for _, each in all_]
        arguments = [(name, of.element) for name, of in zip([*names, _OUT], types)]
        body = self.body(lambda: [value(names)], "linalg.yield", [out.written.element], arguments)
        attributes = {
            "indexing_maps": tuple(maps),
            "iterator_types": tuple(of_dialect("linalg.iterator_type", kind) for kind in kinds),
            "operandSegmentSizes": (len(operands), 1),
        }
        given = [name for name, _ in all_]
        self.names[out.root] = self.emit("linalg.generic", given, types, [out.written], attributes, [body])

    # Numbers.

    def _binary(self, word: str, a: str, b: str, type_: ScalarType) -> str:
        return self.same(_ARITHMETIC[word][_kind(type_)], [a, b], _type(type_))

    def _cast(self, op: Operation, name: str, source: ScalarType, target: ScalarType) -> str:
        if source == target:
            return name
        if _kind(source) != _kind(target) or source.is_complex or source.size >= target.size:
            self.fail(op, f"{source} is joined with {target}")
        word = "arith.extf" if source.is_floating else "arith.extsi"
        return self.emit(word, [name], [_type(source)], [_type(target)])


def _iterations(letters: Sequence[str], batches: Sequence[bool]) -> str:
    """All iterations, the batch first, then those of the target in the order of a tensor."""
    found = (_BATCH if any(batches) else "") + letters[-1][::-1] + "".join(letters)
    return "".join(dict.fromkeys(found))


def _is_item(op: Any) -> bool:
    """Whether a view is what belongs to the work-group: of a group, or of the last mode, and whole otherwise."""
    if isinstance(op, Load):
        return isinstance(op.tensor.type, GroupType) and _is_group_id(op.indices[0])
    *whole, last = op.slices or [None]
    shape = op.tensor.type.shape
    if last is None or last.keeps_mode or not _is_group_id(last.offset) or op.tensor.owner is not None:
        return False
    return all(each.offset == 0 and each.size == size for each, size in zip(whole, shape))


def _is_group_id(value: Any) -> bool:
    return isinstance(value, Value) and isinstance(value.owner, Builtin) and value.owner.variant == "group_id"


def _is_number(value: Value, number: int) -> bool:
    return isinstance(value.owner, Constant) and value.owner.literal == number


def _letters(op: Any) -> list[str]:
    """The letters of the modes of each operand, the target last; `g` is that of work-groups."""
    if isinstance(op, (IndexedAxpby, IndexedSum, IndexedProduct, LoopOverGemm)):
        return [_renamed(each.names) for each in op.map.operands]
    turned = "t" in (getattr(op, "transpose", "n"), getattr(op, "transpose_a", "n"))
    if isinstance(op, Gemm):
        return ["km" if op.transpose_a == "t" else "mk", "nk" if op.transpose_b == "t" else "kn", "mn"]
    if isinstance(op, Gemv):
        return ["km" if turned else "mk", "k", "m"]
    if isinstance(op, Ger):
        return ["m", "n", "mn"]
    if isinstance(op, Hadamard):
        order = "ijklmn"[: op.C.type.order]
        return [order] * 3
    if isinstance(op, Sum):
        return ["i", ""] if op.A.type.order == 1 else ["ij", "j" if turned else "i"]
    order = "ijklmn"[: op.B.type.order]
    return [order[::-1] if turned else order, order]


def _renamed(names: str) -> str:
    return names.replace(_BATCH, "z")
