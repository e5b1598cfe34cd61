"""Parts of an expression that are evaluated on one path only, and the names that := binds there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...diagnostics import Location
from ...ir.values import Region, Value
from ...process.records import dataclass
from .frame import Binding, Frame, Names_, Unbound
from .merge import Branch, Joint, join
from .source import Positioned


@dataclass(frozen=True)
class TracedBranch:
    """A part of an expression: its instructions, its value, and the names after it."""

    region: Region
    item: Any
    names: Names_


def trace_branch(frame: Frame, evaluate: Callable[[], Any]) -> TracedBranch:
    """Evaluate a part into a region of its own; the names are as before then."""
    region, binder = Region("mixed"), frame.binder
    before = binder.names
    binder.names = dict(before)
    try:
        with frame.builder.into(region.operations):
            item = evaluate()
        return TracedBranch(region, item, binder.names)
    finally:
        binder.names = before


def empty_branch(frame: Frame, item: Any) -> TracedBranch:
    """A part that does nothing but give an object."""
    return TracedBranch(Region("mixed"), item, frame.binder.names)


def binds(frame: Frame, branch: TracedBranch) -> bool:
    """Whether a part gives a name of the source another object."""
    before = frame.binder.names
    return any(binding is not before.get(name) for name, binding in branch.names.items() if name.isidentifier())


def chosen(
    frame: Frame,
    node: Positioned,
    condition: Value,
    then: TracedBranch,
    otherwise: TracedBranch,
    locations: tuple[Location, Location],
) -> Any:
    """The value of one of two parts, by a condition. A name that one of them alone binds has a value if it had one."""
    binder, joints = frame.binder, [Joint(None, then.item, locations[0], otherwise.item, locations[1])]
    for name in dict.fromkeys([*then.names, *otherwise.names]):
        a, b = then.names.get(name), otherwise.names.get(name)
        if a is b or not name.isidentifier():
            continue
        if isinstance(a, Binding) and isinstance(b, Binding):
            joints.append(Joint(name, a.value, a.location, b.value, b.location))
        else:
            binding = a if isinstance(a, Binding) else b
            location = binding.location if binding is not None else locations[0]
            advice = f"assign to {name} in a statement of its own, before this one"
            binder.names[name] = Unbound("is bound by := in a part that is not always evaluated", advice, location)
    values = join(frame, node, condition, Branch(then.region, otherwise.region), joints)
    for joint, value in zip(joints[1:], values[1:], strict=True):
        assert joint.name is not None
        binder.names[joint.name] = Binding(value, joint.then_location)
    return values[0]
