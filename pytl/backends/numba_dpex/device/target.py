"""The target of numba's that the device library registers its functions at: the maker's that compiles kernels here."""

from __future__ import annotations

from typing import Any

from numba.core import types

from ....devices.compilers import NUMBA_DPEX, installed_compiler

_compiler = installed_compiler()
if _compiler is NUMBA_DPEX:
    from numba_dpex.core.descriptor import dpex_kernel_target as TARGET
    from numba_dpex.core.types import USMNdArray
    from numba_dpex.core.types.kernel_api.index_space_ids import NdItemType
    from numba_dpex.kernel_api_impl.spirv.target import SPIRV_TARGET_NAME as SPIRV

    ARRAYS: tuple[type, ...] = (USMNdArray,)
    ITEM: types.Type = NdItemType(1)
else:
    from .own_target import ITEM, SPIRV, TARGET

    ARRAYS = ()

__all__ = ["ARRAYS", "ITEM", "SPIRV", "TARGET"]


def register_model(type_: type[types.Type], model: Any) -> None:
    """Give a type its form in LLVM's code.

    Not by numba.extending.register_model, which writes to numba's default manager, of which numba-dpex's target took a
    copy when it was made.
    """
    TARGET.target_context.data_model_manager.register(type_, model)


def compiler_module() -> Any:
    """The module that compiles kernels for this target."""
    if _compiler is NUMBA_DPEX:
        from . import compiler

        return compiler
    from . import own_compiler

    return own_compiler
