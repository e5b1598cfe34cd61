"""`dataclass` as in the standard library, whose frozen classes are made in a sixth of the time.

A launch from the cache makes 120 frozen classes. The standard library compiles six methods for each: that was a third
of all that such a launch took. Here `__init__` alone is compiled; the other methods are the same for all classes. The
fields, their defaults, and what `dataclasses.replace` and `dataclasses.fields` need are the standard library's.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, *, frozen: bool = False, eq: bool = True, **options: Any) -> Any:
        """A class of fields: `dataclasses.dataclass`, for what the classes of pytl ask of it."""
        if not frozen:
            return dataclasses.dataclass(cls, eq=eq, **options)

        def decorated(cls: type) -> type:
            explicit = {name for name, value in vars(cls).items() if value is not None}
            cls = dataclasses.dataclass(cls, init=False, repr=False, eq=False, **options)
            fields = dataclasses.fields(cls)
            methods = [_init(cls, fields), *_immutable(cls, fields), _repr(fields)]
            if eq:
                methods += _equality(fields)
            for method in methods:
                if method.__name__ not in explicit:
                    method.__qualname__ = f"{cls.__qualname__}.{method.__name__}"
                    setattr(cls, method.__name__, method)
            return cls

        return decorated if cls is None else decorated(cls)


_LEFT_OUT = object()
"""Stands for an argument whose value a factory makes."""

Fields = tuple["dataclasses.Field[Any]", ...]


def _init(cls: type, fields: Fields) -> Callable[..., None]:
    names: dict[str, Any] = {"_LEFT_OUT": _LEFT_OUT}
    parameters: dict[bool, list[str]] = {False: [], True: []}
    body = ["_values = _self.__dict__"]
    for field in fields:
        name, value = field.name, field.name
        if field.default_factory is not dataclasses.MISSING:
            names[f"_make_{name}"] = field.default_factory
            made = f"_make_{name}()"
            value = f"{made} if {name} is _LEFT_OUT else {name}" if field.init else made
        elif not field.init:
            continue
        if field.init:
            default = ""
            if field.default_factory is not dataclasses.MISSING:
                default = "=_LEFT_OUT"
            elif field.default is not dataclasses.MISSING:
                names[f"_default_{name}"] = field.default
                default = f"=_default_{name}"
            parameters[bool(field.kw_only)].append(name + default)
        body.append(f"_values[{name!r}] = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("_self.__post_init__()")
    keywords = ["*", *parameters[True]] if parameters[True] else []
    signature = ", ".join(["_self", *parameters[False], *keywords])
    exec(f"def __init__({signature}):\n " + "\n ".join(body), names)
    init: Callable[..., None] = names["__init__"]
    init.__annotations__ = {field.name: field.type for field in fields if field.init} | {"return": None}
    return init


def _equality(fields: Fields) -> tuple[Callable[..., Any], ...]:
    compared = [field.name for field in fields if field.compare]
    values: Callable[[Any], Any] = attrgetter(*compared) if compared else lambda record: ()

    def __eq__(self: Any, other: object) -> bool:
        if self is other:
            return True
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __eq__, __hash__


def _repr(fields: Fields) -> Callable[[Any], str]:
    shown = [field.name for field in fields if field.repr]

    def __repr__(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    return __repr__


def _immutable(cls: Any, fields: Fields) -> tuple[Callable[..., None], ...]:
    names = {field.name for field in fields}

    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __setattr__, __delattr__
