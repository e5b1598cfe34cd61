"""Passes and pipelines: what a pass is, and how several run one after the other with the IR verified in between."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from importlib import import_module
from types import ModuleType
from typing import ClassVar, TypeVar

from ..diagnostics import Diagnostic, LanguageError, PytlError, Rule
from ..ir.clone import clone_module
from ..ir.registry import all_instructions
from ..ir.values import Function, Module
from ..ir.verifier import find_problems
from .targets.host import find_machine
from .targets.machine import Machine, machine_words
from .targets.spmd import SpmdDevice, device_words, find_device

UNKNOWN_PASS = Rule("PYTL-3001", "a pass is called by its name, and given the options that it has", "Passes")
BROKEN_PASS = Rule(
    "PYTL-3002",
    "a pass leaves the IR valid",
    "Passes",
    explanation="If it doesn't, that is a bug of pytl: report it.",
)


class Pass:
    """A transformation of a function that keeps its meaning. Subclasses are frozen dataclasses; fields are options."""

    name: ClassVar[str]
    of_called: ClassVar[bool] = False
    """Whether it changes functions that are called, too, and not kernels alone."""

    def run_module(self, module: Module) -> None:
        """Change a module in place."""
        for function in module.functions:
            if function.is_kernel or self.of_called:
                self.run(function)
        if any(not function.is_kernel for function in module.functions):
            module.update_functions()

    def run(self, function: Function) -> None:
        """Change the function in place."""
        raise NotImplementedError

    def __str__(self) -> str:
        values = {f.name.replace("_", "-"): getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        options = ",".join(f"{name}={_option_text(value)}" for name, value in values.items())
        return f"{self.name}{{{options}}}" if options else self.name


NAMES = (
    "amx-products",
    "atomic-updates",
    "canonicalize",
    "cpu-items",
    "cpu-kernels",
    "cpu-schedule",
    "cpu-tiles",
    "dense-blocks",
    "divide-rows",
    "execution-strategy",
    "fuse-rows",
    "independent-loops",
    "inline-calls",
    "insert-barrier",
    "insert-checks",
    "insert-lifetime-stop",
    "interior-points",
    "item-lanes",
    "launch-in-parts",
    "longer-products",
    "loop-over-gemm",
    "lower-collectives",
    "lower-coopmatrix",
    "lower-foreach-tile",
    "lower-tiles",
    "raise-loops",
    "raise-products",
    "sme-products",
    "specialize",
    "stack-layout",
    "subgroup-blocks",
    "subgroup-points",
    "vectorize",
    "work-group-size",
    "work-item-loops",
)
"""pytl's own passes, sorted. A pass is a class in a module of its name: `CpuItems` in `cpu_items.py`."""
_passes: dict[str, type[Pass]] = {}

PassClass = TypeVar("PassClass", bound=type[Pass])


def register(cls: PassClass) -> PassClass:
    """Register a pass under its name."""
    _passes[cls.name] = cls
    return cls


def module_of(name: str) -> ModuleType:
    """The module of one of pytl's own passes, imported."""
    return import_module(f".{name.replace('-', '_')}", __package__)


def class_name(name: str) -> str:
    """The name of a pass's class.

    >>> class_name("cpu-items")
    'CpuItems'
    """
    return "".join(word.capitalize() for word in name.split("-"))


def import_passes() -> None:
    """Import all of pytl's own passes, so that their rules are registered."""
    for name in NAMES:
        module_of(name)


def pass_names() -> list[str]:
    """The names of all passes, sorted: pytl's own, and those that others have registered."""
    return sorted({*NAMES, *_passes})


def find_pass(text: str) -> Pass:
    """The pass that a text such as `canonicalize` or `work-group-size{subgroup-size=8}` names."""
    name, brace, rest = text.strip().partition("{")
    if name in NAMES:
        module_of(name)  # registers it
    cls = _passes.get(name)
    if cls is None:
        known = ", ".join(pass_names())
        raise PytlError.single(UNKNOWN_PASS, f"there is no pass `{name}`", help=f"the passes are {known}")
    if brace and not rest.endswith("}"):
        raise PytlError.single(
            UNKNOWN_PASS, f"the options of {name} do not end with a brace", help=f"write {name}{{…}}"
        )
    known_options = {f.name.replace("_", "-"): f for f in fields(cls)}  # type: ignore[arg-type]
    options: dict[str, object] = {}
    for entry in filter(None, rest.removesuffix("}").split(",")):
        key, _, text_of_value = (piece.strip() for piece in entry.partition("="))
        option = known_options.get(key)
        value = _option_value(type(option.default), text_of_value) if option else None
        if option is None or value is None:
            listed = ", ".join(f"{key} ({_kind(type(f.default))})" for key, f in known_options.items()) or "none"
            raise PytlError.single(
                UNKNOWN_PASS, f"`{entry}` is not an option of {name}", help=f"its options are: {listed}"
            )
        options[option.name] = value
    return cls(**options)


_KINDS: dict[type, str] = {bool: "bool", int: "int", tuple: "words joined by +"}
"""The types that an option may have, beside a machine or a device."""


def _kind(kind: type) -> str:
    words = {Machine: machine_words, SpmdDevice: device_words}.get(kind)
    return _KINDS[kind] if words is None else " or ".join(words())


def _option_text(value: object) -> str:
    return "+".join(value) if isinstance(value, tuple) else str(value).lower()


def _option_value(kind: type, text: str) -> object:
    """The value of a text as an option of this type; None where it isn't one."""
    if kind is tuple:
        return tuple(word.strip() for word in text.split("+")) if text else ()
    if kind in (Machine, SpmdDevice):
        return find_machine(text) if kind is Machine else find_device(text)
    if kind is bool:
        return {"true": True, "false": False}.get(text)
    return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else None


@dataclass
class Pipeline:
    """Passes in order. `on_stage` gets the module after each pass, so that every stage can be printed.

    Each stage is verified. With `at_the_end`, which launches use, only the last stage is verified, which takes a third
    of the time; the others are verified only if that fails, and `on_stage` is not called.
    """

    passes: Sequence[Pass]
    on_stage: Callable[[Pass, Module], None] | None = field(default=None, compare=False)
    at_the_end: bool = False

    def run_on(self, function: Function) -> Function:
        """The function after all passes, which change what it calls as well; the given one is unchanged."""
        return self.run(Module.of(function)).functions[0] if self.passes else function

    def run(self, module: Module) -> Module:
        """The module after all passes; the given one is unchanged."""
        if self.at_the_end:
            after = clone_module(module)
            try:
                for step in self.passes:
                    step.run_module(after)
                if not errors_of(after):
                    return after
            except Exception:  # in a pass that does not expect what another one left
                pass
            return Pipeline(self.passes).run(module)  # tells which pass it was
        module = clone_module(module)
        for step in self.passes:
            step.run_module(module)
            errors = errors_of(module)
            if errors:
                raise LanguageError(
                    [
                        *PytlError.single(BROKEN_PASS, f"after {step.name} the IR is not valid").diagnostics,
                        *errors,
                    ]
                )
            if self.on_stage is not None:
                self.on_stage(step, module)
        return module


def errors_of(module: Module) -> list[Diagnostic]:
    """The errors that make a module invalid."""
    errors = find_problems(module).errors
    if not errors:
        return []
    # An index that folding shows to be out of bounds was so before. If it is executed, the behaviour is undefined; if
    # it never is, as behind a guard, the program is right.
    of_values = {check.rule for cls in all_instructions() for check in cls.rules if check.of_values}
    return [error for error in errors if error.rule not in of_values]
