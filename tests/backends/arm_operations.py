"""docs/arm-sme.md: every operation of MLIR's dialect arm_sme, and which kernel leads to it, or why none does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = "arm-sme.md"
GOLDEN = "arm_sme"
"""The folder of tests/golden where the emitted texts are."""

VERSION = 22
"""Of LLVM, which the page is about. Texts of stages that its tools make are compared with theirs alone."""

KERNELS = {
    "product": """\
func @product(%a: memref<f32x4x16>, %b: memref<f32x4x16>, %c: memref<f32x4x4>) {
  %one = constant 1.0 : f32
  %zero = constant 0.0 : f32
  gemm.n.t %one, %a, %b, %zero, %c
}""",
    "turned": """\
func @turned(%a: memref<f32x4x4>, %b: memref<f32x4x4>, %c: memref<f32x4x4>, %alpha: f32) {
  gemm.t.t %alpha, %a, %b, %alpha, %c
}""",
    "halves": """\
func @halves(%a: memref<f16x4x4>, %b: memref<f16x4x4>, %c: memref<f32x4x4>) {
  %one = constant 1.0 : f16
  %zero = constant 0.0 : f32
  gemm.n.t %one, %a, %b, %zero, %c
}""",
    "turned_halves": """\
func @turned_halves(%a: memref<f16x5x4>, %b: memref<f16x4x5>, %c: memref<f32x4x4>) {
  %one = constant 1.0 : f16
  %zero = constant 0.0 : f32
  gemm.t.t %one, %a, %b, %zero, %c
}""",
    "bytes": """\
func @bytes(%a: memref<i8x4x4>, %b: memref<i8x4x4>, %c: memref<i32x4x4>) {
  %one = constant 1 : i8
  %zero = constant 0 : i32
  gemm.n.t %one, %a, %b, %zero, %c
}""",
    "doubles": """\
func @doubles(%a: memref<f64x2x2>, %b: memref<f64x2x2>, %c: memref<f64x2x2>) {
  %one = constant 1.0 : f64
  %zero = constant 0.0 : f64
  gemm.n.n %one, %a, %b, %zero, %c
}""",
}

# The stages where operations appear, in their order.
MLIR, TILES, DIALECT = "mlir", "tiles", "llvm-dialect"


@dataclass(frozen=True)
class Emitted:
    """An operation that an example leads to."""

    kernel: str
    stage: str
    why: str

    @property
    def golden(self) -> str:
        return golden_name(self.kernel, self.stage)


@dataclass(frozen=True)
class Unused:
    """An operation that no kernel leads to."""

    why: str


def golden_name(kernel: str, stage: str) -> str:
    return f"{GOLDEN}/{kernel}.mlir" if stage == MLIR else f"{GOLDEN}/{kernel}.{stage}.mlir"


# Why not.
SIGNED = "Integers of the language are signed; this multiplies "
UNSIGNED, MIXED = "unsigned ones", "a signed by an unsigned one"
GONE = f"No operation of MLIR {VERSION}, which counts by `cntsd` alone"
LOADS = "Tiles that are loaded are sums and what is turned, of 32 or 64 bits"
BY_COLUMNS = "Lines of memory are rows of tiles, and loaded as such"
SUMS_ONLY = "Tiles that are stored are sums and what is turned, of 32 or 64 bits"
QUAD = "For elements of 128 bits, which the language has none of: complex numbers are pairs, and tiles of their parts"


def see(name: str, made: bool = True) -> Unused:
    return Unused(f"{'Made of' if made else 'As'} `{name}`; see there")


OPERATIONS: Mapping[str, Emitted | Unused] = {
    "copy_tile": Emitted("product", TILES, "`convert-arm-sme-to-llvm` copies the tiles of loops while it allocates ZA"),
    "extract_tile_slice": Emitted(
        "turned",
        MLIR,
        "`tiles.py`: rows of sums that are scaled, converted or added, and columns of groups that are turned",
    ),
    "fmopa_2way": Emitted("halves", MLIR, "`tiles.py`: products of f16 or bf16, two steps of a sum at once"),
    "fmops_2way": Unused(
        "Nothing is subtracted but products of complex numbers, whose parts are f32 or f64: imaginary parts are "
        "negated when a factor is packed. A negative `alpha` scales the sums"
    ),
    "get_tile": Emitted("turned", MLIR, "`tiles.py`: the tile that a factor is turned in, before it is written"),
    "insert_tile_slice": Emitted(
        "turned_halves",
        MLIR,
        "`tiles.py`: rows of a factor that is converted or filled up with zeros, and -0 for a ger, which keeps signs",
    ),
    "load_tile_slice": Emitted(
        "turned",
        MLIR,
        "`tiles.py`: rows of a factor that is turned as it is, group by group, and of a target that is added to",
    ),
    "outerproduct": Emitted("product", MLIR, "`tiles.py`: products of f32 and f64, and of parts of complex numbers"),
    "smopa_2way": Unused(
        'An instruction of SME2 (`machine="sme2"`), for products of i16 that are summed in i32. `llc` does not select '
        "it for SME, where they are summed in i64 by `smopa_4way`, and cut off"
    ),
    "smopa_4way": Emitted("bytes", MLIR, "`tiles.py`: products of i8 or i16, four steps of a sum at once"),
    "smops_2way": see("fmops_2way", made=False),
    "smops_4way": see("fmops_2way", made=False),
    "store_tile_slice": Emitted(
        "product", MLIR, "`tiles.py`: rows of sums that are stored as they are, and columns of a factor that is turned"
    ),
    "streaming_vl": Unused(
        "Lengths come from `vector.vscale`, which is the same number in streaming functions, where all vectors are"
    ),
    "sumopa_4way": Unused(SIGNED + MIXED),
    "sumops_4way": Unused(SIGNED + MIXED),
    "tile_load": Unused("Loads a whole tile, by a loop of `load_tile_slice`, which pytl writes itself"),
    "tile_store": Unused(
        "Stores a whole tile, by a loop of `store_tile_slice`. pytl writes that loop itself: it stores a row of all "
        "tiles of a block that lie side by side, and ends with the target's last row"
    ),
    "umopa_2way": Unused(SIGNED + UNSIGNED),
    "umopa_4way": Unused(
        f"{SIGNED}{UNSIGNED}. Products of i32 could be composed of ten such products of bytes; pytl multiplies them by "
        "vectors"
    ),
    "umops_2way": Unused(SIGNED + UNSIGNED),
    "umops_4way": Unused(SIGNED + UNSIGNED),
    "usmopa_4way": Unused(SIGNED + MIXED),
    "usmops_4way": Unused(SIGNED + MIXED),
    "zero": Emitted("product", MLIR, "`tiles.py`: sums before their first product"),
    "intr.cntsb": Unused(GONE),
    "intr.cntsd": see("streaming_vl"),
    "intr.cntsh": Unused(GONE),
    "intr.cntsw": Unused(GONE),
    "intr.ld1b.horiz": Unused(LOADS),
    "intr.ld1b.vert": Unused(LOADS),
    "intr.ld1d.horiz": Emitted("doubles", DIALECT, "made of `load_tile_slice`: rows of f64 and i64"),
    "intr.ld1d.vert": Unused(BY_COLUMNS),
    "intr.ld1h.horiz": Unused(LOADS),
    "intr.ld1h.vert": Unused(LOADS),
    "intr.ld1q.horiz": Unused(QUAD),
    "intr.ld1q.vert": Unused(QUAD),
    "intr.ld1w.horiz": Emitted("turned", DIALECT, "made of `load_tile_slice`: rows of f32 and i32"),
    "intr.ld1w.vert": Unused(BY_COLUMNS),
    "intr.mopa": Emitted("product", DIALECT, "made of `outerproduct`"),
    "intr.mopa.wide": Emitted("halves", DIALECT, "made of `fmopa_2way`"),
    "intr.mops": Unused(
        f"Made of `outerproduct kind<sub>`, which MLIR {VERSION} parses and does not lower; why pytl does without, "
        "tells `fmops_2way`; see there"
    ),
    "intr.mops.wide": see("fmops_2way"),
    "intr.read.horiz": Emitted("turned", DIALECT, "made of `extract_tile_slice`"),
    "intr.read.vert": Emitted("turned_halves", DIALECT, "made of `extract_tile_slice` with `layout<vertical>`"),
    "intr.smopa.wide": Emitted("bytes", DIALECT, "made of `smopa_4way`"),
    "intr.smopa.za32": see("smopa_2way"),
    "intr.smops.wide": see("smops_4way"),
    "intr.smops.za32": see("smops_2way"),
    "intr.st1b.horiz": Unused(SUMS_ONLY),
    "intr.st1b.vert": Unused(SUMS_ONLY),
    "intr.st1d.horiz": Emitted("doubles", DIALECT, "made of `store_tile_slice`: rows of f64 and i64"),
    "intr.st1d.vert": Emitted("doubles", DIALECT, "made of `store_tile_slice` with `layout<vertical>`"),
    "intr.st1h.horiz": Unused(SUMS_ONLY),
    "intr.st1h.vert": Unused(SUMS_ONLY),
    "intr.st1q.horiz": Unused(QUAD),
    "intr.st1q.vert": Unused(QUAD),
    "intr.st1w.horiz": Emitted("product", DIALECT, "made of `store_tile_slice`: rows of f32 and i32"),
    "intr.st1w.vert": Emitted("turned", DIALECT, "made of `store_tile_slice` with `layout<vertical>`"),
    "intr.str": Unused(
        f"Saves a row of ZA whatever tiles it is of. MLIR {VERSION} makes it of no other operation, not even for tiles "
        "that ZA has no room for; and pytl need not save ZA, since functions have a state of their own (`arm_new_za`)"
    ),
    "intr.sumopa.wide": see("sumopa_4way"),
    "intr.sumops.wide": see("sumops_4way"),
    "intr.umopa.wide": see("umopa_4way"),
    "intr.umopa.za32": see("umopa_2way"),
    "intr.umops.wide": see("umops_4way"),
    "intr.umops.za32": see("umops_2way"),
    "intr.usmopa.wide": see("usmopa_4way"),
    "intr.usmops.wide": see("usmops_4way"),
    "intr.write.horiz": Emitted("turned_halves", DIALECT, "made of `insert_tile_slice`"),
    "intr.write.vert": Unused(
        "Made of `insert_tile_slice` with `layout<vertical>`. A tile is turned by writing rows and reading columns"
    ),
    "intr.zero": Emitted("product", DIALECT, "made of `zero`"),
}
"""By the names behind `arm_sme.`, in the order of the dialect's page."""


def emitted() -> dict[str, Emitted]:
    return {name: entry for name, entry in OPERATIONS.items() if isinstance(entry, Emitted)}


def unused() -> dict[str, Unused]:
    return {name: entry for name, entry in OPERATIONS.items() if isinstance(entry, Unused)}


def examples() -> list[tuple[str, str]]:
    """The kernels with the stages that are shown of them."""
    return list(dict.fromkeys((entry.kernel, entry.stage) for entry in emitted().values()))


def commented(kernel: str, stage: str, text: str) -> str:
    """A stage of a kernel as a golden file: behind the kernel and the operations that it is there for."""
    names = [f"arm_sme.{n}" for n, entry in emitted().items() if (entry.kernel, entry.stage) == (kernel, stage)]
    head = [*KERNELS[kernel].splitlines(), "", *names]
    return "".join(f"// {line}".rstrip() + "\n" for line in head) + "\n" + text


# The page.

HEAD = f"""\
# The dialect arm_sme

Every operation of [MLIR's dialect for Arm's matrix extension](https://mlir.llvm.org/docs/Dialects/ArmSME/), with a
kernel that leads to it, or why none does. Made by tests/backends/test_arm_operations.py, with `--update-golden`: what
is said here of kernels and of MLIR {VERSION} is tested there.

The *stage* is what `k.emit("arm_sme", stage=…)` shows: what pytl writes itself (`{MLIR}`), or what MLIR's passes
have made of that (`{DIALECT}`). Between the two are operations that a pass makes and takes away again (`{TILES}`, the
text before ZA's tiles are allocated; `emit` doesn't show it). The *text* is a file of tests/golden/{GOLDEN}/, which
`mlir-opt` verifies; those of stages behind `{MLIR}` are what LLVM {VERSION} makes. Files of Python are those of
pytl/backends/mlir/.

{{count}}
"""
TABLE = "| operation | stage | text | where, or why not |\n|---|---|---|---|\n"


def render() -> str:
    """The page."""
    count = f"Of {len(OPERATIONS)} operations, kernels lead to {len(emitted())}."
    return (
        HEAD.format(count=count)
        + "".join(
            f"\n## {title}\n\n{TABLE}{''.join(_rows(is_intrinsic))}"
            for title, is_intrinsic in (("Operations", False), ("Intrinsics", True))
        )
        + "\n## Kernels\n"
        + "".join(f"\n```\n{kernel}\n```\n" for kernel in KERNELS.values())
    )


def _rows(is_intrinsic: bool) -> Iterator[str]:
    for name, entry in OPERATIONS.items():
        if name.startswith("intr.") != is_intrinsic:
            continue
        shown = [f"`arm_sme.{name}`", "not emitted", "", entry.why]
        if isinstance(entry, Emitted):
            shown[1:3] = [f"`{entry.stage}`", f"`{entry.golden.partition('/')[2]}`"]
        yield f"| {' | '.join(shown)} |\n"
