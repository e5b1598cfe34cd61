"""The page of types: sizes, promotion, ranges of constants, attributes."""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.attributes import ATTRIBUTE_NAMES
from ...ir.fields import Attributes
from ...ir.layouts import TileLayout
from ...ir.registry import all_instructions
from ...ir.types import (
    SCALAR_TYPES,
    BoolType,
    CoopMatrixType,
    GroupType,
    MemrefType,
    ScalarType,
    TileType,
    bool_,
    f32,
    promotable,
)
from ...ir.verifier import FUNCTION_ATTRIBUTE_KINDS, PARAMETER_ATTRIBUTE_KINDS
from ...launch.arrays.arrays import dtype_names
from ...ops.constants import integer_bounds, round_to
from ...ops.reference import page_name
from .markdown import code, document, plain, table

_SCALARS = """\
Annotations in Python have the types' own names, `pytl.f32`; `bool` is `pytl.bool_` there. The last column is the range
of constants and, for integers, of values: those of 64 bits hold -2^63, too, which no constant can write. A floating
constant is rounded to its type when it is read, and must be finite then. `index` is as wide as the platform's
pointers: 64 bits on all that pytl runs on. Real and imaginary part of a complex number have the type in parentheses.
`bfloat16` is a data type of ml_dtypes; dpctl has none, so that the bits come as `uint16` there."""
_PROMOTION = """\
`a ⪯ b`, *a is promotable to b*, where b represents every value of a exactly; the manual's matrix adds i32 to c32, which
rounds beyond 2^24. Instructions that take operands of mixed types demand it of them; `promote(a, b)` is the larger of
the two, and fails where neither is promotable to the other. A row is promotable to the columns that are marked."""
_OTHERS = """\
| text | Python | is |
| --- | --- | --- |
| `{memref}` | `Memref[f32, 16, 8]` | {memref_is} |
| `{strided}` | `Memref[f32, 16, 8, strides(1, 20)]` | the same with strides, in elements; they grow with the modes |
| `{dynamic}` | `Memref[f32, 16, ...]` | the same with a size that is known at launch |
| `{group}` | `Group[f32, 16, 8]` | {group_is} |
| `{moved}` | `Group[Memref[f32, 16, 8], 12, offset(4)]` | twelve of them, each pointer moved by four elements |
| `{matrix}` | from `coop.load` and the like | {matrix_is} |
| `{tile}` | from `tile.init` | {tile_is} |"""
_ATTRIBUTES = """\
Attributes stand in braces: behind a parameter's type (`%A: memref<f32x16x8>{alignment=64}`), behind `attributes` for a
function, and where the syntax of an instruction shows `{…}`. Names in quotes are free for
users; pytl keeps them and does not read them."""


def types_page() -> str:
    """The page as Markdown."""
    return document(
        [
            "# Types and attributes",
            "## Numbers",
            table(["type", "kind", "bytes", "NumPy", "constants"], [*map(_row, SCALAR_TYPES.values()), _row(bool_)]),
            _SCALARS,
            "## Promotion",
            _PROMOTION,
            _promotion_table(),
            "## Memory and matrices",
            _compound(),
            "## Attributes",
            _ATTRIBUTES,
            table(["attribute", "of", "takes"], _attributes()),
            "[All instructions](index.md)",
        ]
    )


def _row(type_: ScalarType | BoolType) -> tuple[str, ...]:
    if isinstance(type_, BoolType):
        return (code(str(type_)), "boolean", "", "", "`true`, `false`")
    kind = f"{type_.kind} ({type_.component})" if type_.is_complex else type_.kind
    names = " or ".join(code(name) for name in dtype_names(type_))
    return (code(str(type_)), kind, str(type_.size), names, _range(type_))


def _range(type_: ScalarType) -> str:
    if type_.is_integer:
        minimum, maximum = integer_bounds(type_)
        return f"{minimum} … {maximum}"
    largest = _largest(type_.component)
    return f"up to ±{largest!r}" + (" in each part" if type_.is_complex else "")


def _largest(type_: ScalarType) -> float:
    """The largest finite number, found as constants are rounded."""
    digits = next(n for n in range(1, 60) if round_to(1.0 + 2.0**-n, type_) == 1.0)
    unit = 2.0 - 2.0 ** (1 - digits)
    exponent = max(n for n in range(1, 1024) if round_to(2.0**n, type_) != float("inf"))
    return unit * 2.0**exponent


def _promotion_table() -> str:
    # index has no row in the manual's table: it is promotable to itself alone
    scalars = list(SCALAR_TYPES.values())
    rows = [[code(str(a)), *("⪯" if promotable(a, b) else "" for b in scalars)] for a in scalars]
    return table(["", *(code(str(b)) for b in scalars)], rows)


def _compound() -> str:
    memref = MemrefType(f32, (16, 8))

    def meaning(cls: type) -> str:
        text = " ".join((cls.__doc__ or "").split())
        return plain(text[0].lower() + text[1:].rstrip("."))

    return _OTHERS.format(
        memref=memref,
        memref_is=meaning(MemrefType),
        strided=MemrefType(f32, (16, 8), (1, 20)),
        dynamic=str(memref).replace("x8", "x?"),
        group=GroupType(memref),
        group_is=meaning(GroupType),
        moved=GroupType(memref, 12, 4),
        matrix=CoopMatrixType(f32, 8, 16, "matrix_acc"),
        matrix_is=meaning(CoopMatrixType),
        tile=TileType(f32, 16, 8, TileLayout()),
        tile_is=meaning(TileType),
    )


def _attributes() -> Iterable[tuple[str, str, str]]:
    uses_by_name: dict[str, list[tuple[str, str]]] = {name: [] for name in ATTRIBUTE_NAMES}
    for name, kind in PARAMETER_ATTRIBUTE_KINDS.items():
        uses_by_name[name].append(("a parameter of memref or group type", kind))
    for name, kind in FUNCTION_ATTRIBUTE_KINDS.items():
        uses_by_name[name].append(("a function", kind))
    for cls in all_instructions():
        for part in cls.parts.values():
            for name, kind in part.known.items() if isinstance(part, Attributes) else ():
                uses_by_name[name].append((f"[`{cls.mnemonic}`]({page_name(cls)}.md)", kind))
    for name, uses in uses_by_name.items():
        for owner, kind in uses:
            yield code(name), owner, kind
