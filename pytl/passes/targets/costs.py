"""What the passes for processors know of costs: the constants of their models, each with where it was measured.

The constants were fitted by hand to the times of benchmarks, and hold for one kind of processor. `pytl.tune` finds for
a kernel what they miss.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Measurement:
    """Where constants come from."""

    processor: str
    date: str
    script: str
    """The benchmark whose times they were fitted to."""


_EPYC = "AMD EPYC (family 25), AVX2: two cores of a virtual machine"
_XEON = "Intel Xeon, 2.8 GHz, AVX-512: two cores of a virtual machine"


@dataclass(frozen=True)
class RegisterTileCosts:
    """The model of register tiles, in cycles (`passes/tiles.py`, `passes/cpu_tiles.py`)."""

    measured: Measurement = Measurement(_XEON, "2026-11-22", "benchmarks/gemm.py")
    load: float = 0.72
    """Cycles per load: a processor may do less than two loads of 512 bits per cycle."""
    each_load: float = 0.15
    """Additional cycles of a load, which may have to wait for its cache line."""
    split_load: float = 1.9
    """How much longer a vector's load takes where columns don't begin at multiples of a cache line."""
    begin_and_end: float = 8.0
    """Cycles that a tile takes before its first and after its last multiply-add."""
    max_vectors: int = 4
    """The most vectors of rows that a tile has."""
    max_columns: int = 16
    """The most columns that a tile has."""
    max_unrolled: int = 4
    """The most steps of the sum in an iteration."""
    typical: int = 48
    """The assumed size of a mode that is known at run time only."""
    few_sums: int = 20
    """Registers for sums such that the operands of two steps have registers, too."""
    many_vectors: int = 4
    """From so many vectors per broadcast element, and up to `few_columns` of these, the compiler does not spill."""
    few_columns: int = 6
    """See `many_vectors`."""
    min_iterations: int = 4
    """The least trip count of a loop with several steps per iteration."""
    many_steps: int = 32
    """Steps above which two steps per iteration are faster where columns don't begin at cache lines, too."""
    longest_unrolled: int = 400
    """Multiply-adds of a whole product up to which its sums are fully unrolled."""
    unroll_penalty: float = 0.02
    """What a difference of one in the unroll factor of the sum counts in the order of tunings, as a part of the cost.
    """
    many_kernels: int = 12
    """From so many kernels with products on, each is an outlined function: in one function, the compiler moves sums
    from register to register, and spills them, in loops whose sums take nearly all registers.
    """


@dataclass(frozen=True)
class ItemCosts:
    """How many work-groups a work-item executes, and how many of them interleaved (`passes/cpu_items.py`)."""

    measured: Measurement = Measurement(_XEON, "2026-11-22", "benchmarks/gemm.py")
    operations_per_item: int = 4_000_000
    """About how many operations a work-item gets: a work-group takes about 45 ns to begin, and software prefetch
    serves the work-groups after it. So many operations take 25 to 50 microseconds, less than a launch takes.
    """
    max_items: int = 256
    """The most work-groups of a work-item."""
    max_cost: Mapping[int, float] = field(default_factory=lambda: {2: 0.99, 4: 0.975})
    """How many work-groups may be interleaved (unroll-and-jam), and the most that they may cost by the model, relative
    to one at a time. The model doesn't know how much two work-groups gain that share right factors: they need fewer
    loads.
    """
    max_cost_unshared: float = 0.95
    """The same where they share no right factor, or where a multiply-add is several instructions: loads matter less
    then.
    """
    max_cost_streaming: float = 0.8
    """The most that they may cost then: one stream is faster, unless the computation dominates."""
    max_streams: int = 2
    """How many are interleaved at most where the working set exceeds the cache: the hardware prefetcher follows few
    streams.
    """
    prefetch_cycles: float = 1000.0
    """The distance of software prefetch, in cycles."""
    max_distance: int = 16
    """The largest distance of software prefetch, in work-groups."""
    unknown: int = 8
    """The assumed trip count of a loop that is known at run time only, and the assumed dynamic size of a tensor."""


@dataclass(frozen=True)
class PrefetchCosts:
    """What is prefetched, and when (`passes/software_prefetch.py`, `passes/cpu_schedule.py`)."""

    measured: Measurement = Measurement(_XEON, "2026-11-22", "benchmarks/gemm.py")
    max_at_once: int = 4096
    """Bytes of a memref that are prefetched as a block, before the kernel that uses it."""
    max_bytes: int = 256 * 1024
    """Bytes of a memref that products prefetch while they compute: the data in use has to stay in the cache, too."""
    cache: int = 1_000_000
    """Bytes that a core reads fast without prefetching: about the size of its second-level cache."""
    in_first_level: int = 16 * 1024
    """Bytes that are prefetched into the first-level cache beside the data in use; more go into the second-level
    cache.
    """
    max_in_flight: int = 12
    """Requests that a core can have in flight: up to so many lines are prefetched before a loop, not in its
    iterations.
    """
    max_sums: int = 24
    """The most vectors of sums of a loop that contains prefetches: with more, the compiler would spill."""
    max_iterations: int = 4
    """The most iterations per cache line; each of them prefetches, so a line is prefetched as often."""
    max_unrolled_lines: int = 16
    """Lines of a prefetch outside of kernels up to which code is unrolled; more are a loop."""


@dataclass(frozen=True)
class LoopCosts:
    """The order and the unrolling of the loops of a kernel (`passes/cpu_schedule.py`)."""

    measured: Measurement = Measurement(_XEON, "2026-11-22", "benchmarks/gemm.py")
    max_unrolled_tiles: int = 2
    """Equal tiles or blocks up to which code is unrolled; more are a loop."""
    left_in_cache: int = 24 * 1024
    """Bytes of left factors that are expected to stay in the first-level cache beside everything else."""
    min_lanes: int = 2
    """Lanes of the shortest vector in memory. In registers all vectors are equally long, so that an element of the
    right factor is broadcast once for all of them: in two lengths it would be broadcast by shuffles, which take the
    execution units of multiply-adds.
    """


@dataclass(frozen=True)
class BlockCosts:
    """The blocks of products whose left factor is large (`passes/blocks.py`)."""

    measured: Measurement = Measurement(_EPYC, "2026-11-24", "benchmarks/tiles.py")
    min_left: int = 48 * 1024
    """Bytes of a left factor up to which it is read where it is."""
    min_columns: int = 48
    """The fewest columns of the result for which a copy of the left factor is worth it."""
    rows: int = 64
    """The most rows of a block of the left factor."""
    bytes: int = 24 * 1024
    """The most bytes of a block: it stays in the first-level cache beside what the other matrices need."""


TILES = RegisterTileCosts()
ITEMS = ItemCosts()
PREFETCHES = PrefetchCosts()
LOOPS = LoopCosts()
BLOCKS = BlockCosts()
