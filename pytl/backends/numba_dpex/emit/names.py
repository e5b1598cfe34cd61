"""Names in generated source: which are taken, and how values get theirs."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable

from ....diagnostics.quoting import python_name
from ....ir.values import Value
from ....ops.atomics import ORDERS
from ....passes.targets.matrix_units import MATRIX_COLUMNS

_ELEMENTS = ("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c32", "c64")
_FUNCTIONS = """
    private_memory local_memory first_aligned parts_of begins_at memory_fence
    group_id group_count local_id local_count uniform_zero barrier
    int_add int_sub int_mul int_div int_rem int_min int_max shl shr
    float_div float_rem fmin fmax fma sqrt exp native_exp sin native_sin cos native_cos exp2 native_exp2
    log native_log log2 native_log2 neg absolute round_f16 round_bf16 select
    make_complex real imag conj complex_mul complex_div atomic_store atomic_add atomic_scale_add
    subgroup_id subgroup_local_id subgroup_broadcast subgroup_fence subgroup_barrier hidden_zero
    claim_report
    configure_tiles release_tiles
    int8 int16 int32 int64 float32 float64 complex64 complex128
"""
_OF_ELEMENTS = ("cast", "global", "group", "private", "local")
DEVICE_NAMES = (
    frozenset(_FUNCTIONS.split())
    | {f"{prefix}_{element}" for prefix in _OF_ELEMENTS for element in _ELEMENTS}
    | {f"bitcast_{source}_{target}" for source in _ELEMENTS for target in _ELEMENTS}
    | {f"atomic_{word}_{order}" for word in ("load", "store", "add", "min", "max", "scale_add") for order in ORDERS}
    | {f"matrix_multiply_add_{columns}" for columns in (1, *MATRIX_COLUMNS)}
    | {
        f"subgroup_{operation}_{variant}"
        for operation in ("add", "max", "min")
        for variant in ("reduce", "inclusive_scan", "exclusive_scan")
    }
)
"""What the device library offers to generated source (a test makes sure of it), and a few similar names."""

_PYTHON_NAMES = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins)}
_OWN_NAMES = {"item", "stack", "matrices"}
_LONGEST = 128
"""Characters of a name; LLVM cuts what numba makes of longer ones at 1024, where they are no longer told apart."""


class Names:
    """Gives every value a Python name of its own: a function has one scope, and a name one type in numba."""

    def __init__(self, further: Iterable[str] = ()) -> None:
        self._used = {*DEVICE_NAMES, *_PYTHON_NAMES, *_OWN_NAMES, *further}
        self._numbers: dict[str, int] = {}
        """The last number that was tried behind a wanted name: lower ones are taken."""

    def fresh(self, hint: str) -> str:
        """The wanted name, with a number appended where it is taken."""
        name = hint = python_name(hint)[:_LONGEST]
        number = self._numbers.get(hint, 0)
        while name in self._used:
            number += 1
            name = f"{hint}_{number}"
        self._numbers[hint] = number
        self._used.add(name)
        return name

    def of(self, value: Value, default: str = "v") -> str:
        return self.fresh(value.name or default)
