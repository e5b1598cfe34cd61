"""Programs that no tool has verified end with a message at their place, and never with an exception of Python's."""

from __future__ import annotations

import random
import warnings
from dataclasses import replace

import pytest
from frontends.mlir.gpu.kernels_of_items import PROGRAMS
from frontends.mlir.gpu.programs import Program
from sampling import at_night

import pytl
from pytl.backends.xegpu.interpreter.running import call
from pytl.diagnostics import Diagnostics, Source
from pytl.frontends.mlir.hosts import gpu_kernels
from pytl.frontends.mlir.module import gpu_kernel
from pytl.mlir.text import Operation, Scalar, Vector, read_text
from pytl.mlir.text.tree import Raw

JUNK = [-5, 1 << 70, "junk", (), (1, 2, 3), (-(1 << 63),), True, 1.5, Raw("#junk<x>", "#junk", ("x",)), None]
TYPES = [
    Scalar("f32"),
    Scalar("i1"),
    Scalar("junk"),
    Scalar("index"),
    Vector((3, 5), Scalar("f16")),
    Vector((), Scalar("f64")),
]


def changed(module: Operation, chosen: random.Random) -> None:
    """Change one operation of a module somehow."""
    operations = [
        op for op in module.walk() if op.name not in ("builtin.module", "gpu.module", "func.func", "gpu.func")
    ]
    op = chosen.choice(operations)
    names = [name for each in operations for name in each.results]
    way = chosen.randrange(7)
    if way == 0 and op.operands:
        op.operands.pop(chosen.randrange(len(op.operands)))
    elif way == 1:
        op.operands.insert(chosen.randrange(len(op.operands) + 1), chosen.choice(names))
    elif way == 2 and op.operands:
        op.operands[chosen.randrange(len(op.operands))] = chosen.choice(names)
    elif way == 3 and op.attributes:
        name = chosen.choice(list(op.attributes))
        op.attributes[name] = chosen.choice(JUNK)
    elif way == 4 and op.attributes:
        op.attributes.pop(chosen.choice(list(op.attributes)))
    elif way == 5 and op.result_types:
        op.result_types[chosen.randrange(len(op.result_types))] = chosen.choice(TYPES)
    else:
        other = chosen.choice(operations)
        op.name = other.name


@pytest.mark.at_most(6)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("program", [*PROGRAMS[:8], *at_night(PROGRAMS[8:])], ids=lambda each: each.name)
def test_a_changed_program_ends_in_order(program: Program, seed: int) -> None:
    for turn in range(10):
        chosen = random.Random(f"{program.name} {seed} {turn}")
        module, _ = read_text(program.text, program.name)
        changed(module, chosen)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                call(module, Source(program.name, program.text), "run", program.arguments(), write=lambda text: None)
        except pytl.PytlError as error:
            assert error.diagnostics


@pytest.mark.at_most(12)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.name)
def test_a_changed_kernel_is_read_or_refused(program: Program) -> None:
    for turn in range(10):
        chosen = random.Random(f"{program.name} {turn}")
        module, _ = read_text(program.text, program.name)
        for kernel in gpu_kernels(module).values():
            changed(kernel, chosen)
            diagnostics = Diagnostics()
            function = gpu_kernel(replace(kernel), "kernel", diagnostics, (16, 1, 1))
            assert function is not None or diagnostics.errors
