"""`pytl.build` and `pytl.load`: kernels that are compiled ahead of time, and launched where there is no compiler."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from ..backends import checked
from ..backends.base import AheadOfTime, Argument, Backend, GroupArgument, Lowered, MemrefArgument
from ..backends.registry import find_backend
from ..diagnostics import LaunchError, PlatformError, PytlError, Rule, call_site
from ..diagnostics.callers import add_call_site
from ..ir.types import DYNAMIC, MemrefType, item_type
from ..ir.values import Function, Module
from ..launch.arrays.parameters import what
from ..launch.launches import Launches
from ..launch.signature import Signature
from ..launch.specialization import for_code
from ..launch.variants import SizeVariants
from ..ops.launch_defaults import IN_PARTS, OVERLAPPING
from ..process.interrupts import SafeInterrupts
from ..process.once import once
from ..process.settings import CHECKS, SPECIALIZE
from . import built
from .built import ARGUMENTS, BuiltFunction, Form
from .kernel import Kernel

NO_FORM = Rule(
    "PYTL-2090",
    "a kernel that was built ahead of time is launched on a kind of device that it was built for",
    "Ahead of time",
)
OPTIONS = Rule(
    "PYTL-2091",
    "a kernel that was built ahead of time is launched with the options that it was built with",
    "Ahead of time",
)
TOO_MANY = Rule(
    "PYTL-2092",
    "a launch of a kernel that was built ahead of time has no more work-groups than a device counts at once",
    "Ahead of time",
)
APART = Rule(
    "PYTL-0645",
    "a kernel that was built ahead of time adds products of matrices to no array that overlaps one of their factors",
    "Ahead of time",
    explanation="Such products are computed as gemms on the arrays. Where these overlap, a launch compiles other code; "
    "that is not among what was built.",
)

ALONG_X = Rule(
    "PYTL-0687",
    "a kernel that was built ahead of time is launched along y and z if it asks for places there",
    "Ahead of time",
    explanation="Such a kernel is told how many work-groups there are along each dimension; others are not.",
)

Kernels = Kernel | Sequence[Kernel] | Mapping[str, "Kernel | Sequence[Kernel]"]


def build(kernels: Kernels, path: str | os.PathLike[str], *, devices: Sequence[str] = ("cpu",), **options: Any) -> Path:
    """Compile kernels ahead of time, into a folder that `pytl.load` reads on any Python from 3.10 on, without numba.

    `kernels` is a kernel, a list of them, or a dict of names and kernels. Where several have one name, the first has
    dynamic sizes, and the others are its specializations for sizes, as `k.specialize(A=(16, 16))` gives them: a launch
    takes the specialization for the sizes of its arrays, if there is one. `devices` are kinds of devices: "cpu" (with
    vector registers of 64 bytes), "cpu:32", "cpu:16", "integrated", "bmg", "pvc", and "gpu", for all that are no
    processors. `options` are those of a launch on SYCL, such as `strategy="many-items"`. Needs a compiler. Returns the
    folder, which is made if there is none; kernels that were built into it before are replaced.

    Raises `pytl.PytlError` for what is no kernel, a kernel without values for its constexpr parameters, and a folder
    that cannot be written (PYTL-3301).
    """
    folder = Path(path)
    try:
        with SafeInterrupts():
            backend = find_backend(built.BACKEND)
            ahead = backend.ahead_of_time
            assert ahead is not None
            for device in devices:
                if isinstance(devices, str) or device not in ahead.devices:
                    known = ", ".join(map(repr, ahead.devices))
                    _refuse(f"there is no kind of device {device!r}", f"devices is a list of: {known}")
            named = _named(kernels)
            functions = [_built(name, group, backend, ahead, devices, options) for name, group in named.items()]
            try:
                built.write(folder, functions)
            except OSError as error:
                problem = f"{error.filename or folder} cannot be written: {error.strerror}"
                raise PlatformError.single(built.FOLDER, problem, help="name a folder of your own") from None
    except PytlError as error:
        add_call_site(error)
        raise
    return folder


def load(path: str | os.PathLike[str]) -> Library:
    """The kernels of a folder that `pytl.build` wrote, by their names: `pytl.load(folder)["scale"]` is one.

    They are launched as other kernels are, and are checked in the same way; they need dpctl or pyopencl, and no
    compiler. All files are read and checked now. Like a package, a folder has code: load only what you would import.
    Raises `pytl.PlatformError` where the folder is damaged, or of another version (PYTL-3302).
    """
    folder = Path(path)
    try:
        with SafeInterrupts():
            return Library(folder, built.read(folder))
    except PytlError as error:
        add_call_site(error)
        raise


class Library(Mapping[str, Kernel]):
    """The kernels of a folder, by their names. See `pytl.load`."""

    def __init__(self, path: Path, functions: Sequence[BuiltFunction]) -> None:
        self.path = path
        self._kernels = {each.name: BuiltKernel(each, path) for each in functions}

    def __getitem__(self, name: str) -> Kernel:
        return self._kernels[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __repr__(self) -> str:
        return f"<pytl.Library {self.path}: {', '.join(self._kernels)}>"


class BuiltKernel(Kernel):
    """A kernel of a `Library`: launches through SYCL and OpenCL take the code that was built, and compile nothing."""

    def __init__(self, function: BuiltFunction, path: Path) -> None:
        super().__init__(module=Module.of(function.function), symbols=function.sizes, python_signature=function.python)
        self._built = function
        self._path = path

    @once
    def launches(self) -> Launches:
        return BuiltLaunches(Signature(self.function, self.call_signature.sizes), self._built)

    def __reduce__(self) -> Any:
        return _again, (os.fspath(self._path.absolute()), self._built.name)


class BuiltLaunches(Launches):
    """Launches of code that was built."""

    def __init__(self, signature: Signature, built: BuiltFunction) -> None:
        super().__init__(signature)
        self.preferred_backend = _run_time()
        self.variants = _BuiltVariants(self)
        self._built = built
        self._forms: dict[Any, Lowered] = {}

    def options(self, backend: Backend, requested: Mapping[str, Any], queue: Any) -> Mapping[str, Any]:
        form = self.form_for(backend, queue)
        if form is None:
            return super().options(backend, requested, queue)
        value = requested.get(checked.CHECKED)
        is_checked = CHECKS.get() == "device" if value is None else bool(value)
        compiled = {
            name: value for name, value in requested.items() if name not in ("device", "specialize", checked.CHECKED)
        }
        differing = [name for name, value in compiled.items() if value not in ("auto", form.options.get(name, "auto"))]
        if is_checked != bool(form.options.get(checked.CHECKED)):
            differing.append(checked.CHECKED)
        if differing:
            raise LaunchError.single(
                OPTIONS,
                f"{self.signature.name} was built with other values of: {', '.join(differing)}",
                help="leave these options out, or build the kernel with them",
            )
        return form.options

    def check_grid(self, backend: Backend) -> None:
        if backend.ahead_of_time is not None and not self.signature.has_grid:
            raise LaunchError.single(
                ALONG_X,
                f"{self.signature.name} was built for work-groups along x",
                help="let the kernel ask for group_id(1), and number the work-groups by it",
            )

    def lowered(self, backend: Backend, options: Mapping[str, Any]) -> Lowered:
        if IN_PARTS in options and backend.ahead_of_time is not None:
            raise LaunchError.single(
                TOO_MANY,
                f"{self.signature.name} was built for at most "
                f"{int(backend.max_groups(self.signature.function, options))} work-groups per launch",
                help="divide the launch",
            )
        if OVERLAPPING in options and backend.ahead_of_time is not None:
            raise LaunchError.single(
                APART,
                f"of {self.signature.name}, an array of which matrices are factors overlaps one to which sums are "
                "stored",
                help="pass a copy of one of them",
            )
        for form in self._built.forms:
            if backend.ahead_of_time is not None and not form.is_specialized and form.options == options:
                return self.lowered_form(backend, form)
        return super().lowered(backend, options)

    def form_for(self, backend: Backend, queue: Any) -> Form | None:
        """The form for a queue's device, without specializations; None for backends that compile or interpret."""
        ahead = backend.ahead_of_time
        if ahead is None:
            return None
        general = {form.device: form for form in self._built.forms if not form.is_specialized}
        device = ahead.device_of(queue, list(general))
        if device is None:
            raise LaunchError.single(
                NO_FORM,
                f"{self.signature.name} was built for {', '.join(general)}, and not for this device",
                help="build the kernel with devices=… for the device, too",
            )
        return general[device]

    def specialized_forms(self, options: Mapping[str, Any]) -> Iterator[Form]:
        """The specializations beside a form with these options."""
        return (form for form in self._built.forms if form.is_specialized and form.options == options)

    def lowered_form(self, backend: Backend, form: Form) -> Lowered:
        """A form for launches, one object each time."""
        key = (backend.name, id(form))
        if key not in self._forms:
            self._forms.setdefault(key, form.lowered(backend, self.signature.function))
        return self._forms[key]

    def all_lowered(self) -> Iterator[tuple[str, Lowered, bool]]:
        yield from super().all_lowered()
        for (backend, _), lowered in list(self._forms.items()):
            yield backend, lowered, False


class _BuiltVariants(SizeVariants):
    """The specializations that were built, in place of those that launches make."""

    def __init__(self, launches: BuiltLaunches) -> None:
        super().__init__()
        self._launches = launches

    def variant_for(
        self, backend: Backend, generic: Lowered, arguments: Sequence[Argument], queue: Any, specialize: str | None
    ) -> tuple[Lowered, bool]:
        if not generic.prebuilt:
            return super().variant_for(backend, generic, arguments, queue, specialize)
        if (specialize or SPECIALIZE.get()) != "never":
            for form in self._launches.specialized_forms(generic.options):
                if _fits(form.function, arguments):
                    return self._launches.lowered_form(backend, form), True
        return generic, True


@cache
def _run_time() -> str:
    """The backend that launches what was built: dpctl's, or pyopencl's where that one alone is installed."""
    only_opencl = importlib.util.find_spec("dpctl") is None and importlib.util.find_spec("pyopencl") is not None
    return "opencl" if only_opencl else built.BACKEND


def _again(path: str, name: str) -> Kernel:
    """A kernel out of a pickle: that of the folder."""
    return load(path)[name]


def _fits(function: Function, arguments: Sequence[Argument]) -> bool:
    """Whether arguments have the sizes that a function is specialized for."""
    for parameter, argument in zip(function.parameters, arguments):
        memref = item_type(parameter.type)
        if not isinstance(memref, MemrefType):
            continue
        if isinstance(argument, GroupArgument):
            if len(argument.shapes) != 1 or len(argument.strides) != 1:
                return False
            actual = (*argument.shapes[0], *argument.strides[0])
        else:
            assert isinstance(argument, MemrefArgument)
            actual = (*argument.shape, *argument.strides)
        declared = (*memref.shape, *memref.strides)
        if any(expected is not DYNAMIC and expected != size for expected, size in zip(declared, actual)):
            return False
    return True


def _named(kernels: Any) -> dict[str, list[Kernel]]:
    """The kernels by the names that they are loaded by."""
    if isinstance(kernels, Kernel):
        kernels = [kernels]
    if isinstance(kernels, Mapping):
        pairs = [(name, each) for name, one in kernels.items() for each in ([one] if isinstance(one, Kernel) else one)]
    else:
        pairs = [(getattr(each, "name", ""), each) for each in kernels]
    by_name: dict[str, list[Kernel]] = {}
    for name, each in pairs:
        if not isinstance(each, Kernel):
            _refuse(f"{what(each)} is no kernel", "pass kernels, as @pytl.kernel and pytl.compile make them")
        if not built.is_word(name):
            _refuse(f"the name {name!r} is none of ASCII letters, digits and _", "name it: pytl.build({'name': k}, …)")
        by_name.setdefault(name, []).append(each)
    if not by_name:
        _refuse("there are no kernels", "pass one, or a list of them")
    return by_name


def _built(
    name: str,
    kernels: Sequence[Kernel],
    backend: Backend,
    ahead: AheadOfTime,
    devices: Sequence[str],
    options: Mapping[str, Any],
) -> BuiltFunction:
    """One kernel, with the specializations that follow it, compiled for each kind of device."""
    all_launches = [for_code(kernel.current().launches) for kernel in kernels]
    first = all_launches[0].signature
    general = first.function
    forms = []
    for launches in all_launches:
        function = launches.signature.function
        if function is not general and not built.refines(function, general):
            help = f"name each: pytl.build({{'{name}_1': …, '{name}_2': …}}, …)"
            _refuse(f"two kernels are named {name}, and the second is not the first for certain sizes", help)
        for device in devices:
            backend.check_options(options)
            complete = ahead.options(device, options, function)
            code = ahead.compile(launches.lowered(backend, complete))
            forms.append(Form(device, complete, function, code, function is not general))
    python = kernels[0].current().call_signature.python_of_arrays
    return BuiltFunction(name, general, tuple(first.sizes), forms, python)


def _refuse(problem: str, help: str) -> NoReturn:
    raise PytlError.single(ARGUMENTS, problem, call_site(), help)
