"""Vectors of lengths that SPIR-V has not, in LLVM's text: they are stored and loaded in parts.

LLVM makes registers of private memory. A copy of 12 of 16 elements then is a vector of 12, cut out of one of 16 and
stored, or loaded and widened. SPIR-V has vectors of 2, 3, 4, 8 and 16 elements.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

LENGTHS = (16, 8, 4, 3, 2)
_BYTES = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "half": 2, "float": 4, "double": 8}
_VECTOR = re.compile(r"<(\d+) x (i8|i16|i32|i64|half|float|double)>")
_POINTER = (
    r"(?:<\d+ x \w+>(?P<space>(?: addrspace\(\d+\))?)\*|ptr(?P<opaque>(?: addrspace\(\d+\))?)) (?P<pointer>%[\w.$-]+)"
)
_STORE = re.compile(
    rf"  store <(?P<count>\d+) x (?P<element>\w+)> (?P<value>%[\w.$-]+), {_POINTER}, align (?P<align>\d+).*"
)
_LOAD = re.compile(
    rf"  (?P<value>%[\w.$-]+) = load <(?P<count>\d+) x (?P<element>\w+)>, {_POINTER}, align (?P<align>\d+).*"
)
_SHUFFLE = re.compile(
    r"  (?P<value>%[\w.$-]+) = shufflevector <(?P<from>\d+) x (?P<element>\w+)> (?P<first>[^,]+), "
    r"<\d+ x \w+> (?P<second>[^,]+), <(?P<count>\d+) x i32> (?P<mask><.*>|zeroinitializer)"
)
_MASK = re.compile(r"<\d+ x i32> (?:<[^<>]*>|zeroinitializer)$", re.MULTILINE)
_CAST = re.compile(r"( to )<(\d+) x (\w+)>((?: addrspace\(\d+\))?\*)$")


def in_parts(text: str) -> str:
    """The same text without such vectors; unchanged where they are used in another way."""
    if not _has_odd(text):
        return text
    lines = text.split("\n")
    cut = {match["value"]: match for line in lines if (match := _SHUFFLE.fullmatch(line)) and _is_odd(match["count"])}
    loaded = {match["value"]: match for line in lines if (match := _LOAD.fullmatch(line)) and _is_odd(match["count"])}
    divided = "\n".join(new for line in lines for new in _line_in_parts(line, cut, loaded))
    return text if _has_odd(_MASK.sub("", divided)) else divided


def _has_odd(text: str) -> bool:
    return any(_is_odd(match[1]) for match in _VECTOR.finditer(text))


def _is_odd(count: str) -> bool:
    return int(count) not in (1, *LENGTHS)


def _line_in_parts(line: str, cut: dict[str, re.Match[str]], loaded: dict[str, re.Match[str]]) -> Iterator[str]:
    store, load, shuffle, cast = (
        _STORE.fullmatch(line),
        _LOAD.fullmatch(line),
        _SHUFFLE.fullmatch(line),
        _CAST.search(line),
    )
    if store and store["value"] in cut:
        yield from _stored(store, cut[store["value"]])
    elif load and load["value"] in loaded:
        yield from _loaded(load)
    elif shuffle and shuffle["value"] in cut:
        return  # the parts are cut out where they are stored
    elif shuffle and shuffle["first"] in loaded:
        yield from _widened(shuffle, loaded[shuffle["first"]])
    elif cast and " bitcast " in line and int(cast[2]) not in LENGTHS:
        yield line[: cast.start()] + f"{cast[1]}{cast[3]}{cast[4]}"
    else:
        yield line


def _parts(count: int) -> Iterator[tuple[int, int]]:
    """Where the parts of a vector begin, and how many elements they have. A last one alone comes with its neighbour."""
    first = 0
    while first < count:
        if count - first == 1:
            first -= 1
        size = next(length for length in LENGTHS if length <= count - first)
        yield first, size
        first += size


def _mask(shuffle: re.Match[str]) -> list[str]:
    """The element that each element of a shuffle's result is; `undef` or `poison` for none."""
    if shuffle["mask"] == "zeroinitializer":
        return ["0"] * int(shuffle["count"])
    return [entry.split()[-1] for entry in shuffle["mask"].strip("<>").split(",")]


def _vector(size: int, element: str) -> str:
    return f"<{size} x {element}>"


def _shuffled(name: str, shuffle: re.Match[str], count: int, first: str, second: str, mask: list[str]) -> str:
    entries = ", ".join(f"i32 {entry}" for entry in mask)
    vector = _vector(count, shuffle["element"])
    return f"  {name} = shufflevector {vector} {first}, {vector} {second}, <{len(mask)} x i32> <{entries}>"


def _part_address(access: re.Match[str], first: int, size: int) -> tuple[list[str], str, str, int]:
    """Lines that make the address of a part, the address, its type, and its alignment."""
    element, pointer = access["element"], access["pointer"]
    kind = f"ptr{access['opaque']}" if access["space"] is None else f"{element}{access['space']}*"
    part = f"{pointer}.{access['value'][1:]}.{first}"
    lines = [f"  {part} = getelementptr {element}, {kind} {pointer}, i64 {first}"]
    alignment = math.gcd(int(access["align"]), first * _BYTES[element])
    if access["space"] is None:
        return lines, part, kind, alignment
    kind = f"{_vector(size, element)}{access['space']}*"
    lines.append(f"  {part}.v = bitcast {element}{access['space']}* {part} to {kind}")
    return lines, f"{part}.v", kind, alignment


def _stored(store: re.Match[str], cut: re.Match[str]) -> Iterator[str]:
    mask = _mask(cut)
    for first, size in _parts(int(store["count"])):
        lines, address, kind, alignment = _part_address(store, first, size)
        value = f"{store['value']}.s{store['pointer'][1:]}.{first}"
        yield from lines
        yield _shuffled(value, cut, int(cut["from"]), cut["first"], cut["second"], mask[first : first + size])
        yield f"  store {_vector(size, store['element'])} {value}, {kind} {address}, align {alignment}"


def _loaded(load: re.Match[str]) -> Iterator[str]:
    for first, size in _parts(int(load["count"])):
        lines, address, kind, alignment = _part_address(load, first, size)
        yield from lines
        yield f"  {load['value']}.{first} = load {_vector(size, load['element'])}, {kind} {address}, align {alignment}"


def _widened(shuffle: re.Match[str], load: re.Match[str]) -> Iterator[str]:
    """One after the other, the parts are put where the result has their elements."""
    mask, parts = _mask(shuffle), list(_parts(int(load["count"])))
    widened = ""
    for number, (first, size) in enumerate(parts):
        is_held = [entry.isdigit() and first <= int(entry) < first + size for entry in mask]
        name = shuffle["value"] if number == len(parts) - 1 else f"{shuffle['value']}.{first}"
        wide = f"{shuffle['value']}.w{first}" if number else name
        entries = [str(int(entry) - first) if has_element else "undef" for entry, has_element in zip(mask, is_held)]
        yield _shuffled(wide, shuffle, size, f"{load['value']}.{first}", "undef", entries)
        if number:
            both = [str(k + len(mask) if has_element else k) for k, has_element in enumerate(is_held)]
            yield _shuffled(name, shuffle, len(mask), widened, wide, both)
        widened = name
