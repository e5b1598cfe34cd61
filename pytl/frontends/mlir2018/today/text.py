"""The text of operations of today's MLIR, in the custom forms of their dialects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....mlir.text import Operation
from ....mlir.text.custom import Form, Write
from ....mlir.text.printer import Printer


def print_today(module: Operation) -> str:
    """A module as MLIR 22 reads it.

    >>> from pytl.frontends.mlir2018.reader import read_text
    >>> from pytl.frontends.mlir2018.check import check_module
    >>> from pytl.frontends.mlir2018.today import to_operations
    >>> text = "func @f(%A: memref<8xf32>, %i: index) { %x = load %A[%i] : memref<8xf32> return }"
    >>> module, diagnostics = read_text(text)
    >>> check_module(module, diagnostics)
    >>> print(print_today(to_operations(module, diagnostics)))
    func.func @f(%A: memref<8xf32>, %i: index) {
      %x = affine.load %A[%i] : memref<8xf32>
      return
    }
    """
    printer = Printer(more=_WRITERS)
    return "\n\n".join(map(printer.operation, module.regions[0].blocks[0].operations))


def _dma_start(operation: Operation, printer: Any) -> str:
    ranks: list[tuple[int, int]] = []
    position = 0
    for number in range(3):
        position += number == 2  # the number of elements
        ranks.append((position, len(operation.operand_types[position].shape)))  # type: ignore[union-attr, arg-type]
        position += 1 + ranks[-1][1]
    parts = [
        f"{operation.operands[begin]}[{', '.join(operation.operands[begin + 1 : begin + 1 + rank])}]"
        for begin, rank in ranks
    ]
    parts.insert(2, operation.operands[ranks[2][0] - 1])
    return f" {', '.join(parts)} : {', '.join(printer.type(operation.operand_types[begin]) for begin, _ in ranks)}"


_FORMS = {
    "func.call_indirect": Form("$callee ( $args* ) : function(args)"),
    "func.constant": Form("=value:symbol : type(result)"),
    "tensor.dim": Form("$source , $index : type(source)"),
    "tensor.cast": Form("$source : type(source) to type(result)"),
    "tensor.extract": Form("$source [ $indices* ] : type(source)"),
    "memref.dma_wait": Form("$tag [ $indices* ] , $count : type(tag)"),
    "bufferization.to_tensor": Form("$source restrict : type(source) to type(result)"),
    "bufferization.materialize_in_destination": Form(
        "$source in writable $target : ( type(source) , type(target) ) -> ( )"
    ),
    "llvm.call_intrinsic": Form("=intrin ( $args* ) : function(args)"),
}
"""Custom forms that no kernel is read from."""
_WRITERS: Mapping[str, Write] = {
    "memref.dma_start": _dma_start,
    **{name: form.writer.write for name, form in _FORMS.items()},
}
