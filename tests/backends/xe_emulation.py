"""Launches of what `emit("xegpu", stage="llvm")` gives, on this machine's processor.

The functions of the GPU that the code calls are those of xe_emulation.c, where each work-item is a thread.
"""

from __future__ import annotations

import ctypes
import functools
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pytl.backends.base import Argument, GroupArgument, Lowered, MemrefArgument
from pytl.backends.mlir import types
from pytl.backends.mlir.descriptors import Table
from pytl.backends.mlir.halves import support_for
from pytl.backends.mlir.host_memory import HostMemory
from pytl.backends.xegpu.backend import XeGpuBackend
from pytl.ops.launch_defaults import subgroup_size, work_group_shape
from pytl.ops.memory import STACK_SIZE

SOURCE = Path(__file__).with_suffix(".c")
_DECLARED = re.compile(r"^declare (\S.*?) @(_Z\w+)\((.*)\).*$", re.M)
_BLOCK = re.compile(r"_2d_block_(read|write)(?:_(transform|transpose))?_(\d+)b_(\d+)r(\d+)x1c")
_PREFETCH = re.compile(r"_2d_block_prefetch_")
_PRODUCT = re.compile(r"sub_group_(f16|bf16|i8)_\1_matrix_mad_k\d+")
_KINDS = {"f16": 0, "bf16": 1, "i8": 2}
_KIND = {"write": 1, "transform": 2, "transpose": 3}


def launch(
    self: XeGpuBackend,
    lowered: Lowered,
    arguments: Sequence[Argument],
    groups: int,
    options: Any,
    queue: Any = None,
    depends: Sequence[Any] = (),
    wait: bool = True,
) -> None:
    """In the place of the backend's method: it executes the kernel."""
    llvm = self.emit_stage(lowered, options, "llvm")
    memory = HostMemory(arguments)
    parameters = lowered.original.parameters
    descriptors = Table(parameters, arguments, memory.addresses)
    descriptors.moved_to(descriptors.words.ctypes.data)
    words = [
        word
        for parameter, given, place in zip(parameters, arguments, descriptors.words.tolist())
        for word in _words(given, parameter.type, place)
    ]
    values, kinds = _parameters(llvm)
    table = (ctypes.c_int64 * max(len(words), 1))()
    for number, (word, type_) in enumerate(zip(words, kinds)):
        if type_ in ("float", "double"):
            bits = np.array(word, np.float32 if type_ == "float" else np.float64).tobytes()
            table[number] = int.from_bytes(bits, "little")
        else:
            table[number] = ctypes.c_int64(int(word)).value
    assert len(words) == values
    function = lowered.function
    rows, columns = work_group_shape(function)
    code = _built(llvm)
    code.xe_run(code.xe_entry, table, groups, rows * columns, subgroup_size(function),
                function.attributes.get(STACK_SIZE, 0))  # fmt: skip
    assert code.xe_faults() == 0, "a block message that the hardware does not take"
    memory.copy_back()


def _words(given: Argument, type_: Any, descriptor: int) -> list[Any]:
    """The parameters of a kernel for an argument, as MLIR passes it."""
    if isinstance(given, (MemrefArgument, GroupArgument)):
        modes = len(types.sizes(type_)) if isinstance(given, MemrefArgument) else 1
        return list((ctypes.c_int64 * (3 + 2 * modes)).from_address(descriptor))
    return [given.real, given.imag] if len(types.parts(type_)) == 2 else [given]


def _parameters(llvm: str) -> tuple[int, list[str]]:
    """How many parameters a kernel has without local memory, and their types."""
    listed = re.search(r"define spir_kernel void @\w+\((.*?)\)(?: ![^{]*)? ?\{", llvm)
    assert listed is not None
    texts = [each.strip() for each in re.split(r",(?![^(]*\))", listed[1]) if each.strip()]
    found = [text.split()[0] for text in texts]
    return sum("addrspace(3)" not in text for text in texts), found


@functools.lru_cache(maxsize=256)
def _built(llvm: str) -> ctypes.CDLL:
    """The code with the emulation, as a library."""
    values, kinds = _parameters(llvm)
    name = re.search(r"define spir_kernel void (@\w+)", llvm)
    assert name is not None
    plain = re.sub(r" addrspace\(\d\)| spir_func| spir_kernel", "", llvm)
    # MLIR 22 loads whole vectors from memory that it gives the alignment of an element
    plain = re.sub(r"(= alloca \w+, i\d+ \d+), align \d+", r"\1, align 64", plain)
    parts = [_DECLARED.sub(_wrapped, plain), _entry(name[1], kinds, values)]
    parts.append("declare void @xe_block(ptr, i32, i32, i32, i32, i32, ptr, i32, i32, i32, i32)")
    parts.append("declare void @xe_dpas(ptr, ptr, ptr, i32, i32, i32)")
    text = "\n".join(parts)
    folder = Path(_folder().name)
    number = len(list(folder.iterdir()))
    code, library = folder / f"{number}.o", folder / f"{number}.so"
    options = ["-O1", "-mattr=+avx2,+f16c", "--relocation-model=pic", "-filetype=obj", "-o", str(code)]
    _run(["llc-22", *options], text + support_for(text))
    _run(["gcc", "-shared", "-o", str(library), str(code), _runtime(), "-lm", "-lpthread"])
    return ctypes.CDLL(str(library))


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="pytl-xe-")


@functools.cache
def _runtime() -> str:
    code = str(Path(_folder().name, "runtime.o"))
    _run(["gcc", "-O1", "-fPIC", "-mavx2", "-c", "-o", code, str(SOURCE)])
    return code


def _run(command: Sequence[str], given: str = "") -> None:
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _entry(name: str, kinds: Sequence[str], values: int) -> str:
    """A function that takes the parameters from a table, and the local memory beside."""
    lines, passed = ["define void @xe_entry(ptr %table, ptr %local) {"], []
    for number, type_ in enumerate(kinds):
        if number >= values:
            passed.append("ptr %local")
            continue
        lines.append(f"  %p{number} = getelementptr i64, ptr %table, i64 {number}")
        lines.append(f"  %v{number} = load {type_}, ptr %p{number}")
        passed.append(f"{type_} %v{number}")
    return "\n".join([*lines, f"  call void {name}({', '.join(passed)})", "  ret void", "}"])


def _wrapped(found: re.Match[str]) -> str:
    """A function of the GPU whose name says what it does, in terms of one of xe_emulation.c; others are there."""
    result, name, _ = found.groups()
    if _PREFETCH.search(name):
        return f"define {result} @{name}(ptr %b, i32 %w, i32 %h, i32 %p, <2 x i32> %at) {{\n  ret void\n}}"
    block = _BLOCK.search(name)
    if block is not None:
        how, form, bits, rows, columns = block.groups()
        kind = _KIND.get(form or how, 0)
        return (
            f"define void @{name}(ptr %b, i32 %w, i32 %h, i32 %p, <2 x i32> %at, ptr %d) {{\n"
            "  %x = extractelement <2 x i32> %at, i32 0\n  %y = extractelement <2 x i32> %at, i32 1\n"
            f"  call void @xe_block(ptr %b, i32 %w, i32 %h, i32 %p, i32 %x, i32 %y, ptr %d, i32 {int(bits) // 8}, "
            f"i32 {rows}, i32 {columns}, i32 {kind})\n  ret void\n}}"
        )
    product = _PRODUCT.search(name)
    if product is None:
        return found[0]
    count, of = re.search(r"<(\d+) x (\w+)>", result).groups()  # type: ignore[union-attr]
    sums = {"float": 3, "i32": 4}.get(of, _KINDS[product[1]])
    return (
        f"define {result} @{name}(<{count} x i16> %a, <8 x i32> %b, {result} %c) {{\n"
        f"  %pa = alloca <{count} x i16>\n  %pb = alloca <8 x i32>\n  %pc = alloca {result}\n"
        f"  store <{count} x i16> %a, ptr %pa\n  store <8 x i32> %b, ptr %pb\n  store {result} %c, ptr %pc\n"
        f"  call void @xe_dpas(ptr %pa, ptr %pb, ptr %pc, i32 {count}, i32 {_KINDS[product[1]]}, i32 {sums})\n"
        f"  %r = load {result}, ptr %pc\n  ret {result} %r\n}}"
    )
