"""SPIR-V of LLVM's text: by the `llvm-spirv` of a wheel, or by llvmlite's own LLVM, each in a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import llvmlite
from llvmlite import binding

from ....devices.compilers import LLVMLITE, installed_compiler
from .lowering import LLVM_SPIRV

_INTRINSIC, _HIDDEN = "@llvm.", "@llvX."
"""Names of the same length: an intrinsic has the other one while LLVM must not know it, and then its own again."""

_UNKNOWN = re.compile(r"@llvm\.(?=masked\.|prefetch\b)")
"""What LLVM has no SPIR-V for, and drivers know as functions of these names."""

_BITS = re.compile(r"^ *(?P<name>%\S+) = bitcast <(?P<lanes>\d+) x i1> (?P<value>%\S+) to i(?P=lanes)\n", re.MULTILINE)
_ATOMIC = re.compile(
    r"^(?P<before>.*\b(?:atomicrmw|cmpxchg|load atomic|store atomic)\b.*?"
    r"\b(?P<type>ptr(?: addrspace\(\d+\))?)) (?P<pointer>%(?:[\w.$-]+|\"[^\"]+\"))",
    re.MULTILINE,
)

# Wrong code ends a process in LLVM, and its options are those of the process.
_TARGET = """
import sys
sys.path.insert(0, sys.argv[1])
from llvmlite import binding
binding.set_option("llvm", "--spirv-ext=all")
binding.initialize_all_targets()
binding.initialize_all_asmprinters()
try:
    module = binding.parse_assembly(sys.stdin.buffer.read().decode())
except RuntimeError as error:
    sys.exit(str(error))
module.triple = triple = "spirv64-unknown-unknown"
machine = binding.Target.from_triple(triple).create_target_machine()
module.data_layout = str(machine.target_data)
sys.stdout.buffer.write(machine.emit_object(module))
"""


def translated(text: str) -> bytes:
    """SPIR-V of LLVM's text, by the translator of this environment."""
    return _by_llvmlite(text) if installed_compiler() is LLVMLITE else _by_llvm_spirv(text)


def bitcode_of(text: str) -> bytes:
    """Bitcode that llvm-spirv reads.

    llvmlite's LLVM gives each declaration of an intrinsic that it knows today's attributes, which llvm-spirv does not
    know.
    """
    hidden = re.sub(r"^(declare .*\)) #\d+$", r"\1", text.replace(_INTRINSIC, _HIDDEN), flags=re.MULTILINE)
    return _shown(binding.parse_assembly(hidden).as_bitcode())


def _shown(code: bytes) -> bytes:
    return code.replace(_HIDDEN[1:].encode(), _INTRINSIC[1:].encode())


def _by_llvm_spirv(text: str) -> bytes:
    import dpcpp_llvm_spirv

    with tempfile.TemporaryDirectory(prefix="pytl-") as directory:
        source, target = Path(directory, "kernel.bc"), Path(directory, "kernel.spv")
        source.write_bytes(bitcode_of(text))
        command = [dpcpp_llvm_spirv.get_llvm_spirv_path(), *LLVM_SPIRV, "-o", str(target), str(source)]
        _run(command, b"", "llvm-spirv")
        return target.read_bytes()


def _by_llvmlite(text: str) -> bytes:
    text = _with_own_pointers(_with_whole_masks(text))
    folder = str(Path(llvmlite.__file__).parents[1])
    command = [sys.executable, "-I", "-c", _TARGET, folder]
    return _shown(_run(command, _UNKNOWN.sub(_HIDDEN, text).encode(), "llvmlite"))


def _with_own_pointers(text: str) -> str:
    """Text in which each atomic access has a pointer of its own, nothing behind the one that it had.

    LLVM takes the type of an atomic access for that of the elements that the pointer's `getelementptr` counts: of eight
    bytes it made eight integers of four bytes.
    """
    return _ATOMIC.sub(_with_own_pointer, text)


def _with_own_pointer(match: re.Match[str]) -> str:
    name = f"%atomic.{match.start()}"
    return f"{name} = getelementptr i8, {match['type']} {match['pointer']}, i64 0\n{match['before']} {name}"


def _with_whole_masks(text: str) -> str:
    """Text in which the truth values of a mask are combined one by one, to ask whether any or all of them hold.

    LLVM makes an integer of the mask, also of a reduction, and its SPIR-V has no integer of four bits.
    """
    for bits in _BITS.finditer(text):
        integer = f"i{bits['lanes']} {re.escape(bits['name'])}"
        use = re.compile(rf"^ *(?P<result>%\S+) = icmp (?P<relation>eq|ne) {integer}, (?P<number>0|-1)$", re.MULTILINE)
        text = use.sub(partial(_asked, bits["value"], int(bits["lanes"])), text)
        if len(re.findall(rf"{re.escape(bits['name'])}(?![\w.])", text)) == 1:  # its definition is all that is left
            text = text.replace(bits[0], "", 1)
    return text


def _asked(mask: str, lanes: int, match: re.Match[str]) -> str:
    """What a comparison of a mask's bits with 0 or -1 gives, of its truth values."""
    result, word = match["result"], "and" if match["number"] == "-1" else "or"
    name = f"%mask.{result[1:]}"
    lines, whole = [f"{name}.0 = extractelement <{lanes} x i1> {mask}, i32 0"], f"{name}.0"
    for lane in range(1, lanes):
        lines += [
            f"{name}.{lane} = extractelement <{lanes} x i1> {mask}, i32 {lane}",
            f"{name}.to.{lane} = {word} i1 {whole}, {name}.{lane}",
        ]
        whole = f"{name}.to.{lane}"
    is_asked = (match["relation"] == "eq") == (word == "and")
    return "\n".join([*lines, f"{result} = xor i1 {whole}, {'false' if is_asked else 'true'}"])


def _run(command: list[str], content: bytes, name: str) -> bytes:
    done = subprocess.run(command, input=content, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{name} failed: {done.stderr.decode(errors='replace').strip() or done.returncode}")
    return done.stdout
