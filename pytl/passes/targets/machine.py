"""What is known of a processor: registers, what it executes per cycle, caches, and the constants of the cost model.

Passes get a machine as their option, and read costs nowhere else. `MACHINES` has presets, `host.py` finds what is
in use. A machine decides code, so that its name, which no other machine has, is a part of the key of code.
"""

from __future__ import annotations

from dataclasses import asdict, field, replace

from ...ir.types import ScalarType, bf16, i16
from ...process.records import dataclass
from .costs import (
    EPYC,
    EPYC_4,
    XEON,
    BlockCosts,
    ItemCosts,
    LoopCosts,
    Measurement,
    OuterProductCosts,
    PrefetchCosts,
    RegisterTileCosts,
    TileProductCosts,
    constant,
)

AVX512 = "avx512"
FEATURES = ("fp16", "bf16", "vnni", AVX512, "amx", "amx-fp16", "sve", "sve2", "sme", "sme2")
"""What processors may have beside vectors of f32 and f64: arithmetic of f16, products of bf16 and of i8, what AVX-512
has for functions, tile registers, and products of f16 by these, vectors of Arm's scalable extensions, and its matrix
extensions."""
X86, ARM = "x86_64", "aarch64"
_PAIRS = {i16: "vnni", bf16: "bf16"}
"""The features with such an instruction of x86, by the type of the factors."""
HOST = "host"
"""The word for the machine that this process runs on."""


@dataclass(frozen=True)
class Execution:
    """What a core executes per cycle, of vectors as long as a register, and how long that takes in cycles."""

    measured: Measurement
    fmas: float = constant(2.0, 0.1, 16)
    """Multiply-adds per cycle."""
    loads: float = constant(2.0, 0.1, 16)
    """Loads per cycle, from the first-level cache."""
    stores: float = constant(1.0, 0.1, 16)
    """Stores per cycle, into the first-level cache."""
    others: float = constant(2.0, 0.1, 16)
    """Other instructions on vectors per cycle, such as shuffles and additions."""
    instructions: float = constant(4.0, 0.5, 32)
    """Instructions of any kind per cycle."""
    half: float = constant(1.0, 0.5, 1)
    """How long an instruction on half a register takes, beside one on a whole one: half the time where the processor
    executes the halves of a register one after the other."""
    fma_latency: float = constant(4.0, 1, 64)
    """Cycles until the result of a multiply-add can be used."""
    load_latency: float = constant(7.0, 1, 64)
    """The same of a vector's load from the first-level cache."""
    masked_load: float = constant(1.0, 0.5, 64)
    """How much longer a load with a mask takes."""
    masked_store: float = constant(1.0, 0.5, 64)
    """How much longer a store with a mask takes."""
    split_load: float = constant(2.0, 1, 64)
    """How much longer a load takes that crosses the border of two cache lines."""


@dataclass(frozen=True)
class Caches:
    """The caches of a core."""

    measured: Measurement
    first_level: int = constant(32 * 1024, 1024, 1 << 30)
    """Bytes of the first-level cache for data."""
    second_level: int = constant(1 << 20, 1024, 1 << 40)
    """Bytes of the second-level cache."""
    line: int = constant(64, 16, 1024)
    """Bytes of a cache line."""
    from_second_level: float = constant(32.0, 0.1, 1024)
    """Bytes per cycle that a core reads from the second-level cache."""
    from_memory: float = constant(4.0, 0.1, 1024)
    """Bytes per cycle that a core reads from memory."""
    past_caches: float = constant(1.0, 0.1, 16)
    """How many times as fast a core copies memory with stores past the caches as with others."""


@dataclass(frozen=True)
class Machine:
    """A processor, as far as it decides code."""

    name: str
    description: str
    architecture: str
    llvm: str
    """The name of the processor in LLVM's terms, for code that is only shown."""
    execution: Execution
    caches: Caches
    vector_bits: int = constant(512, 128, 2048)
    """Bits of a vector register that code uses."""
    registers: int = constant(32, 8, 64)
    """Vector registers."""
    features: tuple[str, ...] = ()
    """Words of `FEATURES`."""
    without: tuple[str, ...] = ()
    """The types of factors for which its matrix extension has no outer product, or a wrong one."""
    has_scalable_vectors: bool = False
    """Whether code for it may leave the length of vectors to the run time."""
    has_any_length: bool = False
    """Whether code for it has to, as the length is not known; `vector_bits` is then one for costs."""
    has_cheap_masks: bool = True
    """Whether a load or store with a mask takes no longer than another."""
    has_broadcast_loads: bool = False
    """Whether to load a number into all lanes of a vector takes no longer than to load a vector, and less than to
    spread a lane of a register."""
    has_lane_products: bool = False
    """Whether one instruction multiplies and adds whole vectors by a lane of each of another's segments of 128 bits."""
    tiles: RegisterTileCosts = field(default_factory=RegisterTileCosts)
    items: ItemCosts = field(default_factory=ItemCosts)
    prefetches: PrefetchCosts = field(default_factory=PrefetchCosts)
    loops: LoopCosts = field(default_factory=LoopCosts)
    blocks: BlockCosts = field(default_factory=BlockCosts)
    outer_products: OuterProductCosts = field(default_factory=OuterProductCosts)
    tile_products: TileProductCosts = field(default_factory=TileProductCosts)

    def __str__(self) -> str:
        return self.name

    @property
    def register_bytes(self) -> int:
        """Bytes of a vector register."""
        return self.vector_bits // 8

    @property
    def known_bits(self) -> int:
        """Bits of a vector register that code may rely on; 0 where it has to be right for all lengths."""
        return 0 if self.has_any_length else self.vector_bits

    @property
    def is_streaming(self) -> bool:
        """Whether code for it is executed in streaming mode, with the matrix extension."""
        return "sme" in self.features

    @property
    def has_groups(self) -> bool:
        """Whether instructions in streaming mode may take two or four vectors."""
        return "sme2" in self.features

    @property
    def adds_from_memory(self) -> bool:
        """Whether an addition has an operand in memory, which takes neither a register nor another instruction."""
        return self.architecture == X86

    @property
    def has_vector_extensions(self) -> bool:
        """Whether instructions round to whole numbers, and multiply and add at once: from AVX on, and on Arm."""
        return self.architecture != X86 or self.vector_bits > 128

    @property
    def scales_by_powers(self) -> bool:
        """Whether an instruction multiplies numbers by powers of two, given their exponents as floats."""
        return self.architecture == X86 and AVX512 in self.features

    @property
    def casts_wide_integers(self) -> bool:
        """Whether instructions cast vectors of integers of 64 bits to floats, and back."""
        return self.architecture != X86 or self.vector_bits >= 512

    @property
    def divides_by_floats(self) -> bool:
        """Whether vectors of integers are divided as floats: no instruction of x86 divides them in vectors."""
        return self.architecture == X86 and self.has_vector_extensions

    @property
    def compares_for_extremes(self) -> bool:
        """Whether its maximum of a number and nan may be nan, so that the language's takes a comparison more."""
        return self.architecture == X86

    def multiplies_pairs(self, element: ScalarType) -> bool:
        """Whether an instruction adds the products of two numbers each to a vector of i32, or of f32 for bf16."""
        return self.architecture == X86 and _PAIRS.get(element) in self.features

    def share_of(self, size: int) -> float:
        """How long an instruction on a vector of so many bytes takes, beside one on a whole register."""
        return 1.0 if size > self.register_bytes // 2 else self.execution.half

    @property
    def stores_past_caches(self) -> bool:
        """Whether it stores past the caches what exceeds them: vectors of whole lines, where that is faster.

        Shorter ones would fill lines piece by piece, and a processor holds few lines back for that.
        """
        return self.architecture == X86 and self.register_bytes >= self.caches.line and self.caches.past_caches > 1

    @property
    def kind(self) -> str:
        """The preset that it was made of."""
        return self.name.partition("-")[0]

    def named(self) -> Machine:
        """The machine under the name of its preset, with a hash of what decides code where that differs from it."""
        from hashlib import sha256

        deciding = self.deciding()
        if deciding == MACHINES[self.kind].deciding():
            return replace(self, name=self.kind)
        return replace(self, name=f"{self.kind}-{sha256(deciding.encode()).hexdigest()[:8]}")

    def deciding(self) -> str:
        """What decides code, as a text."""
        import json

        values = {name: value for name, value in asdict(self).items() if name not in ("name", "description", "caches")}
        decisive = ("line", "from_second_level", "from_memory", "past_caches")
        values["caches"] = {name: getattr(self.caches, name) for name in decisive}
        for name, value in values.items():
            if isinstance(value, dict):
                values[name] = {of: float(number) for of, number in value.items() if of != "measured"}
        return json.dumps(values, sort_keys=True)


_X86_MANUAL = "the optimization manuals of Intel and AMD"
_ARM_MANUAL = "Arm's software optimization guides"
_CALIBRATED = Measurement(EPYC, "2026-11-28", "benchmarks/calibrate.py")
_CALIBRATED_4 = Measurement(EPYC_4, "2026-11-29", "benchmarks/calibrate.py")
_XEON_MANUAL = Measurement(XEON, "2026-11-28", _X86_MANUAL)


def _not_measured(processor: str, manual: str) -> Measurement:
    """Of constants that nobody has measured on a processor: those of the Xeon, with what a manual says."""
    return Measurement(processor, "2026-11-28", f"{manual}; not measured")


_NEON_EXECUTION = Execution(
    _not_measured("Arm Neoverse N1", _ARM_MANUAL), fmas=2, loads=2, stores=1, others=2, fma_latency=4, load_latency=5
)

_AMX = Machine(
    name="amx",
    description="a processor with AVX-512, FP16 and tile registers, as Intel Xeon from Sapphire Rapids on",
    architecture=X86,
    llvm="sapphirerapids",
    execution=Execution(_not_measured("Intel Sapphire Rapids", _X86_MANUAL), instructions=6),
    caches=Caches(
        _not_measured("Intel Sapphire Rapids", _X86_MANUAL),
        first_level=48 * 1024,
        second_level=2 << 20,
        from_second_level=48,
    ),
    vector_bits=512,
    registers=32,
    has_broadcast_loads=True,
    features=("fp16", "bf16", "vnni", AVX512, "amx"),
)
_AMX_FP16 = replace(
    _AMX,
    name="amxfp16",
    description="the same with products of f16 by tile registers, as Intel Xeon from Granite Rapids on",
    llvm="graniterapids",
    features=(*_AMX.features, "amx-fp16"),
)

MACHINES = {
    machine.name: machine
    for machine in (
        Machine(
            name="sse",
            description="a processor with x86-64's first vectors, and no multiply-add",
            architecture=X86,
            llvm="x86-64",
            execution=Execution(_not_measured("x86-64", _X86_MANUAL), fmas=1, fma_latency=8, load_latency=5),
            caches=Caches(_not_measured("x86-64", _X86_MANUAL), second_level=256 * 1024, from_second_level=16),
            vector_bits=128,
            registers=16,
            has_cheap_masks=False,
        ),
        Machine(
            name="avx2",
            description="a processor with AVX2 and FMA, as AMD EPYC of family 25",
            architecture=X86,
            llvm="znver3",
            execution=Execution(_CALIBRATED, instructions=6, masked_store=11.7),
            caches=Caches(_CALIBRATED, second_level=512 * 1024, from_second_level=22, from_memory=6.5),
            vector_bits=256,
            registers=16,
            has_broadcast_loads=True,
            has_cheap_masks=False,
            # of a processor that executes AVX2 as these do
            tiles=RegisterTileCosts(
                Measurement(EPYC_4, "2026-11-29", "benchmarks/gemm.py"),
                split_load=1.2,
                free=0,
                many_vectors=2,
                unrolls_splits=1,
            ),
            items=ItemCosts(
                Measurement(EPYC_4, "2026-11-29", "benchmarks/gemm.py"), max_cost_of_two=0.95, max_cost_of_four=0.9
            ),
            prefetches=PrefetchCosts(
                Measurement(EPYC_4, "2026-11-30", "benchmarks/before.py"),
                max_bytes=3 << 20,
                max_left=512 * 1024,
                min_bytes=10_000,
                few_streams=0,
                few_bytes=640,
                beyond=1,
                streaming=0.7,
                max_iterations=64,
            ),
            blocks=BlockCosts(
                Measurement(EPYC_4, "2026-11-30", "benchmarks/tiles.py"),
                min_apart=8 * 1024,
                max_contiguous=512 * 1024,
                min_columns_prefetched=128,
                columns_in_slices=16,
                min_columns_in_few_sets=16,
                rows=48,
                bytes=88 * 1024,
                ahead=16,
            ),
        ),
        Machine(
            name="avx512",
            description="a processor with AVX-512, as Intel Xeon from Skylake on",
            architecture=X86,
            llvm="skylake-avx512",
            execution=Execution(_XEON_MANUAL),
            caches=Caches(_XEON_MANUAL, from_second_level=48),
            vector_bits=512,
            registers=32,
            has_broadcast_loads=True,
        ),
        Machine(
            name="zen4",
            description="AMD's Zen 4: AVX-512, of which each instruction takes the time of two of 256 bits",
            architecture=X86,
            llvm="znver4",
            execution=Execution(
                _CALIBRATED_4, fmas=1, loads=1, stores=0.5, others=1.5, instructions=6, split_load=1, half=0.5
            ),
            caches=Caches(_CALIBRATED_4, from_second_level=22, from_memory=10.5, past_caches=1.4),
            vector_bits=512,
            registers=32,
            has_broadcast_loads=True,
            features=("bf16", "vnni", AVX512),
            tiles=RegisterTileCosts(
                Measurement(EPYC_4, "2026-11-30", "benchmarks/gemm.py"),
                begin_and_end=4,
                burst=6,
                max_sums=16,
                load_of_half=1.1,
                max_interleaved_halves=12,
                longest_unrolled=200,
                operand=0.2,
                turned=0.42,
                begin_in_lanes=12,
                max_cost_in_lanes=1.16,
            ),
            # its own prefetcher follows one stream well, so that others are slower for short items
            items=ItemCosts(
                Measurement(EPYC_4, "2026-11-29", "benchmarks/seissol.py"),
                max_cost_of_two=0.9,
                max_cost_of_four=0.85,
                max_cost_unshared=0.96,
                max_distance=1,
                between_products=30,
            ),
            prefetches=PrefetchCosts(
                Measurement(EPYC_4, "2026-11-29", "benchmarks/gemm.py"),
                max_bytes=3 << 20,
                max_left=512 * 1024,
                min_bytes=5000,
                beyond=1,
                streaming=0.4,
                max_iterations=64,
                max_in_blocks=256 * 1024,
            ),
            blocks=BlockCosts(
                Measurement(EPYC_4, "2026-11-29", "benchmarks/tiles.py"),
                min_apart=8 * 1024,
                max_contiguous=512 * 1024,
                min_columns_prefetched=192,
                columns_in_slices=16,
                bytes=88 * 1024,
                ahead=16,
            ),
        ),
        Machine(
            name="zen5",
            description="AMD's Zen 5: AVX-512 with BF16 and VNNI, without FP16",
            architecture=X86,
            llvm="znver5",
            execution=Execution(_not_measured("AMD Zen 5", _X86_MANUAL), instructions=8),
            caches=Caches(_not_measured("AMD Zen 5", _X86_MANUAL), first_level=48 * 1024, from_second_level=64),
            vector_bits=512,
            registers=32,
            has_broadcast_loads=True,
            features=("bf16", "vnni", AVX512),
        ),
        _AMX,
        _AMX_FP16,
        Machine(
            name="neon",
            description="a processor of Arm's 64-bit architecture, with NEON",
            architecture=ARM,
            llvm="neoverse-n1",
            execution=_NEON_EXECUTION,
            caches=Caches(_not_measured("Arm Neoverse N1", _ARM_MANUAL), first_level=64 * 1024),
            vector_bits=128,
            registers=32,
            features=("fp16",),
            has_cheap_masks=False,
        ),
        Machine(
            name="sve256",
            description="SVE with vectors of 256 bits, as Arm Neoverse V1",
            architecture=ARM,
            llvm="neoverse-v1",
            execution=replace(_NEON_EXECUTION, measured=_not_measured("Arm Neoverse V1", _ARM_MANUAL), instructions=8),
            caches=Caches(_not_measured("Arm Neoverse V1", _ARM_MANUAL), first_level=64 * 1024),
            vector_bits=256,
            registers=32,
            features=("fp16", "bf16", "sve"),
            has_scalable_vectors=True,
            has_lane_products=True,
        ),
        Machine(
            name="sve512",
            description="SVE with vectors of 512 bits, as Fujitsu A64FX",
            architecture=ARM,
            llvm="a64fx",
            execution=Execution(
                _not_measured("Fujitsu A64FX", "its microarchitecture manual"), fma_latency=9, load_latency=11
            ),
            caches=Caches(
                _not_measured("Fujitsu A64FX", "its microarchitecture manual"),
                first_level=64 * 1024,
                second_level=8 << 20,
                line=256,
            ),
            vector_bits=512,
            registers=32,
            features=("fp16", "sve"),
            has_scalable_vectors=True,
            has_lane_products=True,
        ),
        Machine(
            name="sme",
            description="SVE2 and the matrix extension SME with streaming vectors of 512 bits, as QEMU emulates",
            architecture=ARM,
            llvm="generic",
            execution=Execution(_not_measured("QEMU's emulation", _ARM_MANUAL), fmas=1, loads=1),
            caches=Caches(_not_measured("QEMU's emulation", _ARM_MANUAL), first_level=64 * 1024),
            vector_bits=512,
            registers=32,
            features=("fp16", "bf16", "sve", "sve2", "sme"),
            has_scalable_vectors=True,
            has_any_length=True,
        ),
    )
}
MACHINES["sme2"] = replace(
    MACHINES["sme"],
    name="sme2",
    description="the same with SME2, whose instructions take two or four vectors, as QEMU emulates from 10.1 on",
    features=(*MACHINES["sme"].features, "sme2"),
)
"""The machines by their names."""
DEFAULT = MACHINES["avx512"]
"""The machine of texts that are for no device."""


def machine_words() -> list[str]:
    """What users may call machines."""
    return [HOST, *MACHINES]
