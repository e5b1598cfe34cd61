"""The operations that are read, of each dialect of MLIR: one row each, which says what it does.

A *level* is a place in which operations are read: functions on memrefs or tensors, kernels of gpu. What reads an
operation there is tied to its row, and nothing is read that has none. `UNREAD` of pytl.mlir.text.names has the other
operations, and why. docs/mlir-operations.md is made of both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Generic, TypeVar

from ...mlir.text.forms.linalg import ELEMENTWISE
from ...mlir.text.named import NAMED
from ...process.records import dataclass

TRAITS = {
    "loads": "reads elements of memory",
    "stores": "writes elements of memory",
    "allocates": "takes memory of a work-group",
    "view": "gives memory that another memref has",
    "parallel": "a loop whose iterations are executed in any order",
    "loop": "a loop whose iterations carry values",
    "branch": "its regions are executed at most once",
    "ends": "ends a region",
    "combines": "joins two numbers in any order, as reductions do",
    "closed": "the lower bits of what it gives follow from those of its operands",
    "unsigned": "takes integers to have no sign",
    "overwrites": "does not read what its output has",
    "rewritten": "becomes another operation before anything of a module is read",
    "several": "becomes several operations, of memrefs as of tensors",
    "body": "stands in the function of elements of an operation of linalg",
    "host": "only the host executes it",
    "item": "is of single work-items, which have nothing to do with each other",
    "lane": "is of the work-items of a work-group, which wait for each other",
    "number": "gives a work-item's own number",
    "uniform": "gives all work-items of a work-group the same",
    "exchanges": "gives a work-item what others have",
    "waits": "work-items wait for each other",
    "named": "is of a named barrier",
}
_ROWS = f"""
func, branch: func
func, ends: return
func: call
cf, item: br cond_br switch
cf, item lane: assert
scf, parallel: parallel forall
scf, loop item lane: for
scf, branch item lane: if
scf, branch item lane: index_switch execute_region
scf, item lane: while
scf, ends item lane: yield
scf, ends item lane: condition
scf, ends: reduce reduce.return forall.in_parallel
affine, parallel: parallel
affine, loop item lane: for
affine, branch item lane: if
affine, ends item lane: yield
affine, loads item lane: load vector_load
affine, stores item lane: store vector_store
affine, item lane: apply min max delinearize_index linearize_index prefetch
arith, combines closed: addi muli andi ori xori
arith, closed: subi select
arith, combines: addf mulf maximumf minimumf maxnumf minnumf maxsi minsi
arith, combines unsigned: maxui minui
arith, unsigned: divui remui ceildivui shrui extui uitofp index_castui
arith: constant subf divf remf divsi remsi ceildivsi floordivsi shli shrsi negf cmpf cmpi bitcast extf truncf extsi
arith: trunci index_cast sitofp fptosi fptoui addui_extended mulsi_extended mului_extended scaling_extf scaling_truncf
math, unsigned: ctpop ctlz cttz
math: absf absi acos acosh asin asinh atan atan2 atanh cbrt ceil clampf copysign cos cosh erf erfc exp exp2 expm1 floor
math: fma fpowi ipowi isfinite isinf isnan isnormal log log10 log1p log2 powf round roundeven rsqrt sin sincos sinh
math: sqrt tan tanh trunc
complex: abs add angle atan2 bitcast conj constant cos create div eq exp expm1 im log log1p mul neg neq pow powi re
complex: rsqrt sign sin sqrt sub tan tanh
index: add and bool.constant casts castu ceildivs ceildivu cmp constant divs divu floordivs maxs maxu mins minu mul or
index: rems remu shl shrs shru sizeof sub xor
ub, rewritten: poison
memref, loads item lane: load
memref, stores item lane: store
memref, loads stores item lane: atomic_rmw
memref, loads stores: generic_atomic_rmw
memref, loads: reshape
memref, loads item lane: get_global
memref, allocates lane: alloc alloca
memref, view item lane: cast subview reinterpret_cast
memref, view item lane: memory_space_cast expand_shape collapse_shape
memref, item lane: dim
memref, lane: dealloc view
memref, ends: atomic_yield alloca_scope.return
memref, item lane: assume_alignment prefetch rank
memref: alloca_scope copy distinct_objects extract_strided_metadata global transpose
vector, loads item lane: load transfer_read maskedload gather expandload
vector, stores item lane: store transfer_write maskedstore scatter compressstore
vector, ends item lane: yield
vector, host: print
vector, item lane: bitcast broadcast splat constant_mask contract create_mask deinterleave extract fma from_elements
vector, item lane: extract_strided_slice insert insert_strided_slice interleave mask multi_reduction outerproduct
vector, item lane: reduction scan shape_cast shuffle step to_elements transpose
vector, view item lane: type_cast
tensor: bitcast cast collapse_shape concat dim empty expand_shape extract extract_slice from_elements gather generate
tensor: insert insert_slice pad parallel_insert_slice rank reshape scatter splat yield
bufferization, several: clone dealloc
bufferization: alloc_tensor dealloc_tensor materialize_in_destination to_buffer to_memref to_tensor
linalg, ends body: yield
linalg, body: index
linalg, several: softmax pack unpack
linalg, overwrites: fill fill_rng_2d copy transpose broadcast map elementwise {" ".join(ELEMENTWISE)}
linalg: generic reduce contract {" ".join(NAMED)}
gpu, item lane number: thread_id global_id
gpu, lane number: lane_id subgroup_id
gpu, item lane uniform: block_id block_dim grid_dim
gpu, lane uniform: subgroup_size num_subgroups
gpu, lane exchanges waits: shuffle rotate subgroup_broadcast subgroup_reduce all_reduce
gpu, lane waits: barrier
gpu, item lane: return
gpu, item: terminator
gpu, lane: yield
gpu, host: launch_func launch alloc dealloc memcpy memset wait host_register host_unregister set_default_device
gpu: cluster_block_id cluster_dim cluster_dim_blocks cluster_id dynamic_shared_memory func module printf
gpu: subgroup_mma_compute subgroup_mma_constant_matrix subgroup_mma_elementwise subgroup_mma_extract_thread_local
gpu: subgroup_mma_insert_thread_local subgroup_mma_load_matrix subgroup_mma_store_matrix warp_execute_on_lane_0
xegpu, lane waits: fence
xegpu, named waits: nbarrier_wait
xegpu, named: alloc_nbarrier init_nbarrier nbarrier_arrive
xegpu, lane: load store
xegpu: atomic_rmw convert_layout create_mem_desc create_nd_tdesc create_tdesc dpas load_matrix load_nd prefetch
xegpu: prefetch_nd store_matrix store_nd update_nd_offset update_offset
"""
"""Dialect, traits: operations. A line may be continued by another one."""


@dataclass(frozen=True)
class Row:
    """An operation, and its traits."""

    name: str
    traits: frozenset[str]


def _rows(text: str) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for line in text.strip().splitlines():
        head, _, names = line.partition(": ")
        dialect, _, traits = head.partition(", ")
        for name in (f"{dialect}.{each}" for each in names.split()):
            assert name not in rows and TRAITS.keys() >= {*traits.split()}, f"{name} has two rows, or an unknown trait"
            rows[name] = Row(name, frozenset(traits.split()))
    return rows


TABLE: Mapping[str, Row] = _rows(_ROWS)


@cache
def having(*traits: str) -> frozenset[str]:
    """The operations with one of some traits.

    >>> sorted(having("parallel"))
    ['affine.parallel', 'scf.forall', 'scf.parallel']
    """
    return frozenset(name for name, row in TABLE.items() if row.traits & {*traits})


def of_dialects(*dialects: str) -> tuple[str, ...]:
    """The operations of some dialects."""
    return tuple(name for name in TABLE if name.partition(".")[0] in dialects)


Reads = TypeVar("Reads", bound=Callable[..., Any])


class Level(Generic[Reads]):
    """A place in which operations are read, by a function for each."""

    def __init__(self, about: str, other: Level[Reads] | None = None) -> None:
        """`other` reads what this level does not itself."""
        self.about = about
        self._own: dict[str, Reads] = {}
        self._other = other

    def __call__(self, *names: str) -> Callable[[Reads], Reads]:
        """Say what reads operations, each of which has a row, and is read once."""

        def add(function: Reads) -> Reads:
            for name in names:
                assert name in TABLE and name not in self._own, f"{name} has no row in the table, or is read twice"
                self._own[name] = function
            return function

        return add

    def get(self, name: str) -> Reads | None:
        """What reads an operation; None of one that is not read here."""
        return self._own.get(name) or (None if self._other is None else self._other.get(name))
