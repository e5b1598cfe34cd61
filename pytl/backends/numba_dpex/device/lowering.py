"""What both makers of SPIR-V do alike: numba's passes, its lowering, and what llvm-spirv is told and spared."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from numba.core import cgutils, ir, types
from numba.core.analysis import compute_use_defs, must_use_alloca
from numba.core.compiler_machinery import PassManager
from numba.core.debuginfo import DummyDIBuilder
from numba.core.lowering import Lower
from numba.core.typed_passes import IRLegalization, NopythonTypeInference
from numba.core.untyped_passes import FixupArgs, IRProcessing, TranslateByteCode

from ... import building
from .vector_lengths import in_parts
from .wide_halves import compared_widely

LLVM_SPIRV = [
    *(
        f"--spirv-ext=+{extension}"
        for extension in (
            "SPV_EXT_shader_atomic_float_add",
            "SPV_EXT_shader_atomic_float_min_max",
            "SPV_INTEL_arbitrary_precision_integers",
            "SPV_INTEL_inline_assembly",
            "SPV_INTEL_variable_length_array",
        )
    ),
    "--spirv-allow-unknown-intrinsics=llvm",
    "--spirv-max-version=1.3",
]
"""The arguments of llvm-spirv: numba-dpex's own, and permission to pass LLVM's intrinsics on by their names.

From version 1.4 on, a kernel had to list all variables of its module, which llvm-spirv does not do.

Without it, llvm-spirv refuses intrinsics that SPIR-V has no equivalent for, such as masked loads and those of one
processor. The OpenCL CPU device's compiler is LLVM too, and understands them.
"""


MAX_SIGNATURES = 4096


def remember_signatures(typing: Any) -> None:
    """Make a typing context resolve each function once for the same types of arguments.

    That takes a millisecond, and numba does it several times for each call: when it finds types, and when it lowers.
    Functions that numba compiles for a call, as those of users' own kernels in numba-dpex's context, are left to it.
    """
    resolve = typing.resolve_function_type
    signatures: dict[Any, Any] = {}

    def resolve_function_type(function: Any, arguments: Any, named: Any) -> Any:
        building.check()
        if named or isinstance(function, (types.Dispatcher, types.RecursiveCall)):
            return resolve(function, arguments, named)
        key = (function, tuple(arguments))
        signature = signatures.get(key)
        if signature is None:
            signature = resolve(function, arguments, named)
            if signature is not None:
                if len(signatures) >= MAX_SIGNATURES:  # functions and types of kernels are not kept for all time
                    signatures.clear()
                signatures[key] = signature
        return signature

    typing.resolve_function_type = resolve_function_type


class LinearLower(Lower):
    """numba's lowering of a function, in time linear in the source; it stops when the build is cancelled."""

    def _find_singly_assigned_variable(self) -> None:
        """Find the variables that are assigned once, and used in the same block only.

        numba's own method goes through all instructions of a block for each of the block's variables.
        """
        assigned: Counter[str] = Counter()
        blocks: dict[str, int] = {}
        for label, block in self.blocks.items():
            for statement in block.find_insts(ir.Assign):
                assigned[statement.target.name] += 1
                blocks[statement.target.name] = label
        used = compute_use_defs(self.func_ir.blocks)
        elsewhere = {name for names in used.usemap.values() for name in names}
        kept = must_use_alloca(self.func_ir.blocks)
        once = {name for name, count in assigned.items() if count == 1}
        self._singly_assigned_vars = {name for name in once if name not in elsewhere and name not in kept}
        self._blk_local_varmap: dict[str, Any] = {}

    def alloca_lltype(self, name: str, lltype: Any, datamodel: Any = None) -> Any:
        """A variable's place in memory. numba has LLVM read a module to find its size, for debug information alone."""
        if self._has_debug_information:
            return super().alloca_lltype(name, lltype, datamodel)
        return cgutils.alloca_once(self.builder, lltype, name=name, zfill=False)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        """Set a variable; which argument it is, and so its size, is for debug information."""
        super().storevar(value, name, argidx if self._has_debug_information else None)

    @property
    def _has_debug_information(self) -> bool:
        return not isinstance(self.debuginfo, DummyDIBuilder)

    def incref(self, typ: types.Type, val: Any) -> None:
        """Nothing: generated source has no objects, whose references are counted."""

    def decref(self, typ: types.Type, val: Any) -> None:
        """Nothing."""

    def lower_inst(self, inst: Any) -> None:
        building.check()
        super().lower_inst(inst)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """The implementation for the operands' types, which numba looks for last.

        It first looks for ones for operands that are constants, of which there are none for what generated source does.
        """
        signature = self.fndesc.calltypes[expr]
        operands = [
            self.context.cast(self.builder, self.loadvar(operand.name), self.typeof(operand.name), type_)
            for operand, type_ in zip((expr.lhs, expr.rhs), signature.args)
        ]
        typing = self.context.typing_context
        function = typing.resolve_value_type(op)
        resolved = typing.resolve_function_type(function, signature.args, {})
        result = self.context.get_function(function, resolved)(self.builder, operands)
        return self.context.cast(self.builder, result, signature.return_type, resty)


class LinearStep:
    """A maker's pass from numba's IR to LLVM is this and numba's, or numba-dpex's, own."""

    @property
    def lowering_class(self) -> type[Lower]:
        return LinearLower

    def run_pass(self, state: Any) -> bool:
        building.at("code")
        return super().run_pass(state)  # type: ignore[misc]


def pipeline(name: str, lowering: type, last: type) -> PassManager:
    """numba's passes without those that look for what generated source doesn't have.

    These are closures, `with`, functions to inline, branches on constants, parallel loops, expressions of arrays, and
    variables of several types: so a variable for each assignment is not looked for either. numba goes through all of
    a function for each variable to find those, and LLVM finds them anyway.
    """
    manager = PassManager(name)
    for pass_, description in (
        (TranslateByteCode, "byte code to numba's IR"),
        (FixupArgs, "arguments by their position"),
        (IRProcessing, "where variables are used"),
        (NopythonTypeInference, "types"),
        (IRLegalization, "where variables end"),
        (lowering, "LLVM"),
        (last, "the result of the compilation"),
    ):
        manager.add_pass(pass_, description)
    manager.finalize()
    return manager


_SIGNED_TRUTH = re.compile(
    r"= sitofp (?P<source>(?:<(?P<lanes>\d+) x )?i1>?) (?P<value>\S+) to (?:<\d+ x )?(?P<target>\w+)>?"
)


def signed_truths_selected(text: str) -> str:
    """LLVM's text with a `select` for each `sitofp i1`, which is -1.0 where the bit is set.

    LLVM's optimizer introduces such a conversion for an integer that is known to be 0 or -1. llvm-spirv translates it
    to 1.0 (SPIRV-LLVM-Translator, pull request 3918), in all versions that numba-dpex works with.
    """

    def selected(match: re.Match[str]) -> str:
        target, lanes = match["target"], match["lanes"]
        one, zero = f"{target} -1.0", f"{target} 0.0"
        if lanes:
            vector = f"<{lanes} x {target}>"
            one, zero = (f"{vector} <{', '.join([each] * int(lanes))}>" for each in (one, zero))
        return f"= select {match['source']} {match['value']}, {one}, {zero}"

    return _SIGNED_TRUTH.sub(selected, text)


_ORDERED_TRUTHS = re.compile(
    r"= (?:tail )?call (?P<type>i1|<\d+ x i1>) @llvm\.(?P<word>abs|[su]max|[su]min)\.(?:v\d+)?i1\("
    r"(?P=type) (?P<a>%[^,]*|<[^>]*>|\w+), (?:(?P=type)|i1) (?P<b>[^()]*)\)(?: #\d+)?"
)
_DECLARED_TRUTHS = re.compile(r"^declare [^\n]*@llvm\.(?:abs|[su]max|[su]min)\.(?:v\d+)?i1\([^\n]*\n", re.MULTILINE)
_OF_BITS = {"smax": "and", "umin": "and", "smin": "or", "umax": "or"}
"""What orders integers of one bit, where the bit that is set is -1 as a signed number."""


def truths_combined(text: str) -> str:
    """LLVM's text with operations of bits for absolute values, least and greatest ones of integers of one bit.

    LLVM's optimizer introduces them for integers that are known to be 0 or -1. llvm-spirv makes functions of OpenCL of
    them, which are none of truth values.
    """

    def combined(match: re.Match[str]) -> str:
        other = match["a"] if match["word"] == "abs" else match["b"]
        return f"= {_OF_BITS.get(match['word'], 'and')} {match['type']} {match['a']}, {other}"

    text, count = _ORDERED_TRUTHS.subn(combined, text)
    return _DECLARED_TRUTHS.sub("", text) if count else text


_NAME = r'%(?:"[^"]*"|[\w.$-]+)'
_SWITCH = re.compile(rf"switch i(?P<bits>\d+) (?P<value>{_NAME}), (?P<rest>label [^\[]*\[[^\]]*\])")
_WHOLE = ("1", "8", "16", "32", "64")


def whole_switches(text: str) -> str:
    """LLVM's text with switches over integers of 8 to 64 bits alone.

    LLVM's optimizer takes away the high bits of what is switched over where they are known to be zero, and makes an i63
    of a loop's variable. Of this llvm-spirv makes a module on which Intel's OpenCL driver crashes.
    """
    if not any(match["bits"] not in _WHOLE for match in _SWITCH.finditer(text)):
        return text
    functions = text.split("\ndefine ")
    return "\ndefine ".join(_with_whole_switches(function) for function in functions)


def _with_whole_switches(function: str) -> str:
    widths: dict[tuple[str, str], str] = {}

    def widened(match: re.Match[str]) -> str:
        bits, value = match["bits"], match["value"]
        if bits in _WHOLE:
            return match[0]
        source = re.search(rf"{re.escape(value)} = trunc (?:nuw |nsw )*i(\d+) {_NAME} to i{bits}\b", function)
        if source is None:
            return match[0]
        widths[value, bits] = wide = source[1]
        cases = re.sub(rf"\bi{bits} (-?\d+)", lambda case: f"i{wide} {int(case[1]) % (1 << int(bits))}", match["rest"])
        return f"switch i{wide} {value}, {cases}"

    function = _SWITCH.sub(widened, function)
    for (value, bits), wide in widths.items():
        trunc = rf"({re.escape(value)}) = trunc (?:nuw |nsw )*i{wide} ({_NAME}) to i{bits}\b"
        function = re.sub(trunc, rf"\1 = and i{wide} \2, {(1 << int(bits)) - 1}", function)
    return function


_ENVIRONMENT = re.compile(
    r"^@_ZN\d+NumbaEnv\S* = common (?:local_unnamed_addr )?global \S+ (?:null|zeroinitializer).*\n", re.MULTILINE
)
"""What numba's code for hosts finds its environment by. In SPIR-V it were a variable of a kind that none has."""


def for_translator(text: str) -> str:
    """LLVM's text as llvm-spirv makes a module of it that the drivers take, and that computes the same."""
    text = _ENVIRONMENT.sub("", text)
    return in_parts(whole_switches(truths_combined(signed_truths_selected(compared_widely(text)))))
