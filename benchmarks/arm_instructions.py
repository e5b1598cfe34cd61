"""Instructions that products for Arm's matrix extension execute, beside those of LLVM's own lowering of linalg.matmul.

    python benchmarks/arm_instructions.py [--write]

C = A B and C = A Bᵀ in f32, once, under QEMU with each vector length. A plugin of QEMU's counts the instructions of the
function that does the work; what enters streaming mode around it is not counted, for both do it alike. The compiled
program compares C with loops. LLVM's lowering goes from linalg through the transform dialect, by a schedule of our own,
with tiles that fill one tile of ZA ([4]×[4]) or all four ([8]×[8]); from there on, tools, passes and flags are pytl's.
A matrix in rows is one's transpose in columns: A Bᵀ of ours is Aᵀ B of LLVM's.

Counts are not times: no machine is measured here. A missing tool is reported, and nothing else is done.
"""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from measure import PER_FMA, Cell
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
VECTOR_LENGTHS = (128, 256, 512, 1024, 2048)
LIBXSMM_BITS = 512
"""The length of vectors that libxsmm's counts are for."""


@dataclass(frozen=True)
class Product:
    """C = op(A) op(B) + beta C."""

    rows: int
    columns: int
    terms: int
    form: str
    """What is transposed of A and of B."""
    beta: int

    def __str__(self) -> str:
        return f"{self.form} {self.rows}×{self.columns}×{self.terms}, beta = {self.beta}"

    @property
    def is_transposed(self) -> Sequence[int]:
        return [int(word == "t") for word in self.form.split(".")]

    @property
    def text(self) -> str:
        """The kernel."""
        shapes = (self.rows, self.terms), (self.terms, self.columns)
        a, b = (f"{y}x{x}" if turned else f"{x}x{y}" for (x, y), turned in zip(shapes, self.is_transposed))
        return f"""func @f(%A: memref<f32x{a}>, %B: memref<f32x{b}>, %C: memref<f32x{self.rows}x{self.columns}>) {{
            gemm.{self.form} 1.0, %A, %B, {self.beta}.0, %C
        }}"""

    def defined(self, is_column_major: bool) -> dict[str, int]:
        """What peers/product.c has to know of it."""
        first, second = self.is_transposed
        sizes = {"M": self.rows, "N": self.columns, "K": self.terms, "BETA": self.beta}
        return {**sizes, "TRANSPOSED_A": first, "TRANSPOSED_B": second, "ROW_MAJOR": int(not is_column_major)}


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

    def objects(self, product: Product, bits: int | None = None) -> Iterator[tuple[str, bytes]]:
        """The code of a product by pytl, for vectors of one length or of any, with its name in tables."""
        import pytl
        from pytl.backends.arm_sme import lowering
        from pytl.backends.mlir.artefacts import Build
        from pytl.backends.mlir.toolchain import find_toolchain

        kernel = pytl.compile(product.text)["f"]
        text = kernel.emit("arm_sme", vector_length=bits)
        yield "pytl", Build(kernel.function, 3, lowering.sme(2), find_toolchain()).stage("object", text)

    def of_llvm(self, product: Product) -> Iterator[tuple[str, bytes]]:
        """The code of a product of squares by LLVM's own lowering."""
        import pytl
        from pytl.backends.arm_sme import lowering
        from pytl.backends.mlir.artefacts import Build, Target
        from pytl.backends.mlir.toolchain import find_toolchain

        kernel, target, size = pytl.compile(product.text)["f"], lowering.sme(2), product.rows
        pipeline = SCHEDULED + target.pipeline.removeprefix("builtin.module(")
        scheduled = Target(target.name, pipeline, target.flags, target.level)
        template = re.sub("^//.*\n", "", (PEERS / "linalg.mlir").read_text(encoding="utf-8"), flags=re.M)
        for tile in TILES:
            text = template.replace("NxN", f"{size}x{size}").replace("[T]", f"[{tile}]")
            text = text.replace("MAPS", MAPS if product.form == "n.t" else "")
            name = f"LLVM [{tile}]×[{tile}]"
            yield name, Build(kernel.function, 3, scheduled, find_toolchain()).stage("object", text)

    def counts(self, name: str, code: bytes, product: Product, lengths: Sequence[int]) -> dict[int, int]:
        """Instructions that a product executes, for each vector length."""
        from pytl.backends.arm_sme import machine, qemu
        from pytl.backends.mlir.toolchain import find_toolchain

        compiler, program = machine.find_compiler(), self.directory / "program"
        kernel = self.directory / "kernel.o"
        kernel.write_bytes(code)
        flags = [f"-D{word}={value}" for word, value in product.defined(name == "pytl").items()]
        support = ["-DPYTL_LIBRARY", Path(qemu.__file__).with_name("runner.c")]
        command = [*compiler, "-O1", "-static", *flags, "-o", program, PEERS / "product.c", *support, kernel]
        subprocess.run(command, check=True)
        lists = Path(find_toolchain().directory) / "llvm-nm"
        if not lists.exists():
            raise Absent(f"there is no {lists}, which comes with LLVM's tools")
        symbols = subprocess.run([lists, "--print-size", program], capture_output=True, text=True, check=True).stdout
        (found,) = re.findall(r"^(\w+) (\w+) [tT] pytl_f_groups$", symbols, re.M)
        begin, size_of = (int(number, 16) for number in found)
        return {length: self._count(name, program, begin, begin + size_of, length) for length in lengths}

    def _count(self, name: str, program: Path, begin: int, end: int, length: int) -> int:
        from pytl.backends.arm_sme.qemu import emulator_of

        said = ""
        while self.emulators:
            emulator, plugin = self.emulators[0]
            plugged = ["-plugin", f"{plugin},lo={begin:x},hi={end:x}"]
            command = [*emulator_of(emulator, length), *plugged, str(program), str(length)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
            found = re.search(r"^executed (\d+)$", done.stderr, re.M)
            if done.returncode == OTHER_LENGTH:
                sys.exit(f"{emulator} does not emulate vectors of {length} bits")
            if found is not None and done.returncode:
                sys.exit(f"{name} is wrong with vectors of {length} bits: status {done.returncode}")
            if found is not None:
                return int(found[1])
            said = (done.stderr.strip().splitlines() or [f"{emulator} counts nothing"])[0]
            del self.emulators[0]  # one that has no plugins, as a static one
        raise Absent(f"no QEMU with plugins is found ({said}); `apt-get install qemu-user` installs one")


def cells(counter: Counter) -> Iterator[Cell]:
    for form, size in itertools.product(FORMS, SIZES):
        product = Product(size, size, size, form, 0)
        made = [*counter.objects(product), *counter.of_llvm(product)]
        counts = {name: counter.counts(name, code, product, VECTOR_LENGTHS) for name, code in made}
        for length in counts["pytl"]:
            executed = {name: float(found[length]) for name, found in counts.items()}
            row = f"{form} {size}×{size}×{size}, {length} bits"
            yield Cell("instructions", row, "f32", 1, float(size**3), executed, unit=PER_FMA, notes=[NOTE])
    for product, executed_by_libxsmm in of_libxsmm():
        for bits, words in ((LIBXSMM_BITS, "code for this length"), (None, "code for all lengths")):
            ((name, code),) = counter.objects(product, bits)
            executed = {"libxsmm": float(executed_by_libxsmm)}
            executed = {name: float(counter.counts(name, code, product, [LIBXSMM_BITS])[LIBXSMM_BITS]), **executed}
            title = f"instructions beside libxsmm, {words}"
            operations = float(product.rows * product.columns * product.terms)
            yield Cell(title, str(product), "f32", 1, operations, executed, unit=PER_FMA, notes=[NOTE_LIBXSMM])


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

    version = ".".join(map(str, machine.qemu_version(counter.emulators[0][0])))
    day = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    return f"LLVM {find_toolchain().version}; counted by QEMU {version}; {day}.\n"


if __name__ == "__main__":
    main()
