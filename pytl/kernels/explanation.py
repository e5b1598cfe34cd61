"""The result of `k.explain()`: the inner loops of vector code, with what each executes and what limits it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..backends.assembly import AssemblyLoop, loops_of
from ..backends.machines import MACHINE, chosen_machine
from ..diagnostics import PlatformError, PytlError, Rule
from ..diagnostics.words import counted
from ..passes import Pipeline
from ..passes.targets.machine import HOST
from ..passes.targets.strategies import STRATEGY
from ..passes.vectors.inner_loops import InnerLoop, RegisterTile, inner_loops
from ..process.records import dataclass

_ASSEMBLY = "asm"
"""The stage of a backend."""

if TYPE_CHECKING:
    from ..backends.base import Backend
    from ..launch.launches import Launches

NO_VECTOR_CODE = Rule(
    "PYTL-3093",
    "a kernel is explained on a backend that makes vector code of it",
    "Passes",
    explanation="`k.explain()` and `pytl explain FILE` look at vector code, which `sycl`, `opencl`, `mlir` and "
    "`arm_sme` make. A multiply-add of tiles is an outer product.",
)


@dataclass(frozen=True)
class LoopExplanation:
    """An inner loop of vector code; or vector code without a loop, which is executed once (`iterations` is 1).

    All numbers are of one iteration. `fmas`, `loads`, `stores` and `others` count instructions of the vector IR on
    vectors as long as a register.
    """

    line: int | None
    """The line of the user's source, from 1 on; None where it is not known."""
    source: str
    """That line."""
    count: int
    """How many such loops there are, as for work-groups with and without software prefetch."""
    iterations: int | None
    """None where it is known at run time only."""
    tile: RegisterTile | None
    """The register tile of a product: `element` (its type), `lanes` of a vector, `vectors`, `columns`, and `steps` of
    the sum. None where the loop computes no product.
    """
    fmas: int
    loads: int
    stores: int
    others: int
    cycles: float
    """The prediction: clock cycles."""
    limit: str
    """What takes these cycles: "FMA ports", "load ports", "store ports", "other instructions", "instructions" (of any
    kind), "latency" or "memory".
    """
    bounds: Mapping[str, float]
    """Cycles by each of these."""
    assembly: AssemblyLoop | None
    """The loop in the assembly: `instructions`, `fmas`, `loads`, `stores`, `spills` and `reloads`. None where there is
    no assembly, or no loop of it has as many multiply-adds.
    """
    unrolled: int = 1
    """How many iterations the assembly's loop has in one."""

    def lines(self) -> list[str]:
        """A table of the loop."""
        where = f"line {self.line}: {self.source}" if self.line is not None else "no line"
        shown = [where if self.count == 1 else f"{where}  ({counted(self.count, 'such loop')})"]
        times = "any number of iterations" if self.iterations is None else counted(self.iterations, "iteration")
        if self.tile is not None:
            tile = self.tile
            shown.append(
                f"  {tile.vectors * tile.lanes} x {tile.columns} of {tile.element}: "
                f"{counted(tile.vectors, 'vector')} of {tile.lanes}, {counted(tile.columns, 'column')}; "
                f"{counted(tile.steps, 'step')}, {times}"
            )
        else:
            shown.append(f"  {times}")
        shown.append("             FMAs  loads  stores  other  spills  reloads")
        shown.append(f"  vector IR {self.fmas:>5}{self.loads:>7}{self.stores:>8}{self.others:>7}")
        if self.assembly is not None:
            code, times = self.assembly, f"  of {self.unrolled} iterations" if self.unrolled > 1 else ""
            others = max(code.instructions - code.fmas - code.loads - code.stores, 0)
            shown.append(
                f"  assembly  {code.fmas:>5}{code.loads:>7}{code.stores:>8}{others:>7}{code.spills:>8}{code.reloads:>9}"
                f"{times}"
            )
        rest = ", ".join(
            f"{name} {cycles:.1f}" for name, cycles in self.bounds.items() if cycles and name != self.limit
        )
        shown.append(f"  {self.cycles:.1f} cycles, limited by {self.limit}" + (f" ({rest})" if rest else ""))
        return shown


@dataclass(frozen=True)
class Explanation:
    """What the inner loops of a kernel's vector code execute; print it, or look at its fields."""

    kernel: str
    backend: str
    machine: str
    """The machine whose description predicts the cycles."""
    loops: tuple[LoopExplanation, ...]
    notes: tuple[str, ...] = ()
    """Why there is no vector code, or no assembly."""

    def __str__(self) -> str:
        head = f"{self.kernel} on {self.backend}, for {self.machine}: {counted(len(self.loops), 'inner loop')}"
        lines = [line for loop in self.loops for line in ["", *loop.lines()]]
        return "\n".join([head, *(f"note: {note}" for note in self.notes), *lines])


def explained(
    launches: Launches, backend: Backend, machine: str, has_assembly: bool, options: Mapping[str, Any]
) -> Explanation:
    """The explanation of a function."""
    function = launches.signature.function
    if MACHINE not in backend.options:
        raise PlatformError.single(
            NO_VECTOR_CODE,
            f"the backend {backend.name} makes no vector code",
            function.location,
            "explain the kernel on sycl, opencl, mlir or arm_sme",
        )
    # a backend for machines of one kind alone has one of its own in the place of this one
    is_its_own = machine == HOST and not backend.options[MACHINE].admits(HOST)
    given = dict(options) if is_its_own else {**options, MACHINE: machine}
    complete = backend.complete_options(given, None, function)
    chosen = chosen_machine(complete)
    lowered = Pipeline([*backend.call_passes(complete), *backend.passes(complete)]).run_on(function)
    loops, notes = inner_loops(lowered, chosen), []
    if not loops:
        notes.append(_why_none(lowered.attributes))
    code: list[AssemblyLoop] = []
    if has_assembly and loops and _ASSEMBLY not in backend.stages:
        notes.append(f"the backend {backend.name} shows no assembly")
    elif has_assembly and loops:
        try:
            code = _assembly(launches, backend, complete)
        except PytlError as error:
            notes.append(f"there is no assembly, since {error.diagnostics[0].message}")
    return Explanation(function.name, backend.name, chosen.name, tuple(_joined(loops, code)), tuple(notes))


def _why_none(attributes: Mapping[str, Any]) -> str:
    if attributes.get(STRATEGY) == "many-items":
        return f"there is no vector code, since many work-items share a work-group: {attributes[f'{STRATEGY}.reason']}"
    return "there is no vector code: no instruction of the kernel is one that has some"


def _assembly(launches: Launches, backend: Backend, options: Mapping[str, Any]) -> list[AssemblyLoop]:
    return loops_of(backend.emit_stage(launches.lowered(backend, dict(options)), options, _ASSEMBLY))


def _joined(loops: Sequence[InnerLoop], code: Sequence[AssemblyLoop]) -> list[LoopExplanation]:
    """Loops with those of the assembly that have as many multiply-adds, in order; equal ones once."""
    left, found = list(code), list[LoopExplanation]()
    exact = {loop.counts.fmas for loop in loops}
    for loop in loops:
        fmas, assembly, unrolled = loop.counts.fmas, None, 1
        if fmas:
            equal = [each for each in left if each.fmas == fmas]
            # the compiler may have unrolled the loop
            longer = [each for each in left if each.fmas % fmas == 0 and each.fmas > fmas and each.fmas not in exact]
            assembly = next(iter(equal or longer), None)
        if assembly is not None:
            left.remove(assembly)
            unrolled = assembly.fmas // fmas
        explained = _of(loop, assembly, unrolled)
        position = next((n for n, other in enumerate(found) if replace(other, count=1) == explained), None)
        if position is None:
            found.append(explained)
        else:
            found[position] = replace(found[position], count=found[position].count + 1)
    return found


def _of(loop: InnerLoop, assembly: AssemblyLoop | None, unrolled: int) -> LoopExplanation:
    location, counts = loop.location, loop.counts
    line = location.line if location is not None else None
    text = location.source.line(location.line).strip() if location is not None else ""
    return LoopExplanation(
        line=line,
        source=text,
        count=1,
        iterations=loop.iterations,
        tile=loop.tile,
        fmas=counts.fmas,
        loads=counts.loads,
        stores=counts.stores,
        others=counts.others + counts.prefetches,
        cycles=loop.cycles[loop.limit],
        limit=loop.limit,
        bounds=loop.cycles,
        assembly=assembly,
        unrolled=unrolled,
    )
