"""The first step of a launch: the call's arguments in the order of the parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..backends import rules
from ..backends.base import Backend
from ..diagnostics import Diagnostics, LaunchError, call_site
from ..process.records import dataclass
from .signature import Signature


@dataclass(frozen=True)
class Call:
    """A launch as it was written."""

    arguments: Sequence[Any]
    """In the order of the parameters."""
    groups: int | None
    """The number of work-groups, a `Grid` where there are others along y or z; None where the arguments tell it."""
    options: Mapping[str, Any]
    """The options that were given in the brackets."""
    backend: Backend
    queue: Any = None
    depends: Sequence[Any] = ()
    """Events to wait for."""
    wait: bool = True


def match(
    signature: Signature,
    positional: Sequence[Any],
    named: Mapping[str, Any],
    groups: int | None,
    options: Mapping[str, Any],
    backend: Backend,
    queue: Any = None,
    depends: Sequence[Any] = (),
    wait: bool = True,
) -> Call:
    """The launch of these arguments. Raises `pytl.LaunchError` for missing, unknown and repeated ones."""
    return Call(in_order(signature, positional, named), groups, options, backend, queue, depends, wait)


def in_order(signature: Signature, positional: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
    """The argument for each parameter, in order; reports missing, unknown and repeated arguments."""
    names = signature.names
    if not named and len(positional) == len(names):
        return list(positional)
    rest = names[len(positional) :]
    if len(positional) + len(named) == len(names) and named.keys() == set(rest):
        return [*positional, *(named[name] for name in rest)]
    problems = Diagnostics()
    location = call_site()  # slow, so it is computed for errors only
    shown = f"@{signature.name}({', '.join(names)})"
    if len(positional) > len(names):
        problems.report(
            rules.COUNT,
            f"{len(positional)} arguments are passed, but {shown} takes {len(names)}",
            location,
            "pass one for each parameter",
        )
    arguments = dict(zip(names, positional))
    for name, value in named.items():
        if name not in names:
            advice = f'leave {name} out; options stand in the brackets: {signature.name}[n, {{"option": …}}](…)'
            problems.report(rules.COUNT, f"{shown} has no parameter {name}", location, advice)
        elif name in arguments:
            problems.report(rules.COUNT, f"{name} is passed twice", location, "pass it by position or by name")
        else:
            arguments[name] = value
    missing = [name for name in names if name not in arguments]
    if missing:
        listed = ", ".join(missing)
        problems.report(
            rules.COUNT,
            f"{listed} {'is' if len(missing) == 1 else 'are'} missing in a launch of {shown}",
            location,
            f"pass {', '.join(f'{name}=…' for name in missing)}",
        )
    if problems.items:
        raise LaunchError(problems.items)
    return [arguments[name] for name in names]
