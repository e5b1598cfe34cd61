"""Small edits of a SPIR-V module, word by word, for which numba-dpex and llvm-spirv have no setting."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable

MAGIC = 0x07230203
HEADER_WORDS = 5
OP_NAME, OP_ENTRY_POINT, OP_EXECUTION_MODE, OP_CAPABILITY, OP_FUNCTION, OP_DECORATE = 5, 15, 16, 17, 54, 71
DECORATION_LINKAGE = 41
MODE_LOCAL_SIZE, MODE_SUBGROUP_SIZE = 17, 35
CAPABILITY_SUBGROUP_DISPATCH = 58
VERSION_OF_SUBGROUPS = 0x00010100
"""SPIR-V 1.1, from which on a kernel says its sub-groups' size; llvm-spirv writes the lowest that a module needs."""
ATOMIC_WORD = 4
"""Bytes that the smallest atomic operation updates."""

Words = tuple[int, ...]


def _found(spirv: bytes, *opcodes: int) -> dict[int, Words]:
    """The instructions of some kinds in front of the functions, by where each begins, in words.

    There are names, kernels and types, and nothing else is edited.
    """
    words = struct.unpack(f"<{len(spirv) // 4}I", spirv)
    if words[0] != MAGIC:
        raise ValueError("not a SPIR-V module of little-endian words")
    found: dict[int, Words] = {}
    position = HEADER_WORDS
    while position < len(words):
        opcode, length = words[position] & 0xFFFF, words[position] >> 16
        if opcode in opcodes:
            found[position] = words[position : position + length]
        elif opcode == OP_FUNCTION:
            break
        position += length
    return found


def _edited(spirv: bytes, edits: Iterable[tuple[int, int, Words]]) -> bytes:
    """The module with other words at some places, given in order: where, in place of how many, and which."""
    pieces: list[bytes] = []
    done = 0
    for position, count, words in edits:
        pieces += [spirv[4 * done : 4 * position], struct.pack(f"<{len(words)}I", *words)]
        done = position + count
    return b"".join([*pieces, spirv[4 * done :]])


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


def entry_points(spirv: bytes) -> dict[str, int]:
    """The kernels of a module: the id of each function by its name."""
    return {_text(instruction[3:]): instruction[2] for instruction in _found(spirv, OP_ENTRY_POINT).values()}


def capabilities(spirv: bytes) -> set[int]:
    """The numbers of the capabilities that a module declares."""
    return {instruction[1] for instruction in _found(spirv, OP_CAPABILITY).values()}


def renamed(spirv: bytes, old: str, new: str) -> bytes:
    """The module with one of its kernels renamed."""
    found = _found(spirv, OP_ENTRY_POINT, OP_NAME)
    function = {_text(i[3:]): i[2] for i in found.values() if _opcode(i) == OP_ENTRY_POINT}[old]
    length = len(_text_words(old))
    edits = []
    for position, instruction in found.items():
        opcode = _opcode(instruction)
        if opcode == OP_ENTRY_POINT and instruction[2] == function:
            interface = instruction[3 + length :]
            edited = _instruction(opcode, *instruction[1:3], *_text_words(new), *interface)
        elif opcode == OP_NAME and instruction[1] == function:
            edited = _instruction(opcode, function, *_text_words(new))
        else:
            continue
        edits.append((position, len(instruction), edited))
    return _edited(spirv, edits)


_LOWERED = re.compile(r"spirv\.(llvm_[us]\w+_with_overflow_\w+)")
_OVERFLOW = b"_with_overflow_"


def own_overflow_functions(spirv: bytes) -> bytes:
    """The module with the functions renamed that llvm-spirv writes for LLVM's `…with.overflow` intrinsics.

    LLVM's optimizer uses these intrinsics to decide whether a loop may have a second version. Intel's OpenCL driver
    takes a function named `spirv.llvm_umul_with_overflow_i64` for the intrinsic itself, fails to translate it back, and
    builds nothing: "Symbols not found: old_llvm.umul.with.overflow.i64".
    """
    if _OVERFLOW not in spirv:
        return spirv
    edits = []
    for position, instruction in _found(spirv, OP_NAME, OP_DECORATE).items():
        # where the name begins, in the two instructions that contain one
        opcode = _opcode(instruction)
        begin = 2 if opcode == OP_NAME else 3
        has_name = opcode == OP_NAME or instruction[2] == DECORATION_LINKAGE
        match = _LOWERED.fullmatch(_text(instruction[begin:])) if has_name else None
        if match:
            rest = instruction[begin:][len(_text_words(match[0])) :]
            edited = _instruction(opcode, *instruction[1:begin], *_text_words(f"pytl_{match[1]}"), *rest)
            edits.append((position, len(instruction), edited))
    return _edited(spirv, edits)


def required_sizes(
    spirv: bytes,
    entry: str,
    subgroup_size: int | None = None,
    work_group_size: tuple[int, ...] | None = None,
) -> bytes:
    """The module with the sub-group or work-group size of the kernel `entry` fixed, whatever it was before."""
    found = _found(spirv, OP_ENTRY_POINT, OP_EXECUTION_MODE, OP_CAPABILITY)
    entries = {p: i for p, i in found.items() if _opcode(i) == OP_ENTRY_POINT}
    function = {_text(i[3:]): i[2] for i in entries.values()}[entry]
    modes: list[Words] = []
    if subgroup_size is not None:
        modes.append(_instruction(OP_EXECUTION_MODE, function, MODE_SUBGROUP_SIZE, subgroup_size))
    if work_group_size is not None:
        sizes = (*work_group_size, 1, 1)[:3]
        modes.append(_instruction(OP_EXECUTION_MODE, function, MODE_LOCAL_SIZE, *sizes))
    capability = _instruction(OP_CAPABILITY, CAPABILITY_SUBGROUP_DISPATCH)
    # Execution modes follow the last entry point: a module's sections have a fixed order.
    last_entry = max(entries)
    edits = [(last_entry + len(entries[last_entry]), 0, mode) for mode in modes]
    edits += [(p, len(i), ()) for p, i in found.items() if any(i[:3] == mode[:3] for mode in modes)]
    if subgroup_size is not None and capability not in found.values():
        edits.insert(0, (HEADER_WORDS, 0, capability))
    (version,) = struct.unpack_from("<I", spirv, 4)
    edits.insert(0, (1, 1, (max(version, VERSION_OF_SUBGROUPS),)))
    return _edited(spirv, edits)
