"""How each operation of the document's texts is read."""

from __future__ import annotations

from ...mlir.text.custom import Form, Parts
from ...mlir.text.forms import arith, functions, memref, scf, vector
from ...mlir.text.reader import Read
from ...mlir.text.tree import Operation
from ..arithmetic import BINARY, UNARY
from .reader import FUNCTION, IS_SIMT, XeTileReader
from .statement_reader import read_statement

CASTS = tuple(f"arith.{name}" for name in ("extf", "truncf", "extsi", "trunci", "sitofp", "fptosi", "index_cast"))


def _function(reader: XeTileReader, name: str) -> Operation:
    reader.is_simt = False
    operation = functions.FORMS[name](reader, name)
    if not operation.regions:
        reader.fail_expected("`{`")
    operation.attributes[IS_SIMT] = reader.is_simt
    return operation


def _constant(reader: XeTileReader, name: str) -> Operation:
    operation = arith.FORMS[name](reader, name)
    if isinstance(operation.attributes["value"], bool) and reader.take(":"):
        operation.result_types = [reader.type()]
    return operation


def _strided_metadata(reader: XeTileReader, name: str) -> Operation:
    """`memref.extract_strided_metadata %A : memref<…> -> memref<bf16>, index, …`, whose first result has no sizes."""
    parts = Parts()
    parts.operands["source"] = [reader.operand()]
    reader.expect(":")
    parts.types["source"] = [reader.type()]
    reader.expect("->")
    if reader.peek() == "memref":
        reader.next()
        reader.balanced()
        reader.expect(",")
    return parts.operation(name, reader.read_separated(reader.type))


_OF_XETILE = ("init_tile", "load_tile", "store_tile", "prefetch_tile", "update_tile_offset", "tile_mma")
_OF_XEGPU = (
    *("create_nd_tdesc", "load_nd", "store_nd", "prefetch_nd", "update_nd_offset", "dpas"),
    *("create_tdesc", "load_gather", "store_scatter", "prefetch", "update_offset", "atomic_rmw"),
    *("alloc_nbarrier", "create_nbarrier", "nbarrier_arrive", "nbarrier_wait", "mfence", "compile_hint"),
)
_NUMBER = Form("[[ : type(written) ]]", "index")

FORMS: dict[str, Read] = {
    **{f"xetile.{name}": read_statement for name in _OF_XETILE},
    **{f"xegpu.{name}": read_statement for name in _OF_XEGPU},
    "arith.constant": _constant,
    **{name: arith.FORMS[name] for name in (*BINARY, *UNARY, "math.exp", *CASTS)},
    **{f"arith.{name}": arith.FORMS[f"arith.{name}"] for name in ("cmpi", "cmpf", "select")},
    **dict.fromkeys(("gpu.block_id", "gpu.grid_dim"), Form("=dimension:word", "index")),
    **dict.fromkeys(("gpu.lane_id", "gpu.subgroup_id", "gpu.num_subgroups"), _NUMBER),
    "gpu.barrier": Form("", ""),
    "vector.step": Form(": type(result)"),
    "vector.broadcast": vector.FORMS["vector.broadcast"],
    "memref.alloca": memref.FORMS["memref.alloca"],
    "memref.dim": memref.FORMS["memref.dim"],
    "memref.extract_strided_metadata": _strided_metadata,
    **dict.fromkeys(("memref.load", "memref.store"), read_statement),
    **{name: scf.FORMS[name] for name in ("scf.for", "scf.if", "scf.yield")},
    FUNCTION: _function,
    **dict.fromkeys(("func.return", "gpu.return"), functions.FORMS["func.return"]),
}
