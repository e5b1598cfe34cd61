"""What the passes for processors know of costs: the constants of their models, each with where it was measured.

The constants are fitted to the times of benchmarks, and hold for one kind of processor: they are parts of its `Machine`
(`machine.py`). `pytl.tune` finds for a kernel what they miss.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ...process.records import dataclass


def constant(default: Any, lowest: float, highest: float) -> Any:
    """The default of a constant, and the numbers that it may be where a file says it."""
    return field(default=default, metadata={RANGE: (lowest, highest)})


RANGE = "range"


@dataclass(frozen=True)
class Measurement:
    """Where constants come from."""

    processor: str
    date: str
    script: str
    """The benchmark whose times they were fitted to."""


EPYC = "AMD EPYC (family 25), AVX2: two cores of a virtual machine"
EPYC_4 = "AMD EPYC (family 25, model 17), AVX-512: two cores of a virtual machine"
QEMU = "QEMU's emulation, whose plugin counts instructions"
SAPPHIRE_RAPIDS = "Intel Sapphire Rapids"
XEON = "Intel Xeon, 2.8 GHz, AVX-512: two cores of a virtual machine"


@dataclass(frozen=True)
class RegisterTileCosts:
    """The model of register tiles, in cycles (`passes/tiles.py`, `passes/cpu_tiles.py`)."""

    measured: Measurement = Measurement(XEON, "2026-11-22", "benchmarks/gemm.py")
    load: float = constant(0.72, 0, 16)
    """Cycles per load: a processor may do less than two loads of 512 bits per cycle."""
    load_of_half: float = constant(0.72, 0, 16)
    """The same of vectors of half a register, where instructions on these take half the time."""
    each_load: float = constant(0.15, 0, 16)
    """Additional cycles of a load, which may have to wait for its cache line."""
    split_load: float = constant(1.9, 1, 16)
    """How much longer a vector's load takes where columns don't begin at multiples of a cache line."""
    begin_and_end: float = constant(8.0, 0, 1000)
    """Cycles that a tile takes before its first and after its last multiply-add."""
    burst: float = constant(0.0, 0, 1000)
    """Cycles that a line of the result of a tile of one vector takes beyond those that a core can have in flight, where
    it comes from memory and nothing prefetches it: about what memory takes for it. Not measured where the preset does
    not say it.
    """
    max_vectors: int = constant(4, 1, 16)
    """The most vectors of rows that a tile has."""
    max_columns: int = constant(16, 1, 32)
    """The most columns that a tile has."""
    max_sums: int = constant(64, 1, 64)
    """The most vectors of sums that a tile has, as far as registers allow it."""
    max_interleaved_halves: int = constant(64, 1, 64)
    """The same of interleaved work-groups with vectors of half a register, where instructions on these take half the
    time.
    """
    free: int = constant(1, 0, 64)
    """Registers that a tile leaves free whose numbers are in registers, and whose vectors come one after the other."""
    many_terms: int = constant(128, 1, 1 << 20)
    """Terms of a sum from which on a tile may have more: it seldom begins and ends."""
    max_unrolled: int = constant(4, 1, 16)
    """The most steps of the sum in an iteration."""
    typical: int = constant(48, 1, 4096)
    """The assumed size of a mode that is known at run time only."""
    few_sums: int = constant(20, 1, 64)
    """Registers for sums such that the operands of two steps have registers, too."""
    many_vectors: int = constant(4, 1, 64)
    """From so many vectors per broadcast element, and up to `few_columns` of these, the compiler does not spill."""
    few_columns: int = constant(6, 0, 64)
    """See `many_vectors`."""
    min_iterations: int = constant(4, 1, 64)
    """The least trip count of a loop with several steps per iteration."""
    unrolls_splits: int = constant(0, 0, 1)
    """1 where loops over loads that cross cache lines have as many steps per iteration."""
    many_steps: int = constant(32, 1, 4096)
    """Steps above which two steps per iteration are faster where columns don't begin at cache lines, too."""
    longest_unrolled: int = constant(400, 0, 4096)
    """Multiply-adds of a whole product up to which its sums are fully unrolled; a quarter as many on whole registers,
    where a processor executes these by halves.
    """
    most_by_pattern: int = constant(1600, 0, 1 << 20)
    """Multiply-adds up to which the terms of sums that patterns leave are unrolled: longer code leaves the cache of
    instructions, and takes long to compile.
    """
    operand: float = constant(1.0, 0, 4)
    """What the load of a number that one multiply-add on whole registers reads from memory, in a product of which terms
    are left out, counts beside the load of a vector.
    """
    most_in_lanes: int = constant(6000, 0, 1 << 20)
    """The same where each work-group is a lane of vectors."""
    turned: float = constant(0.4, 0, 100)
    """Cycles per instruction that turns what work-groups have in memory to lanes: a load of each segment, what joins
    segments to a vector, and shuffles. A vector of a target is turned back, and added to what is there, in twice the
    time.
    """
    begin_in_lanes: float = constant(0.0, 0, 1000)
    """Cycles per work-group that finding its operands takes; they are more than the registers for addresses."""
    most_terms_in_lanes: int = constant(64, 0, 1 << 12)
    """Terms of such a sum up to which they are written out; more are a loop."""
    sums_in_lanes: float = constant(1.6, 1, 16)
    """How many times as long the sums of work-groups in lanes take that leave few registers free."""
    max_cost_in_lanes: float = constant(0.9, 0, 100)
    """The most that work-groups may cost in lanes, relative to one after the other."""
    unroll_penalty: float = constant(0.02, 0, 1)
    """What a difference of one in the unroll factor of the sum counts in the order of tunings, as a part of the cost.
    """
    many_kernels: int = constant(12, 1, 4096)
    """From so many kernels with products on, each is an outlined function: in one function, the compiler moves sums
    from register to register, and spills them, in loops whose sums take nearly all registers.
    """


@dataclass(frozen=True)
class ItemCosts:
    """How many work-groups a work-item executes, and how many of them interleaved (`passes/cpu_items.py`)."""

    measured: Measurement = Measurement(XEON, "2026-11-22", "benchmarks/gemm.py")
    operations_per_item: int = constant(4_000_000, 1, 10**9)
    """About how many operations a work-item gets: a work-group takes about 45 ns to begin, and software prefetch
    serves the work-groups after it. So many operations take 25 to 50 microseconds, less than a launch takes.
    """
    max_items: int = constant(256, 1, 1024)
    """The most work-groups of a work-item."""
    max_cost_of_two: float = constant(0.99, 0, 1)
    """The most that two interleaved work-groups (unroll-and-jam) may cost by the model, relative to one at a time. The
    model doesn't know how much they gain where they share right factors: they need fewer loads.
    """
    max_cost_of_four: float = constant(0.975, 0, 1)
    """The same of four."""
    max_cost_unshared: float = constant(0.95, 0, 1)
    """The same where they share no right factor, or where a multiply-add is several instructions: loads matter less
    then.
    """
    max_cost_streaming: float = constant(0.8, 0, 1)
    """The most that they may cost then: one stream is faster, unless the computation dominates."""
    max_streams: int = constant(2, 1, 4)
    """How many are interleaved at most where the working set exceeds the cache: the hardware prefetcher follows few
    streams.
    """
    between_products: float = constant(0.0, 0, 1000)
    """Cycles that a product waits for the result of the one before, where work-groups are not interleaved."""
    prefetch_cycles: float = constant(1000.0, 0, 10**6)
    """The distance of software prefetch, in cycles."""
    max_distance: int = constant(16, 0, 64)
    """The largest distance of software prefetch, in work-groups."""
    min_computed: float = constant(1.0, 0, 1000)
    """Operations on numbers for each element that is copied for work-groups in lanes, from which on these gain."""
    min_computed_streaming: float = constant(4.0, 0, 1000)
    """The same where elements come from memory: one work-group after the other reads them in order."""
    max_copied_streaming: int = constant(128, 0, 1 << 20)
    """Bytes of a work-group up to which its elements are copied from memory, however little is computed."""
    max_copied: int = constant(8 << 20, 0, 1 << 40)
    """Bytes of all work-groups up to which their elements come from caches: a core's share of the last level."""
    min_computed_by_lane: float = constant(3.0, 0, 1000)
    """Operations on numbers for each element that work-groups in lanes load or store by themselves, from which on they
    gain.
    """
    min_computed_apart: float = constant(8.0, 0, 1000)
    """Operations on numbers for each element that lies apart, in a loop that lanes leave one after the other, from
    which on they gain.
    """
    function: float = constant(16.0, 0, 1000)
    """Operations on numbers that a function such as an exponential counts, where it is no lane."""
    unknown: int = constant(8, 1, 4096)
    """The assumed trip count of a loop that is known at run time only, and the assumed dynamic size of a tensor."""


@dataclass(frozen=True)
class PrefetchCosts:
    """What is prefetched, and when (`passes/software_prefetch.py`, `passes/cpu_schedule.py`)."""

    measured: Measurement = Measurement(XEON, "2026-11-22", "benchmarks/gemm.py")
    max_at_once: int = constant(4096, 0, 1 << 30)
    """Bytes of a memref that are prefetched as a block, before the kernel that uses it."""
    max_bytes: int = constant(256 * 1024, 0, 1 << 30)
    """Bytes of a memref that products prefetch while they compute: the data in use has to stay in the cache, too."""
    max_left: int = constant(1 << 30, 0, 1 << 30)
    """Bytes of a left factor up to which that of a later work-group is prefetched. Of a larger one, each register tile
    prefetches the rows of the next tile, as what later work-groups use would leave the cache before. Not measured where
    the preset does not say it.
    """
    min_bytes: int = constant(0, 0, 1 << 30)
    """Bytes of a work-group's memrefs from which on they are prefetched: the processor's own prefetcher may be faster
    for fewer, if they are few streams.
    """
    few_streams: int = constant(2, 0, 64)
    """Memrefs of a work-group that are few streams."""
    few_bytes: int = constant(0, 0, 1 << 30)
    """Bytes of each of a work-group's memrefs, on average, up to which the same holds for any number of streams."""
    streaming: float = constant(100.0, 0, 100)
    """The part of a work-group's cycles that its memrefs take at the rate of memory, from which on they are prefetched
    into the second-level cache, for requests of the first are too few; or left to the processor's own prefetcher where
    these bytes are few, in many streams, too.
    """
    cache: int = constant(1_000_000, 0, 1 << 40)
    """Bytes that a core reads fast without prefetching: about the size of its second-level cache."""
    in_first_level: int = constant(16 * 1024, 0, 1 << 30)
    """Bytes that are prefetched into the first-level cache beside the data in use; more go into the second-level
    cache.
    """
    max_in_flight: int = constant(12, 1, 256)
    """Requests that a core can have in flight: up to so many lines are prefetched before a loop, not in its
    iterations.
    """
    max_sums: int = constant(24, 0, 64)
    """The most vectors of sums of a loop that contains prefetches: with more, the compiler would spill."""
    max_iterations: int = constant(4, 1, 64)
    """The most iterations per cache line; each of them prefetches, so a line is prefetched as often."""
    beyond: int = constant(0, 0, 64)
    """Lines of the next tile that a tile prefetches at least, where left factors leave the first-level cache: a
    processor may drop a prefetch while loads wait, and line after line is then prefetched twice.
    """
    max_in_blocks: int = constant(0, 0, 1 << 30)
    """Bytes that loops read for a vector of points by blocks which they turn in registers (`turned_blocks.py`), and
    prefetch for the next one while they sum. Not measured where the preset does not say it.
    """
    in_blocks: int = constant(8 * 1024, 0, 1 << 30)
    """Such bytes that are prefetched into the first-level cache, beside as many in use and a result."""
    max_repeats: int = constant(4, 0, 1024)
    """How often loops use a memref again at most, of which each use prefetches what the next work-group's will use."""
    max_unrolled_lines: int = constant(16, 1, 256)
    """Lines of a prefetch outside of kernels up to which code is unrolled; more are a loop."""


@dataclass(frozen=True)
class LoopCosts:
    """The order and the unrolling of the loops of a kernel (`passes/cpu_schedule.py`)."""

    measured: Measurement = Measurement(XEON, "2026-11-22", "benchmarks/gemm.py")
    sums: int = constant(8, 1, 64)
    """Vectors of rows and columns that a sum or a gemv sums at the same time, and its vectors of partial sums, of which
    several are kept so that additions don't wait for each other.
    """
    max_unrolled_tiles: int = constant(2, 1, 16)
    """Equal tiles or blocks up to which code is unrolled; more are a loop."""
    left_in_cache: int = constant(24 * 1024, 0, 1 << 30)
    """Bytes of left factors that are expected to stay in the first-level cache beside everything else."""
    min_lanes: int = constant(2, 2, 16)
    """Lanes of the shortest vector in memory. In registers all vectors are equally long, so that an element of the
    right factor is broadcast once for all of them: in two lengths it would be broadcast by shuffles, which take the
    execution units of multiply-adds.
    """


@dataclass(frozen=True)
class BlockCosts:
    """The blocks of products whose left factor is large (`passes/blocks.py`)."""

    measured: Measurement = Measurement(EPYC, "2026-11-24", "benchmarks/tiles.py")
    min_left: int = constant(48 * 1024, 0, 1 << 40)
    """Bytes of a left factor up to which it is read where it is."""
    min_apart: int = constant(48 * 1024, 0, 1 << 40)
    """The same where each column lies in a page of its own."""
    max_contiguous: int = constant(128 * 1024, 0, 1 << 40)
    """The same where its columns follow each other: then the second-level cache serves it, and all of it is prefetched
    while the work-group before is computed. Not measured where the preset does not say it.
    """
    min_columns: int = constant(48, 1, 1 << 20)
    """The fewest columns of the result for which a copy of the left factor is worth it."""
    min_columns_prefetched: int = constant(48, 1, 1 << 20)
    """The same where register tiles prefetch the next rows of the left factor (`max_left` of prefetches)."""
    min_columns_in_few_sets: int = constant(1 << 20, 1, 1 << 20)
    """The same, if it is fewer, where columns of the left factor lie in pages of their own, and in few sets of the
    first-level cache. Not measured where the preset does not say it.
    """
    rows: int = constant(64, 1, 4096)
    """The most rows of a block of the left factor."""
    bytes: int = constant(24 * 1024, 4096, 96 * 1024)
    """The most bytes of a block. Smaller ones stay in the first-level cache, beside what the other matrices need; for
    larger ones, which are read in the order of memory, the result is loaded and stored less often.
    """
    columns_in_slices: int = constant(0, 0, 1 << 20)
    """The most columns of the result for which a left factor that is too large to be prefetched is read in short slices
    of the sum, so that its columns follow each other in memory. Not measured where the preset does not say it.
    """
    ahead: int = constant(0, 0, 64)
    """Columns of the left factor after which another one is copied that is prefetched meanwhile; 0 for none."""


@dataclass(frozen=True)
class TileProductCosts:
    """Products on the tile registers of x86 (`passes/targets/amx.py`), in cycles."""

    measured: Measurement = Measurement(SAPPHIRE_RAPIDS, "2026-11-29", "Intel's optimization manual; not measured")
    row: float = constant(1.0, 0.1, 16)
    """A product of tiles, for each row of its left tile."""
    moved_row: float = constant(1.5, 0.1, 16)
    """Loading and storing a row of a tile of the result."""
    line: float = constant(2.5, 0.1, 100)
    """Packing a row of a tile."""


@dataclass(frozen=True)
class OuterProductCosts:
    """Products into tiles of Arm's matrix extension (`passes/sme_products.py`), in instructions."""

    measured: Measurement = Measurement(QEMU, "2026-11-28", "benchmarks/arm_instructions.py")
    load: float = constant(1.0, 0, 16)
    """What a load of a vector of a factor counts."""
    block: float = constant(12.0, 0, 1000)
    """What a block of tiles counts beside its products: its addresses, and the begin and the end of its loops."""
    typical: int = constant(48, 1, 4096)
    """The assumed size of a mode that is known at run time only."""
    enter: float = constant(300.0, 0, 10**6)
    """Cycles until streaming mode is entered and left, and ZA saved; not measured."""
    groups: float = constant(16.0, 1, 10**6)
    """How many work-groups a thread is assumed to execute meanwhile."""
    call: float = constant(100.0, 0, 10**6)
    """Cycles that a call of the C library takes in streaming mode beside its own, as it leaves that; not measured."""
    steps: int = constant(4, 1, 64)
    """Steps of the sum in an iteration, in code for vectors of any length."""
    steps_of_length: int = constant(8, 1, 64)
    """The same where the length is known, or addresses are computed so."""
    steps_of_groups: int = constant(16, 1, 64)
    """The same where an instruction loads the vectors of two steps."""
    min_apart: int = constant(24, 1, 4096)
    """Steps from which on it is worth it in such code to compute addresses that only few numbers are added to."""
    pieces: int = constant(32, 1, 64)
    """Groups of steps that are packed at a time where a panel's size is not known in front of the work-groups."""
    slices: int = constant(4, 1, 16)
    """Rows or columns of tiles that an iteration moves, whose numbers instructions have: 4 of 32 bits, half of 64."""
    max_unrolled_slices: int = constant(12, 1, 64)
    """Rows or columns of a tile up to which there is no loop, where their number is known and tiles are few."""
    few_tiles: int = constant(2, 1, 64)
    """Such a number of tiles of a product."""
    max_in_step: int = constant(4, 1, 8)
    """The most work-groups whose products are in step, each in tiles of its own."""
    turned: int = constant(2, 1, 2)
    """Tiles side by side in which a factor is turned where the length is known: as many below each other."""
