"""The stages of a kernel, from MLIR's text to code: the output of each tool for the stage before.

Artefacts are kept in the compilation cache, under a key of everything that decides them.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ...devices.cache import Entry, current, key_of, sources
from ...diagnostics import PlatformError, PytlError
from ...diagnostics.quoting import symbol
from ...ir.values import Function, Module
from ...passes.targets.host import host_machine
from ...passes.targets.machine import Machine
from ...process.records import dataclass
from .emit import symbol_of
from .halves import support_for
from .process import TEMPORARY, made_by, run_tool
from .toolchain import Toolchain, identity

STAGES = ("mlir", "llvm-dialect", "llvm", "asm")
"""The readable stages in order; the object and the linked file follow."""


TO_LLVM = (
    "arith-expand{include-bf16=true}",  # since libgcc before 13 has no conversions to bf16
    "convert-vector-to-llvm{%s}",
    "expand-strided-metadata",
    "lower-affine",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "finalize-memref-to-llvm",
    "convert-func-to-llvm",
    "convert-arith-to-llvm",
    "convert-cf-to-llvm",
    "convert-index-to-llvm",
    "convert-ub-to-llvm",
    "reconcile-unrealized-casts",
)
"""The end of every pipeline, with options of the vector dialect's lowering."""


def pipeline(before: Sequence[str], vectors: str = "reassociate-fp-reductions=true") -> str:
    """A pipeline for mlir-opt: passes that leave no structured control flow, then those that make LLVM's dialect."""
    return f"builtin.module({','.join([*before, *TO_LLVM]) % vectors})"


@dataclass(frozen=True)
class Mode:
    """The register settings of a thread while it executes a kernel, as LLVM's text."""

    declared: str = ""
    begin: str = ""
    end: str = ""


@dataclass(frozen=True)
class Target:
    """What code is made for: the passes, the flags of opt and llc, and what else of the machine decides the code."""

    name: str
    pipeline: str
    flags: tuple[str, ...]
    level: int = 2
    machine: str = ""
    support: Callable[[str], str] = lambda llvm: ""
    """What has to be appended to LLVM's text for it."""
    mode: Callable[[str], Mode] = lambda llvm: Mode()
    """The register settings for it."""
    without: tuple[str, ...] = ()
    """What the MLIR text has to do without, in the backend's terms."""
    optimizer: tuple[str, ...] = ()
    """Flags of opt alone."""
    bits: int = 0
    """The length of scalable vectors that the text is for; 0 where it is for all."""


HOST_PASSES = (
    "canonicalize",
    "cse",
    "func.func(convert-vector-to-scf{full-unroll=true})",
    "canonicalize",
    "convert-scf-to-cf",
)


def host_triple(machine: str, system: str) -> str:
    """LLVM's name of a machine and system given by Python's names, without the parts that do not matter for code."""
    arch = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine.lower(), machine.lower())
    if system == "darwin":
        return f"{'arm64' if arch == 'aarch64' else arch}-apple-macosx"
    return f"{arch}-unknown-{'linux-gnu' if system == 'linux' else system}"


NATIVE = (f"-mtriple={host_triple(platform.machine(), sys.platform)}", "-mcpu=native", "--relocation-model=pic")
"""Flags of opt and llc for this machine. Without a triple, opt does not vectorise, whatever the processor is."""


def host_target(level: int) -> Target:
    """The processor of this machine."""
    return Target(
        "host", pipeline(HOST_PASSES), (*NATIVE, *_length_of(host_machine())), level, machine_of(), support_for
    )


def target_of(machine: Machine, level: int) -> Target:
    """Another processor, whose code is only shown."""
    if machine is host_machine():
        return host_target(level)
    flags = [f"-mtriple={host_triple(machine.architecture, 'linux')}", f"-mcpu={machine.llvm}"]
    if machine.has_scalable_vectors:
        flags.append(f"-mattr={','.join(f'+{word}' for word in machine.features if word in SCALABLE)}")
    flags += _length_of(machine)
    return Target(machine.name, pipeline(HOST_PASSES), tuple(flags), level, support=support_for)


def _length_of(machine: Machine) -> list[str]:
    """The flags of LLVM that tell it the length of SVE's vectors, which it then has in addresses."""
    if not machine.has_scalable_vectors:
        return []
    return [f"-aarch64-sve-vector-bits-{bound}={machine.vector_bits}" for bound in ("min", "max")]


SCALABLE = ("sve", "sve2", "sme", "sme2")
"""Features of machines by the same names as LLVM's."""


def machine_of(cpuinfo: str = "/proc/cpuinfo") -> str:
    """What `native` code depends on: the processor's model and its features."""
    try:
        with open(cpuinfo, encoding="utf-8", errors="replace") as file:
            pattern = r"^(?:model name|flags|Features|CPU (?:implementer|part|variant))\s*:.*$"
            lines = re.findall(pattern, file.read(), re.M)
    except OSError:
        lines = []
    return "\n".join([platform.machine(), platform.processor(), *dict.fromkeys(lines)])


class Build:
    """Makes the stages of one function with a tool chain."""

    def __init__(self, function: Function, parameters: int, target: Target, tools: Toolchain) -> None:
        self.function = function
        self.parameters = parameters
        self.target = target
        self.tools = tools

    def stage(self, name: str, text: str) -> bytes:
        """A stage of MLIR's text: one of STAGES, or `object`."""
        if name == "mlir":
            return text.encode()
        dialect = self._tool("mlir-opt", f"--pass-pipeline={self.target.pipeline}", input_bytes=text.encode())
        if name == "llvm-dialect":
            return dialect
        # passes keep what they do not know by this name; it is another one where mlir-translate knows it
        dialect = dialect.replace(b"{llvm.loop_annotation = ", b"{loop_annotation = ")
        llvm = self._tool("mlir-translate", "--mlir-to-llvmir", input_bytes=dialect)
        text = llvm.decode()
        called = entry(self.function.name, self.parameters, self.target.mode(text))
        llvm = (text + called + self.target.support(text)).encode()
        if self.tools.has("opt") and self.target.level:
            flags = [flag for flag in self.target.flags if "relocation" not in flag]
            flags += self.target.optimizer
            llvm = self._tool("opt", f"-O{self.target.level}", *flags, "-S", input_bytes=llvm)
        if name == "llvm":
            return llvm
        kind = "asm" if name == "asm" else "obj"
        options = (f"-O{self.target.level}", *self.target.flags, f"-filetype={kind}")
        return self._tool("llc", *options, "-o", "-", input_bytes=llvm)

    def _tool(self, tool: str, *arguments: str, input_bytes: bytes) -> bytes:
        path = self.tools.path(tool)
        return made_by(path, run_tool([path, *arguments], input_bytes, self.function), self.function)


def link_shared(linker: str, objects: Sequence[bytes], function: Function, *more: str) -> bytes:
    """The shared library linked from objects. Additional linker arguments may name files beside them."""
    libraries = () if "lld" in os.path.basename(linker) else ("-lm",)
    return link([linker, "-shared", "-o", "{out}", *more, "{objects}", *libraries], objects, function)


def link(command: Sequence[str], objects: Sequence[bytes], function: Function) -> bytes:
    """A linker's output: in the command, `{objects}` stands for the input files, `{out}` for the output file."""
    with temporary_directory(function) as directory:
        out, names = os.path.join(directory, "kernel"), []
        for number, content in enumerate(objects):
            names.append(os.path.join(directory, f"kernel{number}.o"))
            with open(names[-1], "wb") as file:
                file.write(content)
        words = [out if word == "{out}" else word for word in command]
        position = words.index("{objects}")
        run_tool([*words[:position], *names, *words[position + 1 :]], b"", function, directory)
        content = read_made(out)
        return made_by(command[0], content, function, _is_library(content))


def read_made(path: str) -> bytes:
    """A tool's output file; nothing where it wrote none."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def _is_library(content: bytes) -> bool:
    """Whether data begins like a program or library of Linux or macOS."""
    return content.startswith((b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"))


def entry_name(name: str) -> str:
    return f"pytl_launch_{symbol(name)}"


def entry(name: str, parameters: int, mode: Mode) -> str:
    """LLVM's text of a function that takes the addresses of all descriptors in one array.

    Callers then need not know how many parameters there are: `void pytl_launch_NAME(int64_t first, int64_t last,
    int64_t groups, void **descriptors)`.
    """
    lines = [mode.declared, f'define void @"{entry_name(name)}"(i64 %first, i64 %last, i64 %groups, ptr %table) {{']
    for position in range(parameters):
        lines.append(f"  %place{position} = getelementptr ptr, ptr %table, i64 {position}")
        lines.append(f"  %given{position} = load ptr, ptr %place{position}")
    arguments = "".join(f", ptr %given{position}" for position in range(parameters))
    call = f'  call void @"_mlir_ciface_{symbol_of(name)}"(i64 %first, i64 %last, i64 %groups{arguments})'
    return "\n".join([*lines, mode.begin, call, mode.end, "  ret void", "}", ""])


@contextmanager
def temporary_directory(function: Function) -> Iterator[str]:
    """A directory for what a linker reads and writes, removed afterwards. Raises PYTL-3062 where there can't be one."""
    import tempfile

    try:
        directory = tempfile.mkdtemp(prefix="pytl-")
    except OSError as error:
        raise no_temporary(error, function) from None
    try:
        yield directory
    except OSError as error:
        raise no_temporary(error, function) from None
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def no_temporary(error: OSError, function: Function) -> PytlError:
    message = f"no temporary file can be written: {error.strerror or error}"
    return PlatformError.single(
        TEMPORARY, message, function.location, "set TMPDIR to a directory that can be written, with room in it"
    )


# The cache.


def key(
    function: Function, options: Mapping[str, Any], target: Target, programs: Sequence[str], stage: str, backend: str
) -> str:
    """The key of a stage: a hash of all that decides it."""
    return key_of(
        {
            "what": f"MLIR {stage}",
            "backend": backend,
            "function": str(Module.of(function)),
            "options": dict(options),
            "target": [
                *(target.name, target.pipeline, target.flags, target.level, target.machine, target.without),
                *(target.optimizer, target.bits),
            ],
            "tools": identity(programs),
            "sources": sources(),
        }
    )


def keep(key: str, entry: Entry) -> None:
    cache = current()
    if cache is not None:
        cache.store(key, entry)


def find(key: str) -> Entry | None:
    cache = current()
    return None if cache is None else cache.load(key)


def drop(key: str) -> None:
    cache = current()
    if cache is not None:
        cache.remove(key)


def is_kept(key: str) -> bool:
    cache = current()
    return cache is not None and cache.has(key)
