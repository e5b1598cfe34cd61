"""The stages of a kernel, from MLIR's text to code: the output of each tool for the stage before.

Artefacts are kept in the compilation cache, under a key of everything that decides them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ...devices.cache import Entry, current, key_of, sources
from ...diagnostics import PlatformError, PytlError
from ...diagnostics.quoting import symbol
from ...ir.values import Function, Module
from ...passes.targets.host import host_machine
from .emit import symbol_of
from .process import TEMPORARY, made_by, run_tool
from .targets import Mode, Target, target_of
from .toolchain import Toolchain, find_linker, find_toolchain, identity, require

STAGES = ("mlir", "llvm-dialect", "llvm", "asm")
"""The readable stages in order; the object and the linked file follow."""
STREAMING_SUPPORT = Path(__file__).with_name("streaming.c")
"""What code in streaming mode is linked with."""


class Build:
    """Makes the stages of one function with a tool chain; without a number of parameters, of text with its entries."""

    def __init__(self, function: Function, parameters: int | None, target: Target, tools: Toolchain) -> None:
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
        if self.parameters is not None:
            text += entry(self.function.name, self.parameters, self.target.mode(text))
        llvm = (text + self.target.support(text)).encode()
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


def compiled(compiler: Sequence[str], source: Path, flags: Sequence[str], function: Function) -> bytes:
    """The object file of C code of pytl's own, which is cached per compiler."""
    text = source.read_bytes()
    parts = {"what": source.name, "source": text.decode(), "flags": list(flags), "compiler": list(compiler)}
    key = key_of({**parts, "tools": identity(compiler[:1])})

    def make() -> bytes:
        with temporary_directory(function) as directory:
            out = os.path.join(directory, "compiled.o")
            run_tool([*compiler, "-O2", *flags, "-x", "c", "-c", "-", "-o", out], text, function, directory)
            return made_by(compiler[0], read_made(out), function)

    return _kept(key, source.name, "arm", make)


def own_library(name: str, text: str, function: Function) -> bytes:
    """The shared library of MLIR's text of pytl's own, for this machine, which is cached per tools."""
    tools, linker = find_toolchain(), find_linker()
    require(tools, linker)
    assert isinstance(tools, Toolchain) and isinstance(linker, str)
    target = target_of(host_machine(), 2)
    made_of = [text, target.pipeline, target.flags, target.machine]
    key = key_of({"what": "own library", "made of": made_of, "tools": identity([*tools.programs, linker])})

    def make() -> bytes:
        return link_shared(linker, [Build(function, None, target, tools).stage("object", text)], function)

    return _kept(key, name, target.name, make)


def _kept(key: str, name: str, device: str, make: Callable[[], bytes]) -> bytes:
    """Code of pytl's own from the cache, or made and put there."""
    stored = find(key)
    if stored is not None:
        return stored.code
    code = make()
    keep(key, Entry(name, "mlir", device, {}, 0.0, {}, code))
    return code


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
                *(target.name, target.pipeline, target.flags, target.level, target.machine, target.optimizer),
                target.processor,
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
