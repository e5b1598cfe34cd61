"""Checks a module against the manual: types, functions, regions, scopes, and every instruction's own rules.

All findings of a module are collected; nothing stops at the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..diagnostics import Diagnostics, LanguageError, Location, Rule
from ..diagnostics.words import counted
from .argument_checks import check_module
from .attributes import ATTRIBUTE_NAMES, print_attribute
from .layouts import layout_problems
from .names import check_names, check_names_of_values
from .operation import Operation, defined_at
from .patterns import PATTERN, VALUES, modes_of_pattern, numbers_of
from .registry import import_checks, is_for_debugging
from .types import (
    BoolType,
    CoopMatrixType,
    GroupType,
    Kind,
    MemrefType,
    ScalarType,
    TileType,
    Type,
    UnknownType,
    VectorType,
    VoidType,
    item_type,
    packed_strides,
)
from .values import MODES, Function, Module, Region, Value, kind_of

LAYOUT_RULES = {
    "parts": Rule(
        "PYTL-0630", "a layout has sg_layout with sg_data, lane_layout with lane_data, all at least 1", "Tiles"
    ),
    "sg_data": Rule("PYTL-0631", "the tile size is divisible by sg_data in each dimension", "Tiles"),
    "sg_layout": Rule(
        "PYTL-0632",
        "of the tile size and sg_layout times sg_data, one divides the other in each dimension",
        "Tiles",
        explanation="The blocks are dealt out to the sub-groups round-robin; so each sub-group gets as many.",
    ),
    "lane_data": Rule(
        "PYTL-0633",
        "sg_data, or the tile size without it, is divisible by lane_layout times lane_data in each dimension",
        "Tiles",
        explanation="In a map of work-items, lane_layout is wi_layout, and lane_data is wi_data.",
    ),
}
STRIDES = Rule(
    "PYTL-0100",
    "1 ≤ S_1 and S_{i-1} s_{i-1} ≤ S_i: the layout is column-major and modes do not overlap",
    "Strided layout",
)
MODE_SIZE = Rule(
    "PYTL-0101",
    "a static mode has at least one element: any index into an empty mode is out of bounds",
    "Subview",
)
PARAMETER_TYPE = Rule("PYTL-0102", "a parameter is neither of coopmatrix nor of void type", "Functions")
PARAMETER_ATTRIBUTES = Rule(
    "PYTL-0103",
    "a parameter of memref or group type takes alignment, shape_gcd and stride_gcd; other parameters take none",
    "Parameter attributes",
)
ALIGNMENT = Rule("PYTL-0104", "the alignment is a positive multiple of the element's size", "Alignment attribute")
GCD = Rule(
    "PYTL-0105",
    "a gcd list has at most as many entries as the tensor has modes; each is positive and divides what is static",
    "Greatest common divisor (GCD) attributes",
)
FUNCTION_ATTRIBUTES = Rule(
    "PYTL-0106",
    "subgroup_size is a positive integer, work_group_size two of them, the first a multiple of subgroup_size",
    "Functions",
)
ATTRIBUTE = Rule("PYTL-0107", "an attribute has a name and a type that its owner knows", "Attributes")
OFFSET = Rule("PYTL-0108", "a group's offset is not negative", "Group type")

COLLECTIVE_IN_SPMD = Rule(
    "PYTL-0201",
    "a collective instruction is allowed in collective regions only",
    "Execution model",
    explanation="The bodies of foreach and parallel, and what is nested in them, are SPMD regions.",
)
SPMD_IN_COLLECTIVE = Rule(
    "PYTL-0202",
    "an SPMD instruction is allowed in SPMD regions only",
    "Execution model",
    explanation="An SPMD region is opened by foreach or parallel.",
)
YIELD_PLACE = Rule(
    "PYTL-0203",
    "yield is the last instruction of a region of `if` or `for`, or of a function that is called",
    "Yield",
)
DOMINANCE = Rule("PYTL-0204", "a value is defined before it is used, in the same or an enclosing region", "Regions")
DIFFERS = Rule(
    "PYTL-0684",
    "what an atomic instruction gives is used in SPMD regions, for each work-item has its own",
    "Atomic update",
    explanation="Instructions of collective regions, and what decides over them, are the same for all work-items. "
    "In a collective region every work-item makes the access, and others may come in between.",
)
LIFETIME = Rule("PYTL-0314", "lifetime_stop is in the region of its alloca", "Additional instructions")
BARRIER = Rule(
    "PYTL-0315",
    "a barrier is met by all work-items, which a foreach does not promise",
    "Barrier",
    severity="warning",
    explanation="Which work-item executes which trip count of a foreach is up to the implementation.",
)
PLACE = Rule("PYTL-3009", "an instruction that passes write is where they put it", "Passes")
NO_EFFECT = Rule(
    "PYTL-0205",
    "a kernel writes to global memory",
    "Functions",
    severity="warning",
    explanation="What a kernel leaves in an alloca or in values is gone when it ends.",
)

PARAMETER_ATTRIBUTE_KINDS = {"alignment": "integer", "shape_gcd": "integers", "stride_gcd": "integers"}
"""What the attributes of a memref or group parameter take."""
ARRAY_MODES = Rule(
    "PYTL-1318",
    "the attribute modes of a memref parameter has each mode of the array once, for the modes of the memref",
    "Functions",
)
PATTERN_LINES = Rule(
    "PYTL-0110",
    "a pattern has a text of x and . for each line along the first mode, over leading modes of known sizes",
    "Functions",
)
VALUE_LINES = Rule(
    "PYTL-0112",
    "values of a memref of known sizes have a text of numbers for each line along the first mode",
    "Functions",
)
FUNCTION_ATTRIBUTE_KINDS = {"subgroup_size": "integer", "work_group_size": "two integers"}
"""What the attributes of a function take."""
_FURTHER: list[Callable[[Function, Diagnostics], None]] = []
_OF_MODULES: list[Callable[[Module, Diagnostics], bool]] = []


def function_check(check: Callable[[Function, Diagnostics], None]) -> Callable[[Function, Diagnostics], None]:
    """Declare a check of functions by what is not in the manual, such as an attribute that a target reads."""
    _FURTHER.append(check)
    return check


def module_check(check: Callable[[Module, Diagnostics], bool]) -> Callable[[Module, Diagnostics], bool]:
    """Declare a check of modules, which says whether their functions can be checked, too."""
    _OF_MODULES.append(check)
    return check


def verify(module: Module) -> None:
    """Check a module; raises `pytl.LanguageError` with every error found.

    >>> import pytl
    >>> pytl.verify(pytl.parse("func @f(%a: memref<f32x4>) { axpby.n %b, %a, %b, %a }"))
    Traceback (most recent call last):
    ...
    pytl.LanguageError: ...
    """
    check_module(module, "pytl.verify")
    diagnostics = find_problems(module)
    if diagnostics.errors:
        raise LanguageError(diagnostics.in_order())


def find_problems(module: Module, diagnostics: Diagnostics | None = None) -> Diagnostics:
    """Everything that is to say about a module, warnings included; added to what has been said, if that is given."""
    diagnostics = Diagnostics() if diagnostics is None else diagnostics
    import_checks()  # with the checks that are declared elsewhere
    can_follow = [check(module, diagnostics) for check in _OF_MODULES]
    if all(can_follow):
        kinds: dict[Function, Kind] = {}
        for function in module.functions:
            verify_function(function, diagnostics, kinds)
    return diagnostics


def verify_function(function: Function, diagnostics: Diagnostics, kinds: dict[Function, Kind] | None = None) -> None:
    """Check one function and report to `diagnostics`; `kinds` keeps those of the functions of a module."""
    import_checks()
    check_names(function, diagnostics)
    for parameter in function.parameters:
        _check_parameter(parameter, diagnostics)
    _check_function_attributes(function, diagnostics)
    _RegionChecker(function, diagnostics, {} if kinds is None else kinds).check_body()
    if function.is_kernel and not diagnostics.errors and not _has_effect(function):
        diagnostics.report(
            NO_EFFECT,
            f"@{function.name} has no observable effect",
            function.location,
            "store a result in a parameter",
        )


def _has_effect(function: Function) -> bool:
    return not function.body.is_complete or any(map(_shows, function.walk()))


def _shows(op: Operation) -> bool:
    """Whether somebody may see that an instruction was executed."""
    return bool(
        op.acts
        or op.writes_through_value
        or (op.writes and any(isinstance(v.type, GroupType) or v.type.space == "global" for v in op.written_memory()))
        or (op.region_parts and not all(region.is_complete for region in op.regions))
        or is_for_debugging(type(op))
    )


# Types.


def _check_type(type_: Type, location: Location | None, diagnostics: Diagnostics) -> None:
    if isinstance(type_, GroupType):
        if isinstance(type_.offset, int) and type_.offset < 0:
            diagnostics.report(OFFSET, f"the offset of {type_} is negative", location)
        if isinstance(type_.count, int) and type_.count < 1:
            diagnostics.report(MODE_SIZE, f"{type_} has size {type_.count}", location)
        _check_type(type_.memref, location, diagnostics)
    elif isinstance(type_, MemrefType):
        _check_memref(type_, location, diagnostics)
    elif isinstance(type_, CoopMatrixType) and min(type_.shape) < 1:
        diagnostics.report(MODE_SIZE, f"{type_} has an empty mode", location)
    elif isinstance(type_, TileType):
        _check_tile(type_, location, diagnostics)


def _check_tile(type_: TileType, location: Location | None, diagnostics: Diagnostics) -> None:
    if min(type_.shape) < 1:
        diagnostics.report(MODE_SIZE, f"{type_} has an empty mode", location)
        return
    for rule, message in layout_problems(type_.shape, type_.layout):
        diagnostics.report(LAYOUT_RULES[rule], message, location)


def _check_memref(type_: MemrefType, location: Location | None, diagnostics: Diagnostics) -> None:
    for mode, extent in enumerate(type_.shape):
        if isinstance(extent, int) and extent < 1:
            diagnostics.report(MODE_SIZE, f"mode {mode} of {type_} has size {extent}", location)
            return
    minimum = 1
    for mode, (extent, stride) in enumerate(zip(type_.shape, type_.strides)):
        if isinstance(stride, int):
            if stride < minimum:
                packed = ",".join(map(str, packed_strides(type_.shape)))
                diagnostics.report(
                    STRIDES,
                    f"stride {stride} of mode {mode} of {type_} is less than {minimum}",
                    location,
                    f"the packed layout is strided<{packed}>",
                )
                return
            minimum = stride
        # a dynamic stride is at least `minimum`, and so is what follows
        minimum *= extent if isinstance(extent, int) else 1


# Functions.


def _check_parameter(parameter: Value, diagnostics: Diagnostics) -> None:
    type_, location = parameter.type, parameter.location
    if isinstance(type_, (CoopMatrixType, TileType, VoidType)):
        diagnostics.report(PARAMETER_TYPE, f"%{parameter.name} is {type_}", location)
    _check_type(type_, location, diagnostics)
    memref = item_type(type_)
    _check_names(parameter.attributes, PARAMETER_ATTRIBUTE_KINDS, f"%{parameter.name}", location, diagnostics)
    for name, value in parameter.attributes.items():
        if name == MODES:
            _check_modes(parameter, value, diagnostics)
        elif name == PATTERN:
            _check_pattern(parameter, value, diagnostics)
        elif name == VALUES and (not isinstance(type_, MemrefType) or numbers_of(value, type_) is None):
            message = f"the values of %{parameter.name} are not those of {type_}"
            diagnostics.report(VALUE_LINES, message, parameter.location)
        if name not in PARAMETER_ATTRIBUTE_KINDS:
            continue
        if not isinstance(memref, MemrefType):
            diagnostics.report(PARAMETER_ATTRIBUTES, f"%{parameter.name} is {type_}, but has {name}", location)
        elif name == "alignment":
            if not _is_integer(value) or value < 1 or value % memref.element.size:
                diagnostics.report(
                    ALIGNMENT,
                    f"the alignment of %{parameter.name} is {print_attribute(value)}, "
                    f"but an element has {memref.element.size} bytes",
                    location,
                )
        else:
            extents = memref.shape if name == "shape_gcd" else memref.strides
            _check_gcd(parameter, name, value, extents, diagnostics)


def _check_modes(parameter: Value, modes: Any, diagnostics: Diagnostics) -> None:
    type_ = parameter.type
    order = type_.order if isinstance(type_, MemrefType) else 0
    if not isinstance(modes, list) or not all(map(_is_integer, modes)) or sorted(modes) != list(range(order)):
        message = f"%{parameter.name} is {type_}, but has modes={print_attribute(modes)}"
        diagnostics.report(ARRAY_MODES, message, parameter.location)


def _check_pattern(parameter: Value, lines: Any, diagnostics: Diagnostics) -> None:
    memref = item_type(parameter.type)
    if not isinstance(memref, MemrefType):
        diagnostics.report(PATTERN_LINES, f"%{parameter.name} is {memref}, but has a pattern", parameter.location)
    elif modes_of_pattern(lines, memref.shape) is None:
        known = isinstance(lines, list) and lines and all(isinstance(line, str) for line in lines)
        shown = f"{counted(len(lines), 'line')} of {len(lines[0])}" if known else "no list of texts"
        message = f"the pattern of %{parameter.name}, which is {parameter.type}, has {shown}"
        diagnostics.report(PATTERN_LINES, message, parameter.location)


def _check_gcd(parameter: Value, name: str, divisors: Any, extents: Iterable[Any], diagnostics: Diagnostics) -> None:
    extents = tuple(extents)
    if not isinstance(divisors, list) or not all(_is_integer(d) and d > 0 for d in divisors):
        problem = f"{name} of %{parameter.name} is not a list of positive integers"
    elif len(divisors) > len(extents):
        entries, modes = counted(len(divisors), "entry", "entries"), counted(len(extents), "mode")
        problem = f"{name} of %{parameter.name} has {entries} for {modes}"
    else:
        broken = [(d, n) for d, n in zip(divisors, extents) if isinstance(n, int) and n % d]
        if not broken:
            return
        problem = f"{name} of %{parameter.name} says {broken[0][0]}, which does not divide {broken[0][1]}"
    diagnostics.report(GCD, problem, parameter.location)


def _check_function_attributes(function: Function, diagnostics: Diagnostics) -> None:
    _check_names(function.attributes, FUNCTION_ATTRIBUTE_KINDS, f"@{function.name}", function.location, diagnostics)
    subgroup = function.attributes.get("subgroup_size")
    group = function.attributes.get("work_group_size")
    problem = None
    if subgroup is not None and not (_is_integer(subgroup) and subgroup > 0):
        problem = f"subgroup_size of @{function.name} is {print_attribute(subgroup)}"
    elif group is not None:
        if not (isinstance(group, list) and len(group) == 2 and all(_is_integer(n) and n > 0 for n in group)):
            problem = f"work_group_size of @{function.name} is not two positive integers"
        elif subgroup is not None and group[0] % subgroup:
            problem = f"work_group_size of @{function.name} begins with {group[0]}, no multiple of {subgroup}"
    if problem:
        diagnostics.report(FUNCTION_ATTRIBUTES, problem, function.location)
    for check in _FURTHER:
        check(function, diagnostics)


def _check_names(
    attributes: dict[str, Any], known: Iterable[str], owner: str, location: Location | None, diagnostics: Diagnostics
) -> None:
    # other names are strings, which are the user's own
    for name in attributes:
        if name in ATTRIBUTE_NAMES and name not in known:
            diagnostics.report(ATTRIBUTE, f"{owner} knows no {name}", location)


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_FITS: dict[str, Callable[[Any], bool]] = {
    "boolean": lambda value: isinstance(value, bool),
    "boolean or positive integer": lambda value: isinstance(value, bool) or (_is_integer(value) and value > 0),
    "integer": _is_integer,
    "integers": lambda value: isinstance(value, list) and all(map(_is_integer, value)),
    "text": lambda value: isinstance(value, str),
}
"""Whether an attribute has a value of the kind that its owner names."""


# Regions.

_WITHOUT_SIZES = (ScalarType, BoolType, VectorType)
"""Types of which there is nothing to check."""


def _is_known(value: Value) -> bool:
    """Whether a value has a type: it has none where its definition failed."""
    return not isinstance(value.type, UnknownType)


_OWN_MEMORY = (
    "memory in front of the region is one for all that execute it; where each is to have its own, give each a "
    "work-group, by group_id instead of foreach, or keep what it needs in numbers instead of memory"
)
"""The help for an alloca in an SPMD region: memory that is moved out of it is written by all at a time."""


class _RegionChecker:
    def __init__(self, function: Function, diagnostics: Diagnostics, kinds: dict[Function, Kind]) -> None:
        self.function = function
        self.diagnostics = diagnostics
        self._kinds = kinds
        self._right: set[tuple[Any, ...]] = set()
        """What tells apart the instructions that break no rule."""
        self._differing: set[Value] = set()
        """What collective regions have that differs among their work-items."""

    def check_body(self) -> None:
        """Check the body of the function."""
        kind = kind_of(self.function, self._kinds)
        self.check(self.function.body, kind, set(filter(_is_known, self.function.parameters)))

    def check(self, region: Region, kind: str, visible: set[Value], owners: tuple[Operation, ...] = ()) -> None:
        """Check a region inside these instructions, the innermost last; `visible` are values of known types."""
        # one set for all regions, so that many small regions cost no more than their instructions
        defined = list(region.arguments)
        check_names_of_values(region.arguments, self.function, self.diagnostics)
        visible.update(filter(_is_known, region.arguments))
        before: set[Operation | None] = {None}
        for op in region.operations:
            # most instructions are plain ones that give numbers or vectors
            if not op.is_plain:
                self._check_kind(op, kind)
                self._check_place(op, region, owners, before)
                self._check_attributes(op)
            before.add(op)
            operands, results, is_known = op.operands, op.results, True
            if self._differing or not visible.issuperset(operands):
                is_known = self._check_operands(op, operands, visible)
            for value in results:
                if value.name is not None or value.attributes:
                    check_names_of_values((value,), self.function, self.diagnostics)
                is_known = is_known and (isinstance(value.type, _WITHOUT_SIZES) or _is_known(value))
            if is_known:  # what failed before was reported there
                self._verify(op, operands)
            for value in results:
                if not isinstance(value.type, _WITHOUT_SIZES):
                    _check_type(value.type, value.location or op.location, self.diagnostics)
            if not op.is_plain:
                for part in op.region_parts:
                    if (inner := getattr(op, part.name)) is not None:
                        self.check(inner, kind if part.kind == "mixed" else part.kind, visible, (*owners, op))
                if op.differs and kind == "collective":
                    self._differing.update(results)
            visible.update(results if is_known else filter(_is_known, results))
            defined += results
        visible.difference_update(defined)

    def _verify(self, op: Operation, operands: Sequence[Value]) -> None:
        """Check an instruction's own rules, once for all that can break none but the same."""
        if not op.rules_of_types:
            op.verify(self.diagnostics)
        elif (checked_as := op.checked_as(operands)) not in self._right:
            count = len(self.diagnostics.items)
            op.verify(self.diagnostics)
            if len(self.diagnostics.items) == count:
                self._right.add(checked_as)

    def _check_operands(self, op: Operation, operands: Sequence[Value], visible: set[Value]) -> bool:
        """Check where operands come from, and say whether all of their types are known."""
        for value in operands:
            if value not in visible and _is_known(value):
                name = f"%{value.name}" if value.name else "a value"
                self.diagnostics.report(
                    DOMINANCE,
                    f"{op.display_name} uses {name} where it is not defined",
                    op.location,
                    labels=defined_at(value),
                )
            elif value in self._differing:
                self.diagnostics.report(
                    DIFFERS,
                    f"{op.display_name} uses what differs among the work-items",
                    op.location,
                    "put both into a parallel region",
                    defined_at(value),
                )
        return all(map(_is_known, operands))

    def _check_place(
        self, op: Operation, region: Region, owners: tuple[Operation, ...], before: set[Operation | None]
    ) -> None:
        """Whether an instruction is allowed at its place; `before` are those before it in its region."""
        owner = owners[-1].mnemonic if owners else "func"
        if op.allowed_parents and owner not in op.allowed_parents:
            parents = " or ".join(op.allowed_parents)
            self.diagnostics.report(PLACE, f"{op.display_name} is in {owner}, and not in {parents}", op.location)
        if op.mnemonic == "lifetime_stop" and op.operands[0].owner not in before:
            self.diagnostics.report(
                LIFETIME, "the alloca is in another region", op.location, labels=defined_at(op.operands[0])
            )
        elif op.mnemonic == "yield":
            returns = owners[-1].yields if owners else not self.function.is_kernel
            if not returns:
                owner = owners[-1].display_name if owners else "a function"
                self.diagnostics.report(YIELD_PLACE, f"the body of {owner} yields nothing", op.location)
            elif op is not region.operations[-1]:
                self.diagnostics.report(YIELD_PLACE, "there are instructions after the yield", op.location)
        elif op.mnemonic == "barrier" and any(owner.mnemonic == "foreach" for owner in owners):
            self.diagnostics.report(
                BARRIER, "barrier is in a foreach", op.location, "end the foreach before it, or use parallel"
            )

    def _check_kind(self, op: Operation, kind: str) -> None:
        operation_kind = op.kind if op.callee is None else kind_of(op.callee, self._kinds)
        if {operation_kind, kind} != {"collective", "spmd"}:
            return
        subject, verb = (op.display_name, "is") if op.callee is None else (f"@{op.callee.name}", "is called")
        if operation_kind == "collective":
            self.diagnostics.report(
                COLLECTIVE_IN_SPMD,
                f"{subject} is collective, but {verb} in an SPMD region",
                op.location,
                _OWN_MEMORY if op.mnemonic == "alloca" else "move it out of the foreach or parallel region",
            )
        else:
            self.diagnostics.report(
                SPMD_IN_COLLECTIVE,
                f"{subject} is an SPMD {'function' if op.callee else 'instruction'}, but {verb} in a collective region",
                op.location,
                "put it into a parallel region",
            )

    def _check_attributes(self, op: Operation) -> None:
        for part in op.attribute_parts:
            attributes = getattr(op, part.name)
            if not attributes:
                continue
            location = op.location_of(part.name)
            _check_names(attributes, part.known, op.display_name, location, self.diagnostics)
            for name, value in attributes.items():
                kind = part.known.get(name)
                if kind is not None and not _FITS[kind](value):
                    article = "" if kind == "integers" else "an " if kind[0] in "aeiou" else "a "
                    message = f"{name} of {op.display_name} takes {article}{kind}"
                    self.diagnostics.report(ATTRIBUTE, message, location)
