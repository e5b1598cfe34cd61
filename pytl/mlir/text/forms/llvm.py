"""llvm: accesses by pointers, with a memory order."""

from __future__ import annotations

from ..custom import Form
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
    """A member of a structure is its result, or the first operand, and has the type that it has there."""

    def __call__(self, reader: Reader, name: str) -> Operation:
        begin = reader.position
        operation = super().__call__(reader, name)
        type_ = container = operation.operand_types[-1]
        for position in operation.attributes["position"]:
            member = _member(type_, position)
            if member is None:
                reader.fail(f"{container} has no such member", begin=begin)
            type_ = member
        if name == "llvm.insertvalue":
            operation.operand_types[0] = type_
        else:
            operation.result_types = [type_]
        return operation


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
    "llvm.insertvalue": _Member("$value , $container =position:list {} : type(container)", "container"),
    "llvm.getelementptr": Form("$base [ $at ] {} : ( type(base) , type(at) ) -> type(result) , =elem_type"),
    # of the dialect builtin
    "builtin.unrealized_conversion_cast": Form("$a {} : type(a) to type(result)"),
    "llvm.mlir.poison": Form("{} : type(result)"),
    "llvm.call_intrinsic": Form("=intrin ( $operands* ) {} : function(operands)"),
    "llvm.inline_asm": Form("{} =asm_string , =constraints $operands* : function(operands)"),
    "llvm.intr.get.active.lane.mask": Form("$base , $count {} : type(base) , type(count) to type(result)"),
}
