"""Functions of the host that have tensors: the same on memrefs, which the host allocates where it needs some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from ....diagnostics import Diagnostics
from ....mlir.text import Function, Memref, Operation, Region, Tensor
from ....mlir.text import Type as MlirType
from .. import rules
from ..context import Refused
from .bufferization import Bufferization, Handler
from .buffers import Buffer, Extent, Root, memref_of
from .functions import Inliner, has_tensors
from .module import HANDLERS


class _OnHost(Bufferization):
    """Memory is allocated where it is needed, and what is given is memory, too."""

    is_on_host = True

    def on_memrefs(self, function: Operation) -> Operation:
        copy = self.begin(function)
        block = copy.regions[0].blocks[0]
        type_ = copy.attributes["function_type"]
        arguments: list[tuple[str, MlirType]] = [
            (name, memref_of(of) if isinstance(of, Tensor) else of) for name, of in block.arguments
        ]
        for (name, of), (_, memref) in zip(block.arguments, arguments):
            if isinstance(of, Tensor) and isinstance(memref, Memref):
                if of.shape is None:
                    self.fail(copy, rules.TENSOR, f"{name} is {of}, which has no rank")
                self.buffers[name] = Buffer(name, memref, self.sizes_of(name, memref), Root(False, [name]))
        self.operations(block.operations)
        results = self.out[-1].operand_types if self.out and self.out[-1].name == "func.return" else []
        body = replace(block, arguments=arguments, operations=self.out)
        inputs = tuple(of for _, of in arguments)
        attributes = {**copy.attributes, "function_type": Function(inputs, tuple(results) or type_.results)}
        return replace(copy, attributes=attributes, regions=[Region([body])])

    def allocated(self, type_: Memref, sizes: tuple[Extent, ...]) -> Buffer:
        unknown = [self.index(size) for size, known in zip(sizes, type_.shape) if known is None]
        name = self.emit("memref.alloc", unknown, [], [type_], {"operandSegmentSizes": (len(unknown), 0)})
        return Buffer(name, type_, sizes, Root(True))

    def may_be_passed(self, total: int, element: MlirType) -> bool:
        return False


def _cast(state: Bufferization, op: Operation) -> None:
    type_ = op.result_types[0]
    if isinstance(type_, Tensor) and type_.shape is None:
        state.bind(op.results[0], state.buffer(op.operands[0]))
    else:
        HANDLERS["tensor.cast"](state, op)


_HANDLERS: Mapping[str, Handler] = {
    **HANDLERS,
    # what takes tensors takes memory, and what takes tensors of any rank, too
    "func.call": Bufferization.clone,
    "func.return": Bufferization.clone,
    "tensor.cast": _cast,
}


def on_memrefs(module: Operation, names: Sequence[str], diagnostics: Diagnostics) -> Operation:
    """A module, of which the functions with these names have memrefs in place of tensors."""
    functions = {
        str(op.attributes.get("sym_name")): op for op in module.walk() if op.name == "func.func" and not op.is_broken
    }
    inliner = Inliner(functions, diagnostics)
    globals: list[Operation] = []

    def rewritten(op: Operation) -> Operation:
        if op.name == "builtin.module":
            blocks = [replace(each, operations=[*map(rewritten, each.operations)]) for each in op.regions[0].blocks]
            return replace(op, regions=[Region(blocks)])
        if op.attributes.get("sym_name") not in names or op.name != "func.func" or not has_tensors(op):
            return op
        state = _OnHost(inliner, _HANDLERS, diagnostics)
        with suppress(Refused):
            made = state.on_memrefs(op)
            globals.extend(state.globals.values())
            return made
        return op

    whole = rewritten(module)
    first = whole.regions[0].blocks[0]
    block = replace(first, operations=[*globals, *first.operations])
    return replace(whole, regions=[Region([block, *whole.regions[0].blocks[1:]])])
