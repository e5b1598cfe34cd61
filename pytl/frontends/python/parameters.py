"""A kernel's parameters, from its annotations."""

from __future__ import annotations

import inspect
import re
from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from types import FunctionType, MappingProxyType
from typing import Annotated, Any, get_args, get_origin

from ...diagnostics import Diagnostics, Location, PytlError, TraceError
from ...ir.types import BoolType, ScalarType, Type
from ...process.records import dataclass
from ..lang.annotations import CONSTEXPR, Group, Memref, ParameterAttribute, ir_type_of, with_sizes
from ..lang.literals import literal_of
from ..lang.sizes import Size, Sizes
from ..lang.traced import describe, plain_number
from .annotations import annotations_of, signature_of
from .rules import ANNOTATION, KERNEL, RETURNED, SIZE_NAME
from .rules import CONSTEXPR as CONSTEXPR_RULE
from .source import find_source

NO_DEFAULT = inspect.Parameter.empty
EMPTY: Mapping[str, Any] = MappingProxyType({})


class ConstexprParameter:
    """Marks a parameter that is a Python value, known while the kernel is traced."""

    def __repr__(self) -> str:
        return "constexpr"


CONSTEXPR_PARAMETER = ConstexprParameter()


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel: its type or the constexpr marker, its attributes, its default if any."""

    name: str
    type: Type | ConstexprParameter
    attributes: dict[str, Any] = field(default_factory=dict)
    default: Any = NO_DEFAULT
    value_type: Any = None
    """The class that a constexpr parameter names for its value, as int in `constexpr[int]`."""
    sizes: Sizes = field(default_factory=Sizes)
    """The named sizes: those of constexpr parameters without a value, and those that arrays give at launch."""
    kind: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
    """How it is passed, as the inspect module names it."""
    star: str | None = None
    """The parameter with a star, as in `*arrays`, of which this is one argument; itself while their number is open."""
    size_names: frozenset[str] = frozenset()
    """All names in sizes of the annotation, also those that have values."""

    @property
    def is_constexpr(self) -> bool:
        return self.type is CONSTEXPR_PARAMETER

    @property
    def is_open(self) -> bool:
        """Whether this stands for several arguments, whose number is not known."""
        return self.star == self.name

    @property
    def has_default(self) -> bool:
        return self.default is not NO_DEFAULT


def signature(
    function: Callable[..., Any], names: Mapping[str, Any] | None = None, values: Mapping[str, Any] | None = None
) -> list[Parameter]:
    """The parameters of a kernel.

    `names` are further names that annotations may use. Under `from __future__ import annotations` these are
    texts, and Python keeps the names of an enclosing function only if the body uses them, too: whoever
    decorates a function there can pass what it sees.

    `values` are those of constexpr parameters and of named sizes, as far as they are known.

    Raises `pytl.diagnostics.TraceError` with all errors.
    """
    diagnostics = Diagnostics()
    parameters = read_signature(function, names, diagnostics, values)
    if diagnostics.errors:
        raise TraceError(diagnostics.in_order())
    return [parameter for parameter in parameters if parameter is not None]


def read_signature(
    function: Callable[..., Any],
    names: Mapping[str, Any] | None,
    diagnostics: Diagnostics,
    values: Mapping[str, Any] | None = None,
) -> list[Parameter | None]:
    """The parameters, with None for each that has an error; errors are reported."""
    if not isinstance(function, FunctionType):
        find_source(function)  # says what is expected instead
    assert isinstance(function, FunctionType)
    known = _names_of(function, names)
    parameters = signature_of(function).parameters.values()
    # a size may be the value of a constexpr parameter, also of a later one
    constexprs = {p.name for p in parameters if _is_constexpr(p.annotation, known)}
    constexpr_values = {p.name: p.default for p in parameters if p.name in constexprs and p.default is not p.empty}
    constexpr_values |= values or {}
    known = ChainMap({name: constexpr_values.get(name, Size(name)) for name in constexprs}, dict(known))
    read = [
        one
        for parameter in parameters
        for one in _counted(_read(function, parameter, known, diagnostics, constexpr_values), values or {}, parameters)
    ]
    _check_names(function, [p for p in read if p is not None], constexprs, diagnostics)
    return read


def _counted(
    parameter: Parameter | None, values: Mapping[str, Any], others: Iterable[inspect.Parameter]
) -> list[Parameter | None]:
    """The parameters that `*arrays` stands for, once their number is known."""
    if parameter is None or not parameter.is_open or parameter.name not in values:
        return [parameter]
    used_names = {other.name for other in others}
    expanded: list[Parameter | None] = []
    while len(expanded) < values[parameter.name]:
        name = f"{parameter.name}_{len(expanded)}"
        while name in used_names:
            name += "_"
        expanded.append(replace(parameter, name=name, kind=inspect.Parameter.POSITIONAL_OR_KEYWORD))
    return expanded


def _is_constexpr(annotation: Any, known: Mapping[str, Any]) -> bool:
    try:
        annotation = _evaluate(annotation, known)
        while get_origin(annotation) is Annotated:
            annotation, *remarks = get_args(annotation)
            if CONSTEXPR in remarks:
                return True
    except Exception:  # its errors are reported when the annotation is read
        return False
    return False


def _check_names(
    function: FunctionType, parameters: list[Parameter], constexprs: set[str], diagnostics: Diagnostics
) -> None:
    """Each name of a size is a constexpr parameter, or the size of some mode is the name alone."""
    declared = {size.text for p in parameters for mode, size in p.sizes if size.is_name} | constexprs
    others = {p.name for p in parameters} - constexprs
    for parameter in parameters:
        for _, size in parameter.sizes:
            for name in size.names:
                if name in others:
                    message, help = f"the size {name} has the name of a parameter", "give the size another name"
                elif name not in declared:
                    message = f"no argument gives {name} of the size {size}"
                    help = f'let a mode of some parameter be "{name}", or add a parameter {name}: constexpr[int]'
                else:
                    continue
                location = _parameter_location(function, parameter.name)
                diagnostics.report(SIZE_NAME, f"in the annotation of {parameter.name}, {message}", location, help)


def _names_of(function: FunctionType, names: Mapping[str, Any] | None) -> Mapping[str, Any]:
    closure = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            closure[name] = cell.cell_contents
        except ValueError:
            continue  # assigned later; an annotation that needs it is reported
    return ChainMap(closure, dict(names or {}), function.__globals__)


def _read(
    function: FunctionType,
    parameter: inspect.Parameter,
    known: Mapping[str, Any],
    diagnostics: Diagnostics,
    values: Mapping[str, Any],
) -> Parameter | None:
    name = parameter.name

    def report(message: str, help: str | None = None) -> None:
        diagnostics.report(ANNOTATION, message, _parameter_location(function, name), help)

    if parameter.kind is parameter.VAR_KEYWORD:
        advice = "name each parameter; *arrays: Memref[…] takes several, by their places"
        diagnostics.report(KERNEL, f"a kernel has no **{name}", _parameter_location(function, name), advice)
        return None
    if parameter.annotation is parameter.empty:
        method = name == "self" and "." in function.__qualname__.rpartition("<locals>")[2].lstrip(".")
        advice = "a kernel is not a method: write @staticmethod above @pytl.kernel, and omit self"
        report(f"{name} has no annotation", advice if method else f"give it a type: {name}: Memref[f32, 16, 8]")
        return None
    try:
        annotation = _evaluate(parameter.annotation, known)
        read = _parameter(name, annotation, known, parameter.default, values)
        if read.has_default and not read.is_constexpr:
            read = _with_default(function, read, diagnostics)
        if parameter.kind is parameter.VAR_POSITIONAL:
            if read.is_constexpr:
                report(f"*{name} is constexpr", "pass a tuple: values: constexpr[tuple]")
                return None
            read = replace(read, star=name)
        return replace(read, kind=parameter.kind)
    except PytlError as error:
        first = error.diagnostics[0]
        report(f"the annotation of {name}: {first.message}", first.help)
    except NameError as error:
        help = _of_numpy(error.name or "")
        if help is None and "annotations" in function.__globals__ and isinstance(parameter.annotation, str):
            help = (
                "under `from __future__ import annotations` a name of an enclosing function is known here "
                "only if the body uses it, too"
            )
        report(f"the annotation of {name}: {error}", help)
    except Exception as error:
        report(f"the annotation of {name} gives {type(error).__name__}: {error}")
    return None


def _with_default(function: FunctionType, read: Parameter, diagnostics: Diagnostics) -> Parameter:
    """A parameter that is no constant with its default, which is a number of its type."""
    default = plain_number(read.default)
    type_ = read.type
    assert isinstance(type_, Type)
    fits = isinstance(type_, (ScalarType, BoolType)) and isinstance(default, (bool, int, float, complex))
    if fits and literal_of(default, type_) is not None:
        return replace(read, default=default)
    message = f"{read.name} is {type_}, which has no default"
    help = f"pass it in the launch, or fold it while tracing: {read.name}: constexpr = {read.default!r}"
    if isinstance(type_, (ScalarType, BoolType)):
        message = f"{read.name} is {type_}, and its default is {describe(default)}"
        help = f"give it a number of the type: {read.name}: {type_} = {'False' if isinstance(type_, BoolType) else 1}"
    diagnostics.report(CONSTEXPR_RULE, message, _parameter_location(function, read.name), help)
    return replace(read, default=NO_DEFAULT)


def _evaluate(annotation: Any, known: Mapping[str, Any]) -> Any:
    """An annotation as an object; `from __future__ import annotations` turns annotations into texts."""
    if not isinstance(annotation, str) or ir_type_of(annotation) is not None:
        return annotation
    return eval(annotation, dict(known))  # the user's own source, as Python evaluates annotations, too


def _parameter(
    name: str, annotation: Any, known: Mapping[str, Any], default: Any, values: Mapping[str, Any] | None = None
) -> Parameter:
    remarks: tuple[Any, ...] = ()
    while get_origin(annotation) is Annotated:
        inner, *further = get_args(annotation)
        remarks = (*further, *remarks)
        annotation = inner
    if CONSTEXPR in remarks:
        value_type = annotation if isinstance(annotation, type) else None
        return Parameter(name, CONSTEXPR_PARAMETER, {}, default, value_type)
    if get_origin(annotation) is None and hasattr(annotation, "__forward_arg__"):
        annotation = annotation.__forward_arg__  # Annotated turns a text into this
    annotation = _evaluate(annotation, known)
    names = frozenset(name for _, size in getattr(annotation, "sizes", None) or () for name in size.names)
    annotation = with_sizes(annotation, values or {})
    type_ = ir_type_of(annotation)
    if type_ is None:
        shown = annotation.__name__ if isinstance(annotation, type) else repr(annotation)
        raise TraceError.single(ANNOTATION, f"{shown} is not a type of the language", help=_similar(annotation))
    asserted = [r for r in (getattr(annotation, "pattern", None), *remarks) if isinstance(r, ParameterAttribute)]
    attributes = {each.name: list(each.value) if isinstance(each.value, tuple) else each.value for each in asserted}
    sizes = getattr(annotation, "sizes", None) or Sizes()
    return Parameter(name, type_, attributes, default, sizes=sizes, size_names=names)


def _similar(annotation: Any) -> str | None:
    """The type of the language that was probably intended."""
    if not isinstance(annotation, type):
        return None
    if annotation in (Memref, Group):
        return f"give it an element type and sizes: {annotation.__name__}[f32, 16, 8]"
    python = {bool: "bool_", int: "i32, i64 or index", float: "f32 or f64", complex: "c32 or c64"}
    if annotation in python:
        return f"write {python[annotation]}, or constexpr for a Python value that is known while tracing"
    return _of_numpy(annotation.__name__) if annotation.__module__ in ("numpy", "ml_dtypes") else None


def _of_numpy(name: str) -> str | None:
    """The type to write in place of one that NumPy calls so."""
    if name == "ndarray":
        return "write Memref[f32, 16, 8]"
    # NumPy's complex64 is a c32: a pair of f32
    number = re.fullmatch(r"(int|float|complex|bfloat)(\d{1,3})", name)
    if not number:
        return "write bool_" if name.startswith("bool") else None
    kind, bits = number[1], int(number[2])
    word = {"complex": f"c{bits // 2}", "bfloat": f"bf{bits}"}.get(kind, f"{kind[0]}{bits}")
    return f"write {word}" if ir_type_of(word) else None


def _parameter_location(function: FunctionType, name: str) -> Location | None:
    try:
        source = find_source(function)
    except TraceError:
        return None  # the problem is reported without its place
    return source.argument_location(name).within(function.__name__, None)


def annotated_types(function: FunctionType) -> dict[str, Type | ConstexprParameter]:
    """The types of the language among a plain function's annotations; others are ignored."""
    return {name: parameter.type for name, parameter in annotated_parameters(function, None).items()}


def annotated_parameters(function: FunctionType, names: Mapping[str, Any] | None) -> dict[str, Parameter]:
    """The parameters of a plain function that are annotated with types of the language."""
    known = _names_of(function, names)
    parameters = {name: _annotated(name, text, known) for name, text in annotations_of(function).items()}
    return {name: parameter for name, parameter in parameters.items() if parameter is not None and name != "return"}


def annotated_type(name: str, annotation: Any) -> Type | ConstexprParameter | None:
    """The type of the language that an annotation of a plain function says; None where it says another one."""
    parameter = _annotated(name, annotation, EMPTY)
    return None if parameter is None else parameter.type


def _annotated(name: str, annotation: Any, known: Mapping[str, Any]) -> Parameter | None:
    try:
        return _parameter(name, _evaluate(annotation, known), known, NO_DEFAULT)
    except Exception:
        return None


def returned_types(
    function: FunctionType, names: Mapping[str, Any] | None, diagnostics: Diagnostics
) -> Type | tuple[Type, ...] | None:
    """The type or the types that a function's return annotation says, () for None; None where it says no types."""
    known = _names_of(function, names)
    annotation = annotations_of(function).get("return", NO_DEFAULT)
    try:
        annotation = _evaluate(annotation, known)
    except Exception:
        return None
    if annotation is NO_DEFAULT:
        return None
    if annotation is None:
        return ()
    if get_origin(annotation) is not tuple:
        return _returned(annotation, known, diagnostics)
    returned = [_returned(each, known, diagnostics) for each in get_args(annotation)]
    types = tuple(type_ for type_ in returned if type_ is not None)
    return types if len(types) == len(returned) else None


def _returned(annotation: Any, known: Mapping[str, Any], diagnostics: Diagnostics) -> Type | None:
    parameter = _annotated("return", annotation, known)
    if parameter is None or isinstance(parameter.type, (ScalarType, BoolType)):
        return None if parameter is None else parameter.type  # type: ignore[return-value]
    message = f"the return annotation is {parameter.type}"
    diagnostics.report(RETURNED, message, None, "pass a memref, and write to it")
    return None
