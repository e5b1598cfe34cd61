"""A module to functions of the language: parameters, work-groups, calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from ...diagnostics import Diagnostic, Diagnostics, Source
from ...ir.text import ParsedText
from ...ir.types import DYNAMIC, GroupType, Type, f32, f64, index
from ...ir.values import MODES, Function, Module, Region, Value
from ...mlir.text import Function as MlirFunction
from ...mlir.text import Memref, Operation, Tensor, read_text
from ...ops import Alloca, Size
from ...ops.launch_defaults import RAISE_LOOPS
from . import affine_values, atomics, complexes, linalg, rules, scalars, vector_elements, whiles  # noqa: F401  which read operations, as others that they import
from .choices import with_choices
from .context import ONE_GROUP, Context, Refused, hint, reads
from .elementary import hypotenuse
from .gpu import numbers  # noqa: F401
from .gpu.kernels import flattened
from .groups import write_groups
from .hosts import functions_beside, gpu_kernels, host_functions, work_items_of
from .lengths import Lengths
from .plain_operations import make_plain
from .sequence import write_sequence
from .small_types import with_plain_numbers, with_plain_values
from .tensors.bufferization import Bufferized, Made
from .tensors.buffers import memref_of
from .tensors.functions import Inliner, has_tensors
from .tensors.hosts import is_executable
from .tensors.module import bufferized, needs_memory
from .tensors.steps import Found, divided
from .types import Placement, element_type, is_unranked, line_of, number_type, placement_of, ranked_by_casts
from .values import UNKNOWN, Items, Result, View

_BESIDE = (rules.OPERATION.code, "PYTL-1301")
_NO_FUNCTIONS = ("gpu.module", "transform.named_sequence", "transform.sequence")
"""Operations of a module that are read elsewhere, or say how a compiler rewrites functions."""
MAX_CALLS = 32
MAX_ELEMENTS = 1 << 47
"""Of a memref, more than any memory has."""


@dataclass(eq=False)
class Converted(Module):
    """The kernels of a module, and the functions that the host executes."""

    hosts: dict[str, Operation] = field(default_factory=dict)


def read(text: str, name: str) -> ParsedText:
    """The kernels of a text, with those of gpu that can be ones of the language, and all that is wrong with it."""
    module, diagnostics = read_text(text, name)
    converted = convert(module, diagnostics)
    for each, op in gpu_kernels(module).items():
        if not any(inner.is_broken for inner in op.walk()) and hint(each) is not None:
            function = gpu_kernel(op, each, Diagnostics(), work_items_of(module, op), functions_beside(module, op))
            converted.functions += [function] if function is not None else []
    return ParsedText(converted, diagnostics, Source(name, text))


def convert(module: Operation, diagnostics: Diagnostics) -> Converted:
    """The kernels of a module that has been read. What is wrong with it is reported.

    Where some functions become kernels and others can't be read, what is wrong with these are warnings.
    """
    make_plain(module, diagnostics)
    hosts = host_functions(module)
    functions, names = _functions(module, diagnostics, hosts)
    constants = {str(op.attributes.get("sym_name")): op for op in module.walk() if op.name == "memref.global"}
    # one that calls itself alone is told where it does
    callees = {op.callee for name, function in _with_bodies(module) for op in function.walk() if op.callee != name}
    viewed = {inner.operands[0] for inner in module.walk() if inner.name == "memref.view" and inner.operands}
    lengths = Lengths(functions)
    result = Converted(hosts=hosts)
    launched = {f"{name} of gpu": op for name, op in gpu_kernels(module).items()}
    own = _own_mistakes({**functions, **hosts, **launched}, diagnostics)
    for name, op in functions.items():
        is_inner = name in callees and (op.attributes.get("sym_visibility") == "private" or _results(op))
        if not op.regions or not op.regions[0].blocks or is_inner:
            continue
        before = len(diagnostics.errors)
        if lengths.is_too_long(name):
            diagnostics.report(
                rules.LENGTH, f"@{name}: it has more operations", op.location, "make loops of calls that repeat"
            )
        else:
            with suppress(Refused):
                function = _kernel(op, names[name], functions, constants, viewed, diagnostics)
                if len(diagnostics.errors) == before and not own[name]:
                    result.functions.append(function)
        if not own[name] and _is_for_host(op, functions, diagnostics, before):
            hosts[name] = op
        own[name] += diagnostics.errors[before:]
    if not result.functions and not diagnostics.errors and not hosts and not launched:
        diagnostics.report(rules.FUNCTION, "there is no function in the text that becomes a kernel", module.location)
    known = [each for mistakes in own.values() for each in mistakes]
    # beside functions, operations of other dialects have nothing to do with them
    known += [each for each in diagnostics.errors if each.code in _BESIDE]
    others = [name for name in (*hosts, *launched) if not own[name]]
    if (result.functions or others) and all(each in known for each in diagnostics.errors):
        diagnostics.make_warnings()
    return result


def _with_bodies(module: Operation) -> list[tuple[Any, Operation]]:
    return [(op.attributes.get("sym_name"), op) for op in module.walk() if op.name.endswith(".func")]


_UNKNOWN_BEFORE = (rules.SIZE.code, rules.WHILE.code)
"""Rules about what a launch has to know before, and the host does not."""


def _is_for_host(op: Operation, functions: Mapping[str, Operation], diagnostics: Diagnostics, before: int) -> bool:
    """Whether the host executes a function that is no kernel, since sizes or iterations are known on the way alone.

    Then what has been reported behind the first errors is remarks.
    """
    problems = diagnostics.errors[before:]
    codes = {each.code for each in problems}
    # memory of a size that is not known is no reason to leave a kernel of loops over memrefs to the host
    is_for_host = (has_tensors(op) and codes) or rules.WHILE.code in codes
    if not is_for_host or not codes.issubset(_UNKNOWN_BEFORE) or not is_executable(op, functions):
        return False
    diagnostics.make_notes(problems, f"; the host executes @{op.attributes['sym_name']}, which is no kernel")
    return True


def _kernel(
    op: Operation,
    name: str,
    functions: Mapping[str, Operation],
    constants: Mapping[str, Operation],
    viewed: set[str],
    diagnostics: Diagnostics,
) -> Function:
    """The kernel of one function."""
    rewritten: Bufferized | None = None
    if needs_memory(op) or _results(op):
        rewritten = bufferized(op, functions, diagnostics)
        op, constants = rewritten.function, {**constants, **rewritten.globals}

    def context(diagnostics: Diagnostics) -> Context:
        ctx = Context(functions, write_sequence, diagnostics)
        ctx.is_of_tensors = rewritten is not None
        if rewritten is not None:
            arguments = dict(zip(rewritten.arguments, rewritten.types))
            ctx.tensors = {name: arguments.get(name) for name, _ in op.regions[0].blocks[0].arguments}
        ctx.globals = with_plain_values(constants)
        ctx.viewed = viewed
        return ctx

    def part(op: Operation, is_written: bool) -> Found:
        inner = context(Diagnostics())
        inner.has_bodies = is_written
        made = _Kernel(inner, op).function(f"{name}_step")
        if inner.diagnostics.errors:
            raise Refused
        return Found(made, inner.grid, inner.grid != ONE_GROUP and not inner.is_short, inner.is_short, inner.tried)

    ctx, known = context(diagnostics), len(diagnostics.errors)
    kernel = _Kernel(ctx, op)
    if rewritten is None:
        return kernel.function(name)
    function = kernel.function(name, temporaries=[each.name for each in rewritten.hidden if each.values is None])
    rewritten = replace(rewritten, grid=ctx.grid)
    if ctx.grid != ONE_GROUP:
        rewritten = replace(rewritten, hidden=_without_own_parts(function, kernel.temporaries, rewritten.hidden))
    elif not ctx.is_short and len(diagnostics.errors) == known and rewritten.is_whole:
        with suppress(Refused):
            rewritten = divided(rewritten, part)
    function.calling = rewritten
    return function


def _without_own_parts(
    function: Function, temporaries: Mapping[str, Value], hidden: Sequence[Made]
) -> tuple[Made, ...]:
    """Take from a function the temporaries of which each tile has a part of its own; the others."""
    used = {value for op in function.walk() for value in op.operands}
    unused = [value for value in temporaries.values() if value not in used]
    function.parameters = [value for value in function.parameters if value not in unused]
    body = function.body
    body.operations = [op for op in body.operations if not isinstance(op, Alloca) or op.result in used]
    return tuple(each for each in hidden if temporaries.get(each.name) not in unused)


def _own_mistakes(functions: Mapping[str, Operation], diagnostics: Diagnostics) -> dict[str, list[Diagnostic]]:
    """What has been reported of the text of each function: behind where it begins, in front of the next one."""
    begins = sorted((op.location.line, name) for name, op in functions.items() if op.location is not None)
    found: dict[str, list[Diagnostic]] = {name: [] for name in functions}
    for each in diagnostics.errors:
        line = each.location.line if each.location is not None else 0
        name = next((name for begin, name in reversed(begins) if begin <= line), None)
        if name is not None and any(inner.is_broken for inner in functions[name].walk()):
            found[name].append(each)
    return found


def _functions(
    module: Operation, diagnostics: Diagnostics, hosts: Mapping[str, Operation]
) -> tuple[dict[str, Operation], dict[str, str]]:
    """The functions of a module by their names, without those of the host, and the names of their kernels."""
    functions: dict[str, Operation] = {}
    names: dict[str, str] = {}
    for region in module.regions:
        for block in region.blocks:
            for op in block.operations:
                if op.is_broken or op.name in _NO_FUNCTIONS or any(op is each for each in hosts.values()):
                    continue
                if op.name == "builtin.module":
                    inner, inner_names = _functions(op, diagnostics, hosts)
                    functions |= inner
                    names |= inner_names
                elif op.name not in ("func.func", "memref.global"):
                    diagnostics.report(rules.OPERATION, f"{op.name}: it is no function", op.location)
                elif op.name == "func.func":
                    _add(op, functions, names, diagnostics)
    return functions, names


def _add(op: Operation, functions: dict[str, Operation], names: dict[str, str], diagnostics: Diagnostics) -> None:
    name = op.attributes.get("sym_name")
    kernel = None if not isinstance(name, str) else hint(name)
    if not isinstance(name, str) or kernel is None:
        diagnostics.report(
            rules.FUNCTION, f"{name!r} is no name of a kernel, which is of letters, digits and _", op.location
        )
        return
    if name in functions or kernel in names.values():
        diagnostics.report(rules.REDEFINED, f"@{name} is defined twice", op.location)
    functions[name], names[name] = op, kernel


def _results(op: Operation) -> bool:
    type_ = op.attributes.get("function_type")
    return isinstance(type_, MlirFunction) and bool(type_.results)


def gpu_kernel(
    kernel: Operation,
    name: str,
    diagnostics: Diagnostics,
    sizes: tuple[int, ...] | None,
    functions: Mapping[str, Operation] | None = None,
) -> Function | None:
    """A kernel of gpu as one of the language; None where it can't be one, which is reported.

    `sizes` are the work-items of a work-group in x, y and z, if they are known. It may call `functions`.
    """
    known = len(diagnostics.errors)
    try:
        if functions and any(op.name == "func.call" for op in kernel.walk()):
            kernel = Inliner(functions, diagnostics, of_tensors=False).copied(kernel)
        op = flattened(kernel, name, diagnostics, sizes)
        ctx = Context({}, write_sequence, diagnostics)
        ctx.viewed = {inner.operands[0] for inner in op.walk() if inner.name == "memref.view" and inner.operands}
        function = _Kernel(ctx, op).function(name, is_group=True)
    except Refused:
        return None
    return function if len(diagnostics.errors) == known else None


def parameters_of(op: Operation, diagnostics: Diagnostics) -> list[Value]:
    """The parameters of a function, whoever executes it."""
    kernel = _Kernel(Context({}, write_sequence, diagnostics), op)
    type_ = op.attributes.get("function_type")
    arguments = [(name, memref_of(of) if isinstance(of, Tensor) else of) for name, of in kernel.ctx.block(op).arguments]
    kernel.read_parameters(arguments[: len(type_.inputs)] if isinstance(type_, MlirFunction) else arguments)
    return kernel.parameters


class _Kernel:
    """Reads one function."""

    def __init__(self, ctx: Context, op: Operation) -> None:
        self.ctx = ctx
        self.op = op
        self.owner = op
        """Where mistakes are reported: the function, or the argument that is being read."""
        self.parameters: list[Value] = []
        self.temporaries: dict[str, Value] = {}
        """Parameters of which nobody but the function has the elements, by their names in the text."""

    def function(self, name: str, is_group: bool = False, temporaries: Sequence[str] = ()) -> Function:
        """The function. What `is_group` is done by each work-group, and not dealt out to them."""
        ctx = self.ctx
        op = self.op = with_plain_numbers(ctx, with_choices(self.op, ctx.diagnostics))
        block = ctx.block(op)
        ctx.builder.location = op.location
        self.read_parameters(block.arguments)
        for each in temporaries:
            view = ctx.lookup(each, op)
            if isinstance(view, View):
                self.temporaries[each] = view.memory
        ctx.temporaries = set(self.temporaries.values())
        if is_group:
            with ctx.sharing(True):
                ctx.operations(block.operations)
        else:
            write_groups(ctx, block)
        body = Region("collective", [], ctx.builder.operations, op.location)
        return Function(name, self.parameters, body, {RAISE_LOOPS: True, **ctx.attributes}, op.location)

    def read_parameters(self, arguments: Sequence[tuple[str, Any]]) -> None:
        """Make parameters of a function's first arguments."""
        locations = self.ctx.block(self.op).locations
        for number, (argument, type_) in enumerate(arguments):
            location = locations[number] if number < len(locations) else self.op.location
            self.owner = replace(self.op, name="argument", location=location)
            block = self.ctx.block(self.op)
            ranked = ranked_by_casts(block, argument) if is_unranked(type_) else None
            self.ctx.bind(argument, self._parameter(argument, ranked or type_), location)

    def _parameter(self, name: str, type_: Any) -> Result:
        ctx = self.ctx
        try:
            line = line_of(type_)
            if line is not None or isinstance(type_, Memref):
                return self._memref(name, line or type_)
            scalar_type = number_type(type_)
            if scalar_type is None:
                ctx.fail(self.owner, rules.TYPE, f"{name} is {type_}")
            return self._value(name, scalar_type)
        except Refused:
            return UNKNOWN

    def _value(self, name: str, type_: Type, **attributes: Any) -> Value:
        value = Value(type_, hint(name), self.owner.location, attributes)
        self.parameters.append(value)
        return value

    def _memref(self, name: str, type_: Memref) -> Result:
        ctx = self.ctx
        if isinstance(type_.element, Memref) and len(type_.shape) == 1:
            return self._items(name, type_, type_.element)
        element = element_type(type_.element)
        if element is None:
            written = ctx.tensors.get(name, type_)
            message = f"{name} is {written}, and there is no memory with elements of {type_.element}"
            if name in ctx.tensors and written is None:
                message = f"a tensor has elements of {type_.element}, of which there is no memory"
            help = "elements are i1 to i64, index, f16, bf16, f32, f64, floats of 8, 6 and 4 bits, and complex numbers"
            ctx.fail(self.owner, rules.TYPE, message, help)
        placement = placement_of(type_, element)
        if placement is None:
            ctx.fail(self.owner, rules.LAYOUT, f"{name} is {type_}")
        known = [n for n in (*placement.type.shape, *placement.type.strides) if isinstance(n, int)]
        if (
            any(n >= MAX_ELEMENTS for n in known)
            or prod(n for n in placement.type.shape if isinstance(n, int)) >= MAX_ELEMENTS
        ):
            ctx.fail(self.owner, rules.LAYOUT, f"{name} is {type_}, which is larger than any memory")
        order = placement.type.order
        attributes: dict[str, Any] = {}
        if order > 1:
            of_modes = sorted(range(order), key=lambda d: placement.modes[d])
            attributes[MODES] = of_modes
        memory_ = self._value(name, placement.type, **attributes)
        return view_of(ctx, type_, placement, memory_)

    def _items(self, name: str, type_: Memref, item: Memref) -> Result:
        """A memref of memrefs, which lie row-major."""
        element = element_type(item.element)
        placement = None if element is None or item.layout else placement_of(item, element)
        turned = tuple(reversed(range(len(item.shape))))
        if placement is None or placement.map is not None or placement.modes != turned:
            self.ctx.fail(self.owner, rules.LAYOUT, f"{name} is {type_}")
        count = DYNAMIC if type_.shape[0] is None else type_.shape[0]
        group = self._value(name, GroupType(placement.type, count))
        size: int | Value = (
            count
            if isinstance(count, int)
            else self.ctx.builder.once(
                ("size", group, 0), lambda: Size(self.owner.location, [index], tensor=group, mode=0)
            )
        )
        return Items(type_, group, size)


def view_of(ctx: Context, type_: Memref, placement: Placement, memory_: Value) -> View:
    """The memref of an argument."""
    if placement.map is None:
        sizes = tuple(
            ctx.builder.size(memory_, mode) if size is None else size
            for mode, size in zip(placement.modes, type_.shape)
        )
        return View(type_, memory_, placement.modes, sizes)
    map_ = placement.map
    line = Memref((None,) * len(placement.modes), type_.element, (), 0, "")
    whole = View(line, memory_, placement.modes, tuple(n for n in reversed(placement.type.shape) if isinstance(n, int)))

    def at(inner: Context, indices: Sequence[Value]) -> list[Value]:
        return affine_values.results(inner, map_, indices)

    return View(type_, memory_, (), tuple(n if n is not None else 0 for n in type_.shape), at, whole)


# Calls.

_OF_C = {"hypotf": f32, "hypot": f64}
"""Functions of C's library that may be declared, for which there is none in the dialects."""


@reads("func.call")
def _call(ctx: Context, op: Operation) -> Sequence[Result]:
    name = op.callee
    callee = ctx.functions.get(name)
    if callee is None or not callee.regions or not callee.regions[0].blocks:
        if name in _OF_C and len(op.operands) == 2:
            a, b = ctx.number(op, 0), ctx.number(op, 1)
            if a.type == b.type == _OF_C[name]:
                return [scalars.called(ctx.builder, hypotenuse, [a, b])]
        ctx.fail(op, rules.CALL, f"@{name} is not defined in the text")
    if name in ctx.calls or len(ctx.calls) >= MAX_CALLS:
        ctx.fail(op, rules.CALL, f"@{name} is called within itself")
    block = ctx.block(with_plain_numbers(ctx, with_choices(callee, ctx.diagnostics)))
    arguments = [ctx.operand(op, number) for number in range(len(op.operands))]
    if len(arguments) != len(block.arguments):
        ctx.fail(op, rules.OPERANDS, f"@{name} has {len(block.arguments)} arguments, but {len(arguments)} are passed")
    ctx.calls.append(name)
    try:
        with ctx.names.isolated():
            for (argument, _), value in zip(block.arguments, arguments):
                ctx.bind(argument, value, op.location)
            last = ctx.operations(block.operations)
            return ctx.yielded(op, last, len(op.result_types))
    finally:
        ctx.calls.pop()
