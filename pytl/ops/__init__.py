"""The instructions of the language, one module a chapter. Importing this package makes all of them known."""

from .arith import ArithBinary, ArithUnary, Cast, Compare
from .collective import Axpby, Foreach, Gemm, Parallel
from .constants import Constant
from .control import For, If, Yield
from .memory import Alloca, LifetimeStop, Load, Store
from .views import Size, Slice, Subview
from .workgroup import Barrier, Builtin

__all__ = [
    "Alloca",
    "ArithBinary",
    "ArithUnary",
    "Axpby",
    "Barrier",
    "Builtin",
    "Cast",
    "Compare",
    "Constant",
    "For",
    "Foreach",
    "Gemm",
    "If",
    "LifetimeStop",
    "Load",
    "Parallel",
    "Size",
    "Slice",
    "Store",
    "Subview",
    "Yield",
]
