"""LLVM's text as llvm-spirv and the drivers read it, whose LLVM is older than llvmlite's.

What has come since is taken out, or written as it was before.
"""

from __future__ import annotations

import re

_YOUNGER = re.compile(
    r" (?:samesign|nneg|nusw|disjoint)\b|(?<=getelementptr inbounds) nuw\b|(?<=getelementptr) nuw\b"
    r"|(?<=trunc)(?: nuw| nsw)+\b| (?:captures|initializes|range|nofpclass)\((?:[^()]|\([^()]*\))*\)"
)
_MASKED = re.compile(
    r"(?P<head>.*@llvm\.masked\.(?P<what>load|store|gather|scatter)\.\S+?\()(?P<operands>.*)(?P<tail>\).*)"
)
_POINTER = {"load": 0, "gather": 0, "store": 1, "scatter": 1}
_ALIGN = re.compile(r" align (\d+)")
_FUNCTION = re.compile(r"^(?P<head>define .*\n\S+:.*\n)(?P<body>(?:.*\n)*?)\}", re.MULTILINE)
_ABSOLUTE = re.compile(
    r"^(?P<indent> *)(?P<name>%\S+) = (?:tail )?call (?P<type>float|double) @llvm\.fabs\.f(?P<bits>32|64)"
    r"\((?P=type) (?P<value>[^)]+)\).*$",
    re.MULTILINE,
)
_CONSTANT = re.compile(
    r"\b(?P<what>getelementptr(?: inbounds)?|ptrtoint|inttoptr|bitcast|addrspacecast|trunc"
    r"|(?:add|sub|xor)(?: nuw| nsw)*)"
    r" \((?P<operands>(?:[^()]|\(\d+\))*)\)"
)


def stripped(text: str) -> str:
    """LLVM's text without what is younger than llvm-spirv and the driver: flags, attributes, forms of intrinsics."""
    kept = (line for line in text.splitlines() if "@llvm.lifetime." not in line)  # they take other operands now
    aligned = (_with_alignment(line) if "@llvm.masked." in line else line for line in kept)
    return _FUNCTION.sub(_without_constant_places, _YOUNGER.sub("", absolute_by_bits("\n".join(aligned))))


def absolute_by_bits(text: str) -> str:
    """LLVM's text with `fabs` as the number without its sign bit.

    In SPIR-V it were a call of OpenCL's function. The driver of 2026 crashes where it makes vectors of a loop over
    private memory that calls one, and the loop's count is no multiple of the vector's length. The driver's LLVM knows
    the bits for what they are.
    """

    def by_bits(match: re.Match[str]) -> str:
        indent, real, bits = match["indent"], match["type"], int(match["bits"])
        number, positive = f"%absolute.{match.start()}.bits", f"%absolute.{match.start()}.positive"
        lines = (
            f"{number} = bitcast {real} {match['value']} to i{bits}",
            f"{positive} = and i{bits} {number}, {(1 << bits - 1) - 1}",
            f"{match['name']} = bitcast i{bits} {positive} to {real}",
        )
        return "\n".join(f"{indent}{line}" for line in lines)

    return _ABSOLUTE.sub(by_bits, text)


def _without_constant_places(function: re.Match[str]) -> str:
    """A function whose places in variables are instructions of its first block, and no constants.

    llvm-spirv does not know the record that bitcode has for such a constant since LLVM 19, and takes it for undefined.
    """
    names: dict[str, str] = {}

    def name(match: re.Match[str]) -> str:
        instruction, operands = match["what"], match["operands"]
        if instruction.startswith(("add", "sub", "xor")):  # whose second operand has no type in an instruction
            first, second = split(operands)
            operands = f"{first}, {second.rpartition(' ')[2]}"
        return names.setdefault(f"{instruction} {operands}", f"%place.{len(names)}")

    body, before = function["body"], ""
    while body != before:  # from within outwards
        body, before = _CONSTANT.sub(name, body), body
    lines = "".join(f"  {name} = {constant}\n" for constant, name in names.items())
    return f"{function['head']}{lines}{body}}}"


def _with_alignment(line: str) -> str:
    """A line with a masked access whose alignment is an operand behind the pointer, as it was up to LLVM 21.

    Now it is an attribute of the pointer. A driver of an older LLVM takes the mask for the alignment.
    """
    match = _MASKED.match(line)
    if match is None:
        return line
    operands, position = split(match["operands"]), _POINTER[match["what"]]
    if line.startswith("declare"):
        operands.insert(position + 1, "i32 immarg")
    else:
        alignment = _ALIGN.search(operands[position])
        operands[position] = _ALIGN.sub("", operands[position])
        operands.insert(position + 1, f"i32 {alignment[1] if alignment else 1}")
    return f"{match['head']}{', '.join(operands)}{match['tail']}"


def split(operands: str) -> list[str]:
    """Operands in LLVM's text, which are separated by the commas outside of brackets."""
    parts, depth = [""], 0
    for character in operands:
        depth += (character in "<([{") - (character in ">)]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [operand.strip() for operand in parts]
