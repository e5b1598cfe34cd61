"""What each operation of the document is called today."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ....mlir.affine import AffineMap
from ....mlir.text import read_type
from ....mlir.text.tree import Raw
from .. import rules
from ..operations import FORMS
from ..tree import Attribute, FunctionName, Number, Operation, Use
from ..types import Float, Index, Integer, MapUse, Memref, Tensor, Type, Unknown, Vector
from . import memory, transfers
from .builder import DYNAMIC, INDEX, Builder
from .types import sizes_text, today_type, type_text

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


def convert_operation(given: Operation, builder: Builder) -> None:
    """Append what an operation becomes."""
    if given.name == "...":
        raise builder.refuse("what `...` stands for is not in the text")
    if builder.is_executed and given.name in _EXECUTED:
        _EXECUTED[given.name](given, builder)
    elif given.name in _RENAMED:
        renamed(_RENAMED[given.name], given, builder)
    elif given.name in _CONVERTERS:
        _CONVERTERS[given.name](given, builder)
    elif given.name.startswith("llvm."):
        _intrinsic(given, builder)
    else:
        dialect, dot, _ = given.name.partition(".")
        if not given.name or (dot and dialect in REGISTERED):
            raise builder.refuse(f'"{given.name}" is no name that MLIR leaves to other dialects')
        builder.note(rules.UNREGISTERED, f'"{given.name}" is an operation of the dialect {dialect}')
        attributes = {key: attribute_today(value) for key, value in given.attributes.items()}
        renamed(given.name, given, builder, attributes)


def results_of(given: Operation) -> list[str]:
    """The names of the results; none where they are not used."""
    if given.result is None:
        return []
    count = len(given.result_types)
    return [f"%{given.result.name}"] if count == 1 else [f"%{given.result.name}#{n}" for n in range(count)]


def renamed(name: str, given: Operation, builder: Builder, attributes: dict[str, Any] | None = None) -> None:
    """The operation with its operands and results under another name."""
    own = FORMS[given.name].attributes if given.name in FORMS else tuple(given.attributes)
    more = {key: attribute_today(value) for key, value in given.attributes.items() if key not in own}
    builder.add(
        name,
        builder.all_used(given.operands),
        [today_type(_known(use, type_)) for use, type_ in zip(given.operands, given.operand_types)],
        results_of(given),
        list(map(today_type, given.result_types)),
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
            return Raw(float_text(value.value) + (f" : {type_text(value.type)}" if value.type else ""))
        # without a type it has 64 bits
        wide = "" if -(1 << 63) <= value.value < 1 << 63 else f" : i{value.value.bit_length() + 1}"
        return Raw(f"{value.value} : {type_text(value.type)}" if value.type else f"{value.value}{wide}")
    if isinstance(value, FunctionName):
        return f"@{value.name}"
    if isinstance(value, MapUse):
        return replace(value.map, sizes=None)
    return today_type(value)


def float_text(value: float) -> str:
    """A float as MLIR reads it, which has a point."""
    text = repr(value)
    return text if "." in text else re.sub(r"(?=e|$)", ".0", text, count=1)


def _br(given: Operation, builder: Builder) -> None:
    (to,) = given.successors
    types = list(map(today_type, to.types))
    builder.add("cf.br", builder.all_used(to.uses), types, successors=[f"^{to.label}"])


def _cond_br(given: Operation, builder: Builder) -> None:
    uses = [*given.operands, *(use for each in given.successors for use in each.uses)]
    types = [*given.operand_types, *(type_ for each in given.successors for type_ in each.types)]
    counts = (1, *(len(each.uses) for each in given.successors))
    builder.add(
        "cf.cond_br",
        builder.all_used(uses),
        list(map(today_type, types)),
        attributes={"operandSegmentSizes": counts},
        successors=[f"^{each.label}" for each in given.successors],
    )


def _affine_apply(given: Operation, builder: Builder) -> None:
    """One operation for each result."""
    use = given.attributes["map"]
    assert isinstance(use, MapUse)
    operands = builder.all_used(given.operands)
    types = [INDEX] * len(operands)
    names = []
    for number, result in enumerate(use.map.results):
        map_ = AffineMap(use.map.dimensions, use.map.symbols, (result,))
        attributes = {"map": map_}
        hint = given.result.name if given.result else "a"
        if len(use.map.results) == 1 and given.result:
            builder.add("affine.apply", operands, types, [f"%{hint}"], [INDEX], attributes)
            return
        names.append(builder.value(f"{hint}_{number}", "affine.apply", operands, types, INDEX, attributes))
    if given.result:
        builder.results[id(given.result)] = names


def _call(given: Operation, builder: Builder) -> None:
    callee = given.attributes["callee"]
    assert isinstance(callee, FunctionName)
    renamed("func.call", given, builder, {"callee": f"@{callee.name}"})


def _constant(given: Operation, builder: Builder) -> None:
    value, type_ = given.attributes["value"], given.result_types[0]
    if isinstance(value, FunctionName):
        renamed("func.constant", given, builder, {"value": f"@{value.name}"})
    elif isinstance(value, bool):
        renamed("arith.constant", given, builder, {"value": value})
    elif isinstance(value, Number) and isinstance(value.value, int) and isinstance(type_, (Integer, Index)):
        # half of the numbers without a sign are negative with one
        width = type_.width if isinstance(type_, Integer) else 64
        wrapped = (value.value + (1 << (width - 1))) % (1 << width) - (1 << (width - 1))
        renamed("arith.constant", given, builder, {"value": bool(wrapped) if width == 1 else wrapped})
    elif isinstance(value, Number) and isinstance(type_, Float):
        renamed("arith.constant", given, builder, {"value": value.value})
    else:
        raise builder.refuse(f"there is no constant of type {type_}")


def _cmpi(given: Operation, builder: Builder) -> None:
    predicate = given.attributes["predicate"]
    assert isinstance(predicate, Number)
    renamed("arith.cmpi", given, builder, {"predicate": predicate.value})


def _dim(given: Operation, builder: Builder) -> None:
    mode = given.attributes["index"]
    assert isinstance(mode, Number) and isinstance(mode.value, int)
    number = builder.constant(mode.value)
    type_ = given.operand_types[0]
    name = "memref.dim" if isinstance(type_, Memref) else "tensor.dim"
    operands = [builder.used(given.operands[0]), number]
    builder.add(name, operands, [today_type(type_), INDEX], results_of(given), [INDEX])


def _extract(given: Operation, builder: Builder) -> None:
    of, *indices = builder.all_used(given.operands)
    type_ = given.operand_types[0]
    made = list(map(today_type, given.result_types))
    types = [today_type(type_), *[INDEX] * len(indices)]
    if isinstance(type_, Vector):
        attributes = {"static_position": (DYNAMIC,) * len(indices)}
        builder.add("vector.extract", [of, *indices], types, results_of(given), made, attributes)
        return
    if isinstance(type_, Tensor) and type_.shape is None:
        # an element is taken of a tensor whose rank is known
        ranked = read_type(f"tensor<{sizes_text((None,) * len(indices))}{type_text(type_.element)}>")
        of = builder.value("ranked", "tensor.cast", [of], types[:1], ranked)
        types[0] = ranked
    builder.add("tensor.extract", [of, *indices], types, results_of(given), made)


def _intrinsic(given: Operation, builder: Builder) -> None:
    """A function of LLVM by its name; several results are those of a structure."""
    operands = builder.all_used(given.operands)
    types = list(map(today_type, given.operand_types))
    attributes = {
        "intrin": given.name,
        "op_bundle_sizes": (),
        "operandSegmentSizes": (len(operands), 0),
    }
    results = given.result_types
    if len(results) < 2:
        builder.add(
            "llvm.call_intrinsic", operands, types, results_of(given), list(map(today_type, results)), attributes
        )
        return
    whole = read_type(f"!llvm.struct<({', '.join(map(type_text, results))})>")
    found = builder.value("parts", "llvm.call_intrinsic", operands, types, whole, attributes)
    names = [
        builder.value("part", "llvm.extractvalue", [found], [whole], today_type(type_), {"position": (number,)})
        for number, type_ in enumerate(results)
    ]
    if given.result:
        builder.results[id(given.result)] = names


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
