"""Passes and pipelines: what a pass is, and how several run one after the other with the IR verified in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import ClassVar, TypeVar

from ..diagnostics import LanguageError, PytlError, Rule
from ..ir.clone import clone_module
from ..ir.values import Function, Module
from ..ir.verifier import find_problems

UNKNOWN_PASS = Rule("PYTL-3001", "a pass is called by its name, and given the options that it has", "Passes")
BROKEN_PASS = Rule(
    "PYTL-3002",
    "a pass leaves the IR valid",
    "Passes",
    explanation="If it doesn't, that is a bug of pytl: report it.",
)


class Pass:
    """A change of a function that keeps its meaning. Subclasses are frozen dataclasses; their fields are options."""

    name: ClassVar[str]

    def run(self, function: Function) -> None:
        """Change the function in place."""
        raise NotImplementedError

    def __str__(self) -> str:
        options = ",".join(f"{f.name.replace('_', '-')}={getattr(self, f.name)}" for f in fields(self))  # type: ignore[arg-type]
        return f"{self.name}{{{options}}}" if options else self.name


_passes: dict[str, type[Pass]] = {}

PassClass = TypeVar("PassClass", bound=type[Pass])


def register(cls: PassClass) -> PassClass:
    """Make a pass known by its name."""
    _passes[cls.name] = cls
    return cls


def pass_names() -> list[str]:
    return sorted(_passes)


def find_pass(text: str) -> Pass:
    """The pass that a text such as `canonicalize` or `work-group-size{subgroup-size=8}` names."""
    name, _, rest = text.strip().partition("{")
    cls = _passes.get(name)
    if cls is None:
        known = ", ".join(pass_names())
        raise PytlError.single(UNKNOWN_PASS, f"there is no pass `{name}`", help=f"the passes are {known}")
    options: dict[str, object] = {}
    known_options = {f.name: f for f in fields(cls)}  # type: ignore[arg-type]
    for entry in filter(None, rest.rstrip("}").split(",")):
        key, _, value = entry.partition("=")
        option = key.strip().replace("-", "_")
        try:
            if option not in known_options:
                raise KeyError(option)
            options[option] = (
                {"true": True, "false": False}.get(value.strip())
                if value.strip()
                in (
                    "true",
                    "false",
                )
                else int(value)
            )
        except (KeyError, ValueError):
            listed = ", ".join(n.replace("_", "-") for n in known_options) or "none"
            raise PytlError.single(
                UNKNOWN_PASS, f"`{entry}` is no option of {name}", help=f"its options are: {listed}"
            ) from None
    return cls(**options)


@dataclass
class Pipeline:
    """Passes in order. `on_stage` is told the module after each, so that every stage can be printed."""

    passes: Sequence[Pass]
    on_stage: Callable[[Pass, Module], None] | None = field(default=None, compare=False)

    def run(self, module: Module) -> Module:
        """The module after all passes; the given one stays as it is."""
        module = clone_module(module)
        for step in self.passes:
            for function in module.functions:
                step.run(function)
            errors = find_problems(module).errors
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
