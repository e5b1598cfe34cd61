"""Numbers of half precision are compared in single precision, whatever LLVM makes of it.

Generated code holds an f16 as a float. LLVM knows that a float was a half, and compares the halves. Where the processor
has AVX512-FP16, Intel's OpenCL driver makes wrong code of that: it exchanges the operands of a masked `vcmpph`, and not
its relation. So numbers that were halves, and that are compared, are hidden from LLVM: the low bits of
such a float are zero, which LLVM does not know, and are combined with its high ones.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

_NAME = r'%(?:"[^"]*"|[\w.$-]+)'
_LINE = re.compile(rf"^ *(?P<name>{_NAME}) = (?P<rest>.*)$", re.MULTILINE)
_WIDENED = re.compile(
    r"fpext (?P<source>half|<(?P<lanes>\d+) x half>) (?P<value>\S+|<[^>]*>) to (?:<\d+ x )?(?P<target>float|double)>?"
)
_COMPARED = re.compile(
    r"fcmp (?P<words>[\w ]+?) (?P<type>half|<(?P<lanes>\d+) x half>) (?P<operands>.*?)(?P<end>, !.*)?$"
)
_EXTREME = re.compile(
    r"(?:tail )?call (?P<type>half|<(?P<lanes>\d+) x half>) @llvm\.(?P<word>minnum|maxnum)\.\w+\((?P<operands>.*)\)"
)
_OF_HALVES = re.compile(r"^declare [^\n]*@llvm\.(?:minnum|maxnum)\.(?:v\d+)?f16\([^\n]*\n", re.MULTILINE)
_DECLARED = re.compile(r"@(llvm\.(?:minnum|maxnum)\.\w+)\(")
_COMPARES = re.compile(r"fcmp |.*@(?:llvm\.(?:minnum|maxnum)\.|_Z\d+__spirv_ocl_)")
"""What compares its operands; what OpenCL's functions do with theirs is known to the driver."""
_PASSES_ON = re.compile(
    r"(?:phi|select|fneg|fpext|freeze|insertelement|extractelement|shufflevector|bitcast|insertvalue|extractvalue) "
    r"|.*@(?:llvm\.fabs\.|_Z\d+__spirv_GroupNonUniform)"
)
"""What gives a number that it takes, or one with another sign."""

_LOADED = re.compile(r"load |.*@llvm\.masked\.(?:load|gather)\.")
_STORED = re.compile(r"^ *(?:store |(?:tail )?call void @llvm\.masked\.(?:store|scatter)\.)(?P<rest>.*)$", re.MULTILINE)
_MEMORY = "memory"
"""All of it: LLVM finds what was stored at a place, and what is loaded from it."""

_BITS = {"float": (32, 19), "double": (64, 22)}
"""The width of a type, and of its high bits that a half needs: the sign, the exponent, and ten of the fraction."""


def compared_widely(text: str) -> str:
    """LLVM's text in which nothing compares halves, and nothing that is compared is known to be one."""
    if "half" not in text:
        return text
    head, *functions = text.split("\ndefine ")
    text = "\ndefine ".join([head, *map(_without_halves_compared, functions)])
    text = _OF_HALVES.sub("", text)
    declared = {name for line in text.splitlines() if line.startswith("declare ") for name in _DECLARED.findall(line)}
    missing = {name for name in _DECLARED.findall(text) if name not in declared}
    return text + "".join(f"\n{_declaration(name)}\n" for name in sorted(missing))


def _declaration(name: str) -> str:
    of = re.fullmatch(r"(?:v(\d+))?f32", name.rsplit(".", 1)[1])
    assert of is not None, name
    type_ = _wide(of[1])
    return f"declare {type_} @{name}({type_}, {type_})"


def _wide(lanes: str | None, type_: str = "float") -> str:
    return type_ if lanes is None else f"<{lanes} x {type_}>"


def _without_halves_compared(function: str) -> str:
    function = _LINE.sub(_comparison_widened, function)
    compared = _compared(function)

    def hidden(match: re.Match[str]) -> str:
        widened = _WIDENED.match(match["rest"])
        if widened is None or match["name"] not in compared:
            return match[0]
        return "\n".join(_hidden(match["name"], widened["value"], widened["lanes"], widened["target"]))

    return _LINE.sub(hidden, function)


def _compared(function: str) -> set[str]:
    """The names of what is compared, and of what it comes from unchanged."""
    users: list[str] = []
    operands: dict[str, list[str]] = defaultdict(list)
    operands[_MEMORY] = [name for match in _STORED.finditer(function) for name in re.findall(_NAME, match["rest"])]
    for match in _LINE.finditer(function):
        if _COMPARES.match(match["rest"]):
            users += re.findall(_NAME, match["rest"])
        elif _PASSES_ON.match(match["rest"]):
            operands[match["name"]] = re.findall(_NAME, match["rest"])
        elif _LOADED.match(match["rest"]):
            operands[match["name"]] = [_MEMORY]
    compared: set[str] = set()
    while users:
        name = users.pop()
        if name not in compared:
            compared.add(name)
            users += operands[name]
    return compared


def _comparison_widened(match: re.Match[str]) -> str:
    name = match["name"]
    if (compared := _COMPARED.match(match["rest"])) is not None:
        lanes, end = compared["lanes"], compared["end"] or ""
        wide = [_derived(name, position) for position in range(2)]
        lines = [*_operands_widened(wide, lanes, compared["operands"])]
        lines.append(f"  {name} = fcmp {compared['words']} {_wide(lanes)} {', '.join(wide)}{end}")
        return "\n".join(lines)
    if (extreme := _EXTREME.match(match["rest"])) is not None:
        lanes, type_ = extreme["lanes"], _wide(extreme["lanes"])
        *wide, result = (_derived(name, position) for position in range(3))
        operands = extreme["operands"].replace(f"{extreme['type']} ", "")
        lines = [*_operands_widened(wide, lanes, operands)]
        function = f"@llvm.{extreme['word']}.{'' if lanes is None else f'v{lanes}'}f32"
        lines.append(f"  {result} = call {type_} {function}({', '.join(f'{type_} {each}' for each in wide)})")
        lines.append(f"  {name} = fptrunc {type_} {result} to {extreme['type']}")
        return "\n".join(lines)
    return match[0]


def _derived(name: str, position: int | str) -> str:
    """Another name, of something that a named value is made of."""
    quote = '"' if name.endswith('"') else ""
    word = name.strip('%"')
    return f"%{quote}wide.{position}.{word}{quote}"  # a name that begins with a digit would be a number


def _operands_widened(names: list[str], lanes: str | None, operands: str) -> Iterator[str]:
    half = _wide(lanes, "half")
    for name, operand in zip(names, _separated(operands), strict=True):
        yield f"  {name} = fpext {half} {operand} to {_wide(lanes)}"


def _separated(operands: str) -> tuple[str, str]:
    """Two operands, which may be vectors of constants."""
    depth = 0
    for position, letter in enumerate(operands):
        depth += (letter in "<(") - (letter in ">)")
        if letter == "," and not depth:
            return operands[:position], operands[position + 1 :].strip()
    raise AssertionError(operands)


def _hidden(name: str, value: str, lanes: str | None, target: str) -> Iterator[str]:
    """A number that was a half, from which LLVM does not see that it was one."""
    bits, kept = _BITS[target]
    type_, whole = _wide(lanes, target), _wide(lanes, f"i{bits}")
    shift = str(kept) if lanes is None else f"<{', '.join([f'i{bits} {kept}'] * int(lanes))}>"
    plain, number, low, all_ = (_derived(name, word) for word in ("plain", "bits", "low", "all"))
    yield f"  {plain} = fpext {_wide(lanes, 'half')} {value} to {type_}"
    yield f"  {number} = bitcast {type_} {plain} to {whole}"
    yield f"  {low} = shl {whole} {number}, {shift}"
    yield f"  {all_} = xor {whole} {number}, {low}"
    yield f"  {name} = bitcast {whole} {all_} to {type_}"
