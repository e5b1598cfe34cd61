"""The dialect of the Tiny Tensor Compiler's release 0.3, as a table of spellings.

Instructions name the types of their operands, from which those of their results follow. Constants stand where they are
used. There are no sub-groups and no attributes but the sizes of a work-group.

Public sources around that release differ: early ones have other words for arithmetic (`add`, `neg`), late ones have
address spaces, and fences of barriers. Either is read.
"""

from __future__ import annotations

from cmath import isfinite
from functools import cache, partial
from typing import Any

from ...ir.assembly import RegionArgument
from ...ir.clone import clone_function
from ...ir.fields import Field, RegionPart
from ...ir.operation import Operation
from ...ir.printer import print_constant
from ...ir.spelling import Spelling, Table
from ...ir.text.types import read_type
from ...ir.types import DYNAMIC, AddressSpace, BoolType, GroupType, MemrefType, ScalarType, Type, bool_
from ...ir.values import Region, Value
from ...ops import (
    Alloca,
    ArithBinary,
    ArithUnary,
    Axpby,
    Barrier,
    Builtin,
    Cast,
    Compare,
    Constant,
    Expand,
    For,
    Foreach,
    Fuse,
    Gemm,
    Gemv,
    Ger,
    Hadamard,
    If,
    LifetimeStop,
    Load,
    Size,
    Store,
    Subview,
    Sum,
    Update,
    Yield,
)
from .rules import NOT_EXPRESSED
from .spelled import ElseRegion, LoopName, spelled
from .types_of_operands import (
    Condition,
    InferredSizes,
    InferredSlices,
    LocalType,
    LoopType,
    OneOperand,
    TypeOf,
    TypesOfAll,
    TypesOfUpdate,
    Yielded,
    loop_argument,
)

ARITHMETIC = ("add", "sub", "mul", "div", "rem", "and", "or", "xor", "shl", "shr")
UNARY = ("neg", "not")
FIRST_ARITHMETIC = ("add", "sub", "mul", "div", "rem")
NUMBERS = ("i8", "i16", "i32", "i64", "index", "f32", "f64")
_SIZES = {"subgroup_size": 1, "work_group_size": 2}


def _update(word: str, cls: type[Operation], form: str) -> Spelling:
    """An instruction of linear algebra: its operands, and the types of all of them.

    Whether beta may be any number is not written, for it always may.
    """
    operands = [name for name in form.split() if name.startswith("$") and name != "$mode"]
    types = TypesOfUpdate(*(name[1:] for name in operands))
    text = " `, ` ".join(form.split())
    modifiers = [name for name, part in cls.parts.items() if part.is_modifier and name != "any_beta"]
    form = f"` ` {text} ` : ` $types"
    return spelled(word, cls, form, modifiers=modifiers, parts={"types": types}, separator=", ")


def _view(word: str, cls: type[Operation], form: str, **parts: Field) -> Spelling:
    """An instruction on a tensor whose type it names."""
    of_tensor = TypeOf("tensor")
    return spelled(word, cls, f"{form} ` : ` $of_tensor", parts={"of_tensor": of_tensor, **parts}, infers=True)


def _loop(parts: dict[str, Any]) -> list[RegionArgument]:
    return [loop_argument(parts)]


def _lines() -> list[Spelling]:
    compared = TypeOf("a", "b")
    return [
        *(spelled(f"arith.{word}", ArithBinary, fixed={"variant": word}) for word in ARITHMETIC),
        *(spelled(f"arith.{word}", ArithUnary, fixed={"variant": word}) for word in UNARY),
        *(spelled(word, ArithBinary, fixed={"variant": word}) for word in FIRST_ARITHMETIC),
        spelled("neg", ArithUnary, fixed={"variant": "neg"}),
        *(
            spelled(
                f"cmp.{word}",
                Compare,
                "` ` $a `, ` $b ` : ` $compared",
                parts={"compared": compared},
                infers=True,
                fixed={"variant": word},
            )
            for word in ("eq", "ne", "gt", "ge", "lt", "le")
        ),
        spelled("cast", Cast, "` ` $operand ` : ` $source ` -> ` $result", parts={"source": TypeOf("operand")}),
        spelled("group_id", Builtin, "", fixed={"variant": "group_id"}, infers=True),
        spelled("group_size", Builtin, "", fixed={"variant": "group_size"}, infers=True),
        spelled("constant", Constant, "` ` $literal ` -> | : ` $result"),
        spelled(
            "alloca", Alloca, "` -> ` $result", parts={"result": LocalType()}, is_legal=lambda op: not op.attributes
        ),
        _view("load", Load, "` ` $tensor `[` $indices `]`"),
        _view("size", Size, "` ` $tensor `[` $mode `]`"),
        _view("fuse", Fuse, "` ` $tensor `[` $first `,` $last `]`"),
        _view("expand", Expand, "` ` $tensor `[` $mode `->` $expand_shape `]`", expand_shape=InferredSizes()),
        _view("subview", Subview, "` ` $tensor `[` $slices `]`", slices=InferredSlices()),
        spelled(
            "store",
            Store,
            "` ` $data `, ` $tensor `[` $indices `] : ` $of_tensor",
            parts={"of_tensor": TypeOf("tensor")},
            fixed={"flag": ""},
        ),
        _update("axpby", Axpby, "$alpha $A $beta $B"),
        _update("sum", Sum, "$alpha $A $beta $b"),
        _update("gemm", Gemm, "$alpha $A $B $beta $C"),
        _update("gemv", Gemv, "$alpha $A $b $beta $c"),
        _update("ger", Ger, "$alpha $a $b $beta $C"),
        *(_update(word, Hadamard, "$alpha $A $B $beta $C") for word in ("hadamard", "hadamard_product")),
        spelled("barrier", Barrier, "", fixed={"global_fence": True, "local_fence": True}),
        spelled("barrier.global", Barrier, "", fixed={"global_fence": True, "local_fence": False}),
        spelled("barrier.local", Barrier, "", fixed={"global_fence": False, "local_fence": True}),
        spelled("barrier.global.local", Barrier, "", fixed={"global_fence": True, "local_fence": True}),
        spelled(
            "for",
            For,
            "` ` $loop_variable `=` $start `,` $stop (`,` $step)? (` : ` $loop_type)? ` ` $body",
            parts={
                "loop_variable": LoopName(),
                "loop_type": LoopType("start", "stop", "step"),
                "body": RegionPart("mixed", arguments=_loop),
            },
            is_legal=lambda op: not op.results,
        ),
        spelled(
            "foreach",
            Foreach,
            "` ` $loop_variables `=` $start `,` $stop (` : ` $loop_type)? ` ` $body",
            parts={
                "loop_variables": LoopName(),
                "start": OneOperand(),
                "stop": OneOperand(),
                "loop_type": LoopType("start", "stop"),
                "body": RegionPart("spmd", arguments=_loop),
            },
            is_legal=lambda op: len(op.start) == 1,
        ),
        spelled("if", If, parts={"condition": Condition(), "else_body": ElseRegion((Constant,))}),
        spelled(
            "yield",
            Yield,
            "` ` $yielded `:` $types",
            parts={"yielded": Yielded(), "types": TypesOfAll("yielded")},
            separator=", ",
        ),
        spelled("lifetime_stop", LifetimeStop),
    ]


HELP = {
    "pytl.call": "inline the calls before, as the pass inline-calls does: the dialect has kernels only",
    "alloca": "leave its attributes out",
    "for": "keep what the loop carries in an alloca, which its iterations load and store",
    "foreach": "write a for for each mode but the last, and a foreach over that one in them",
}


class Dialect03(Table):
    """The table, with the dialect's types and attributes."""

    def writes_type(self, type_: Type) -> bool:
        if isinstance(type_, GroupType):
            return type_.count == DYNAMIC and self.writes_type(type_.memref)
        if isinstance(type_, MemrefType):
            return self.writes_type(type_.element)
        return isinstance(type_, BoolType) or (isinstance(type_, ScalarType) and type_.name in NUMBERS)

    def text_of(self, type_: Type) -> str:
        if isinstance(type_, GroupType):
            return f"group<{self.text_of(type_.memref)}{str(type_)[len(f'group<{type_.memref}x{type_.count}') :]}"
        return str(type_.in_space("global") if isinstance(type_, MemrefType) else type_)

    def read_type(self, parser: Any, default_space: AddressSpace) -> Type:
        start = parser.scanner.skip_blanks()
        if parser.accept("i1"):
            return bool_
        type_ = self._group(parser) if parser.accept("group") else read_type(parser, default_space)
        if not self.writes_type(type_):
            location = parser.scanner.location_from(start)
            parser.diagnostics.report(NOT_EXPRESSED, f"the dialect {self.name} has no {type_}", location)
        return type_

    def _group(self, parser: Any) -> Type:
        parser.expect("<")
        start = parser.scanner.skip_blanks()
        memref: Any = read_type(parser)
        if not isinstance(memref, MemrefType):
            parser.scanner.position = start
            parser.fail("a group is of memrefs")
        offset: Any = 0
        if parser.accept(","):
            parser.expect("offset")
            parser.expect(":")
            offset = DYNAMIC if parser.accept("?") else parser.integer()
        parser.expect(">")
        return GroupType(memref, DYNAMIC, offset)

    def function_attributes(self, attributes: dict[str, Any]) -> str:
        sizes = {name: value if isinstance(value, list) else [value] for name, value in attributes.items()}
        return " ".join(f"{name}({','.join(map(str, sizes[name]))})" for name in sorted(sizes))

    def says_attributes(self, attributes: dict[str, Any], of_function: bool) -> bool:
        return of_function and attributes.keys() <= _SIZES.keys()

    def read_function_attributes(self, parser: Any) -> dict[str, Any]:
        attributes: dict[str, Any] = {}
        while name := next((name for name in _SIZES if parser.accept(name)), None):
            parser.expect("(")
            numbers = parser.comma_separated(parser.integer, closing=")")
            parser.expect(")")
            attributes[name] = numbers if _SIZES[name] > 1 else numbers[0] if len(numbers) == 1 else numbers
        return attributes

    def in_place(self, operation: Operation | None) -> str | None:
        if not isinstance(operation, Constant) or not isfinite(operation.literal):
            return None
        return print_constant(operation.literal, operation.result.type)

    def resolve(self, function: Any) -> None:
        """Atomic updates whose beta the manual refuses are those of the release."""
        for op in function.walk():
            if isinstance(op, Update) and op.atomic and op.atomic_flag is None:
                op.any_beta = True

    def prepared(self, function: Any) -> tuple[Table, Any]:
        """With a cast of each constant whose value an instruction takes by name alone, and types that follow."""
        copied = clone_function(function)
        _name_constants(copied.body)
        for op in copied.walk():
            spelling = self.spelling_of(op)
            if spelling is not None and spelling.infers:
                for value, type_ in zip(op.results, op.infer_result_types()):
                    value.type = type_
        return self, copied


_BY_NAME: dict[type[Operation], str] = {Store: "data", Subview: "slices", Expand: "expand_shape"}
"""Where instructions take values by name alone."""


def _instead(named: dict[Value, Value], value: Value) -> Value:
    return named.get(value, value)


def _name_constants(region: Region) -> None:
    operations: list[Operation] = []
    for op in region.operations:
        for inner in op.regions:
            _name_constants(inner)
        name = _BY_NAME.get(type(op))
        if name is not None:
            part, stored = op.parts[name], getattr(op, name)
            constants = [value for value in part.values(stored) if isinstance(value.owner, Constant)]
            casts = {value: Cast(op.location, [value.type], operand=value) for value in constants}
            operations += casts.values()
            named = {value: cast.results[0] for value, cast in casts.items()}
            setattr(op, name, part.map(stored, partial(_instead, named)))
        operations.append(op)
    region.operations = operations


@cache
def table() -> Dialect03:
    """The dialect."""
    return Dialect03(
        name="0.3",
        between_functions="\n",
        numbers_arguments_first=True,
        writes_constants_in_place=True,
        literals_take_types=True,
        spellings=_lines(),
        helps=HELP,
    )
