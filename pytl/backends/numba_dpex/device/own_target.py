"""pytl's own target of numba: LLVM code for SPIR-V by current numba and llvmlite, without numba-dpex."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from llvmlite import binding, ir
from numba.core import datamodel, types, typing
from numba.core.base import BaseContext
from numba.core.callconv import MinimalCallConv
from numba.core.codegen import CPUCodegen, CPUCodeLibrary
from numba.core.cpu import CPUTargetOptions
from numba.core.descriptors import TargetDescriptor
from numba.core.dispatcher import Dispatcher
from numba.core.target_extension import GPU, dispatcher_registry, jit_registry, target_registry

from .called import CALLED, declared
from .lowering import remember_signatures

SPIRV = "pytl_spirv"
TRIPLE = "spir64-unknown-unknown"
DATA_LAYOUT = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"


class SpirvDevice(GPU):
    """What numba's functions for any device are for, too."""


target_registry[SPIRV] = SpirvDevice


class Item(types.Type):
    """The first parameter of a kernel, which takes no argument: numba-dpex wants a kernel to have it."""

    def __init__(self) -> None:
        super().__init__(name="Item")


class ItemModel(datamodel.StructModel):
    def __init__(self, manager, item: Item) -> None:
        super().__init__(manager, item, [])


ITEM = Item()


class Library(CPUCodeLibrary):
    """The code of a kernel. Few passes: with more, llvm-spirv and the driver meet code that they do not take."""

    def _optimize_functions(self, ll_module: Any) -> None:
        pass

    def _optimize_final_module(self) -> None:
        manager = binding.create_new_module_pass_manager()
        manager.add_always_inliner_pass()
        manager.add_global_dead_code_eliminate_pass()
        manager.add_sroa_pass()
        manager.add_dead_code_elimination_pass()
        manager.add_simplify_cfg_pass()
        manager.add_instruction_combine_pass()
        manager.add_sroa_pass()  # a range's numbers were hidden in its iterator until now
        manager.add_instruction_combine_pass()
        manager.add_simplify_cfg_pass()
        manager.run(self._final_module, self._codegen.pass_builder())

    def _finalize_specific(self) -> None:
        for variable in self._final_module.global_variables:
            if "." in variable.name:
                variable.name = variable.name.replace(".", "_")

    @property
    def final_module(self) -> Any:
        return self._final_module


class Codegen(CPUCodegen):
    _library_class = Library

    def _init(self, llvm_module: Any) -> None:
        self._data_layout = DATA_LAYOUT
        self._target_data = binding.create_target_data(DATA_LAYOUT)
        self._tm_features = ""

    def _create_empty_module(self, name: str) -> ir.Module:
        module = ir.Module(name)
        module.triple = TRIPLE
        module.data_layout = DATA_LAYOUT
        return module

    def pass_builder(self) -> Any:
        machine = binding.Target.from_default_triple().create_target_machine()
        return binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=1))

    def _add_module(self, module: Any) -> None:
        pass


class TargetContext(BaseContext):
    implement_powi_as_math_call = True
    allow_dynamic_globals = True

    def init(self) -> None:
        self._internal_codegen = Codegen("pytl.kernel")
        self.data_model_manager = datamodel.default_manager.copy()
        self.data_model_manager.register(Item, ItemModel)

    def create_module(self, name: str) -> ir.Module:
        return self._internal_codegen._create_empty_module(name)

    def codegen(self) -> Codegen:
        return self._internal_codegen

    @property
    def target_data(self) -> Any:
        return self._internal_codegen.target_data

    @cached_property
    def call_conv(self) -> MinimalCallConv:
        return MinimalCallConv(self)

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> object:
        """An object of the function's own, by which numba finds it again. Nothing of it runs here."""
        return object()

    def declare_function(self, module: ir.Module, fndesc: Any) -> ir.Function:
        if fndesc.modname == CALLED:
            return declared(self, module, fndesc)
        function = super().declare_function(module, fndesc)
        function.attributes.add("alwaysinline")
        function.calling_convention = "spir_func"
        return function

    def declare_env_global(self, module: ir.Module, envname: str) -> Any:
        variable = super().declare_env_global(module, envname)
        variable.linkage = "internal"  # so that it is dropped: nothing reads it
        return variable


class Target(TargetDescriptor):
    options = CPUTargetOptions

    @cached_property
    def typing_context(self) -> typing.BaseContext:
        context = typing.BaseContext()
        remember_signatures(context)
        return context

    @cached_property
    def target_context(self) -> TargetContext:
        return TargetContext(self.typing_context, self._target_name)


TARGET = Target(SPIRV)


class OwnDispatcher(Dispatcher):
    """Compiles functions that a kernel calls, such as numba's own overloads."""

    targetdescr = TARGET

    def add_overload(self, cres: Any) -> None:
        self.overloads[tuple(cres.signature.args)] = cres  # nothing is called from Python


def _jit(*_: Any, **options: Any) -> Any:
    kept = {name: options[name] for name in ("inline", "forceinline") if name in options}
    return lambda function: OwnDispatcher(
        function, targetoptions={**kept, "nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    )


dispatcher_registry[SpirvDevice] = OwnDispatcher
jit_registry[SpirvDevice] = _jit
