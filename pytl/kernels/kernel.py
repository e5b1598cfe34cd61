"""`@pytl.kernel` and `Kernel`: what the user holds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, Literal, overload

from .. import launch
from ..diagnostics import LaunchError, PytlError, Rule, TraceError, call_site
from ..diagnostics.callers import add_call_site
from ..frontends import python as frontend
from ..frontends.python.annotations import names_in_annotations
from ..frontends.python.source_texts import keep_text
from ..process.once import once
from . import recording, reloading
from .traces import CONSTEXPR, Trace, Traces, is_changed, key_of

if TYPE_CHECKING:
    from ..frontends.lang.bodies import KernelBody
    from ..ir.values import Function, Module, Value
    from ..launch.arrays.parameters import Parameter
    from ..launch.launches import Launches
    from ..launch.symbols import SizeUse
    from .cache_info import CacheInfo
    from .constant_arrays import ConstantArrays
    from .explanation import Explanation
    from .launcher import Launcher
    from .native import Spirv
    from .python_signature import PythonSignature
    from .signature import CallSignature

# A program that makes kernels may use few of them. What traces, lowers and launches is imported where it is needed,
# and `launch` and `frontend` import their modules at the first use.

STAGE = Rule("PYTL-3016", "a stage is `traced`, or the name of a pass that the backend runs", "Passes")
_STAGES = {"raised": "raise-loops", "vector": "vectorize"}
"""Stages that are called by what a pass leaves."""


@overload
def kernel(function: Callable[..., Any], /) -> Kernel: ...
@overload
def kernel(
    *,
    subgroup_size: int | None = None,
    work_group_size: int | tuple[int, int] | None = None,
    strategy: str | None = None,
    noalias: bool = False,
    name: str | None = None,
) -> Callable[[Callable[..., Any]], Kernel]: ...
def kernel(
    function: Callable[..., Any] | None = None,
    /,
    *,
    subgroup_size: int | None = None,
    work_group_size: int | tuple[int, int] | None = None,
    strategy: str | None = None,
    noalias: bool = False,
    name: str | None = None,
) -> Any:
    """Make a kernel of a Python function: its source is read and becomes the tensor language, it is never run.

    Parameters: `subgroup_size` and `work_group_size` are the function's attributes of the language (work-items;
    `work_group_size` as rows and columns, 32 being (32, 1)), chosen by the compiler where they are left out; so is
    `strategy`, who executes a work-group on a device ("one-item" or "many-items"); `noalias` says that no two arrays
    share memory where one is written, which saves barriers, and a launch refuses others (PYTL-1270); `name`, the
    kernel's name in the IR.
    The function is traced at the first use, so it may call helpers that are defined below it. Raises `pytl.TraceError`
    then, with everything that is wrong with it. A use that finds other values under the names of the body traces it
    anew; annotations and defaults are read once, as Python reads them. Manual: Functions.

    >>> import pytl
    >>> @pytl.kernel
    ... def scale(alpha: pytl.f32, x: pytl.Memref[pytl.f32, 8]):
    ...     pytl.axpby(alpha, x, 0.0, x)
    >>> print(scale)
    func @scale(%alpha: f32,
                %x: memref<f32x8>) {
      %0 = constant 0x0p+0 : f32
      axpby.n %alpha, %x, %0, %x
    }
    """
    if name is not None:
        _check_name(name)
    attributes: dict[str, Any] = {}
    if subgroup_size is not None:
        attributes["subgroup_size"] = subgroup_size
    if work_group_size is not None:
        attributes["work_group_size"] = work_group_size
    if strategy is not None:
        from ..passes.targets.strategies import STRATEGY

        attributes[STRATEGY] = strategy
    if noalias:
        from ..ir.values import NOALIAS

        attributes[NOALIAS] = True

    caller = sys._getframe(1)
    known = caller.f_locals

    def make(python_function: Callable[..., Any]) -> Kernel:
        if not isinstance(python_function, FunctionType):
            frontend.source.find_source(python_function)  # says what is wanted instead
        assert isinstance(python_function, FunctionType)
        keep_text(python_function, caller)
        reloading.follow(Kernel)
        annotation_names = names_in_annotations(python_function, known)
        return recording.note(
            Kernel(python_function=python_function, attributes=attributes, name=name, annotation_names=annotation_names)
        )

    return make if function is None else make(function)


def _check_name(name: object) -> None:
    from ..ir.names import NAME

    if isinstance(name, str) and name.isidentifier() and frontend.names.identifier(name):
        return
    shown = repr(name) if isinstance(name, str) else f"of type {type(name).__name__}"
    help = 'write one like those of functions: name="scale"'
    raise TraceError.single(NAME, f"the kernel's name is {shown}", call_site(), help)


@cache
def _launcher() -> type[Launcher]:
    """What `k[n]` is; with it comes all that launches take."""
    from ..process.interrupts import interrupts_deferred

    with interrupts_deferred():
        from .launcher import Launcher
    return Launcher


MAX_ARRAYS = 256
"""The largest number of arguments that a parameter with a star takes."""


class Kernel:
    """A kernel: its IR, its text, and launches of it.

    `print(k)` shows the text, `k.ir(stage)` the text after a pass, `k.emit(target)` a backend's source; `k[n]` is a
    launcher for `n` work-groups. `k.specialize(M=16)` gives constexpr parameters their values, and arrays their sizes.
    A kernel is pickled as its text, and by name while constexpr parameters are open; two kernels are equal if they are
    the same object.
    """

    def __init__(
        self,
        *,
        module: Module | None = None,
        python_function: Callable[..., Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
        constexprs: Mapping[str, Any] | None = None,
        name: str | None = None,
        annotation_names: Mapping[str, Any] | None = None,
        symbols: Sequence[SizeUse] | None = None,
        python_signature: PythonSignature | None = None,
    ) -> None:
        self._module = module
        self._annotation_names = dict(annotation_names or {})
        self._python = python_function
        self._attributes = dict(attributes or {})
        self._constexprs = dict(constexprs or {})
        self._chosen_name = name
        self._sizes: Mapping[str, str] = {}
        self._specialized: dict[Any, Kernel] = {}
        self._traces: Traces[Kernel] = Traces()
        self._known_sizes = symbols
        self._known_python = python_signature
        self._body: KernelBody | None = None
        if python_function is not None:
            self.__doc__ = python_function.__doc__
            self.__wrapped__ = python_function
            self.__module__ = python_function.__module__
            self.__qualname__ = python_function.__qualname__
        self.__name__ = self.name

    # The IR.

    @property
    def name(self) -> str:
        """The kernel's name in the IR."""
        if self._module is not None:
            return self._module.functions[0].name
        assert self._python is not None
        return self._chosen_name or self._python.__name__

    @property
    def module(self) -> Module:
        """The IR as it was traced: a module of the kernel's function, and of those that it calls."""
        module = self.current()._module
        assert module is not None
        return module

    def current(self) -> Kernel:
        """The kernel for the values that the names of the Python function are bound to now, which does not change.

        A kernel that was text, or is such a kernel already, is itself.
        """
        if self._module is not None:
            return self
        latest = self._traces.latest
        if latest is not None and latest.guard.holds():
            return latest.kernel
        return self._traces.current(self._traced)

    def _traced(self) -> Trace[Kernel]:
        """Trace the Python function; names that were bound anew to equal values lead to the same kernel as before."""
        from ..ir.values import Module

        assert self._python is not None
        missing = [p.name for p in self.call_signature.open if not p.has_default]
        if missing:
            listed = ", ".join(missing)
            raise PytlError.single(
                CONSTEXPR,
                f"{self.name} has no value for {listed} yet",
                call_site(),
                f"write {self.name}.specialize({', '.join(f'{p}=…' for p in missing)}), or launch it with them",
            )
        traced = frontend.trace_function(
            self._python,
            name=self._chosen_name,
            attributes=self._attributes,
            constexprs=self._constexprs,
            names=self._annotation_names,
        ).checked()
        source = (str(Module.of(traced.function)), *traced.captures.codes)
        kernel = None if traced.captures.has_callbacks else self._traces.of_source(source)
        if kernel is None:
            kernel = Kernel(
                module=Module.of(traced.function),
                symbols=self.call_signature.sizes,
                constexprs=self._constexprs,
                python_signature=self.call_signature.python_of_arrays,
            )
            kernel.__doc__ = self.__doc__
        return Trace(traced.captures.guard(), source, kernel)

    def redefine(self, other: Kernel) -> None:
        """Become what another kernel is, as a function does in a notebook whose module is loaded again."""
        specialized = self._specialized
        for child in specialized.values():
            values = {name: value for name, value in child._constexprs.items() if name not in self._constexprs}
            with suppress(PytlError):  # it has no such parameter any more
                child.redefine(other.specialize(**values))
        self.__dict__ = {**vars(other), "_specialized": specialized}

    @property
    def function(self) -> Function:
        """The kernel's function, the first of the module."""
        return self.module.functions[0]

    # What launches know of it. Each is found at its first use, and nothing else is written into a kernel.

    @once
    def call_signature(self) -> CallSignature:
        """How the kernel is called."""
        from .signature import CallSignature

        known = self._annotation_names, self._constexprs
        parameters = frontend.signature(self._python, *known) if self._python is not None else []
        constexpr_names = frozenset(self._constexprs)
        return CallSignature(self.name, parameters, constexpr_names, self._known_sizes, self._known_python)

    @once
    def is_called_plainly(self) -> bool:
        """Whether the arguments of calls are those of the function, in order."""
        return self.call_signature.is_plain

    @once
    def launches(self) -> Launches:
        """What launches of the function have made, for a kernel that was text or is `current`."""
        from ..launch.launches import Launches
        from ..launch.signature import Signature

        return Launches(Signature(self.function, self.call_signature.sizes))

    @property
    def constexprs(self) -> Mapping[str, Any]:
        """The values that constexpr parameters have."""
        return self._constexprs

    @property
    def whole(self) -> Function:
        """The function with what it calls in the places of the calls: what launches look at."""
        return self.current().launches.signature.whole

    def parameters(self) -> Sequence[Parameter]:
        """What a launch knows of the parameters."""
        return self.current().launches.signature.parameters

    def called_with(
        self, positional: Sequence[Any], named: Mapping[str, Any], may_be_none: bool = False
    ) -> tuple[Kernel, Sequence[Any], Mapping[str, Any]]:
        # for launchers, see `LaunchedKernel`
        values, rest, remaining = self.call_signature.divided(positional, named, may_be_none)
        kernel = self.specialize(**values) if self.call_signature.open and (values or positional or named) else self
        kernel = kernel.current()
        if kernel.constants is not None:
            remaining = {**remaining, **kernel.constants.beside((*rest, *remaining.values()))}
        return kernel, rest, remaining

    @once
    def constants(self) -> ConstantArrays | None:
        """The arrays that are part of a `current` kernel, if there are some."""
        if len(self.called_parameters) == len(self.function.parameters):
            return None
        from .constant_arrays import ConstantArrays

        return ConstantArrays(self.function)

    def __str__(self) -> str:
        return str(self.module)

    def __repr__(self) -> str:
        return f"<pytl.Kernel {self.name}>"

    def _repr_html_(self) -> str:
        from .notebook import kernel_html

        return kernel_html(self)

    def ir(self, stage: str = "traced", *, backend: str = "sycl", dialect: str | None = None, **options: Any) -> str:
        """The text after a stage: "traced", or the name of a pass that the backend runs; "vector" is vector code, where
        comments have the lines of the source.

        It is written in the manual's spelling, or in that of a `dialect` or another language, such as "0.4".

        Of a pass that the backend does not run, such as `work-item-loops`, it is what that pass alone makes of the
        traced text; so it is of a pass with options, as in `canonicalize{unsafe-fp-math=true}`. The reference backend
        runs no pass, so that `k.ir("lower-collectives", backend="reference")` lowers all of them.
        Raises `pytl.PytlError` for a stage that does not exist, and `pytl.LanguageError` where an instruction has no
        form in the dialect.
        """

        from ..backends.registry import find_backend
        from ..frontends.registry import find_frontend
        from ..passes import Pipeline, find_pass, pass_names
        from ..process.interrupts import SafeInterrupts

        def shown(module: Module) -> str:
            return str(module) if dialect is None else find_frontend(dialect, "").write(module)

        if stage == "traced":
            return shown(self.module)
        if isinstance(stage, str):
            stage = _STAGES.get(stage, stage)
        with SafeInterrupts():
            chosen = find_backend(backend)
            stages: dict[str, str] = {}
            complete = chosen.complete_options(options, None, self.whole)
            passes = [*chosen.call_passes(complete), *chosen.passes(complete)]
            names = [step.name for step in passes]
            if stage not in names:
                if not isinstance(stage, str) or stage.partition("{")[0] not in pass_names():
                    known = ", ".join(["traced", *names])
                    raise PytlError.single(STAGE, f"there is no stage `{stage}`", help=f"the stages are {known}")
                return shown(Pipeline([find_pass(stage)]).run(self.module))

            def note(step: Any, module: Module) -> None:
                if step.name == stage == _STAGES["vector"] and dialect is None:
                    stages[stage] = with_source_lines(module)
                elif step.name == stage:
                    stages[stage] = shown(module)

            Pipeline(passes, note).run(self.module)
        return stages[stage]

    @overload
    def emit(self, target: Literal["spirv"], *, stage: None = None, **options: Any) -> Spirv: ...
    @overload
    def emit(self, target: str, *, stage: str | None = None, **options: Any) -> str: ...
    def emit(self, target: str, *, stage: str | None = None, **options: Any) -> str | Spirv:
        """The source that a backend generates: `k.emit("numba_dpex")`. Needs no device.

        `k.emit("spirv")` is the SPIR-V for programs that launch kernels without Python: bytes with an `interface`, and
        `write("k.spv")` writes both. It is for processors; `device` is one of the kinds that `pytl.build` has. Needs
        a compiler, as launches on SYCL do.

        `stage` shows what becomes of the source. Of the backends `mlir` and `arm_sme` it is "llvm-dialect", "llvm" or
        "asm", and needs MLIR's tools. Of `numba_dpex` and `opencl` it is "llvm" or "spirv", which need a compiler,
        or "asm", which needs a processor under OpenCL and a disassembler, and is for this processor where no `machine`
        is named; `device` may be one of many work-items that is not here, "gpu", "integrated", "bmg" or "pvc". Of
        `xegpu` it is "xevm", "llvm" or "spirv", which need MLIR's tools, and `chip` is "pvc" or "bmg". Raises
        `pytl.PytlError` for a stage that does not exist,
        and where a tool or the device for it is missing.
        """
        from ..backends.registry import find_backend
        from ..process.interrupts import SafeInterrupts

        with SafeInterrupts():
            from ..launch.specialization import for_code

            launches = for_code(self.current().launches)
            function = launches.signature.function
            if target == "spirv":
                from .native import emit_spirv

                return emit_spirv(function, launches.lowered, options)
            backend = find_backend(target)
            if stage in backend.stages_of_host:
                options = {"machine": "host", **options}
            complete = backend.complete_options(options, None, function)
            if stage is None:
                return backend.emit(launches.lowered(backend, complete), complete)
            backend.check_stage(stage)
            return backend.emit_stage(launches.lowered(backend, complete), complete, stage)

    def explain(
        self, *, backend: str = "sycl", machine: str = "host", assembly: bool = True, **options: Any
    ) -> Explanation:
        """What the inner loops of the kernel's vector code execute per iteration, how long that takes, and what limits
        it; print it, or look at its `loops`.

        Each has its `line` of the source, the register `tile`, numbers of `fmas`, `loads`, `stores` and `others`, the
        `cycles` that the description of a `machine` predicts, and their `limit`. With `assembly`, where there are the
        tools for the stage "asm" of `emit`, it also has the instructions and spills of the loop in the code. `backend`
        is one with vector code: "sycl", "opencl" or "mlir"; `options` are those of a launch. Raises `pytl.PytlError`
        for another backend (PYTL-3093), and for a machine that does not exist.

        >>> import pytl
        >>> text = "func @f(%a: memref<f32x64x512>, %b: memref<f32x512x40>, %c: memref<f32x64x40>)"
        >>> kernel = pytl.compile(text + " { gemm.n.n 1.0, %a, %b, 1.0, %c }")["f"]
        >>> loop = kernel.explain(backend="mlir", machine="avx512", assembly=False).loops[0]
        >>> loop.fmas, loop.loads, loop.cycles, loop.limit
        (96, 40, 48.0, 'FMA ports')
        """
        from ..backends.registry import find_backend
        from ..launch.specialization import for_code
        from ..process.interrupts import SafeInterrupts
        from .explanation import explained

        with SafeInterrupts():
            launches = for_code(self.current().launches)
            return explained(launches, find_backend(backend), machine, assembly, options)

    def specialize(self, **values: Any) -> Kernel:
        """The kernel with values for constexpr parameters and named sizes, and shapes for arrays; the same object for
        the same values.

        A shape is a tuple of sizes, with `...` for those that stay dynamic. Launches make such kernels by themselves
        for sizes that come again; this one has a text of its own, to be looked at and emitted, and takes no others.
        Raises `pytl.PytlError` for a name that is not such a parameter, and for shapes that do not fit.

        >>> import pytl
        >>> text = "func @f(%a: memref<f32x?x?>) { %0 = constant 1.0 : f32  axpby.n %0, %a, %0, %a }"
        >>> print(pytl.compile(text)["f"].specialize(a=(16, ...)).function.parameters[0].type)
        memref<f32x16x?>
        """
        from ..launch.arrays.parameters import what

        parameters = self.call_signature.parameters
        constexprs = [p.name for p in parameters if p.is_constexpr or p.is_open]
        constexprs += sorted({name for p in parameters for name in p.size_names} - set(constexprs))
        shapes = {name: value for name, value in values.items() if name not in constexprs and type(value) is tuple}
        unknown = [name for name in values if name not in constexprs and name not in shapes]
        for parameter in parameters:
            number = values.get(parameter.name, 0)
            if parameter.is_open and (type(number) is not int or not 0 <= number <= MAX_ARRAYS):
                raise PytlError.single(
                    CONSTEXPR,
                    f"{parameter.name} of {self.name} is given {what(number)}",
                    call_site(),
                    f"*{parameter.name} takes the number of its arguments, up to {MAX_ARRAYS}: {parameter.name}=2",
                )
        if unknown:
            raise PytlError.single(
                CONSTEXPR,
                f"{self.name} has no constexpr parameter {', '.join(unknown)}",
                call_site(),
                f"its constexpr parameters and named sizes are: {', '.join(constexprs) or 'none'}",
            )
        if shapes:
            rest = {name: value for name, value in values.items() if name not in shapes}
            base = (self.specialize(**rest) if rest else self).current()
            if base is not self:
                return base.specialize(**shapes)
        key = key_of(values)
        known = self._specialized.get(key)
        if known is not None and is_changed({name: known._constexprs.get(name) for name in values}, key):
            del self._specialized[key]
        if key not in self._specialized and shapes:
            from ..passes import Pipeline, Specialize, specialize

            try:
                texts = {name: specialize.shape_text(name, shape) for name, shape in shapes.items()}
                step = Specialize(shapes=tuple(f"{name}:{text}" for name, text in texts.items()))
                module = Pipeline([step]).run(self.module)
                signature = self.call_signature
                derived = Kernel(module=module, symbols=signature.sizes, python_signature=signature.python_of_arrays)
            except PytlError as error:
                add_call_site(error)
                raise
            derived.__doc__, derived._constexprs = self.__doc__, self._constexprs
            derived._sizes = {**self._sizes, **texts}
            self._specialized.setdefault(key, derived)
        if key not in self._specialized:
            self._specialized[key] = Kernel(
                python_function=self._python,
                attributes=self._attributes,
                constexprs={**self._constexprs, **values},
                name=self._chosen_name,
                annotation_names=self._annotation_names,
            )
        return self._specialized[key]

    def cache_info(self) -> CacheInfo:
        """What was compiled for launches of this kernel and of its specializations, or found on disk, and how often
        it was used; print it, or look at its `builds`, `disk_hits`, `memory_hits`, `plans` and `variants`.

        >>> import pytl
        >>> text = "func @f(%a: memref<f32x4>) { %0 = constant 1.0 : f32  axpby.n %0, %a, %0, %a }"
        >>> print(pytl.compile(text)["f"].cache_info())
        f: 0 builds, 0 disk hits, 0 memory hits, 0 launch plans
        """
        from ..backends.registry import find_backend
        from ..launch.variants import known_sizes
        from .cache_info import CacheInfo, KernelVariant

        variants: list[KernelVariant] = []
        plans = 0
        if self._module is not None:
            plans = len(self.launches.plans)
            for name, lowered, is_tuned in self.launches.all_lowered():
                sizes = {**self._sizes, **known_sizes(lowered)}
                backend = find_backend(name)
                options = backend.shown_options(lowered.options)
                variants += [
                    KernelVariant(self._constexprs, sizes, name, options, built, is_tuned)
                    for built in backend.variants(lowered)
                ]
        for kernel in (*self._traces.kernels(), *list(self._specialized.values())):
            info = kernel.cache_info()
            variants += info.variants
            plans += info.plans
        return CacheInfo(self.name, tuple(variants), plans)

    @property
    def inline(self) -> KernelBody:
        """The kernel's body, for other kernels: `other.inline(alpha, A, B)` in one stands for the body of `other`.

        Arguments fit the annotations of the parameters, and constexpr parameters are passed Python values.

        >>> import pytl
        >>> from pytl import Memref, f32
        >>> @pytl.kernel
        ... def double(x: Memref[f32, 4]):
        ...     pytl.axpby(2.0, x, 0.0, x)
        >>> @pytl.kernel
        ... def quadruple(x: Memref[f32, 4]):
        ...     double.inline(x)
        ...     double.inline(x)
        >>> print(sum("axpby" in line for line in str(quadruple).splitlines()))
        2
        """
        from ..frontends.lang.bodies import KernelBody

        if self._body is None:
            definition: Any = self._python if self._module is None else self.function
            self._body = KernelBody(self.name, definition, self._attributes, self._constexprs, self._annotation_names)
        return self._body

    @property
    def called_parameters(self) -> Sequence[Value]:
        """The parameters that a call from Python has arguments for."""
        from ..ir.patterns import VALUES

        return [parameter for parameter in self.function.parameters if VALUES not in parameter.attributes]

    # Copies. A kernel is not changed by anything, so its copy in a process is itself.

    def __reduce__(self) -> Any:
        from . import pickling

        return pickling.reduced(self, call_site())

    def __copy__(self) -> Kernel:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Kernel:
        return self

    # Launching.

    def __getitem__(self, configuration: Any) -> Launcher:
        """`k[n]`, or `k[x, y, z]` in three dimensions; a dict at the end has options: `k[n, {"strategy": "one-item"}]`.

        With `k[...]` the arguments tell the number of work-groups: as many as a group has items, or a mode elements,
        that is indexed by `group_id()`. Raises `pytl.LaunchError` where they do not (PYTL-2062).
        """
        if type(configuration) is int and 0 <= configuration <= launch.configuration.MAX_GROUPS:
            return _launcher()(self, configuration)
        options: Mapping[str, Any] = {}
        if isinstance(configuration, tuple):
            configuration, options = launch.configuration.check_configuration(configuration)
        groups = None if configuration is Ellipsis else launch.configuration.check_groups(configuration)
        return _launcher()(self, groups, dict(options))

    def __call__(self, *arguments: Any, **named: Any) -> None:
        raise LaunchError.single(
            launch.configuration.rules.GROUPS,
            f"{self.name} was called without a number of work-groups",
            call_site(),
            f"write {self.name}[n](…); inside of another kernel, {self.name}.inline(…)",
        )

    def dpex(self, n: Any, /, *arguments: Any, **named: Any) -> Any:
        """What `numba_dpex.call_kernel` takes to launch `n` work-groups: `call_kernel(*k.dpex(n, alpha, A, B))`.

        The result is a tuple of a `@numba_dpex.kernel`, its `NdRange`, and the arguments as numba-dpex takes them,
        with the attributes `kernel`, `index_space` and `arguments`. Arguments are those of a launch, in order or by
        name, and are checked as a launch checks them; arrays must be device arrays, which are passed as flat views
        of the same memory. Without arguments there are none in the result, and its attribute `parameters` says what
        the kernel takes for each parameter; that an array is long enough is then up to the caller. `strategy=…`
        is the option of the backend. The result keeps the arrays of a group alive.

        Raises `pytl.LaunchError` where a launch does, and where call_kernel cannot launch (PYTL-2041).
        """
        parameters = {p.name for p in self.call_signature.parameters or self.function.parameters}
        options = {name: named.pop(name) for name in launch.dpex.option_names(parameters, named)}
        return self[n, options].dpex(*arguments, **named)


def with_source_lines(module: Module) -> str:
    """The text of a module with vector code, with lines of the user's source as comments."""
    from ..ir.printer import print_function
    from ..passes.vectors.inner_loops import source_lines

    remarks = source_lines(module)
    return "\n\n".join(print_function(function, remarks=remarks) for function in module.functions)


def compile(
    text_or_module: str | Module,
    name: str = "<text>",
    *,
    language: str | None = None,
    definitions: Mapping[str, Any] | None = None,
) -> dict[str, Kernel]:
    """Kernels from IR: a text or a module, each by its name. Functions that are called are parts of kernels.

    `name`, `language` and `definitions` are those of `pytl.parse`. Raises `pytl.LanguageError` with everything that is
    wrong with it.

    >>> import pytl
    >>> text = "func @f(%a: memref<f32x4>) { %0 = constant 2.0 : f32  axpby.n %0, %a, %0, %a }"
    >>> list(pytl.compile(text))
    ['f']
    """
    from ..frontends.reading import parse
    from ..ir.argument_checks import check_text
    from ..ir.values import Module
    from ..ir.verifier import verify

    if isinstance(text_or_module, Module):
        module = text_or_module
    else:
        check_text(text_or_module, "pytl.compile")
        module = parse(text_or_module, name, language=language, definitions=definitions)
    verify(module)
    return {function.name: recording.note(Kernel(module=Module.of(function))) for function in module.kernels}
