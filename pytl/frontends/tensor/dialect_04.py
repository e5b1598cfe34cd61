"""The dialect of the Tiny Tensor Compiler's release 0.4, as a table of spellings.

What isn't listed is written as the manual writes it, with no blanks between indices.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ...diagnostics import Location
from ...ir.assembly import PartsReader, RegionArgument
from ...ir.fields import RegionPart
from ...ir.operation import Operation
from ...ir.spelling import Spelling, Table
from ...ir.types import TileType, Type
from ...ops import (
    ArithBinary,
    ArithUnary,
    Axpby,
    Builtin,
    Cast,
    Compare,
    Convert,
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
    Yield,
)
from ...ops.control import loop_arguments
from .grid import GRID
from .spelled import (
    ElseRegion,
    GivenType,
    LoopName,
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
IMPLIED = frozenset({"device", "work_group", "subgroup", "relaxed"})
"""Scopes and orders of memory that atomic instructions have anyway: those of pytl are atomic on the device, relaxed."""
SINCE = "v04"
"""The namespace of instructions that the manual has not."""


def _for_arguments(parts: dict[str, Any]) -> list[RegionArgument]:
    return loop_arguments({**parts, "loop_variable": inferred_argument(parts)})


def _foreach_arguments(parts: dict[str, Any]) -> list[RegionArgument]:
    bounds = [*parts["start"], *[None] * len(parts["loop_variables"])]
    return [(name, place, type_of_bound(bound)) for (name, place), bound in zip(parts["loop_variables"], bounds)]


def _update(word: str, cls: type[Operation], data: str) -> Spelling:
    """An atomic addition, whose result has to be named."""
    form = f"{cls.assembly} ` : ` $given"
    return spelled(
        word, cls, form, parts={"given": GivenType(data)}, gives=data, implied=IMPLIED, fixed={"flag": "atomic_add"}
    )


def _lines() -> list[Spelling]:
    return [
        *family(ArithBinary, str),
        *family(ArithUnary, str),
        spelled("cast", Cast),
        spelled("cast", Convert, suits=lambda op: op.operand.type.use == "matrix_acc"),
        *family(Math, str),
        *family(Compare, lambda variant: COMPARISONS[variant]),
        *family(SubgroupAdd, lambda variant: f"subgroup_{variant}_add"),
        *family(SubgroupMax, lambda variant: f"subgroup_{variant}_max"),
        *family(SubgroupMin, lambda variant: f"subgroup_{variant}_min"),
        *(spelled(word, Builtin, fixed={"variant": variant}) for variant, word in BUILTINS.items()),
        *(spelled(word, SubgroupBuiltin, fixed={"variant": variant}) for variant, word in SUBGROUP_BUILTINS.items()),
        spelled("axpby", Axpby, modifiers=("atomic", "transpose"), omitted=N),
        spelled("gemv", Gemv, modifiers=("atomic", "transpose"), omitted=N),
        spelled("sum", Sum, modifiers=("atomic", "transpose"), omitted=N),
        spelled(
            "gemm",
            Gemm,
            modifiers=("atomic", "transpose_a", "transpose_b"),
            omitted={"transpose_a": "n", "transpose_b": "n"},
        ),
        spelled("ger", Ger),
        spelled("hadamard", Hadamard),
        spelled("cumsum", Cumsum),
        spelled("cooperative_matrix_load", CooperativeMatrixLoad, omitted=N),
        spelled("cooperative_matrix_store", CooperativeMatrixStore, fixed={"flag": ""}),
        spelled("cooperative_matrix_store.n", CooperativeMatrixStore, fixed={"flag": ""}),
        spelled("cooperative_matrix_store.t", CooperativeMatrixStoreTransposed, fixed={"flag": ""}),
        spelled("cooperative_matrix_atomic_store", CooperativeMatrixStore, implied=IMPLIED, fixed={"flag": "atomic"}),
        spelled(
            "cooperative_matrix_atomic_store.t",
            CooperativeMatrixStoreTransposed,
            implied=IMPLIED,
            fixed={"flag": "atomic"},
        ),
        _update("cooperative_matrix_atomic_add", CooperativeMatrixStore, "A"),
        _update("cooperative_matrix_atomic_add.t", CooperativeMatrixStoreTransposed, "A"),
        spelled("store", Store, fixed={"flag": ""}),
        spelled("atomic_store", Store, implied=IMPLIED, fixed={"flag": "atomic"}),
        _update("atomic_add", Store, "data"),
        spelled("subview", Subview, parts={"slices": WithoutEmpty()}),
        spelled("expand", Expand, "` ` $tensor `[` $mode `->` $expand_shape `]` ` : ` $result"),
        spelled(
            "for",
            For,
            "` ` $loop_variable `=` $start `,` $stop (`,` $step)? (` init(` $inits `) -> (` $returned `)`)? ` ` $body"
            " (` attributes` $attributes)?",
            parts={"loop_variable": LoopName(), "body": RegionPart("mixed", arguments=_for_arguments)},
        ),
        spelled(
            "foreach",
            Foreach,
            "` (` $loop_variables `)=(` $start `),(` $stop `) ` $body",
            parts={"body": RegionPart("spmd", arguments=_foreach_arguments)},
        ),
        spelled(
            "foreach_tile",
            ForeachTile,
            "` (` $loop_variables `)=(` $start `),(` $stop `) as (` $tile_sizes `)<=(` $tile_shape `) ` $body",
        ),
        spelled("if", If, parts={"else_body": ElseRegion("mixed")}),
        spelled("yield", Yield, separator=", "),
    ]


HELP = {
    "xetile.convert": "the dialect casts matrices of use matrix_acc to factors, and no others to another use",
    "builtin.num_subgroups": "the dialect has num_subgroups.x and num_subgroups.y, whose product it is",
    "lifetime_stop": "leave it out: the compiler finds out when the memory of an alloca is not used any more",
}


class Dialect04(Table):
    """The table, and which types the dialect has."""

    def writes_type(self, type_: Type) -> bool:
        return not isinstance(type_, TileType)

    def replaced(self, word: str) -> Callable[[PartsReader, Location], Operation] | None:
        return GRID.get(word)

    def help_for(self, operation: Operation) -> str | None:
        return HELP.get(operation.word)


@cache
def table() -> Dialect04:
    """The dialect; made when it is asked for, for instructions are registered as their modules are imported."""
    listed = _lines()
    return Dialect04(
        name="0.4",
        indent=4,
        between_functions="\n",
        before_attributes=" ",
        sorts_attributes=True,
        has_definitions=True,
        numbers_arguments_first=True,
        spellings=[*listed, *as_declared(listed, SINCE, {LifetimeStop})],
    )
