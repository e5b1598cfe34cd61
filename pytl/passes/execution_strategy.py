"""execution-strategy: how many work-items execute a work-group."""

from __future__ import annotations

from ..ir.values import Function, Module
from ..ops.coopmatrix import OfSubgroup
from ..ops.launch_defaults import NO_LOCK_STEP, REASON, subgroup_size
from ..process.records import dataclass
from .manager import Pass, register
from .targets.amx import MATRIX_UNIT, TILE_SHAPE, has_tile_products
from .targets.matrix_units import MATRIX_TYPES, steps_at_once
from .targets.strategies import STRATEGY, strategy_of


@register
@dataclass(frozen=True)
class ExecutionStrategy(Pass):
    """Chooses between one work-item for a whole work-group and as many as the work-group has, and says why.

    On a processor, one work-item with vector code is faster and needs no barriers. It executes parallel regions for
    each sub-group in turn, which is right as long as nothing distinguishes the work-items of a sub-group. Functions
    that distinguish them are executed by many work-items; others as their attribute "strategy" says, or else the
    option. With `only_many`, there is no other way, whatever functions say. Where the work-items of a sub-group need
    not run in `lock_step`, as on processors, a function that depends on sub-groups is marked so. Where one work-item
    has cooperative matrices, or products of which tile registers of the processor compute one, the function is marked
    with what computes products: vectors, or these, which multiply `tiles`, the names of types of factors. Where many
    have, it is marked with the `matrix_types` of the device's matrix unit, if this computes a product.
    """

    name = "execution-strategy"
    many_items: bool = False
    lock_step: bool = True
    tiles: tuple[str, ...] = ()
    only_many: bool = False
    matrix_types: tuple[str, ...] = ()

    def run_module(self, module: Module) -> None:
        super().run_module(module)
        for kernel in module.kernels:
            for callee in kernel.callees():
                # of several kernels in a text, which of them a barrier is for is not known
                both = callee.attributes.setdefault(STRATEGY, kernel.attributes[STRATEGY])
                if both != kernel.attributes[STRATEGY]:
                    callee.attributes[STRATEGY] = "many-items"

    def run(self, function: Function) -> None:
        attributes = function.attributes
        if self.only_many or REASON not in attributes:  # else it was chosen before
            self._choose(function)
        # of this machine, whatever a text that was printed on another machine says
        for name in (MATRIX_UNIT, TILE_SHAPE, MATRIX_TYPES):
            attributes.pop(name, None)
        if attributes[STRATEGY] == "one-item" and has_tile_products(function, self.tiles):
            attributes[MATRIX_UNIT] = "amx"
        elif attributes[STRATEGY] == "one-item" and any(isinstance(op, OfSubgroup) for op in function.walk()):
            attributes[MATRIX_UNIT] = "vectors"
        elif any(steps_at_once(op, subgroup_size(function), self.matrix_types) for op in function.walk()):
            attributes[MATRIX_TYPES] = ",".join(self.matrix_types)

    def _choose(self, function: Function) -> None:
        attributes = function.attributes
        attributes[STRATEGY], attributes[REASON] = strategy_of(function, self.many_items, self.only_many)
        looks = attributes[STRATEGY] == "many-items" and any(op.kind == "spmd" for op in function.walk_through_calls())
        if looks and not self.lock_step:
            attributes[NO_LOCK_STEP] = True
