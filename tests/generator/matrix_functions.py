"""Functions of the components of matrices."""

from __future__ import annotations

from .language import INTEGERS, type_bound
from .matrices import Matrices
from .values import Matrix


class MatrixFunctions(Matrices):
    def apply(self) -> None:
        """Components of a matrix or zeros, as their places say; those of another are added where types agree."""
        if not self.scope.matrices or not self.together():
            return
        a = self.pick(self.scope.matrices)
        targets = self.castable(a.component, a.bound, False)
        if not targets:
            return
        target = self.pick(targets)
        alike = [m for m in self.scope.matrices if (m.rows, m.columns, m.use) == (a.rows, a.columns, a.use)]
        matrices = [a, *([self.pick(alike)] if self.chance(50) else [])]
        names = [self.fresh() for _ in range(2 + len(matrices))]
        adds = len(matrices) == 2 and matrices[1].component == target
        bound = a.bound * (1 if target in INTEGERS else 1.01) + (matrices[1].bound if adds else 0)
        if not self.small(target, bound):
            return
        result = Matrix(self.fresh(), target, a.rows, a.columns, a.use, min(bound, type_bound(target)))
        given = ", ".join(matrix.name for matrix in matrices)
        self.line(f"{result.name} = v04.cooperative_matrix_apply ({', '.join(names)}) = {given} -> {result.type} {{")
        condition, cast, chosen, total = (self.fresh() for _ in range(4))
        relation = self.pick(("lt", "ge", "eq"))
        zero = self.fresh()
        for line in (
            f"{condition} = cmp.{relation} {names[0]}, {names[1]} : bool",
            f"{chosen} = if {condition} -> ({target}) {{",
            f"  {cast} = cast {names[2]} : {target}",
            f"  yield ({cast})",
            "} else {",
            f"  {zero} = constant {self.literal(target, 0)} : {target}",
            f"  yield ({zero})",
            "}",
            *([f"{total} = arith.add {chosen}, {names[3]} : {target}"] if adds else []),
            f"yield ({total if adds else chosen})",
        ):
            self.line(f"  {line}")
        self.line("}")
        self.scope.matrices.append(result)
