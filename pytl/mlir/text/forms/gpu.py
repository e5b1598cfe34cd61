"""gpu: kernels, the numbers of a work-item, shuffles and barriers."""

from __future__ import annotations

from typing import Any

from ..custom import Form, Spelled
from ..reader import Read, Reader
from ..tree import Operation
from ..types import Function, Type
from .functions import attributes_behind, write_module

_OF_KERNELS = ("sym_name", "function_type", "gpu.kernel", "workgroup_attributions")


def _module(reader: Reader, name: str) -> Operation:
    attributes: dict[str, Any] = {"sym_name": reader.symbol()[1:]}
    if reader.take("attributes"):
        attributes |= reader.dictionary()
    return Operation(name, [], [], [], [], attributes, [reader.region()])


def _function(reader: Reader, name: str) -> Operation:
    """A function; the memory of its work-group is behind its parameters."""
    attributes: dict[str, Any] = {"sym_name": reader.symbol()[1:]}
    reader.expect("(")
    arguments: list[tuple[str, Type]] = reader.read_list(")", reader.argument)
    shared: list[tuple[str, Type]] = []
    attributes["function_type"] = Function(tuple(type_ for _, type_ in arguments), ())
    if reader.take("workgroup"):
        reader.expect("(")
        shared = reader.read_list(")", reader.argument)
    if shared:
        attributes["workgroup_attributions"] = len(shared)
    if reader.take("kernel"):
        attributes["gpu.kernel"] = True
    if reader.take("attributes"):
        attributes |= reader.dictionary()
    return Operation(name, [], [], [], [], attributes, [reader.region([*arguments, *shared])])


def _write_function(operation: Operation, printer: Any) -> str:
    arguments = operation.regions[0].blocks[0].arguments
    count = len(operation.attributes["function_type"].inputs)
    text = f" @{operation.attributes['sym_name']}({_listed(arguments[:count], ': ', printer)})"
    if arguments[count:]:
        text += f" workgroup({_listed(arguments[count:], ' : ', printer)})"
    kernel = " kernel" if "gpu.kernel" in operation.attributes else ""
    attributes = attributes_behind(operation, printer, _OF_KERNELS)
    return f"{text}{kernel}{attributes} {printer.region(operation.regions[0])}"


def _listed(arguments: list[tuple[str, Type]], colon: str, printer: Any) -> str:
    return ", ".join([f"{name}{colon}{printer.type(type_)}" for name, type_ in arguments])


_OF_A_DIMENSION = ("block_id", "block_dim", "grid_dim", "thread_id", "global_id")
_OF_SUBGROUPS = ("subgroup_id", "subgroup_size", "num_subgroups")

FORMS: dict[str, Read] = {
    "gpu.module": Spelled(_module, write_module),
    "gpu.func": Spelled(_function, _write_function),
    "gpu.return": Form("$a* {} [[ : types(a) ]]", ""),
    **{f"gpu.{name}": Form("=dimension:word {}", "index") for name in _OF_A_DIMENSION},
    **{f"gpu.{name}": Form("{} : index", "index") for name in _OF_SUBGROUPS},
    "gpu.lane_id": Form("{}", "index"),
    "gpu.shuffle": Form(
        "=mode:word $value , $offset , $width {} : type(value)", "value, i1", known={"offset": "i32", "width": "i32"}
    ),
    "gpu.barrier": Form("{}", ""),
}
