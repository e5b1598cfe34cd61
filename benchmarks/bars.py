"""How the cells that were measured stand beside the peers: in short, and beside what is aimed at."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from measure import Cell, on_cores
from report import markdown, number

LIBXSMM = ("libxsmm", "libxsmm, Bᵀ made once")
TORCH = ("torch", "torch, converting")
EINSUMS = ("NumPy", "torch", "jax")
NATURAL = ("torch.compile", "jax.jit", "numba")
TCCG = ("NumPy", "torch")
"""Not tensordot, which is in the table: it leaves its result in an order of its own."""


def fastest(cell: Cell, peers: Sequence[str], of: str = "pytl") -> float | None:
    """The ratio of a variant to the fastest of some peers; None where none took part."""
    return min((ratio for peer in peers if (ratio := cell.ratio(peer, of)) is not None), default=None)


@dataclass(frozen=True)
class Bar:
    """A bound on the ratios to a peer, or on milliseconds, of some cells of some workloads."""

    subject: str
    workloads: tuple[str, ...]
    peers: tuple[str, ...]
    """The fastest of those that took part counts. With none, cells are in milliseconds, and `bound` is the most."""
    bound: float
    """0 where the mean alone counts."""
    mean: float | None = None
    """What the geometric mean of the ratios is to reach, besides."""
    where: Callable[[Cell], bool] = lambda cell: True
    of: str = "pytl"
    """The variant whose ratios they are."""

    def found(self, cells: Mapping[str, Sequence[Cell]]) -> list[tuple[float, Cell]]:
        """The numbers that count, with their cells."""
        return [
            (value, cell)
            for name in self.workloads
            for cell in cells.get(name, ())
            if self.where(cell) and (value := self.value(cell)) is not None
        ]

    def value(self, cell: Cell) -> float | None:
        """The cell's milliseconds, or its ratio to the fastest of the peers; None where none took part."""
        return fastest(cell, self.peers, self.of) if self.peers else cell.amount(self.of)

    @property
    def aim(self) -> str:
        """The bound in words."""
        if not self.peers:
            return f"≤ {self.bound:g} ms"
        if not self.bound:
            return f"mean ≥ {self.mean:.2f}"
        aim = f"≥ {self.bound:.2f}"
        return aim if self.mean is None else f"{aim}, mean ≥ {self.mean:.2f}"

    def line(self, cells: Mapping[str, Sequence[Cell]]) -> list[str]:
        """Its line of the table."""
        found = self.found(cells)
        beside = self.peers[0] if self.peers else ""
        if not found:
            return [self.subject, beside, self.aim, "", "0", "–", "–", "not measured"]
        value, cell = (min if self.peers else max)(found, key=lambda pair: pair[0])
        met = value >= self.bound if self.peers else value <= self.bound
        mean = statistics.geometric_mean(value for value, _ in found) if self.peers else None
        if self.mean is not None and mean is not None:
            met = met and mean >= self.mean
        worst = f"{cell.row} {cell.dtype}, {on_cores(cell.cores)}"
        numbers = [str(len(found)), number(value), number(mean)]
        return [self.subject, beside, self.aim, worst, *numbers, "yes" if met else "**no**"]


def reached(bars: Sequence[Bar], runs: Mapping[str, Mapping[str, Sequence[Cell]]]) -> str:
    """The table of the bars, with a line for each kind of processor on which they were measured."""
    head = ["what", "beside", "aimed at", "on", "the farthest from it", "of", "is at", "geometric mean", "reached"]
    lines = []
    for bar in bars:
        measured = {name: cells for name, cells in runs.items() if bar.found(cells)} or {"": {}}
        for name, cells in measured.items():
            subject, beside, aim, *rest = bar.line(cells)
            lines.append([subject, beside, aim, name, *rest])
    return markdown(head, lines, texts=5)


def _at(place: str, *rows: str, dtypes: Sequence[str] = ()) -> Callable[[Cell], bool]:
    """Cells with their data in that place, of those rows and types; of all where none are named."""

    def where(cell: Cell) -> bool:
        return place in ("", cell.place) and (not rows or cell.row in rows) and (not dtypes or cell.dtype in dtypes)

    return where


def _kind(kind: str, cell: Cell) -> bool:
    """Cells of a kind of matrix; not where so many entries are other than zero that no code could reach the bound."""
    return cell.table.startswith(kind) and "of face 3" not in cell.row


def _all() -> Iterator[Bar]:
    squares, odd = ("squares",), ("remainders", "drawn")
    yield Bar("C += A B, n = 8, f32, in L2", squares, LIBXSMM, 2.0, where=_at("L2", "8×8×8", dtypes=["f32"]))
    yield Bar("C += A B, n = 8, f64, in L2", squares, LIBXSMM, 1.5, where=_at("L2", "8×8×8", dtypes=["f64"]))
    larger = [f"{n}×{n}×{n}" for n in (16, 32, 64)]
    yield Bar("C += A B, n = 16, 32, 64, in L2", squares, LIBXSMM, 1.0, where=_at("L2", *larger))
    for peers, bound in ((LIBXSMM, 1.0), (TORCH, 1.0), (("NumPy",), 1.5)):
        yield Bar("C += A B, n = 8, 16, 32, 64, from memory", squares, peers, bound, where=_at("memory"))
    yield Bar("remainders and sizes drawn, in L2", odd, LIBXSMM, 0.95, 1.15, _at("L2"))
    yield Bar("the same, tuned by pytl.tune", odd, LIBXSMM, 1.0, where=_at("L2"), of="pytl, tuned")
    yield Bar("C += A B of few columns, from memory", ("narrow",), LIBXSMM, 1.0)
    calls = ("two libxsmm calls",)
    yield Bar("the chain, in L2", ("chain",), calls, 1.4, where=_at("L2"))
    yield Bar("the chain, from memory", ("chain",), calls, 1.1, where=_at("memory"))
    yield Bar("the chain, from memory", ("chain",), ("NumPy",), 2.5, where=_at("memory"))
    yield Bar("longer chains", ("chains",), LIBXSMM, 1.0)
    yield Bar("SeisSol's kernels", ("seissol",), LIBXSMM, 1.0, 1.15)
    yield Bar("SeisSol's kernels", ("seissol",), ("NumPy",), 2.5)
    for kind in ("star", "stiffness", "flux", "volume"):
        named = partial(_kind, kind)
        yield Bar(f"{kind} matrices of known patterns", ("patterns",), ("pytl, dense",), 1.8, where=named)
        yield Bar(f"{kind} matrices of known patterns", ("patterns",), ("libxsmm, sparse",), 1.2, where=named)
    yield Bar("the same for packed items", ("patterns",), ("pytl, dense",), 1.8, where=partial(_kind, "packed"))
    yield Bar("the same for packed items", ("patterns",), ("libxsmm 2.0, packed",), 1.2, where=partial(_kind, "packed"))
    for letters, product in (("tn", "Aᵀ B"), ("tt", "Aᵀ Bᵀ")):
        rows = [f"{letters[0]}.{letters[1]} {n}" for n in (16, 32)]
        yield Bar(f"C += {product}, n = 16, 32", ("transposes",), LIBXSMM, 1.0, where=_at("", *rows))
    yield Bar(
        "C += A B in c32 and f16 → f32, n = 16, 32", ("mixed",), TORCH, 1.5, where=_at("", dtypes=["c32", "f16→f32"])
    )
    yield Bar("dynamic sizes", ("dynamic",), ("static sizes",), 0.95)
    yield Bar(
        "cooperative matrices in bf16, with AMX", ("coopmatrix",), ("torch",), 1.7, where=lambda c: c.row == "bf16, AMX"
    )
    yield Bar("batched products on tiles, 64×64×64", ("tiles",), ("gemm",), 0.95, where=_at("", "64×64×64"))
    yield Bar("a large product on tiles", ("tiles",), ("NumPy",), 0.8, where=_at("", "1024×1024×1024", dtypes=["f32"]))
    yield Bar("flash attention on tiles", ("schemes",), ("torch",), 0.4, where=lambda c: "slices" not in c.row)
    yield Bar("axpby and hadamard", ("bandwidth",), ("triad",), 0.9)
    yield Bar("sum and gemv", ("bandwidth",), ("reading",), 0.9)
    for of in ("pytl", "pytl, mlir"):
        by = "SYCL" if of == "pytl" else "MLIR"
        fast, peers = f"{of}, fastmath", ("triad", "reading")
        yield Bar(f"functions of rows, from memory, by {by}, fastmath", ("rows",), peers, 0.9, of=fast)
        yield Bar(f"functions of rows, by {by}", ("rows",), ("numba",), 1.0, of=of)
        yield Bar(f"functions of rows, by {by}, fastmath", ("rows",), ("numba, fastmath",), 1.0, of=fast)
    yield Bar("contractions", ("einsum",), EINSUMS, 0, 2.0)
    yield Bar("contractions, beside kernels by hand", ("einsum",), ("pytl, by hand",), 0.95)
    yield Bar("programs as people write them", ("natural",), NATURAL, 1.0, 2.0)
    yield Bar("the 48 contractions of TCCG", ("tccg",), TCCG, 1.0, 2.0)
    for said in ("affine nest", "linalg.batch_matmul", "linalg.generic"):
        rows = [f"{said}, {n}" for n in (8, 16, 32, 56)]
        yield Bar(f"products from MLIR, {said}", ("mlir_in",), ("pytl, by hand",), 0.9, where=_at("", *rows))
    by_hand = ("products of tensors, ", "convolutions of tensors, ")
    yield Bar(
        "products and convolutions of tensors, from MLIR",
        ("mlir_tensors",),
        ("pytl, by hand",),
        0.9,
        where=lambda cell: cell.table.startswith(by_hand),
    )
    for of, said in (("pytl", "by SYCL"), ("pytl, mlir", "by MLIR")):
        for row in ("softmax", "layer norm"):
            for options in ("", ", fastmath"):
                yield Bar(
                    f"{row} of tensors, from MLIR, {said}{options}",
                    ("mlir_tensors",),
                    ("numba",),
                    0.9,
                    where=partial(_row_in, f"rows of tensors{options}", row),
                    of=of,
                )
    yield Bar("the host by MLIR", ("host",), ("SYCL",), 0.75, 0.9)
    yield Bar("a cold build of the chain, beyond numba-dpex's own", ("compile",), (), 1500, where=_at("build"))
    yield Bar("tracing, verifying and lowering the chain", ("compile",), (), 20, where=_at("front end"))


def _row_in(table: str, word: str, cell: Cell) -> bool:
    """Whether a cell of this table has a row that begins with a word."""
    return cell.table == f"{table}, {on_cores(cell.cores)}" and cell.row.startswith(word)


BARS = tuple(_all())

PEERS = {
    "libxsmm": (*LIBXSMM, "two libxsmm calls"),
    "torch": TORCH,
    "NumPy": ("NumPy",),
    "numba": ("numba",),
}
"""The columns of the summary; of several ways to use a peer the fastest counts."""

SUBJECTS = (
    ("square products, 8×8 to 64×64, in cache", ("squares",), _at("L2")),
    ("square products, 8×8 to 64×64, from memory", ("squares",), _at("memory")),
    ("odd sizes, and sizes drawn at random, in cache", ("remainders", "drawn"), _at("L2")),
    ("A Bᵀ C + D fused, in cache", ("chain",), _at("L2")),
    ("A Bᵀ C + D fused, from memory", ("chain",), _at("memory")),
    ("SeisSol's kernels, orders 3 to 6", ("seissol",), _at("")),
    ("products with transposed factors", ("transposes",), _at("")),
    ("products in c32, and in f16 with sums in f32", ("mixed",), _at("", dtypes=["c32", "f16→f32"])),
)
"""The lines of the summary: what was measured, by which workloads, and which of their cells count."""


def summary(runs: Mapping[str, Mapping[str, Sequence[Cell]]]) -> str:
    """The table of the summary: geometric means of the ratios, with the lowest and the highest, for each processor."""
    lines = []
    for subject, workloads, where in SUBJECTS:
        for processor, cells in runs.items():
            counted = [cell for name in workloads for cell in cells.get(name, ()) if where(cell)]
            ratios = [[r for cell in counted if (r := fastest(cell, peers)) is not None] for peers in PEERS.values()]
            if any(ratios):
                lines.append([subject, processor, *(_spread(found) for found in ratios)])
    return markdown(["what", "on", *(f"beside {peer}" for peer in PEERS)], lines, texts=2)


def _spread(ratios: Sequence[float]) -> str:
    if not ratios:
        return "–"
    return f"**{number(statistics.geometric_mean(ratios))}** ({number(min(ratios))} to {number(max(ratios))})"
