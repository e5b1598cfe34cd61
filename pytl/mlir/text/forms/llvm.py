"""llvm: accesses by pointers, with a memory order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..custom import Form, Spelled, write_others
from ..reader import Read, Reader
from ..tree import Operation
from ..types import Opaque, Type

_ORDER = "[[ atomic =ordering:word ]]"


def _member(type_: Type, position: int) -> Type | None:
    """The type of a member of a structure, or of an array in it."""
    if not isinstance(type_, Opaque) or not type_.text.startswith("!llvm."):
        return None
    if type_.element is not None:
        return type_.element if type_.shape and 0 <= position < (type_.shape[0] or 0) else None
    return type_.attributes[position] if 0 <= position < len(type_.attributes) else None


class _Member(Form):
    """A member of a structure is its result, or the last operand, and has the type that it has there."""

    def __call__(self, reader: Reader, name: str) -> Operation:
        begin = reader.position
        operation = super().__call__(reader, name)
        type_ = container = operation.operand_types[-1]
        for position in operation.attributes["position"]:
            member = _member(type_, position)
            if member is None:
                reader.fail(f"{container} has no such member", begin=begin)
            type_ = member
        if name == "llvm.insertvalue":  # where the structure comes first in the generic form
            operation.operands.reverse()
            operation.operand_types[:] = [container, type_]
        else:
            operation.result_types = [type_]
        return operation


def _write_inserted(operation: Operation, printer: Any) -> str:
    container, value = operation.operands
    position = ", ".join(map(str, operation.attributes["position"]))
    others = write_others(operation, printer, ["position"])
    return f" {value}, {container}[{position}]{others} : {printer.type(operation.operand_types[0])}"


def _write_called(operation: Operation, printer: Any) -> str | None:
    """Without the sizes of bundles, which the custom form says by the bundles; these are not read."""
    attributes = operation.attributes
    if attributes.get("op_bundle_sizes"):
        return None
    called = f"{printer.attribute(attributes['intrin'])}({', '.join(operation.operands)})"
    types = printer.function(operation.operand_types, operation.result_types)
    return f" {called}{write_others(operation, printer, ['intrin', 'op_bundle_sizes'])} : {types}"


_ELEMENT = Form("$base [ $at ] {} : ( type(base) , type(at) ) -> type(result) , =elem_type")
_GIVEN = {"noWrapFlags": 0, "rawConstantIndices": (-(1 << 31),)}
"""What the generic form has of an address whose only index is an operand."""


def _write_element(operation: Operation, printer: Any) -> str | None:
    attributes = {name: value for name, value in operation.attributes.items() if value != _GIVEN.get(name)}
    if len(operation.operands) != 2 or any(name in attributes for name in _GIVEN):
        return None
    return _ELEMENT.writer.write(replace(operation, attributes=attributes), printer)


FORMS: dict[str, Read] = {
    "llvm.inttoptr": Form("$a {} : type(a) to type(result)"),
    "llvm.ptrtoint": Form("$a {} : type(a) to type(result)"),
    "llvm.load": Form(f"$address {_ORDER} {{}} : type(address) -> type(result)"),
    "llvm.store": Form(f"$value , $address {_ORDER} {{}} : type(value) , type(address)", ""),
    "llvm.atomicrmw": Form("=bin_op:word $address , $value =ordering:word {} : type(address) , type(value)", "value"),
    "llvm.cmpxchg": Form(
        "$address , $compared , $value =success_ordering:word =failure_ordering:word {} : type(address) , type(value)",
        "exchange of value",
        known={"compared": "value"},
    ),
    "llvm.extractvalue": _Member("$container =position:list {} : type(container)"),
    "llvm.insertvalue": Spelled(
        _Member("$value , $container =position:list {} : type(container)", "container"), _write_inserted, same=0
    ),
    "llvm.getelementptr": Spelled(_ELEMENT, _write_element),
    # of the dialect builtin
    "builtin.unrealized_conversion_cast": Form("$a {} : type(a) to type(result)"),
    "llvm.mlir.poison": Form("{} : type(result)"),
    "llvm.call_intrinsic": Spelled(Form("=intrin ( $operands* ) {} : function(operands)"), _write_called),
    "llvm.inline_asm": Form("{} =asm_string , =constraints $operands* : function(operands)"),
    **dict.fromkeys(
        ("llvm.intr.minnum", "llvm.intr.maxnum"), Form("( $a , $b ) {} : ( type(a) , type(b) ) -> type(result)")
    ),
    "llvm.intr.get.active.lane.mask": Form("$base , $count {} : type(base) , type(count) to type(result)"),
}
