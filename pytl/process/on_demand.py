"""Packages whose names and modules are imported at their first use, as PEP 562 lets them be.

A package says where its names are defined, in a table for Python, and by imports under `if TYPE_CHECKING:` for type
checkers and editors; tests/repository/test_house.py compares the two.
"""

import sys

TYPE_CHECKING = False  # that of `typing`, whose import takes as long as that of pytl
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def on_demand(
    package: str, names: "Mapping[str, str] | None" = None
) -> "tuple[Callable[[str], Any], Callable[[], list[str]]]":
    """`__getattr__` and `__dir__` of a package, whose modules are attributes, too.

    `names` has the names that a module of the package defines, with spaces between them.
    """
    modules = {name: module for module, defined in (names or {}).items() for name in defined.split()}

    def missing(name: str) -> AttributeError:
        """The error as Python has it, which suggests another name."""
        message = f"module {package!r} has no attribute {name!r}"
        return AttributeError(message, name=name, obj=sys.modules[package])

    def find(name: str) -> "Any":
        if name.startswith("_"):  # Python and notebooks ask for many of these
            raise missing(name)
        from importlib import import_module

        from .interrupts import interrupts_deferred

        full_name = f"{package}.{modules.get(name, name)}"
        try:
            with interrupts_deferred():  # a module that Ctrl-C ends half-way has registered rules, and does so again
                module = import_module(full_name)
        except ModuleNotFoundError as error:
            if error.name != full_name:
                raise
            raise missing(name) from None
        value = getattr(module, name) if name in modules else module
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> "list[str]":
        known = vars(sys.modules[package])
        return sorted({*known, *known.get("__all__", ()), *modules} - {"TYPE_CHECKING", "on_demand"})

    return find, listed
