"""A backend with made-up costs, for the tests of `pytl.tune`: it has a clock of its own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from launch_kit import column_major

import pytl
from pytl.backends.base import Backend, Option
from pytl.backends.reference.backend import ReferenceBackend
from pytl.devices.cache import key_of

TEXT = """\
func @update(%alpha: f32, %x: memref<f32x4>, %y: memref<f32x4>) {
  %one = constant 1.0 : f32
  axpby.n %alpha, %x, %one, %y
}
"""
SPACE = {
    "items": (1, 2, 4, 8, 16, 32),
    "interleave": (1, 2, 4),
    "prefetch": (0, 1, 2),
    "tile": ("auto", "1x6u4", "2x6u4"),
}
SIZE = math.prod(map(len, SPACE.values()))
BEST = {"items": 8, "interleave": 2, "prefetch": 1, "tile": "2x6u4"}
MODEL = {"items": 1, "interleave": 1, "prefetch": 0, "tile": "auto"}
GROUPS = """\
func @add(%x: group<memref<f32x2>x?>, %y: group<memref<f32x2>x?>) {
  %one = constant 1.0 : f32
  %g = builtin.group_id : index
  %a = load %x[%g] : memref<f32x2>
  %b = load %y[%g] : memref<f32x2>
  axpby.n %one, %a, %one, %b
}
"""


class Fake(Backend):
    """Executes as the reference backend does, in as many seconds of a made-up clock as `cost` says."""

    name = "fake"
    options = {name: Option.choice(*values) for name, values in SPACE.items()}

    def __init__(self) -> None:
        self.now = 0.0
        self.build = 0.1
        self.cost: Callable[[dict[str, Any]], float] = self.separable
        self.launched: list[dict[str, Any]] = []
        self.built: list[dict[str, Any]] = []
        self.before: Callable[[dict[str, Any]], None] = lambda options: None
        self.after: Callable[[dict[str, Any], Any], None] = lambda options, arguments: None
        self.space = SPACE

    def clock(self) -> float:
        return self.now

    @staticmethod
    def separable(options: dict[str, Any]) -> float:
        """The least is at 8, 2, 1, 2x6u4."""
        cost = 1.0 + 0.1 * abs(math.log2(options["items"]) - 3) + 0.2 * abs(options["interleave"] - 2)
        return 1e-3 * (cost + 0.05 * abs(options["prefetch"] - 1) + (0.3 if options["tile"] != "2x6u4" else 0))

    def tuning_space(self, lowered):
        return self.space

    def tuning_key(self, function, options, queue):
        return key_of({"function": str(function), "options": options})

    def launch(self, lowered, arguments, groups, options, queue=None, depends=(), wait=True):
        lowered.function  # what is compiled
        if options not in self.built:
            self.built.append(dict(options))
            self.now += self.build
        self.before(options)
        ReferenceBackend().launch(lowered, arguments, groups, {"checks": False})
        self.after(options, arguments)
        self.launched.append(dict(options))
        self.now += self.cost(options)


def fresh(text: str = TEXT) -> pytl.Kernel:
    """A kernel that no memory knows, as in a new process."""
    return next(iter(pytl.compile(text).values()))


def data() -> tuple[float, np.ndarray, np.ndarray]:
    return 2.0, column_major(4), np.array([np.nan, 1.0, -0.0, np.inf], np.float32)


def tune(kernel: pytl.Kernel | Any = None, arguments: Any = None, **more: Any) -> pytl.TuningResult:
    more = {"budget": 3.0, "progress": False, "print_table": False, **more}
    return pytl.tune((kernel or fresh())[3] if kernel is None else kernel, arguments or data(), **more)
