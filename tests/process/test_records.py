"""Frozen classes of `pytl.process.records` behave as the standard library's do."""

import dataclasses
import inspect
import pickle
from dataclasses import field, fields, replace

import pytest

from pytl.process import records


def both(**options):
    def decorated(cls):
        namespace = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
        copy = type(cls.__name__, cls.__bases__, namespace)
        return dataclasses.dataclass(cls, frozen=True, **options), records.dataclass(copy, frozen=True, **options)

    return decorated


@both()
class Point:
    """A point."""

    x: int
    y: int = 2
    names: list = field(default_factory=list, compare=False)
    shown: str = field(default="?", repr=False)


@both()
class One:
    """One field, and methods of its own."""

    x: int
    key: int = field(init=False, default=7)
    made: list = field(init=False, default_factory=list, compare=False)

    def __repr__(self):
        return "one"

    def __post_init__(self):
        self.made.append(self.x)


@both(eq=False)
class Same:
    """Compared by identity."""

    x: int = 0


@both(kw_only=True)
class Keywords:
    """Keywords alone."""

    x: int
    y: int = 1


@both()
class Nothing:
    """No field."""


@records.dataclass(frozen=True)
class Kept:
    """Can be found by its name."""

    x: int
    y: tuple = ()


@pytest.mark.parametrize(
    ("classes", "arguments", "keywords"),
    [(Point, (1,), {"names": ["a"]}), (One, (3,), {}), (Same, (), {}), (Keywords, (), {"x": 1}), (Nothing, (), {})],
)
def test_a_frozen_class_is_the_standard_library_s(classes, arguments, keywords):
    results = []
    for cls in classes:
        first, second = cls(*arguments, **keywords), cls(*arguments, **keywords)
        signature = [(p.name, p.kind, p.annotation) for p in inspect.signature(cls).parameters.values()]
        results.append((signature, repr(first), first == second, first == replace(first), first == 1, vars(first)))
        results[-1] += (hash(first) == hash(second), cls.__match_args__, [f.name for f in fields(cls)], cls.__doc__)
        for change, values in ((setattr, (1,)), (delattr, ())):
            with pytest.raises(dataclasses.FrozenInstanceError, match="field 'x'"):
                change(first, "x", *values)
        with pytest.raises(TypeError):
            cls(1, 2, 3, 4, 5, 6)
    assert results[0] == results[1]


def test_derived_classes_add_fields_and_may_have_others():
    @records.dataclass(frozen=True)
    class More(Kept):
        z: int = 3

    class Open(Kept):
        pass

    assert repr(More(1)).endswith("More(x=1, y=(), z=3)") and More(1) != Kept(1) and More(1, (), 4).z == 4
    value = Open(1)
    value.note = "what no field is"
    with pytest.raises(dataclasses.FrozenInstanceError):
        value.y = 2
    assert pickle.loads(pickle.dumps(Kept(1, (2,)))) == Kept(1, (2,))
