"""What a SPIR-V module says of its kernel's arguments, read from a module that anyone may have written."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from .launch import FORMS, ParamKind, Scalar
from .spirv import HEADER_WORDS, MAGIC, OP_ENTRY_POINT, Words

OP_TYPE_INT, OP_TYPE_FLOAT, OP_TYPE_POINTER, OP_TYPE_FUNCTION, OP_FUNCTION = 21, 22, 32, 33, 54
KERNEL_MODEL = 6
GLOBAL_MEMORY = 5
"""The storage class `CrossWorkgroup`."""
POINTER = "a pointer to global memory"
_SIZES = {"b": "i8", "h": "i16", "i": "i32", "q": "i64", "f": "f32", "d": "f64"}
"""What a kernel has for each form of a scalar's argument."""


def check_arguments(spirv: bytes, entry: str, signature: Sequence[ParamKind]) -> None:
    """Raise ValueError where a module has no kernel `entry` that takes the arguments of a signature."""
    expected = [form for kind in signature for form in _forms(kind)]
    actual = arguments_of(spirv, entry)
    if actual != expected:
        raise ValueError(f"its kernel takes {_listed(actual)} instead of {_listed(expected)}")


def arguments_of(spirv: bytes, entry: str) -> list[str]:
    """The form of each argument of a kernel. Raises ValueError where the module is damaged, or has no such kernel."""
    types: dict[int, str] = {}
    functions: dict[int, Sequence[int]] = {}
    types_of: dict[int, int] = {}
    entries: list[int] = []
    for instruction in _instructions(spirv):
        opcode, operands = instruction[0] & 0xFFFF, instruction[1:]
        if opcode in (OP_TYPE_INT, OP_TYPE_FLOAT) and len(operands) >= 2:
            types[operands[0]] = f"{'i' if opcode == OP_TYPE_INT else 'f'}{operands[1]}"
        elif opcode == OP_TYPE_POINTER and len(operands) == 3:
            types[operands[0]] = POINTER if operands[1] == GLOBAL_MEMORY else "a pointer"
        elif opcode == OP_TYPE_FUNCTION and len(operands) >= 2:
            functions[operands[0]] = operands[2:]
        elif opcode == OP_FUNCTION and len(operands) == 4:
            types_of[operands[1]] = operands[3]
        elif opcode == OP_ENTRY_POINT and len(operands) >= 3 and operands[0] == KERNEL_MODEL:
            entries += [operands[1]] if _is_text(operands[2:], entry) else []
    if len(entries) != 1:
        raise ValueError(f"its SPIR-V has {len(entries)} kernels of the name that is launched")
    parameters = functions.get(types_of.get(entries[0], 0))
    if parameters is None:
        raise ValueError("its SPIR-V does not say what the kernel takes")
    return [types.get(number, "something else") for number in parameters]


def _is_text(words: Sequence[int], text: str) -> bool:
    return struct.pack(f"<{len(words)}I", *words).split(b"\0", 1)[0] == text.encode()


def _instructions(spirv: bytes) -> list[Words]:
    if len(spirv) % 4 or len(spirv) < 4 * HEADER_WORDS:
        raise ValueError("its code is not SPIR-V")
    words = struct.unpack(f"<{len(spirv) // 4}I", spirv)
    if words[0] != MAGIC:
        raise ValueError("its code is not SPIR-V")
    instructions, position = [], HEADER_WORDS
    while position < len(words):
        length = words[position] >> 16
        if length == 0 or position + length > len(words):
            raise ValueError("its SPIR-V is damaged")
        instructions.append(words[position : position + length])
        position += length
    return instructions


def _forms(kind: ParamKind) -> list[str]:
    if not isinstance(kind, Scalar):
        return [POINTER]
    letter, _, count = FORMS[kind.dtype]
    return [_SIZES[letter]] * count


def _listed(forms: Sequence[str]) -> str:
    return f"({', '.join(forms)})"
