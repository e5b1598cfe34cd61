"""`@pytl.kernel` and `Kernel`: what the user holds."""

from __future__ import annotations

import importlib.util
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from types import FunctionType
from typing import Any, overload

from .backends.base import UNAVAILABLE, Argument, Backend, Lowered, find_backend
from .diagnostics import LaunchError, PytlError, Rule
from .frontends.python import Parameter as PythonParameter
from .frontends.python import signature, trace
from .frontends.python.source import find_source
from .ir.text import parse
from .ir.values import Function, Module
from .ir.verifier import verify
from .passes import Pipeline, find_pass, pass_names
from .runtime import aliasing, launch, plans
from .runtime.parameters import Parameter
from .settings import BACKEND, DEVICE

CONSTEXPR = Rule("PYTL-2020", "constexpr parameters have values before a kernel is traced", "Kernels")
STAGE = Rule("PYTL-3016", "a stage is `traced`, or the name of a pass that the backend runs", "Passes")


@overload
def kernel(function: Callable[..., Any], /) -> Kernel: ...
@overload
def kernel(
    *,
    subgroup_size: int | None = None,
    work_group_size: tuple[int, int] | None = None,
    name: str | None = None,
) -> Callable[[Callable[..., Any]], Kernel]: ...
def kernel(
    function: Callable[..., Any] | None = None,
    /,
    *,
    subgroup_size: int | None = None,
    work_group_size: tuple[int, int] | None = None,
    name: str | None = None,
) -> Any:
    """Make a kernel of a Python function: its source is read and becomes the tensor language, it is never run.

    Parameters: `subgroup_size` and `work_group_size` are the function's attributes of the language (work-items;
    `work_group_size` as rows and columns), chosen by the compiler where they are left out; `name`, the kernel's
    name in the IR. The function is traced at the first use, so it may call helpers that are defined below it.
    Raises `pytl.TraceError` then, with everything that is wrong with it. Manual: Functions.

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
    attributes: dict[str, Any] = {}
    if subgroup_size is not None:
        attributes["subgroup_size"] = subgroup_size
    if work_group_size is not None:
        attributes["work_group_size"] = work_group_size

    around = sys._getframe(1).f_locals

    def make(python_function: Callable[..., Any]) -> Kernel:
        if not isinstance(python_function, FunctionType):
            find_source(python_function)  # says what is wanted instead
        # Under `from __future__ import annotations` these are texts, and the function's closure has only those names
        # that its body uses; what else they name is looked up where the function is defined.
        texts = [text for text in python_function.__annotations__.values() if isinstance(text, str)]
        surroundings = {word: around[word] for word in re.findall(r"\w+", " ".join(texts)) if word in around}
        return Kernel(python_function=python_function, attributes=attributes, name=name, surroundings=surroundings)

    return make if function is None else make(function)


class Kernel:
    """A kernel: its IR, its text, and launches of it.

    `print(k)` shows the text, `k.ir(stage)` the text after a pass, `k.emit(target)` a backend's source; `k[n]` is a
    launcher for `n` work-groups. `k.specialize(M=16)` gives constexpr parameters their values.
    """

    def __init__(
        self,
        *,
        module: Module | None = None,
        python_function: Callable[..., Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
        constexprs: Mapping[str, Any] | None = None,
        name: str | None = None,
        surroundings: Mapping[str, Any] | None = None,
    ) -> None:
        self._module = module
        self._surroundings = dict(surroundings or {})
        self._python = python_function
        self._attributes = dict(attributes or {})
        self._constexprs = dict(constexprs or {})
        self._wish = name
        self._lowered: dict[Any, Lowered] = {}
        self._specialized: dict[Any, Kernel] = {}
        self._parameters: list[Parameter] | None = None
        self._pairs: list[aliasing.Pair] | None = None
        self._plans: dict[Any, plans.Plan] = {}
        self._read: list[PythonParameter] | None = None
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
        return self._wish or self._python.__name__

    @property
    def module(self) -> Module:
        """The IR as it was traced, a module of one function."""
        if self._module is None:
            assert self._python is not None
            missing = [p.name for p in self._open_parameters() if not p.has_default]
            if missing:
                listed = ", ".join(missing)
                raise PytlError.single(
                    CONSTEXPR,
                    f"{self.name} has no value for {listed} yet",
                    launch.call_site(),
                    f"write {self.name}.specialize({', '.join(f'{p}=…' for p in missing)}), or launch it with them",
                )
            function = trace(
                self._python,
                name=self._wish,
                attributes=self._attributes,
                constexprs=self._constexprs,
                names=self._surroundings,
            )
            self._module = Module([function])
        return self._module

    @property
    def function(self) -> Function:
        """The one function of the module."""
        return self.module.functions[0]

    def _signature(self) -> list[PythonParameter]:
        """The parameters of the Python function; none for a kernel that was text."""
        if self._read is None:
            self._read = signature(self._python, self._surroundings) if self._python is not None else []
        return self._read

    def _open_parameters(self) -> list[PythonParameter]:
        """The constexpr parameters that were given no value yet; they are launch arguments until then."""
        return [p for p in self._signature() if p.is_constexpr and p.name not in self._constexprs]

    def __str__(self) -> str:
        return str(self.function)

    def __repr__(self) -> str:
        return f"<pytl.Kernel {self.name}>"

    def ir(self, stage: str = "traced", *, backend: str = "sycl", **options: Any) -> str:
        """The text after a stage: "traced", or the name of a pass that the backend runs.

        Of a pass that the backend does not run, such as `lower-coopmatrix`, it is what that pass alone makes of the
        traced text; so it is of a pass with options, as in `canonicalize{unsafe-fp-math=true}`. The reference backend
        runs no pass, so that `k.ir("lower-collectives", backend="reference")` lowers all of them.
        Raises `pytl.PytlError` for a stage that there is not.
        """
        if stage == "traced":
            return str(self)
        chosen = find_backend(backend)
        stages: dict[str, str] = {}
        passes = [find_pass(text) for text in chosen.passes(chosen.complete_options(options, None))]
        names = [step.name for step in passes]
        if stage not in names:
            if not isinstance(stage, str) or stage.partition("{")[0] not in pass_names():
                known = ", ".join(["traced", *names])
                raise PytlError.single(STAGE, f"there is no stage `{stage}`", help=f"the stages are {known}")
            return str(Pipeline([find_pass(stage)]).run(self.module))
        Pipeline(passes, lambda step, module: stages.__setitem__(step.name, str(module))).run(self.module)
        return stages[stage]

    def emit(self, target: str, **options: Any) -> str:
        """The source that a backend generates: `k.emit("numba_dpex")`. Needs no device."""
        backend = find_backend(target)
        complete = backend.complete_options(options, None)
        return backend.emit(self._lower(backend, complete), complete)

    def specialize(self, **values: Any) -> Kernel:
        """The kernel with values for constexpr parameters; the same object for the same values."""
        constexprs = [p.name for p in self._signature() if p.is_constexpr]
        unknown = [name for name in values if name not in constexprs]
        if unknown:
            raise PytlError.single(
                CONSTEXPR,
                f"{self.name} has no constexpr parameter {', '.join(unknown)}",
                launch.call_site(),
                f"its constexpr parameters are: {', '.join(constexprs) or 'none'}",
            )
        key = tuple(sorted((name, type(value).__name__, repr(value)) for name, value in values.items()))
        if key not in self._specialized:
            self._specialized[key] = Kernel(
                python_function=self._python,
                attributes=self._attributes,
                constexprs={**self._constexprs, **values},
                name=self._wish,
                surroundings=self._surroundings,
            )
        return self._specialized[key]

    def _lower(self, backend: Any, options: Mapping[str, Any]) -> Lowered:
        key = (backend.name, tuple(sorted(options.items())))
        if key not in self._lowered:
            passes = [find_pass(text) for text in backend.passes(options)]
            lowered = Pipeline(passes).run(self.module) if passes else self.module
            self._lowered[key] = Lowered(self.function, lowered.functions[0])
        return self._lowered[key]

    # Launching.

    def __getitem__(self, configuration: Any) -> Launcher:
        """`k[n]`, or `k[n, {"strategy": "many-items"}]` with options of the backend."""
        options: Mapping[str, Any] = {}
        if isinstance(configuration, tuple):
            configuration, options = launch.check_configuration(configuration)
        return Launcher(self, launch.check_groups(configuration), options)

    def __call__(self, *arguments: Any, **named: Any) -> None:
        raise LaunchError.single(
            launch.rules.GROUPS,
            f"{self.name} was called without a number of work-groups",
            launch.call_site(),
            f"write {self.name}[n](…); inside of another kernel, call a plain function",
        )

    def parameters(self) -> list[Parameter]:
        """What a launch knows of the parameters."""
        if self._parameters is None:
            self._parameters = launch.parameters_of(self.function)
        return self._parameters

    def pairs(self) -> list[aliasing.Pair]:
        """The parameters that overlapping arrays may not be passed for."""
        if self._pairs is None:
            self._pairs = aliasing.pairs_of(self.function)
        return self._pairs


class Launcher:
    """A kernel with its number of work-groups: call it, or `submit` it."""

    def __init__(self, kernel: Kernel, groups: int, options: Mapping[str, Any]) -> None:
        self.kernel = kernel
        self.groups = groups
        self.options = dict(options)

    def __call__(self, *arguments: Any, backend: str | None = None, **named: Any) -> None:
        """Launch and wait. Arguments stand in the order of the parameters, or are named.

        `backend` is "sycl" or "reference"; where it is left out, the one of `pytl.use`, of PYTL_BACKEND, or sycl.
        Raises `pytl.LaunchError` before anything runs if an argument does not fit; no array is changed then.
        """
        try:
            self._launch(arguments, named, backend, None, (), wait=True)
        except PytlError as error:
            launch.add_place(error)
            raise

    def submit(
        self,
        *arguments: Any,
        queue: Any = None,
        depends: Sequence[Any] = (),
        backend: str | None = None,
        **named: Any,
    ) -> Any:
        """Launch without waiting; returns a `dpctl.SyclEvent`.

        `queue` is the queue to launch on if no argument lives on one, `depends` lists events to wait for. Arrays must
        be device arrays. The arguments are kept alive until the event is complete.
        """
        launch.check_dependencies(queue, depends)
        try:
            return self._launch(arguments, named, backend, queue, depends, wait=False)
        except PytlError as error:
            launch.add_place(error)
            raise

    def _launch(
        self,
        positional: Sequence[Any],
        named: Mapping[str, Any],
        backend_name: str | None,
        queue: Any,
        depends: Sequence[Any],
        wait: bool,
    ) -> Any:
        kernel, positional, named = self._specialized(positional, named)
        backend = find_backend(backend_name or default_backend())
        given = launch.match(kernel.function, positional, named)
        key = plans.key_of(given)
        decided_by = (key, backend.name, repr(self.options), wait, queue, DEVICE.get())
        plan = kernel._plans.get(decided_by) if key is not None else None
        arguments = plan.arguments(given) if plan is not None else None
        if plan is None or arguments is None:
            plan, arguments = self._plan(kernel, backend, given, queue, wait)
            if key is not None:
                if len(kernel._plans) >= plans.MOST_PLANS:
                    kernel._plans.clear()
                kernel._plans[decided_by] = plan
        return plan.backend.launch(plan.lowered, arguments, self.groups, plan.options, plan.queue, depends, wait)

    def _plan(
        self, kernel: Kernel, backend: Backend, given: Sequence[Any], wanted: Any, wait: bool
    ) -> tuple[plans.Plan, list[Argument]]:
        """Check everything, and decide how to launch with such arguments."""
        launch.require(backend, UNAVAILABLE)
        parameters = kernel.parameters()
        arguments = launch.bind_all(kernel.function, parameters, given)
        aliasing.check_apart(kernel.pairs(), arguments, kernel.function)
        if not wait:
            launch.check_submit(backend, arguments, parameters)
        queue = launch.choose_queue(backend, arguments, wanted)
        options = backend.complete_options(self.options, queue)
        rebinds = tuple(plans.rebind_for(p, a) for p, a in zip(parameters, arguments))
        reaches = aliasing.reaches(kernel.pairs(), arguments)
        return plans.Plan(backend, kernel._lower(backend, options), options, queue, rebinds, reaches), arguments

    def _specialized(
        self, positional: Sequence[Any], named: Mapping[str, Any]
    ) -> tuple[Kernel, Sequence[Any], Mapping[str, Any]]:
        """Split off the values of constexpr parameters that are passed in the launch."""
        open_names = [p.name for p in self.kernel._open_parameters()]
        if not open_names:
            return self.kernel, positional, named
        names = [p.name for p in self.kernel._signature() if p.name not in self.kernel._constexprs]
        values = {name: value for name, value in named.items() if name in open_names}
        values.update({name: value for name, value in zip(names, positional) if name in open_names})
        rest = [value for name, value in zip(names, positional) if name not in open_names]
        rest += list(positional[len(names) :])
        remaining = {name: value for name, value in named.items() if name not in open_names}
        return self.kernel.specialize(**values), rest, remaining


def compile(text_or_module: str | Module, name: str = "<text>") -> dict[str, Kernel]:
    """Kernels from IR: a text of the language or a module, each function by its name.

    Raises `pytl.LanguageError` with everything that is wrong with it.

    >>> import pytl
    >>> text = "func @f(%a: memref<f32x4>) { %0 = constant 2.0 : f32  axpby.n %0, %a, %0, %a }"
    >>> list(pytl.compile(text))
    ['f']
    """
    module = parse(text_or_module, name) if isinstance(text_or_module, str) else text_or_module
    verify(module)
    return {function.name: Kernel(module=Module([function])) for function in module.functions}


@contextmanager
def use(backend: str) -> Iterator[None]:
    """Launch on this backend inside the block where none is named: `with pytl.use("reference"):`."""
    find_backend(backend)
    with BACKEND.scope(backend):
        yield


@cache
def _platform_backend() -> str:
    if importlib.util.find_spec("numba_dpex") is not None:
        return "sycl"
    warnings.warn(
        "numba-dpex is not installed here, so kernels run on the reference backend, which is slow; "
        "`pytl devices` says what would install it",
        stacklevel=5,
    )
    return "reference"


def default_backend() -> str:
    """The backend of launches that name none."""
    return BACKEND.get() or _platform_backend()
