"""The device library: the names that generated kernel source may call.

A generated kernel is a Python function. Its body uses numba's scalar types and operators, and the functions collected
here in `NAMES` for everything that numba lacks or defines differently than the tensor language. These functions emit
LLVM themselves, which costs numba little; functions written in Python and compiled by numba would cost tens of
milliseconds each.

    elements    types of memory and registers        integers    wrapping, never trapping
    pointers    memory and arenas                    floats      IEEE, half and complex arithmetic
    workitems   ids and barriers                     casts       conversions, rounded once
    atomics     loads, stores and updates            math        the exponential function
    subgroups   broadcasts, scans, reductions    checks     the first report of a test that failed
    tiles       the configuration of a processor's tile registers

The arithmetic functions work on vectors, too, for the vector code of the backend.

The module `compiler` is numba-dpex's own compiler with fewer passes.
"""

from __future__ import annotations

from numba.core import types

from . import floats, integers, math, pointers, subgroups, workitems
from .atomics import ATOMICS
from .bits import BITCASTS
from .casts import CASTS
from .checks import CHECKS
from .elements import ELEMENTS
from .pointers import POINTERS, Pointer
from .subgroups import MATRIX_FUNCTIONS, SUBGROUP_OPERATIONS
from .tiles import TILE_FUNCTIONS

SCALARS = {
    str(ty): ty
    for ty in (
        *(types.int8, types.int16, types.int32, types.int64),
        *(types.float32, types.float64, types.complex64, types.complex128),
    )
}

FUNCTIONS = {
    function._name: function
    for function in (
        *(pointers.private_memory, pointers.local_memory, pointers.first_aligned, pointers.parts_of),
        *(pointers.begins_at, workitems.memory_fence),
        *(*workitems.PLACES, workitems.uniform_zero, workitems.barrier),
        *(*integers.FUNCTIONS, *floats.FUNCTIONS, *math.DEVICE_FUNCTIONS),
        *(*subgroups.NUMBERS, subgroups.subgroup_broadcast, subgroups.subgroup_fence, subgroups.subgroup_barrier),
    )
}

NAMES = {
    **SCALARS,
    **FUNCTIONS,
    **POINTERS,
    **ATOMICS,
    **BITCASTS,
    **CASTS,
    **SUBGROUP_OPERATIONS,
    **MATRIX_FUNCTIONS,
    **TILE_FUNCTIONS,
    **CHECKS,
}

__all__ = ["ELEMENTS", "FUNCTIONS", "NAMES", "SCALARS", "Pointer"]
