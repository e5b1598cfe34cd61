"""Atomic accesses with a scope and a memory order, and updates that give what an element was before.

The manual has `store.atomic` and `store.atomic_add` only; the Tiny Tensor Compiler has these from its release 0.4 on.
One is in no release: what the atomic updates of 0.3 with any beta do to an element.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from ..ir.constraints import MEMREF, SCALAR
from ..ir.fields import Modifier, Operand, OperandList, Result
from ..ir.meanings import Meanings
from ..ir.operation import Problem, check
from ..ir.registry import instruction
from ..ir.types import ScalarType, Type, compute_type
from .memory import Load, Store, load_indices, load_type, store_indices, store_type
from .updates import SINCE_03

SCOPES = {
    "cross_device": "atomic for all devices and the host",
    "device": "atomic for all work-groups of the launch",
    "work_group": "atomic for the work-items of a work-group; the default",
    "subgroup": "atomic for the work-items of a sub-group",
}
"""For whom an access is atomic."""
ORDERS = {
    "relaxed": "other accesses of the work-item are not ordered by it; the default",
    "acquire": "what comes after it sees what was written before the release of the value that it reads",
    "release": "what came before it is seen by whom acquires the value that it writes",
    "acquire_release": "both",
    "sequentially_consistent": "both, and all such accesses have one order that all work-items see",
}
"""How other accesses of the work-item are ordered around an access."""
DEFAULT_SCOPE, DEFAULT_ORDER = "work_group", "relaxed"

IS_WIDE: Meanings[str, bool] = Meanings(
    "scopes of atomic accesses", {"cross_device": True, "device": True, "work_group": False, "subgroup": False}
)
"""Whether a scope has more than one work-group."""
ACQUIRES: Meanings[str, bool] = Meanings(
    "memory orders, acquire",
    {"relaxed": False, "acquire": True, "release": False, "acquire_release": True, "sequentially_consistent": True},
)
"""Whether what comes after an access of this order sees what was released."""
RELEASES: Meanings[str, bool] = Meanings(
    "memory orders, release",
    {"relaxed": False, "acquire": False, "release": True, "acquire_release": True, "sequentially_consistent": True},
)
"""Whether what comes before an access of this order is released by it."""


@check("PYTL-0680", "a load is relaxed, acquire or sequentially_consistent: it writes nothing that it could release",
       "Atomic load")  # fmt: skip
def load_order(op: AtomicLoad) -> Iterator[Problem]:
    if op.order in ("release", "acquire_release"):
        yield Problem(f"a load cannot {op.order.replace('_', ' and ')}", "write .acquire")


@instruction
class AtomicLoad(Load):
    """Loads an element of a memref atomically; the parts of a complex number may be loaded one after the other.

    Work-items may see different values, for others may store in between: the value is used in SPMD regions only.
    """

    mnemonic = "v04.atomic_load"
    section = "Atomic load"
    scope: Any = Modifier(SCOPES, default=DEFAULT_SCOPE)
    order: Any = Modifier(ORDERS, default=DEFAULT_ORDER)
    tensor: Any = Operand(MEMREF, "what is loaded from")
    indices: Any = OperandList(Load.indices.constraint, "one index a mode")
    result: Any = Result(SCALAR)
    rules = (*load_indices, load_type, load_order)
    differs = True


@check("PYTL-0681", "a store is relaxed, release or sequentially_consistent: it reads nothing that it could acquire",
       "Atomic store")  # fmt: skip
def store_order(op: AtomicStore) -> Iterator[Problem]:
    if op.order in ("acquire", "acquire_release"):
        yield Problem(f"a store cannot {op.order.replace('_', ' and ')}", "write .release")


@instruction
class AtomicStore(Store):
    """Stores a number atomically; the parts of a complex number may be stored one after the other."""

    mnemonic = "v04.atomic_store"
    section = "Atomic store"
    flag = "atomic"
    scope: Any = Modifier(SCOPES, default=DEFAULT_SCOPE)
    order: Any = Modifier(ORDERS, default=DEFAULT_ORDER)
    rules = (*store_indices, store_type, store_order)


@check(
    "PYTL-0682",
    "the result has the type of the elements; what scales and adds has that which they are computed in, f32 for f16 "
    "and bf16",
    "Atomic update",
)
def update_type(op: AtomicUpdate) -> Iterator[Problem]:
    element = op.tensor.type.element
    if op.result.type != element:
        message = f"the elements of {op.tensor.type} are {element}, but the result is {op.result.type}"
        yield Problem(message, f"write : {element}", "tensor")
    expected = compute_type(element)
    for name in ("factor", "data") if isinstance(op, AtomicScaleAdd) else ():
        type_ = getattr(op, name).type
        if type_ != expected:
            message = f"{name} is {type_}, but the elements of {op.tensor.type} are computed in {expected}"
            yield Problem(message, f"cast the value: cast %value : {expected}", name)


@check("PYTL-0683", "complex numbers have no order", "Atomic update")
def has_order(op: AtomicUpdate) -> Iterator[Problem]:
    if op.tensor.type.element.is_complex:
        yield Problem(f"not defined on {op.tensor.type.element}", "add, or keep a real number", "tensor")


class AtomicUpdate(Store):
    """What an element is combined with, atomically; the result is the element before.

    Each work-item gets what it found, so that the result is used in SPMD regions only. The parts of a complex number
    may be updated one after the other.
    """

    combines: ClassVar[str] = ""
    """The arithmetic that combines the element with the number."""
    scope: Any = Modifier(SCOPES, default=DEFAULT_SCOPE)
    order: Any = Modifier(ORDERS, default=DEFAULT_ORDER)
    data: Any = Operand(SCALAR, "the number")
    tensor: Any = Operand(MEMREF, "what is updated")
    result: Any = Result(SCALAR)
    assembly = f"{Store.assembly} ` : ` $result"
    reads = ("tensor",)
    differs = True

    def infer_result_types(self) -> list[Type]:
        return [self.tensor.type.element]


@instruction
class AtomicAdd(AtomicUpdate):
    """Adds a number to an element atomically, and gives the element before."""

    mnemonic = "v04.atomic_add"
    section = "Atomic update"
    combines = "add"
    flag = "atomic_add"
    rules = (*store_indices, store_type, update_type)


@instruction
class AtomicMin(AtomicUpdate):
    """Sets an element to the minimum of itself and a number atomically, and gives the element before."""

    mnemonic = "v04.atomic_min"
    section = "Atomic update"
    combines = "min"
    flag = "atomic_min"
    rules = (*store_indices, store_type, update_type, has_order)


@instruction
class AtomicMax(AtomicUpdate):
    """Sets an element to the maximum of itself and a number atomically, and gives the element before."""

    mnemonic = "v04.atomic_max"
    section = "Atomic update"
    combines = "max"
    flag = "atomic_max"
    rules = (*store_indices, store_type, update_type, has_order)


@instruction
class AtomicScaleAdd(AtomicUpdate):
    """Sets an element to `factor element + number` atomically, and gives the element before.

    Elements of f16 and bf16 are computed in f32, and rounded once.
    Of a complex number, each part is updated atomically, one after the other. Where the factor is not real, a part
    that is updated takes the other part as another work-item may have left it.
    """

    mnemonic = f"{SINCE_03}.atomic_scale_add"
    section = "Atomic update"
    flag = "atomic_scale_add"
    factor: Any = Operand(SCALAR, "what the element is multiplied by")
    assembly = "` ` $factor `, ` $data `, ` $tensor `[` $indices `]` ` : ` $result"
    rules = (*store_indices, update_type)

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        of_element = super().literal_type("data" if part == "factor" else part, parts)
        return compute_type(of_element) if isinstance(of_element, ScalarType) and part != "indices" else of_element


ACCESSES = (AtomicLoad, AtomicStore, AtomicAdd, AtomicMin, AtomicMax, AtomicScaleAdd)
"""All of them."""
