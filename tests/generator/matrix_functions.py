"""Functions of the components of matrices, and components of work-items."""

from __future__ import annotations

from .language import COMPLEX, INTEGERS, LIMIT, type_bound
from .matrices import Matrices
from .values import VARYING, Matrix


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

    def matrix_arithmetic_since_04(self) -> None:
        """What the manual has of numbers only: remainders, shifts, bits, extremes, parts of complex numbers."""
        if not self.scope.matrices or not self.together():
            return
        a = self.pick(self.scope.matrices)
        of_bits = ("and", "or", "xor", "shl", "shr", "not") if a.component in INTEGERS else ()
        parts = ("re", "im", "conj") if a.component in COMPLEX else ("rem", "min", "max")
        variant = self.pick(("abs", *parts, *of_bits))
        if variant in ("abs", "not", "conj", "re", "im"):
            is_part = a.component in COMPLEX and variant != "conj"
            component = {"c32": "f32", "c64": "f64"}[a.component] if is_part else a.component
            bound = a.bound * 1.5 + 1
            if self.small(component, bound):
                right = f"v04.arith.{variant} {a.name}"
                self.define_matrix(component, a.rows, a.columns, a.use, right, bound)
            return
        b = self.matrix_like(a, LIMIT)
        if variant in ("rem", "shl", "shr") and self.safe:
            b = self.constant_matrix(a.component, a.rows, a.columns, a.use, 2)
        whole = type_bound(a.component) if variant in ("and", "or", "xor", "shl") else 0
        self.same_kind(a, f"v04.arith.{variant} {a.name}, {b.name}", max(a.bound, b.bound, whole))

    def extract(self) -> None:
        """A component that each work-item holds."""
        if self.scope.matrices and self.together():
            a = self.pick(self.scope.matrices)
            right = f"v04.cooperative_matrix_extract {a.name}[{self.component_of(a)}] : {a.component}"
            self.define(a.component, right, a.bound, spread=VARYING)

    def insert(self) -> None:
        """A matrix with a number of each work-item."""
        if self.scope.matrices and self.together():
            a = self.pick(self.scope.matrices)
            number = self.small_number(a.component, LIMIT, VARYING)
            if number.type == a.component:
                right = f"v04.cooperative_matrix_insert {number.name}, {a.name}[{self.component_of(a)}]"
                self.same_kind(a, right, max(a.bound, number.bound))

    def component_of(self, a: Matrix) -> int:
        return self.rng.randrange(-(-a.rows // self.subgroup_size) * a.columns)
