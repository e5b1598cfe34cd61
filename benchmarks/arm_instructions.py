"""Instructions that kernels for Arm's matrix extension execute, beside LLVM's lowering of linalg.matmul and libxsmm.

    python benchmarks/arm_instructions.py [--write]

A plugin of QEMU's counts the instructions of the function that does the work; what enters streaming mode around it is
not counted, for all do it alike. Results are compared with NumPy's. LLVM's lowering goes from linalg through the
transform dialect, by a schedule of our own, with tiles that fill one tile of ZA ([4]×[4]) or all four ([8]×[8]); from
there on, tools, passes and flags are pytl's. A matrix in rows is one's transpose in columns: A Bᵀ of ours is Aᵀ B of
LLVM's. Of types that libxsmm has no code for, the measure is the least number of outer products and loads of vectors.

Counts are not times: no machine is measured here. A missing tool is reported, and nothing else is done.
"""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from measure import PER_FMA, PER_GROUP, Cell
from page import Run, keep, text_of
from workload import arguments

NAME = "arm_instructions"
PEERS = Path(__file__).with_name("peers")
SIZES = (16, 32, 64)
FORMS = ("n.n", "n.t")
TILES = (4, 8)
MAPS = f"indexing_maps = [{', '.join(f'affine_map<(m, n, k) -> ({modes})>' for modes in ('k, m', 'k, n', 'm, n'))}]"
"""Of op(A) = Aᵀ."""
SCHEDULED = "builtin.module(transform-interpreter,test-transform-dialect-erase-schedule,canonicalize,cse,"
"""What comes before pytl's pipeline."""
OTHER_LENGTH = 2
"""The status of a program whose vectors have another length than it was told."""
NOTE = "*Beside*: how many times as many instructions LLVM's product executes."
NOTE_LIBXSMM = "*Beside*: how many times as many instructions libxsmm's product executes, with SME2's loads."
NOTE_LEAST = "*Beside*: what part of the instructions are outer products, and the fewest loads of vectors for these."
VECTOR_LENGTHS = (128, 256, 512, 1024, 2048)
LIBXSMM_BITS = 512
"""The length of vectors that libxsmm's counts are for."""
OF_TYPES = ((8, 8, 8), (16, 16, 16), (32, 32, 32), (37, 29, 41), (64, 64, 64))
ALL_FORMS = ("n.n", "n.t", "t.n", "t.t")
TYPES = {"f32": ("f32", 1), "f64": ("f64", 1), "bf16": ("f32", 2), "f16": ("f32", 2), "i8": ("i32", 4)}
"""The type of the sums of each type of factors, and how many products an outer product adds up for each."""
AT_ONCE = 2
"""Cells that are made at once."""
GROUPS = 16
"""Work-groups of a launch where there are several."""
ORDERS = (4, 5, 6)
"""Of SeisSol's kernels."""
CHAIN = """func @f(%A: memref<f32x16x8x?>, %B: memref<f32x8x8>, %C: memref<f32x8x16>, %D: memref<f32x16x16x?>) {
  %g = builtin.group_id : index
  %a = subview %A[0:16, 0:8, %g] : memref<f32x16x8>
  %d = subview %D[0:16, 0:16, %g] : memref<f32x16x16>
  %t = alloca : memref<f32x16x8>
  gemm.n.t 1.0, %a, %B, 0.0, %t
  gemm.n.n 1.0, %t, %C, 1.0, %d
}"""


@dataclass(frozen=True)
class Product:
    """C = op(A) op(B) + beta C, once, or of each work-group."""

    rows: int
    columns: int
    terms: int
    form: str
    """What is transposed of A and of B."""
    beta: int = 0
    element: str = "f32"
    groups: int = 1
    is_shared: bool = False
    """Whether all work-groups have the same B."""

    def __str__(self) -> str:
        return f"{self.form} {self.rows}×{self.columns}×{self.terms}, beta = {self.beta}"

    @property
    def sum(self) -> str:
        """The type of C's elements."""
        return TYPES[self.element][0]

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """Those of a work-group's A, B and C."""
        a, b = (self.rows, self.terms), (self.terms, self.columns)
        turned = [shape[::-1] if word == "t" else shape for shape, word in zip((a, b), self.form.split("."))]
        return [*turned, (self.rows, self.columns)]

    @property
    def is_own(self) -> list[bool]:
        """Which of them each work-group has of its own."""
        return [self.groups > 1, self.groups > 1 and not self.is_shared, self.groups > 1]

    @property
    def text(self) -> str:
        """The kernel."""
        types, views, used = [], [], []
        for name, shape, is_own in zip("ABC", self.shapes, self.is_own):
            element = self.sum if name == "C" else self.element
            of_one = "x".join(map(str, (element, *shape)))
            types.append(f"%{name}: memref<{of_one}{'x?' if is_own else ''}>")
            part = ", ".join(f"0:{extent}" for extent in shape)
            views += [f"%{name.lower()} = subview %{name}[{part}, %g] : memref<{of_one}>"] if is_own else []
            used.append(f"%{name.lower() if is_own else name}")
        one, beta = ("1", self.beta) if self.sum[0] == "i" else ("1.0", f"{self.beta}.0")
        group = "%g = builtin.group_id : index" if views else ""
        body = "\n".join([group, *views, f"gemm.{self.form} {one}, {used[0]}, {used[1]}, {beta}, {used[2]}"])
        return f"func @f({', '.join(types)}) {{\n{body}\n}}"

    def arrays(self) -> list[np.ndarray]:
        """Small whole numbers, so that all sums are exact."""
        shapes = [(*shape, self.groups) if own else shape for shape, own in zip(self.shapes, self.is_own)]
        found = zip(shapes, (self.element, self.element, self.sum), (7, 5, 9))
        return [_numbers(shape, element, period) for shape, element, period in found]

    def expected(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The arrays afterwards."""
        a, b, c = (np.asarray(array, np.float64) for array in arrays)
        left, right = ("ki" if word == "t" else "ik" for word in self.form.split("."))
        own = ["..." if is_own else "" for is_own in self.is_own]
        sums = np.einsum(f"{left}{own[0]},{right.translate(_COLUMNS)}{own[1]}->ij{own[2]}", a, b)
        return [*arrays[:2], (sums + self.beta * c).astype(arrays[2].dtype)]

    def least(self, bits: int) -> int:
        """Outer products and loads of vectors, by blocks of the tiles of ZA that need the fewest loads."""
        ways = TYPES[self.element][1]
        size = 8 if self.sum == "f64" else 4
        steps = -(-self.terms // ways)
        down, right = (-(-extent // (bits // 8 // size)) for extent in (self.rows, self.columns))
        shapes = [(m, size // m) for m in range(1, size + 1)]
        loads = min(down * -(-right // n) + right * -(-down // m) for m, n in shapes)
        return steps * (down * right + loads)


_COLUMNS = str.maketrans("ik", "kj")


def _target() -> Any:
    """That of the code: it is made alike for all lengths and types."""
    from pytl.backends.mlir.targets import target_of
    from pytl.passes.targets.machine import MACHINES

    return target_of(MACHINES["sme"], 2)


def _numbers(shape: Sequence[int], element: str, period: int = 7) -> np.ndarray:
    import ml_dtypes

    dtype = {"bf16": ml_dtypes.bfloat16, "i8": np.int8, "i32": np.int32}.get(element) or np.dtype(
        f"f{int(element[1:]) // 8}"
    )
    flat = np.arange(int(np.prod(shape))) % period - period // 2
    return flat.astype(dtype).reshape(shape, order="F")


class Absent(Exception):
    """What is missing, and what installs it."""


class Counter:
    """Counts what programs execute, with the tools that are here."""

    def __init__(self, directory: Path) -> None:
        from pytl.backends.registry import find_backend

        missing = find_backend("arm_sme").unavailable()
        if missing is not None:
            raise Absent("; ".join(missing))
        self.directory = directory
        self.emulators = self._emulators()
        self.counting = list(self.emulators)
        self.objects = self._objects()

    def _emulators(self) -> list[tuple[str, Path]]:
        """QEMU's programs, the one that kernels run by first, each with the plugin for it."""
        from pytl.backends.arm_sme import machine

        host = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if host is None:
            raise Absent("no C compiler is found; `apt-get install gcc` installs one")
        names = dict.fromkeys([machine.find_qemu(), *map(shutil.which, machine.EMULATORS)])
        found = []
        for qemu in [str(name) for name in names if isinstance(name, str)]:
            version = 1 if machine.qemu_version(qemu)[0] < 9 else 2
            plugin = self.directory / f"plugin{version}.so"
            command = [host, "-O2", "-shared", "-fPIC", f"-DPLUGIN_VERSION={version}", "-o", plugin]
            subprocess.run([*command, PEERS / "qemu_plugin.c"], check=True)
            found.append((qemu, plugin))
        return found

    def _objects(self) -> list[Path]:
        """What every program is linked with."""
        from pytl.backends.arm_sme import machine
        from pytl.backends.mlir.artefacts import STREAMING_SUPPORT

        made = []
        for source in (PEERS / "kernel.c", STREAMING_SUPPORT):
            made.append(self.directory / f"{source.stem}.o")
            subprocess.run([*machine.find_compiler(), "-O1", "-c", "-o", made[-1], source], check=True)
        return made

    def code(self, kernel: Any, bits: int | None = None) -> bytes:
        """The code of a kernel by pytl, for vectors of one length or of any."""
        function, text = kernel.function, kernel.emit("arm_sme", vector_length=bits)
        return self._build(function, _target()).stage("object", text)

    def _build(self, function: Any, target: Any) -> Any:
        from pytl.backends.mlir.artefacts import Build
        from pytl.backends.mlir.toolchain import find_toolchain

        return Build(function, len(function.parameters), target, find_toolchain())

    def of_llvm(self, product: Product) -> Iterator[tuple[str, bytes]]:
        """The code of a product of squares by LLVM's own lowering."""
        import pytl

        kernel, target, size = pytl.compile(product.text)["f"], _target(), product.rows
        scheduled = replace(target, pipeline=SCHEDULED + target.pipeline.removeprefix("builtin.module("))
        template = re.sub("^//.*\n", "", (PEERS / "linalg.mlir").read_text(encoding="utf-8"), flags=re.M)
        for tile in TILES:
            text = template.replace("NxN", f"{size}x{size}").replace("[T]", f"[{tile}]")
            text = text.replace("MAPS", MAPS if product.form == "n.t" else "")
            name = f"LLVM [{tile}]×[{tile}]"
            yield name, self._build(kernel.function, scheduled).stage("object", text)

    def counts(self, code: bytes, work: Work, lengths: Sequence[int], name: str = "f") -> dict[int, int]:
        """Instructions that a kernel executes, for each vector length."""
        from pytl.backends.arm_sme import machine
        from pytl.backends.mlir.artefacts import entry_name
        from pytl.backends.mlir.toolchain import find_toolchain

        folder = Path(tempfile.mkdtemp(dir=self.directory))
        kernel, program = folder / "kernel.o", folder / "program"
        kernel.write_bytes(code)
        symbol = f"-Wl,--defsym=pytl_launch={entry_name(name)}"
        command = [*machine.find_compiler(), "-static", symbol, "-o", program, *self.objects, kernel, "-lm"]
        subprocess.run(command, check=True)
        lists = Path(find_toolchain().directory) / "llvm-nm"
        if not lists.exists():
            raise Absent(f"there is no {lists}, which comes with LLVM's tools")
        symbols = subprocess.run([lists, "--print-size", program], capture_output=True, text=True, check=True).stdout
        places = {
            symbol: (int(begin, 16), int(begin, 16) + int(size, 16))
            for begin, size, symbol in re.findall(r"^(\w+) (\w+) [tT] (\w+)$", symbols, re.M)
        }

        def count(length: int) -> int:
            # code for all lengths may have a copy for one, which is called where vectors have that
            of_all, of_length = f"pytl_{name}_groups", f"pytl_{name}_{length}_groups"
            return self._count(program, work, *places[of_length if of_length in places else of_all], length)

        return {length: count(length) for length in lengths}

    def _count(self, program: Path, work: Work, begin: int, end: int, length: int) -> int:
        from pytl.backends.arm_sme.qemu import emulator_of

        words = np.array([length, *work.words], np.int64)
        given = words.tobytes() + b"".join(array.tobytes(order="F") for array in work.arrays)
        right, _ = self.emulators[0]
        done = subprocess.run([*emulator_of(right, length), program], input=given, capture_output=True, check=False)
        if done.returncode == OTHER_LENGTH:
            sys.exit(f"{right} does not emulate vectors of {length} bits")
        if done.returncode or not work.is_right(done.stdout):
            sys.exit(f"{work.name} is wrong with vectors of {length} bits: status {done.returncode}")
        said = ""
        for emulator, plugin in list(self.counting):
            command = [*emulator_of(emulator, length), "-plugin", f"{plugin},lo={begin:x},hi={end:x}", str(program)]
            done = subprocess.run(command, input=given, capture_output=True, timeout=600, check=False)
            errors = done.stderr.decode()
            found = re.search(r"^executed (\d+)$", errors, re.M)
            if found is not None and not done.returncode:
                return int(found[1])
            said = (errors.strip().splitlines() or [f"{emulator} counts nothing"])[0]
            self.counting = [
                each for each in self.counting if each[0] != emulator
            ]  # one without plugins, as a static one
        raise Absent(f"no QEMU with plugins is found ({said}); `apt-get install qemu-user` installs one")


@dataclass(frozen=True)
class Work:
    """What a launch computes."""

    name: str
    arrays: list[np.ndarray]
    expected: list[np.ndarray]
    groups: int = 1
    is_group: tuple[bool, ...] = ()
    """Which parameters are groups, whose items are along an array's last mode."""

    @classmethod
    def of(cls, product: Product) -> Work:
        arrays = product.arrays()
        return cls(str(product), arrays, product.expected(arrays), product.groups)

    @property
    def words(self) -> list[int]:
        """What peers/kernel.c is told of it, after the length of vectors."""
        words = [self.groups, len(self.arrays)]
        for array, is_group in itertools.zip_longest(self.arrays, self.is_group, fillvalue=False):
            items, shape = (array.shape[-1], array.shape[:-1]) if is_group else (0, array.shape)
            strides = np.cumprod([1, *shape])[:-1]
            words += [items, array.nbytes // max(items, 1), len(shape), *shape[::-1], *map(int, strides[::-1])]
        return words

    def is_right(self, content: bytes) -> bool:
        begin = 0
        for array, expected in zip(self.arrays, self.expected):
            found = np.frombuffer(content[begin : begin + array.nbytes], array.dtype)
            begin += array.nbytes
            wanted = expected.reshape(-1, order="F").astype(np.float64)
            if not np.allclose(found.astype(np.float64), wanted, rtol=1e-4):
                return False
        return True


Job = Callable[[], Sequence[Cell]]


def cells(counter: Counter) -> Iterator[Cell]:
    """All cells in their order. A few are made at once, since most of the time is that of tools."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        waiting: deque[Future[Sequence[Cell]]] = deque()
        for job in itertools.chain(
            _of_squares(counter), _beside_libxsmm(counter), _beside_the_least(counter), _of_kernels(counter)
        ):
            waiting.append(pool.submit(job))
            if len(waiting) > AT_ONCE:
                yield from waiting.popleft().result()
        for made in waiting:
            yield from made.result()


def _of_squares(counter: Counter) -> Iterator[Job]:
    for form, size in itertools.product(FORMS, SIZES):
        yield partial(_of_square, counter, Product(size, size, size, form))


def _of_square(counter: Counter, product: Product) -> Sequence[Cell]:
    import pytl

    work, ours, size = Work.of(product), counter.code(pytl.compile(product.text)["f"]), product.rows
    counts = {"pytl": counter.counts(ours, work, VECTOR_LENGTHS)}
    for name, code in counter.of_llvm(product):
        # its matrices are in rows, so that the factors are exchanged
        exchanged = Work(name, [work.arrays[n] for n in (1, 0, 2)], [work.expected[n] for n in (1, 0, 2)])
        counts[name] = counter.counts(code, exchanged, VECTOR_LENGTHS)
    found = []
    for length in VECTOR_LENGTHS:
        executed = {name: float(counted[length]) for name, counted in counts.items()}
        row = f"{product.form} {size}×{size}×{size}, {length} bits"
        found.append(Cell("instructions", row, "f32", 1, float(size**3), executed, unit=PER_FMA, notes=[NOTE]))
    return found


def _beside_libxsmm(counter: Counter) -> Iterator[Job]:
    known, several = "code for this length", f"each of {GROUPS} work-groups"
    for product, executed in of_libxsmm():
        launches = (
            (f"one product, {known}", product, LIBXSMM_BITS),
            (f"{several} with factors of its own, {known}", replace(product, groups=GROUPS), LIBXSMM_BITS),
            (f"{several}, which share B, {known}", replace(product, groups=GROUPS, is_shared=True), LIBXSMM_BITS),
            ("one product, code for all lengths", product, None),
        )
        for title, each, bits in launches:
            title, peer = f"instructions beside libxsmm: {title}", {"libxsmm": float(executed)}
            yield partial(_of_product, counter, title, each, bits, peer, NOTE_LIBXSMM)


def _beside_the_least(counter: Counter) -> Iterator[Job]:
    for element, form, sizes, is_shared in itertools.product(TYPES, ALL_FORMS, OF_TYPES, (False, True)):
        product = Product(*sizes, form, 0, element, GROUPS, is_shared)
        title = f"instructions of each of {GROUPS} work-groups, {'which share B' if is_shared else 'own factors'}"
        peer = {"the least": float(product.least(LIBXSMM_BITS))}
        yield partial(_of_product, counter, title, product, LIBXSMM_BITS, peer, NOTE_LEAST)


def _of_product(
    counter: Counter, title: str, product: Product, bits: int | None, peer: dict[str, float], note: str
) -> Sequence[Cell]:
    """The instructions that a work-group executes, with vectors of the length of libxsmm's."""
    import pytl

    code = counter.code(pytl.compile(product.text)["f"], bits)
    executed = counter.counts(code, Work.of(product), [LIBXSMM_BITS])[LIBXSMM_BITS] / product.groups
    found = {"pytl": executed, **peer}
    return [Cell(title, str(product), product.element, 1, 1.0, found, unit=PER_GROUP, notes=[note])]


def _of_kernels(counter: Counter) -> Iterator[Job]:
    """Kernels of several products: the manual's chain, and SeisSol's."""
    for row, kernel, products, work in _kernels():
        yield partial(_of_kernel, counter, row, kernel, products, work)


def _of_kernel(counter: Counter, row: str, kernel: Any, products: list[Product], work: Work) -> Sequence[Cell]:
    code = counter.code(kernel, LIBXSMM_BITS)
    executed = counter.counts(code, work, [LIBXSMM_BITS], kernel.function.name)[LIBXSMM_BITS] / work.groups
    found = {"pytl": executed, "the least": float(sum(each.least(LIBXSMM_BITS) for each in products))}
    title = f"instructions of kernels of several products, each of {GROUPS} work-groups"
    return [Cell(title, row, "f32", 1, 1.0, found, unit=PER_GROUP, notes=[NOTE_LEAST])]


def _kernels() -> Iterator[tuple[str, Any, list[Product], Work]]:
    from peers.steps import Product as Step
    from seissol import local_flux, volume

    import pytl

    a, b, c, d = (_numbers(shape, "f32") for shape in ((16, 8, GROUPS), (8, 8), (8, 16), (16, 16, GROUPS)))
    after = d + np.einsum("ikg,jk,jl->ilg", a, b, c)
    products = [Product(16, 8, 8, "n.t"), Product(16, 16, 8, "n.n")]
    yield "the chain", pytl.compile(CHAIN)["f"], products, Work("chain", [a, b, c, d], [a, b, c, after], GROUPS)
    for order, (name, case_of) in itertools.product(ORDERS, {"V": volume, "L": local_flux}.items()):
        case = case_of(order)
        kernel = case.kernel(pytl.f32)
        names = [parameter.name for parameter in kernel.function.parameters]
        x = {each: _numbers((*shape, GROUPS), "f32") for each, shape in case.own.items()}
        x |= {each: _numbers(shape, "f32", 3) for each, shape in case.shared.items()}
        after = {**x, **case.expected(x)}
        is_group = tuple(each in case.own for each in names)
        work = Work(name, [x[each] for each in names], [after[each] for each in names], GROUPS, is_group)
        steps = [step for step in case.steps if isinstance(step, Step)]
        products = [Product(step.c.rows, step.c.columns, step.inner, "n.n") for step in steps]
        yield f"{name}, order {order}", kernel, products, work


def of_libxsmm() -> Iterator[tuple[Product, int]]:
    """Products with the instructions that libxsmm's code executes for each."""
    for line in (PEERS / "libxsmm_sme.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            sizes, flags, executed = line.split("|")
            left, right, is_new = map(int, flags.split())
            yield Product(*map(int, sizes.split()), f"{'nt'[left]}.{'nt'[right]}", 1 - is_new), int(executed)


def main() -> None:
    options = arguments(__doc__, [NAME])
    with tempfile.TemporaryDirectory() as directory:
        try:
            counter = Counter(Path(directory))
            found = list(itertools.islice(cells(counter), options.cells))
        except Absent as missing:
            print(f"Nothing is counted: {missing}")
            return
        run = Run("", made(counter), found)
    sys.stdout.write(text_of(NAME, [run]))
    if options.write:
        keep(NAME, run)


def made(counter: Counter) -> str:
    """What counted, and what made the code."""
    from pytl.backends.arm_sme import machine
    from pytl.backends.mlir.toolchain import find_toolchain

    version = ".".join(map(str, machine.qemu_version(counter.counting[0][0])))
    day = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    return f"LLVM {find_toolchain().version}; counted by QEMU {version}; {day}.\n"


if __name__ == "__main__":
    main()
