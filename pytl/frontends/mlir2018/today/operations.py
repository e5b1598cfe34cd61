"""What each operation of the document is called today."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ....mlir.affine import AffineMap
from ....mlir.text import types as today
from ....mlir.text.names import PREDICATES
from ....mlir.text.numerals import float_text
from ....mlir.text.tree import DYNAMIC, Raw
from ....mlir.text.types import INDEX
from .. import rules
from ..operations import FORMS
from ..tree import Attribute, FunctionName, Number, Operation, Use
from ..types import Float, Index, Integer, MapUse, Memref, Tensor, Type, Unknown, Vector
from . import memory, transfers
from .builder import Builder
from .types import today_type

_DIALECTS = (
    "acc affine amdgpu amx arith arm_neon arm_sme arm_sve async bufferization builtin cf complex dlti emitc func gpu "
    "index irdl linalg llvm math memref ml_program mpi nvgpu nvvm omp pdl pdl_interp ptr quant rocdl scf shape shard "
    "smt sparse_tensor spirv tensor tosa transform ub vector wasmssa x86vector xegpu xevm"
)
REGISTERED = frozenset(_DIALECTS.split())
"""The dialects of MLIR 22, which know no operation or type that is not theirs."""
_RENAMED = {
    "addi": "arith.addi",
    "addf": "arith.addf",
    "mulf": "arith.mulf",
    "select": "arith.select",
    "divis": "arith.divsi",
    "diviu": "arith.divui",
    "remis": "arith.remsi",
    "remiu": "arith.remui",
    "memref_cast": "memref.cast",
    "tensor_cast": "tensor.cast",
    "dealloc": "memref.dealloc",
    "dma_start": "memref.dma_start",
    "dma_wait": "memref.dma_wait",
    "return": "func.return",
    "call_indirect": "func.call_indirect",
}
"""Operations that have another name, and nothing else."""


def convert_operation(operation: Operation, builder: Builder) -> None:
    """Append what an operation becomes."""
    if operation.name == "...":
        raise builder.refuse("what `...` stands for is not in the text")
    if builder.is_executed and operation.name in _EXECUTED:
        _EXECUTED[operation.name](operation, builder)
    elif operation.name in _RENAMED:
        add_renamed(_RENAMED[operation.name], operation, builder)
    elif operation.name in _CONVERTERS:
        _CONVERTERS[operation.name](operation, builder)
    elif operation.name.startswith("llvm."):
        _intrinsic(operation, builder)
    else:
        dialect, dot, _ = operation.name.partition(".")
        if not operation.name or (dot and dialect in REGISTERED):
            raise builder.refuse(f'"{operation.name}" is no name that MLIR leaves to other dialects')
        builder.note(rules.UNREGISTERED, f'"{operation.name}" is an operation of the dialect {dialect}')
        attributes = {key: attribute_today(value) for key, value in operation.attributes.items()}
        add_renamed(operation.name, operation, builder, attributes)


def results_of(operation: Operation) -> list[str]:
    """The names of the results; none where they are not used."""
    if operation.result is None:
        return []
    count = len(operation.result_types)
    return [f"%{operation.result.name}"] if count == 1 else [f"%{operation.result.name}#{n}" for n in range(count)]


def add_renamed(name: str, operation: Operation, builder: Builder, attributes: dict[str, Any] | None = None) -> None:
    """The operation with its operands and results under another name."""
    own = FORMS[operation.name].attributes if operation.name in FORMS else tuple(operation.attributes)
    more = {key: attribute_today(value) for key, value in operation.attributes.items() if key not in own}
    builder.add(
        name,
        builder.names_of(operation.operands),
        [today_type(_known(use, type_)) for use, type_ in zip(operation.operands, operation.operand_types)],
        results_of(operation),
        list(map(today_type, operation.result_types)),
        {**(attributes or {}), **more},
    )


def _known(use: Use, written: Type) -> Type:
    """The type of an operand, which the custom form may leave to the value's definition."""
    return (use.type or written) if isinstance(written, Unknown) else written


def attribute_today(value: Attribute) -> Any:
    """An attribute as `pytl.mlir.text` has it: one whose type counts by its text."""
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, tuple):
        return tuple(map(attribute_today, value))
    if isinstance(value, Number):
        if isinstance(value.value, float):
            return Raw(float_text(value.value) + (f" : {today_type(value.type)}" if value.type else ""))
        # without a type it has 64 bits
        wide = "" if -(1 << 63) <= value.value < 1 << 63 else f" : i{value.value.bit_length() + 1}"
        return Raw(f"{value.value} : {today_type(value.type)}" if value.type else f"{value.value}{wide}")
    if isinstance(value, FunctionName):
        return f"@{value.name}"
    if isinstance(value, MapUse):
        return replace(value.map, sizes=None)
    return today_type(value)


def _br(operation: Operation, builder: Builder) -> None:
    (to,) = operation.successors
    types = list(map(today_type, to.types))
    builder.add("cf.br", builder.names_of(to.uses), types, successors=[f"^{to.label}"])


def _cond_br(operation: Operation, builder: Builder) -> None:
    uses = [*operation.operands, *(use for each in operation.successors for use in each.uses)]
    types = [*operation.operand_types, *(type_ for each in operation.successors for type_ in each.types)]
    counts = (1, *(len(each.uses) for each in operation.successors))
    builder.add(
        "cf.cond_br",
        builder.names_of(uses),
        list(map(today_type, types)),
        attributes={"operandSegmentSizes": counts},
        successors=[f"^{each.label}" for each in operation.successors],
    )


def _affine_apply(operation: Operation, builder: Builder) -> None:
    """One operation for each result."""
    use = operation.attributes["map"]
    assert isinstance(use, MapUse)
    operands = builder.names_of(operation.operands)
    types = [INDEX] * len(operands)
    names = []
    for number, result in enumerate(use.map.results):
        map_ = AffineMap(use.map.dimensions, use.map.symbols, (result,))
        attributes = {"map": map_}
        hint = operation.result.name if operation.result else "a"
        if len(use.map.results) == 1 and operation.result:
            builder.add("affine.apply", operands, types, [f"%{hint}"], [INDEX], attributes)
            return
        names.append(builder.value(f"{hint}_{number}", "affine.apply", operands, types, INDEX, attributes))
    if operation.result:
        builder.results[id(operation.result)] = names


def _call(operation: Operation, builder: Builder) -> None:
    callee = operation.attributes["callee"]
    assert isinstance(callee, FunctionName)
    add_renamed("func.call", operation, builder, {"callee": f"@{callee.name}"})


def _constant(operation: Operation, builder: Builder) -> None:
    value, type_ = operation.attributes["value"], operation.result_types[0]
    if isinstance(value, FunctionName):
        add_renamed("func.constant", operation, builder, {"value": f"@{value.name}"})
    elif isinstance(value, bool):
        add_renamed("arith.constant", operation, builder, {"value": value})
    elif isinstance(value, Number) and isinstance(value.value, int) and isinstance(type_, (Integer, Index)):
        # half of the numbers without a sign are negative with one
        width = type_.width if isinstance(type_, Integer) else 64
        wrapped = (value.value + (1 << (width - 1))) % (1 << width) - (1 << (width - 1))
        add_renamed("arith.constant", operation, builder, {"value": bool(wrapped) if width == 1 else wrapped})
    elif isinstance(value, Number) and isinstance(type_, Float):
        add_renamed("arith.constant", operation, builder, {"value": value.value})
    else:
        raise builder.refuse(f"there is no constant of type {type_}")


def _cmpi(operation: Operation, builder: Builder) -> None:
    predicate = operation.attributes["predicate"]
    assert isinstance(predicate, Number) and isinstance(predicate.value, int)
    add_renamed("arith.cmpi", operation, builder, {"predicate": PREDICATES[predicate.value]})


def _dim(operation: Operation, builder: Builder) -> None:
    mode = operation.attributes["index"]
    assert isinstance(mode, Number) and isinstance(mode.value, int)
    number = builder.constant(mode.value)
    type_ = operation.operand_types[0]
    name = "memref.dim" if isinstance(type_, Memref) else "tensor.dim"
    operands = [builder.name_of(operation.operands[0]), number]
    builder.add(name, operands, [today_type(type_), INDEX], results_of(operation), [INDEX])


def _extract(operation: Operation, builder: Builder) -> None:
    of, *indices = builder.names_of(operation.operands)
    type_ = operation.operand_types[0]
    made = list(map(today_type, operation.result_types))
    types = [today_type(type_), *[INDEX] * len(indices)]
    if isinstance(type_, Vector):
        attributes = {"static_position": (DYNAMIC,) * len(indices)}
        builder.add("vector.extract", [of, *indices], types, results_of(operation), made, attributes)
        return
    if isinstance(type_, Tensor) and type_.shape is None:
        # an element is taken of a tensor whose rank is known
        ranked = today.Tensor((None,) * len(indices), today_type(type_.element))
        of = builder.value("ranked", "tensor.cast", [of], types[:1], ranked)
        types[0] = ranked
    builder.add("tensor.extract", [of, *indices], types, results_of(operation), made)


def _intrinsic(operation: Operation, builder: Builder) -> None:
    """A function of LLVM by its name; several results are those of a structure."""
    operands = builder.names_of(operation.operands)
    types = list(map(today_type, operation.operand_types))
    attributes = {"intrin": operation.name}
    results = operation.result_types
    if len(results) < 2:
        builder.add(
            "llvm.call_intrinsic", operands, types, results_of(operation), list(map(today_type, results)), attributes
        )
        return
    whole = today.Opaque(f"!llvm.struct<({', '.join(str(today_type(each)) for each in results)})>")
    structure = builder.value("parts", "llvm.call_intrinsic", operands, types, whole, attributes)
    names = [
        builder.value("part", "llvm.extractvalue", [structure], [whole], today_type(type_), {"position": (number,)})
        for number, type_ in enumerate(results)
    ]
    if operation.result:
        builder.results[id(operation.result)] = names


_EXECUTED = {"dma_start": transfers.start, "dma_wait": transfers.wait}
"""What is written in another way where a function is executed."""
_CONVERTERS: dict[str, Callable[[Operation, Builder], None]] = {
    "br": _br,
    "cond_br": _cond_br,
    "affine_apply": _affine_apply,
    "call": _call,
    "constant": _constant,
    "cmpi": _cmpi,
    "dim": _dim,
    "extract_element": _extract,
    "alloc": memory.alloc,
    "alloc_static": memory.alloc_static,
    "load": memory.load,
    "store": memory.store,
    "tensor_load": memory.tensor_load,
    "tensor_store": memory.tensor_store,
    "reshape": memory.reshape,
    "view": memory.view,
}
