"""The instructions of the language, one module per chapter. Importing this package registers all of them."""

from . import debug, patterns, preconditions
from .arith import ArithBinary, ArithUnary, Cast, Compare
from .atomics import AtomicAdd, AtomicLoad, AtomicMax, AtomicMin, AtomicScaleAdd, AtomicStore, AtomicUpdate
from .bits import Bitcast, Expandc2r
from .blas import Axpby, Gemm, Gemv, Ger, Hadamard
from .calls import Call
from .constants import Constant
from .contraction import IndexedAxpby, IndexedProduct, IndexedSum, LoopOverGemm
from .control import For, If, Yield
from .coopmatrix import (
    CooperativeMatrixLoad,
    CooperativeMatrixMulAdd,
    CooperativeMatrixScale,
    CooperativeMatrixStore,
)
from .math import Math, MathSince04
from .matrix_arithmetic import MatrixArithmetic, MatrixUnary
from .matrix_components import CooperativeMatrixExtract, CooperativeMatrixInsert
from .matrix_functions import (
    CooperativeMatrixApply,
    CooperativeMatrixConstruct,
    CooperativeMatrixPrefetch,
    CooperativeMatrixReduce,
    CooperativeMatrixReduceAdd,
    CooperativeMatrixReduceMax,
    CooperativeMatrixReduceMin,
)
from .matrix_memory import (
    CooperativeMatrixAtomicAdd,
    CooperativeMatrixAtomicLoad,
    CooperativeMatrixAtomicMax,
    CooperativeMatrixAtomicMin,
    CooperativeMatrixAtomicStore,
    CooperativeMatrixAtomicUpdate,
    CooperativeMatrixStoreTransposed,
)
from .memory import Alloca, LifetimeStop, Load, Store
from .regions import Foreach, Parallel
from .reshape import Expand, Fuse
from .subgroup import (
    SubgroupAdd,
    SubgroupBroadcast,
    SubgroupBuiltin,
    SubgroupMax,
    SubgroupMin,
    SubgroupOperation,
)
from .sums import Cumsum, Sum
from .tile_loops import ForeachTile
from .updates import Update
from .views import Associated, Size, Slice, Subview
from .workgroup import Barrier, Builtin, GroupId, NumGroups
from .xetile import Convert, InitTile, LoadPadded, LoadTile, PrefetchTile, StoreTile, TileMma, UpdateTileOffset

__all__ = [
    "Alloca",
    "ArithBinary",
    "ArithUnary",
    "Associated",
    "AtomicAdd",
    "AtomicLoad",
    "AtomicMax",
    "AtomicMin",
    "AtomicScaleAdd",
    "AtomicStore",
    "AtomicUpdate",
    "Axpby",
    "Barrier",
    "Bitcast",
    "Builtin",
    "Call",
    "Cast",
    "Compare",
    "Constant",
    "Convert",
    "CooperativeMatrixApply",
    "CooperativeMatrixAtomicAdd",
    "CooperativeMatrixAtomicLoad",
    "CooperativeMatrixAtomicMax",
    "CooperativeMatrixAtomicMin",
    "CooperativeMatrixAtomicStore",
    "CooperativeMatrixAtomicUpdate",
    "CooperativeMatrixConstruct",
    "CooperativeMatrixExtract",
    "CooperativeMatrixInsert",
    "CooperativeMatrixLoad",
    "CooperativeMatrixMulAdd",
    "CooperativeMatrixPrefetch",
    "CooperativeMatrixReduce",
    "CooperativeMatrixReduceAdd",
    "CooperativeMatrixReduceMax",
    "CooperativeMatrixReduceMin",
    "CooperativeMatrixScale",
    "CooperativeMatrixStore",
    "CooperativeMatrixStoreTransposed",
    "Cumsum",
    "Expand",
    "Expandc2r",
    "For",
    "Foreach",
    "ForeachTile",
    "Fuse",
    "Gemm",
    "Gemv",
    "Ger",
    "GroupId",
    "Hadamard",
    "If",
    "IndexedAxpby",
    "IndexedProduct",
    "IndexedSum",
    "InitTile",
    "LifetimeStop",
    "Load",
    "LoadPadded",
    "LoadTile",
    "LoopOverGemm",
    "Math",
    "MathSince04",
    "MatrixArithmetic",
    "MatrixUnary",
    "NumGroups",
    "Parallel",
    "PrefetchTile",
    "Size",
    "Slice",
    "Store",
    "StoreTile",
    "SubgroupAdd",
    "SubgroupBroadcast",
    "SubgroupBuiltin",
    "SubgroupMax",
    "SubgroupMin",
    "SubgroupOperation",
    "Subview",
    "Sum",
    "TileMma",
    "Update",
    "UpdateTileOffset",
    "Yield",
    "debug",
    "patterns",
    "preconditions",
]
