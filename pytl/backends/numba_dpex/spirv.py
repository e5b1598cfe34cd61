"""Small edits of a SPIR-V module, word by word, for which numba-dpex and llvm-spirv have no setting."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence

MAGIC = 0x07230203
HEADER_WORDS = 5
OP_NAME, OP_ENTRY_POINT, OP_EXECUTION_MODE, OP_CAPABILITY, OP_DECORATE = 5, 15, 16, 17, 71
DECORATION_LINKAGE = 41
MODE_LOCAL_SIZE, MODE_SUBGROUP_SIZE = 17, 35
CAPABILITY_SUBGROUP_DISPATCH = 58
ATOMIC_WORD = 4
"""Bytes that the smallest atomic operation updates."""

Words = tuple[int, ...]


def _words(spirv: bytes) -> Words:
    words = struct.unpack(f"<{len(spirv) // 4}I", spirv)
    if words[0] != MAGIC:
        raise ValueError("not a SPIR-V module of little-endian words")
    return words


def _instructions(words: Words) -> Iterator[Words]:
    position = HEADER_WORDS
    while position < len(words):
        length = words[position] >> 16
        yield words[position : position + length]
        position += length


def _opcode(instruction: Words) -> int:
    return instruction[0] & 0xFFFF


def _instruction(opcode: int, *operands: int) -> Words:
    return ((len(operands) + 1) << 16 | opcode, *operands)


def _text(words: Words) -> str:
    return struct.pack(f"<{len(words)}I", *words).split(b"\0", 1)[0].decode()


def _text_words(text: str) -> Words:
    data = text.encode() + b"\0"
    data += b"\0" * (-len(data) % 4)
    return struct.unpack(f"<{len(data) // 4}I", data)


def _module(header: Words, instructions: Sequence[Words]) -> bytes:
    words = [*header, *(word for instruction in instructions for word in instruction)]
    return struct.pack(f"<{len(words)}I", *words)


def entry_points(spirv: bytes) -> dict[str, int]:
    """The kernels of a module: the id of each function by its name."""
    instructions = (i for i in _instructions(_words(spirv)) if _opcode(i) == OP_ENTRY_POINT)
    return {_text(instruction[3:]): instruction[2] for instruction in instructions}


def capabilities(spirv: bytes) -> set[int]:
    """The numbers of the capabilities that a module declares."""
    return {instruction[1] for instruction in _instructions(_words(spirv)) if _opcode(instruction) == OP_CAPABILITY}


def renamed(spirv: bytes, old: str, new: str) -> bytes:
    """The module with one of its kernels renamed."""
    words = _words(spirv)
    function = entry_points(spirv)[old]
    length = len(_text_words(old))
    instructions = []
    for instruction in _instructions(words):
        opcode = _opcode(instruction)
        if opcode == OP_ENTRY_POINT and instruction[2] == function:
            interface = instruction[3 + length :]
            instruction = _instruction(opcode, *instruction[1:3], *_text_words(new), *interface)
        elif opcode == OP_NAME and instruction[1] == function:
            instruction = _instruction(opcode, function, *_text_words(new))
        instructions.append(instruction)
    return _module(words[:HEADER_WORDS], instructions)


_LOWERED = re.compile(r"spirv\.(llvm_[us]\w+_with_overflow_\w+)")


def own_overflow_functions(spirv: bytes) -> bytes:
    """The module with the functions renamed that llvm-spirv writes for LLVM's `…with.overflow` intrinsics.

    LLVM's optimizer uses these intrinsics to decide whether a loop may have a second version. Intel's OpenCL driver
    takes a function named `spirv.llvm_umul_with_overflow_i64` for the intrinsic itself, fails to translate it back, and
    builds nothing: "Symbols not found: old_llvm.umul.with.overflow.i64".
    """
    words = _words(spirv)
    instructions = []
    for instruction in _instructions(words):
        # where the name begins, in the two instructions that contain one
        opcode = _opcode(instruction)
        linkage = opcode == OP_DECORATE and instruction[2] == DECORATION_LINKAGE
        begin = 2 if opcode == OP_NAME else 3 if linkage else None
        match = _LOWERED.fullmatch(_text(instruction[begin:])) if begin else None
        if match:
            rest = instruction[begin:][len(_text_words(match[0])) :]
            instruction = _instruction(opcode, *instruction[1:begin], *_text_words(f"pytl_{match[1]}"), *rest)
        instructions.append(instruction)
    return _module(words[:HEADER_WORDS], instructions)


def required_sizes(
    spirv: bytes,
    entry: str,
    subgroup_size: int | None = None,
    work_group_size: tuple[int, ...] | None = None,
) -> bytes:
    """The module with the sub-group or work-group size of the kernel `entry` fixed, whatever it was before."""
    words = _words(spirv)
    function = entry_points(spirv)[entry]
    modes = []
    if subgroup_size is not None:
        modes.append(_instruction(OP_EXECUTION_MODE, function, MODE_SUBGROUP_SIZE, subgroup_size))
    if work_group_size is not None:
        sizes = (*work_group_size, 1, 1)[:3]
        modes.append(_instruction(OP_EXECUTION_MODE, function, MODE_LOCAL_SIZE, *sizes))

    instructions = [i for i in _instructions(words) if not any(i[:3] == mode[:3] for mode in modes)]
    # Execution modes follow the last entry point: a module's sections have a fixed order.
    last_entry = max(k for k, i in enumerate(instructions) if _opcode(i) == OP_ENTRY_POINT)
    instructions[last_entry + 1 : last_entry + 1] = modes
    capability = _instruction(OP_CAPABILITY, CAPABILITY_SUBGROUP_DISPATCH)
    if subgroup_size is not None and capability not in instructions:
        instructions.insert(0, capability)
    return _module(words[:HEADER_WORDS], instructions)
