"""What `pytl.einsum_path` shows: the order of products, their operations, and what each becomes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from ...ops.subscripts import Subscripts
from ...passes.loop_over_gemm import ATTRIBUTE, LoopOverGemm
from ...process.records import dataclass
from .copies import PARTS, Copies
from .matrices import MatrixProduct
from .plan import Plan, Stage


@dataclass(frozen=True)
class PathStep:
    """A step of a contraction."""

    operands: tuple[int, ...]
    """Operands have their numbers, and the results of steps the next ones."""
    subscripts: str
    """Modes are in the order of memory, the innermost last."""
    operations: int
    """Multiplications and additions; 0 of a copy."""
    becomes: str
    """The instruction, its indices, and why others are looped over."""


@dataclass(frozen=True)
class EinsumPath:
    """How a contraction is computed; printing it shows a table. A contraction of empty arrays has no launch.

    `launches` has the steps of each launch with what its work-groups are. `operations` counts those of all steps, and
    `at_once` those of one loop nest over all indices.
    """

    subscripts: str
    launches: tuple[tuple[str, tuple[PathStep, ...]], ...]
    at_once: int

    @property
    def steps(self) -> tuple[PathStep, ...]:
        """The steps of all launches."""
        return tuple(step for _, steps in self.launches for step in steps)

    @property
    def operations(self) -> int:
        """Multiplications and additions of all steps."""
        return sum(step.operations for step in self.steps)

    def __str__(self) -> str:
        lines = [f"{self.subscripts}: {self.operations:,} operations, {self.at_once:,} in one loop nest"]
        for number, (text, steps) in enumerate(self.launches, 1):
            lines.append(f"launch {number}: {text}")
            for step in steps:
                operands = ", ".join(map(str, step.operands))
                lines.append(f"  {operands}: {step.subscripts}, {step.operations:,} operations: {step.becomes}")
        return "\n".join(lines)

    __repr__ = __str__


def report_of(subscripts: Subscripts, plan: Plan | None, sizes: Mapping[str, int]) -> EinsumPath:
    """The path of a plan."""
    count = len(subscripts.inputs)
    known = {number: number for number in range(count)}
    launches = []
    for stage in plan.stages if plan is not None else ():
        sources, targets = stage.arrays[: -stage.targets], stage.arrays[-stage.targets :]
        own = [known[number] for number in sources]
        steps = []
        for inputs, text, operations, becomes in _steps_of(stage, sizes):
            steps.append(PathStep(tuple(own[number] for number in inputs), text, operations, becomes))
            own.append(count)
            count += 1
        known.update(zip(targets, own[-len(targets) :]))
        launches.append((stage.work.text, tuple(steps)))
    text = f"{','.join(indices.names for indices in subscripts.inputs)}->{subscripts.output.names}"
    return EinsumPath(text, tuple(launches), len(subscripts.inputs) * math.prod(sizes.values()))


_Step = tuple[tuple[int, ...], str, int, str]


def _steps_of(stage: Stage, sizes: Mapping[str, int]) -> Iterator[_Step]:
    """The steps of a launch: numbers among its arrays and its own steps, subscripts, operations, what it becomes."""
    work = stage.work
    if isinstance(work, MatrixProduct):
        a, b, c = (names for names, _ in work.used)
        yield (0, 1), _written(a, b, c), 2 * math.prod(work.matrices.shape), work.gemm
        return
    if isinstance(work, Copies):
        for number, copy in enumerate(work.copies):
            yield (number,), _written(*copy.names), 0, copy.text
        return
    function = work.function()
    LoopOverGemm().run(function)
    is_shared = list(work.shared)
    for number, step in enumerate(work.steps()):
        *inside, target = (indices.names for indices in step.map.operands)
        names = set("".join(inside))
        each = len(inside) if names - set(target) else len(inside) - 1
        is_shared.append(all(is_shared[k] for k in step.inputs))
        items = 1 if is_shared[-1] else math.prod(sizes[name] for name in work.items)
        _, _, choice = str(function.attributes[f"{ATTRIBUTE}.{number}"]).partition("}: ")
        operations = each * items * math.prod(sizes[name] for name in names)
        yield step.inputs, _written(*inside, target), operations, choice


def _written(*names: str) -> str:
    """Subscripts as they are written for arrays in C order, of modes from the innermost on."""
    *inputs, output = (letters.replace(PARTS, "")[::-1] for letters in names)
    return f"{','.join(inputs)}->{output}"
