"""Kernels as functions of linalg on tensors, where they are such: products, sums and updates of whole memrefs.

A memref is a tensor with its modes in reverse order. What a kernel writes, the function takes, and gives anew. Memory
that is indexed by the work-group's number, and the items of groups, have one more dimension in front: all work-groups
together are one parallel iteration. All operations are linalg.generic, with the indices of the instruction as maps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from ...diagnostics import LanguageError
from ...ir.operation import Operation
from ...ir.types import GroupType, MemrefType, ScalarType
from ...ir.values import Function, Module, Value
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

_BATCH = "g"
_OUT = "%out.0"
"""The element of the target: no name of a parameter has a point."""
_ARITHMETIC = {"mul": ("arith.muli", "arith.mulf", "complex.mul"), "add": ("arith.addi", "arith.addf", "complex.add")}


def linalg_text(module: Module) -> str:
    """The kernels of a module. Raises `pytl.LanguageError` at what is no operation of linalg on whole tensors."""
    return "\n".join(_Writer(function).text() for function in module.kernels)


def _type(type_: ScalarType) -> str:
    return f"complex<{type_.component.name}>" if type_.is_complex else type_.name


def _kind(type_: ScalarType) -> int:
    return 2 if type_.is_complex else 1 if type_.is_floating else 0


@dataclass(frozen=True)
class _Tensor:
    """A memref: which tensor it is, whether it is an item for each work-group, and its sizes."""

    root: Value
    is_batch: bool
    type: MemrefType

    @property
    def text(self) -> str:
        """The type of the tensor."""
        sizes = [
            *(["?"] if self.is_batch else []),
            *(str(n) if isinstance(n, int) else "?" for n in reversed(self.type.shape)),
        ]
        return f"tensor<{''.join(f'{size}x' for size in sizes)}{_type(self.type.element)}>"


class _Writer:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.lines: list[str] = []
        self.tensors: dict[Value, _Tensor] = {}
        self.names: dict[Value, str] = {}
        """Of scalars, and the newest tensor of each memref that was passed or allocated."""
        self.written: list[Value] = []
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

    def new(self) -> str:
        self._count += 1
        return f"%{self._count}"

    def text(self) -> str:
        head = [self._parameter(n, each) for n, each in enumerate(self.function.parameters)]
        for op in self.function.body.operations:
            self._operation(op)
        results = [each for each in self.function.parameters if each in self.written]
        types = [self._whole(each).text for each in results]
        given = f" -> ({', '.join(types)})" if types else ""
        last = (
            f"  return {', '.join(self.names[each] for each in results)} : {', '.join(types)}" if types else "  return"
        )
        return "\n".join([f"func.func @{self.function.name}({', '.join(head)}){given} {{", *self.lines, last, "}", ""])

    def _parameter(self, number: int, value: Value) -> str:
        self.names[value] = name = f"%{value.name or f'p{number}'}"
        if isinstance(value.type, ScalarType):
            return f"{name}: {_type(value.type)}"
        return f"{name}: {self._whole(value).text}"

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
        self.names[op.result] = name = self.new()
        type_ = op.result.type
        if type_.is_complex:
            part, number = type_.component.name, complex(op.literal)
            parts = f"[{number.real!r} : {part}, {number.imag!r} : {part}]"
            self.lines.append(f"  {name} = complex.constant {parts} : {_type(type_)}")
            return
        literal = f"{float(op.literal):.17e}" if type_.is_floating else str(int(op.literal))
        if literal in ("inf", "-inf", "nan"):
            self.fail(op, f"{literal} is no number that it prints")
        self.lines.append(f"  {name} = arith.constant {literal} : {type_.name}")

    def _empty(self, op: Alloca) -> None:
        value = op.result
        tensor = _Tensor(value, bool(self.batches), value.type)
        self.tensors[value] = tensor
        sizes = ""
        if tensor.is_batch:
            zero, sizes, source = (
                self.new(),
                self.new(),
                next(each for each in self.function.parameters if each in self.batches),
            )
            self.lines.append(f"  {zero} = arith.constant 0 : index")
            self.lines.append(f"  {sizes} = tensor.dim {self.names[source]}, {zero} : {self._whole(source).text}")
        self.names[value] = name = self.new()
        self.lines.append(f"  {name} = tensor.empty({sizes}) : {tensor.text}")

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
        if any(each.is_batch for each in read) and not out.is_batch:
            self.fail(op, "all work-groups write the same memory")
        if self.batches and not out.is_batch:
            self.fail(op, "all work-groups write the same memory")
        element = out.type.element
        if out.root in self.function.parameters and out.root not in self.written:
            self.written.append(out.root)
        # what is read is read before the target is scaled
        operands = [(self.names[each.root], each) for each in read]
        self._scaled(op, out, letters[-1])
        iterations = _iterations(letters, [each.is_batch for each in (*read, out)])
        body: list[str] = []
        names = [f"%in.{n}" for n in range(len(read))]
        values = [self._cast(op, body, name, each.type.element, element) for name, each in zip(names, read)]
        value = values[0] if len(values) == 1 else self._binary(body, "mul", values[0], values[1], element)
        if not _is_number(op.alpha, 1):
            alpha = self._cast(op, body, self.names[op.alpha], op.alpha.type, element)
            value = self._binary(body, "mul", alpha, value, element)
        value = self._binary(body, "add", _OUT, value, element)
        self._generic(op, operands, out, letters, iterations, [*names, _OUT], body, value)

    def _scaled(self, op: Any, out: _Tensor, letters: str) -> None:
        """The target times beta."""
        if _is_number(op.beta, 1):
            return
        element, old = out.type.element, self.names[out.root]
        if _is_number(op.beta, 0):
            beta = self.names[op.beta]
            if op.beta.type != element:
                self.fail(op, f"beta is {op.beta.type}, and elements are {element}")
            self.names[out.root] = name = self.new()
            types = f"{_type(element)}) outs({old} : {out.text}"
            self.lines.append(f"  {name} = linalg.fill ins({beta} : {types}) -> {out.text}")
            return
        body: list[str] = []
        beta = self._cast(op, body, self.names[op.beta], op.beta.type, element)
        value = self._binary(body, "mul", beta, _OUT, element)
        self._generic(op, [], out, [letters], _iterations([letters], [out.is_batch]), [_OUT], body, value)

    def _generic(
        self,
        op: Operation,
        operands: Sequence[tuple[str, _Tensor]],
        out: _Tensor,
        letters: Sequence[str],
        iterations: str,
        names: Sequence[str],
        body: Sequence[str],
        value: str,
    ) -> None:
        all_ = [*(each for _, each in operands), out]
        maps = []
        for each, of in zip(all_, letters):
            indices = (_BATCH if each.is_batch else "") + of[::-1]
            maps.append(f"affine_map<({', '.join(iterations)}) -> ({', '.join(indices)})>")
        kept = letters[-1] + (_BATCH if out.is_batch else "")
        kinds = ", ".join('"parallel"' if each in kept else '"reduction"' for each in iterations)
        ins = (
            f"ins({', '.join(name for name, _ in operands)} : {', '.join(each.text for _, each in operands)}) "
            if operands
            else ""
        )
        old = self.names[out.root]
        self.names[out.root] = name = self.new()
        arguments = ", ".join(f"{n}: {_type(each.type.element)}" for n, each in zip(names, all_))
        self.lines += [
            f"  {name} = linalg.generic {{indexing_maps = [{', '.join(maps)}],",
            f"      iterator_types = [{kinds}]}} {ins}outs({old} : {out.text}) {{",
            f"  ^bb0({arguments}):",
            *(f"    {line}" for line in body),
            f"    linalg.yield {value} : {_type(out.type.element)}",
            f"  }} -> {out.text}",
        ]

    # Numbers.

    def _binary(self, body: list[str], word: str, a: str, b: str, type_: ScalarType) -> str:
        name = self.new()
        body.append(f"{name} = {_ARITHMETIC[word][_kind(type_)]} {a}, {b} : {_type(type_)}")
        return name

    def _cast(self, op: Operation, body: list[str], name: str, source: ScalarType, target: ScalarType) -> str:
        if source == target:
            return name
        if _kind(source) != _kind(target) or source.is_complex or source.size >= target.size:
            self.fail(op, f"{source} is joined with {target}")
        cast = self.new()
        word = "arith.extf" if source.is_floating else "arith.extsi"
        body.append(f"{cast} = {word} {name} : {_type(source)} to {_type(target)}")
        return cast


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
