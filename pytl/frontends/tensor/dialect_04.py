"""The dialect of the Tiny Tensor Compiler's release 0.4, as a table of spellings.

What isn't listed is written as the manual writes it, with no blanks between indices.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import cache
from itertools import product
from typing import Any

from ...diagnostics import Location
from ...ir.assembly import PartsReader, RegionArgument
from ...ir.fields import RegionPart
from ...ir.operation import Operation
from ...ir.registry import namespace_of
from ...ir.spelling import Spelling, Table
from ...ir.types import TileType, Type
from ...ir.values import Function, Value
from ...ops import (
    ArithBinary,
    ArithUnary,
    AtomicAdd,
    AtomicStore,
    Axpby,
    Builtin,
    Cast,
    Compare,
    Convert,
    CooperativeMatrixAtomicAdd,
    CooperativeMatrixAtomicStore,
    CooperativeMatrixLoad,
    CooperativeMatrixStore,
    CooperativeMatrixStoreTransposed,
    Cumsum,
    Expand,
    For,
    Foreach,
    ForeachTile,
    Gemm,
    Gemv,
    Ger,
    Hadamard,
    If,
    LifetimeStop,
    Math,
    Store,
    SubgroupAdd,
    SubgroupBuiltin,
    SubgroupMax,
    SubgroupMin,
    Subview,
    Sum,
    Update,
    Yield,
)
from ...ops.atomics import ACCESSES, DEFAULT_ORDER, DEFAULT_SCOPE, ORDERS, SCOPES
from ...ops.control import loop_arguments
from ...ops.matrix_memory import MATRIX_ACCESSES
from ...ops.updates import TRANSPOSE, TRANSPOSES
from .grid import GRID, in_words
from .spelled import (
    ElseRegion,
    LoopName,
    Nowhere,
    ResultTypeOf,
    WithoutEmpty,
    as_declared,
    family,
    inferred_argument,
    spelled,
    type_of_bound,
)

COMPARISONS = {
    "eq": "equal",
    "ne": "not_equal",
    "gt": "greater_than",
    "ge": "greater_than_equal",
    "lt": "less_than",
    "le": "less_than_equal",
}
BUILTINS = {
    "group_id": "group_id.x",
    "group_size": "num_groups.x",
    "subgroup_size": "subgroup_size",
}
SUBGROUP_BUILTINS = {"subgroup_id": "subgroup_linear_id", "subgroup_local_id": "subgroup_local_id"}
N = {"transpose": "n"}
OF_MANUAL = {"any_beta": False}
"""An atomic update with any beta has no form: the release 0.4 refuses it, as the manual does."""
_MATRIX_ADD = "cooperative_matrix_atomic_add"
SINCE = "v04"
"""The namespace of instructions that the manual has not."""
_FORM = "".join(AtomicStore.parts[name].grammar for name in ("scope", "order"))
"""The modifiers of an atomic store."""
_MATRIX_FORM = "".join(
    CooperativeMatrixAtomicStore.parts[name].grammar for name in ("transpose", "checked", "scope", "order")
)
_DEFAULT = (DEFAULT_SCOPE, DEFAULT_ORDER)


def _for_arguments(parts: dict[str, Any]) -> list[RegionArgument]:
    return loop_arguments({**parts, "loop_variable": inferred_argument(parts)})


def _foreach_arguments(parts: dict[str, Any]) -> list[RegionArgument]:
    bounds = [*parts["start"], *[None] * len(parts["loop_variables"])]
    return [(name, location, type_of_bound(bound)) for (name, location), bound in zip(parts["loop_variables"], bounds)]


def _addition(word: str, cls: type[Operation], data: str) -> Spelling:
    """An atomic addition of the manual, whose result the dialect has named; it is read as what has the result."""
    return spelled(
        word,
        cls,
        f"{cls.assembly} ` : ` $result_type",
        parts={"result_type": ResultTypeOf(data)},
        gives=data,
        is_read=False,
        fixed={"flag": "atomic_add"},
    )


def _atomic(cls: type[Operation]) -> list[Spelling]:
    """An atomic access with its scope and order, which are not written where they are the default.

    What the manual has, too, is read as the manual's where neither is written: there one of the two is written.
    """
    word = cls.mnemonic.removeprefix(f"{SINCE}.")
    bare = spelled(word, cls)
    if cls not in (AtomicStore, AtomicAdd):
        return [bare]
    orders = [
        spelled(f"{word}.{order}", cls, modifiers=(), fixed={"scope": DEFAULT_SCOPE, "order": order})
        for order in ORDERS
    ]
    scopes = [spelled(f"{word}.{scope}", cls, modifiers=("order",), fixed={"scope": scope}) for scope in SCOPES]
    return [*([] if cls is AtomicStore else [bare]), *orders, *scopes]


def _atomic_matrix(cls: type[Operation]) -> list[Spelling]:
    """The same of matrices, whose scope and order come behind what is transposed and checked."""
    word = cls.mnemonic.removeprefix(f"{SINCE}.")
    bare = spelled(word, cls)
    if cls not in (CooperativeMatrixAtomicStore, CooperativeMatrixAtomicAdd):
        return [bare]
    lines = [] if cls is CooperativeMatrixAtomicStore else [bare]
    for transpose, checked in product(TRANSPOSE, cls.parts["checked"].words):  # type: ignore[attr-defined]
        known = {"transpose": transpose, "checked": checked}
        for head in [".t"] if transpose == "t" else ["", ".n"]:
            begin = f"{word}{head}{checked and '.'}{checked}"
            orders = [{"scope": DEFAULT_SCOPE, "order": order} for order in ORDERS]
            lines += [spelled(f"{begin}.{f['order']}", cls, modifiers=(), fixed={**known, **f}) for f in orders]
            lines += [
                spelled(f"{begin}.{scope}", cls, modifiers=("order",), fixed={**known, "scope": scope})
                for scope in SCOPES
            ]
    return lines


def _lines() -> list[Spelling]:
    return [
        *family(ArithBinary, str),
        *family(ArithUnary, str),
        spelled("cast", Cast),
        spelled("cast", Convert, is_legal=lambda op: op.operand.type.use == "matrix_acc"),
        *family(Math, str),
        *family(Compare, lambda variant: COMPARISONS[variant]),
        *family(SubgroupAdd, lambda variant: f"subgroup_{variant}_add"),
        *family(SubgroupMax, lambda variant: f"subgroup_{variant}_max"),
        *family(SubgroupMin, lambda variant: f"subgroup_{variant}_min"),
        *(spelled(word, Builtin, fixed={"variant": variant}) for variant, word in BUILTINS.items()),
        *(spelled(word, SubgroupBuiltin, fixed={"variant": variant}) for variant, word in SUBGROUP_BUILTINS.items()),
        spelled("axpby", Axpby, modifiers=("atomic", "transpose"), omitted=N, fixed=OF_MANUAL),
        spelled("gemv", Gemv, modifiers=("atomic", "transpose"), omitted=N, fixed=OF_MANUAL),
        spelled("sum", Sum, modifiers=("atomic", "transpose"), omitted=N, fixed=OF_MANUAL),
        spelled(
            "gemm",
            Gemm,
            modifiers=("atomic", "transpose_a", "transpose_b"),
            omitted={"transpose_a": "n", "transpose_b": "n"},
            fixed=OF_MANUAL,
        ),
        spelled("ger", Ger, fixed=OF_MANUAL),
        spelled("hadamard", Hadamard, fixed=OF_MANUAL),
        spelled("cumsum", Cumsum, fixed=OF_MANUAL),
        spelled("cooperative_matrix_load", CooperativeMatrixLoad, omitted=N),
        spelled("cooperative_matrix_store", CooperativeMatrixStore, fixed={"flag": ""}),
        spelled("cooperative_matrix_store.n", CooperativeMatrixStore, fixed={"flag": ""}),
        spelled("cooperative_matrix_store.t", CooperativeMatrixStoreTransposed, fixed={"flag": ""}),
        spelled("cooperative_matrix_atomic_store", CooperativeMatrixStore, fixed={"flag": "atomic"}, form=_MATRIX_FORM),
        spelled("cooperative_matrix_atomic_store.n", CooperativeMatrixStore, fixed={"flag": "atomic"}),
        spelled("cooperative_matrix_atomic_store.t", CooperativeMatrixStoreTransposed, fixed={"flag": "atomic"}),
        *(line for cls in MATRIX_ACCESSES for line in _atomic_matrix(cls)),
        _addition("cooperative_matrix_atomic_add", CooperativeMatrixStore, "A"),
        _addition("cooperative_matrix_atomic_add.t", CooperativeMatrixStoreTransposed, "A"),
        spelled("store", Store, fixed={"flag": ""}),
        spelled("atomic_store", Store, fixed={"flag": "atomic"}, form=_FORM),
        *(line for cls in ACCESSES if namespace_of(cls) == SINCE for line in _atomic(cls)),
        _addition("atomic_add", Store, "data"),
        spelled("subview", Subview, parts={"slices": WithoutEmpty()}),
        spelled("expand", Expand, "` ` $tensor `[` $mode `->` $expand_shape `]` ` : ` $result"),
        spelled(
            "for",
            For,
            "` ` $loop_variable $annotation `=` $start `,` $stop (`,` $step)? (` init(` $inits `) -> (` $returned `)`)?"
            " ` ` $body $braces (` attributes` $attributes)?",
            parts={
                "loop_variable": LoopName(),
                "annotation": Nowhere(":", "leave the type out: the variable has that of the bounds"),
                "body": RegionPart("mixed", arguments=_for_arguments),
                "braces": Nowhere("{", "write attributes{…}"),
            },
        ),
        spelled(
            "foreach",
            Foreach,
            "` (` $loop_variables `)` $annotation `=(` $start `),(` $stop `) ` $body",
            parts={
                "annotation": Nowhere(":", "leave the type out: the variables have those of the bounds"),
                "body": RegionPart("spmd", arguments=_foreach_arguments),
            },
        ),
        spelled(
            "foreach_tile",
            ForeachTile,
            "` (` $loop_variables `)=(` $start `),(` $stop `) as (` $tile_sizes `)<=(` $tile_shape `) ` $body",
        ),
        spelled("if", If, parts={"else_body": ElseRegion()}),
        spelled("yield", Yield, separator=", "),
    ]


def _used_values(function: Function) -> set[Value]:
    return {value for op in function.walk() for value in op.operands}


HELP = {
    "pytl.call": "inline the calls before, as the pass inline-calls does: the dialect has kernels only",
    "xetile.convert": "the dialect casts matrices of use matrix_acc to factors, and no others to another use",
    "builtin.num_subgroups": "write num_subgroups.x and num_subgroups.y, whose product it is",
    "lifetime_stop": "leave it out: the compiler finds out when the memory of an alloca is not used any more",
}


class Dialect04(Table):
    """The table, and which types the dialect has."""

    additions: frozenset[Operation] = frozenset()
    """In the function that is written, the atomic additions that have to say what is the default: without, they are the
    manual's, as nobody uses their results."""

    grid_operations: frozenset[Operation] = frozenset()
    """In that function, the instructions that are written by the words for places of sub-groups."""

    @property
    def words(self) -> list[str]:
        return [*GRID, *super().words]

    def writes_type(self, type_: Type) -> bool:
        return not isinstance(type_, TileType)

    def replaced(self, word: str) -> Callable[[PartsReader, Location], Operation] | None:
        return GRID.get(word)

    def prepared(self, function: Function) -> tuple[Table, Function]:
        table = copy(self)
        function, table.grid_operations = in_words(function)
        used_values = _used_values(function)
        table.additions = frozenset(
            op
            for op in function.walk()
            if isinstance(op, (AtomicAdd, CooperativeMatrixAtomicAdd))
            and op.result not in used_values
            and (op.scope, op.order) == _DEFAULT
        )
        return table, function

    def spelling_of(self, operation: Operation) -> Spelling | None:
        if operation in self.grid_operations:
            return spelled(operation.read_as or "", type(operation), "` : ` $result", modifiers=())
        if operation in self.additions:
            return next(each for each in self.spellings_of(operation) if "scope" in each.fixed)
        return super().spelling_of(operation)

    def help_for(self, operation: Operation) -> str | None:
        if isinstance(operation, Update) and operation.any_beta:
            return "the release takes an atomic update with the constants 0 and 1 as beta"
        return super().help_for(operation)

    def resolve(self, function: Function) -> None:
        """Atomic additions without scope and order, whose results nobody uses, are the manual's."""
        used_values = _used_values(function)

        def of_manual(op: Operation) -> Operation:
            store: Operation
            if isinstance(op, AtomicAdd) and op.read_as == "atomic_add" and op.result not in used_values:
                operands = {"data": op.data, "tensor": op.tensor, "indices": op.indices}
                store = Store(op.location, spans=op.spans, flag=op.flag, **operands)
            elif (
                isinstance(op, CooperativeMatrixAtomicAdd)
                and op.read_as == _MATRIX_ADD
                and op.result not in used_values
            ):
                cls = CooperativeMatrixStoreTransposed if TRANSPOSES[op.transpose] else CooperativeMatrixStore
                operands = {"A": op.A, "M": op.M, "x": op.x, "y": op.y}
                store = cls(op.location, spans=op.spans, flag=op.flag, checked=op.checked, **operands)
            else:
                return op
            store.read_as = op.read_as
            return store

        regions = [function.body, *(region for op in function.walk() for region in op.regions)]
        for region in regions:
            region.operations = [of_manual(op) for op in region.operations]


@cache
def table() -> Dialect04:
    """The dialect; made when it is asked for, for instructions are registered as their modules are imported."""
    spellings = _lines()
    return Dialect04(
        name="0.4",
        indent=4,
        between_functions="\n",
        before_attributes=" ",
        sorts_attributes=True,
        has_definitions=True,
        numbers_arguments_first=True,
        helps=HELP,
        spellings=[*spellings, *as_declared(spellings, SINCE, {LifetimeStop})],
    )
