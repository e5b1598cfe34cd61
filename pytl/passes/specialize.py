"""specialize: a function for parameters of known sizes.

Parameters get static modes in place of dynamic ones, and everything that follows from these becomes static, too: sizes
and expressions of sizes become constants, views get static types, branches that are never taken are removed.

A static size never equals a dynamic one, so the operands of a collective instruction have to change together: where one
has a static mode, the mode of another operand that has to be as long gets that size by a view. A program in which that
mode has another size is undefined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .. import passes
from ..diagnostics import LanguageError, PytlError, Rule
from ..ir.clone import clone_alone, clone_function
from ..ir.types import DYNAMIC, Extent, GroupType, MemrefType, Type, item_type, packed_strides
from ..ir.values import Function, Module, Value
from ..process.records import dataclass
from .manager import Pass, errors_of, register
from .retype import derive, unify

SIZES = Rule("PYTL-3004", "the sizes that a function is specialized for fit its parameters and each other", "Passes")

Extents = Sequence[Extent]


@register
@dataclass(frozen=True)
class Specialize(Pass):
    """Gives parameters static sizes: `specialize{shapes=A:16x8x?+B:8x4}`; `?` leaves a mode as it is.

    `strides` are written in the same way; those of the packed layout follow from the shape.
    """

    name = "specialize"
    shapes: tuple[str, ...] = ()
    strides: tuple[str, ...] = ()

    def run(self, function: Function) -> None:
        shapes, strides = (dict(_layouts_of(texts, function)) for texts in (self.shapes, self.strides))
        types = {p: with_layout(p, shapes.get(p), strides.get(p)) for p in {**shapes, **strides}}
        if types:
            specialize(function, types)
            check_sizes(function)


def check_sizes(function: Function) -> None:
    """Refuse sizes that contradict each other; raises PYTL-3004 with where they do."""
    errors = errors_of(Module.of(function))
    if errors:
        problem = f"@{function.name} is not valid with these sizes"
        raise LanguageError([*PytlError.single(SIZES, problem).diagnostics, *errors])


def specialized(function: Function, types: Sequence[Type]) -> Function | None:
    """A copy of a function whose parameters have these types; None where the copy would be invalid."""
    copy = clone_function(function)
    specialize(copy, dict(zip(copy.parameters, types)))
    return None if errors_of(Module.of(copy)) else copy


def with_layout(parameter: Value, shape: Extents | None, strides: Extents | None = None) -> Type:
    """The type of a parameter with extents and strides in place of its dynamic ones; `?` leaves one dynamic.

    Raises PYTL-3004 where the parameter is not an array, has another number of modes, or has a different static size.
    """
    memref, name = item_type(parameter.type), parameter.name
    if not isinstance(memref, MemrefType):
        raise PytlError.single(SIZES, f"{name} is {parameter.type}, which has no shape")
    for requested, declared in ((shape, memref.shape), (strides, memref.strides)):
        if requested is None:
            continue
        text = "x".join(map(str, requested))
        if len(requested) != len(declared):
            raise PytlError.single(SIZES, f"{text} has {len(requested)} modes, but {name} is {parameter.type}")
        if any(isinstance(b, int) and a is not DYNAMIC and a != b for a, b in zip(requested, declared)):
            raise PytlError.single(SIZES, f"{text} does not fit {name}, which is {parameter.type}")
    extents = _filled(memref.shape, shape)
    if strides is None and memref.is_packed:
        strides = packed_strides(extents)
    return with_memref(parameter.type, replace(memref, shape=extents, strides=_filled(memref.strides, strides)))


def with_memref(type_: Type, memref: MemrefType) -> Type:
    """The type with another memref: a group of such memrefs, or the memref itself."""
    return replace(type_, memref=memref) if isinstance(type_, GroupType) else memref


def shape_text(name: str, shape: Sequence[Any]) -> str:
    """The Python object for a shape in `specialize{shapes=name:…}`. Raises PYTL-3004 for anything else."""
    if not all(size is ... or (isinstance(size, int) and size > 0 and size is not True) for size in shape):
        problem = f"{name} is given the shape {shape!r}"
        raise PytlError.single(
            SIZES, problem, help=f"pass positive integers, and ... for sizes that vary: {name}=(16, ...)"
        )
    return "x".join("?" if size is ... else str(size) for size in shape)


def _filled(declared: Extents, extents: Extents | None) -> tuple[Extent, ...]:
    return tuple(declared) if extents is None else tuple(b if a is DYNAMIC else a for a, b in zip(declared, extents))


def _layouts_of(texts: Sequence[str], function: Function) -> Iterator[tuple[Value, list[Extent]]]:
    """The parameters and numbers that `A:16x8x?` names."""
    named = {value.name or str(position): value for position, value in enumerate(function.parameters)}
    for text in texts:
        name, _, numbers = text.partition(":")
        if re.fullmatch(r"(\?|[0-9]{1,18})(x(\?|[0-9]{1,18}))*", numbers) is None:
            raise PytlError.single(SIZES, f"`{text}` names no sizes", help="write them as A:16x8x?")
        if name not in named:
            known = ", ".join(named) or "none"
            raise PytlError.single(
                SIZES, f"@{function.name} has no parameter {name}", help=f"its parameters are: {known}"
            )
        yield named[name], [DYNAMIC if number == "?" else int(number) for number in numbers.split("x")]


def specialize(function: Function, types: Mapping[Value, Type]) -> None:
    """Give parameters other types, and their uses the types that follow. The result may be invalid.

    Calls are of functions that are specialized, too; others call those that there were.
    """
    names = {function.name, *(callee.name for callee in function.callees())}
    _specialize(function, types, {}, names)


_Made = dict[tuple[Function, tuple[Type, ...]], Function]


def _specialize(function: Function, types: Mapping[Value, Type], copies: _Made, names: set[str]) -> None:
    for parameter, type_ in types.items():
        parameter.type = type_
    _propagate_types(function)
    if unify(function.body):
        _propagate_types(function)
    for op in function.calls():
        key = (op.callee, tuple(value.type for value in op.operands))
        if key[1] != tuple(parameter.type for parameter in op.callee.parameters):
            if key not in copies:
                copies[key] = copy = clone_alone(op.callee)
                _specialize(copy, dict(zip(copy.parameters, key[1])), copies, names)
                copy.name = _free(copy.name, names)
            op.callee = copies[key]


def _free(name: str, names: set[str]) -> str:
    """A name that no other function has, which is taken from now on."""
    hint, number = name, 0
    while name in names:
        number += 1
        name = f"{hint}_{number}"
    names.add(name)
    return name


def _propagate_types(function: Function) -> None:
    """Derive types and constants from each other, until nothing more follows."""
    passes.Canonicalize().run(function)
    while derive(function):
        passes.Canonicalize().run(function)
