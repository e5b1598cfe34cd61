"""Cooperative matrices: loaded, computed with, stored."""

from __future__ import annotations

import math

from .core import Core
from .language import COMPLEX, ELEMENTS, INTEGERS, LIMIT, PROMOTABLE, USES, promote, type_bound
from .values import SUBGROUP, UNIFORM, Extent, Matrix, Number, Tensor, known_size

MODES = (1, 2, 4, 8)


class Matrices(Core):
    def together(self) -> bool:
        """Whether a sub-group does here what it does together."""
        return self.spmd is None or self.whole_subgroup()

    def define_matrix(
        self, component: str, rows: int, columns: int, use: str, right: str, bound: float = math.inf
    ) -> Matrix:
        matrix = Matrix(self.fresh(), component, rows, columns, use, min(bound, type_bound(component)))
        self.line(f"{matrix.name} = {right} : {matrix.type}")
        self.scope.matrices.append(matrix)
        return matrix

    def same_kind(self, like: Matrix, right: str, bound: float) -> Matrix:
        return self.define_matrix(like.component, like.rows, like.columns, like.use, right, bound)

    def constant_matrix(
        self, component: str, rows: int, columns: int, use: str, value: complex | None = None
    ) -> Matrix:
        if value is None:
            value = self.pick(self.values_of(component))
        right = f"constant {self.literal(component, value)}"
        return self.define_matrix(component, rows, columns, use, right, abs(value))

    def matrix_like(self, first: Matrix, limit: float) -> Matrix:
        """A matrix of the same type, in a safe program with components up to a limit."""
        known = [m for m in self.scope.matrices if m.type == first.type and (m.bound <= limit or not self.safe)]
        if known:
            return self.pick(known)
        return self.constant_matrix(first.component, first.rows, first.columns, first.use, 0)

    def some_matrix(self) -> None:
        if self.together():
            component = self.pick(self.elements)
            self.constant_matrix(component, self.pick(MODES), self.pick(MODES), self.pick(USES))

    def matrix_arithmetic(self) -> None:
        if not self.scope.matrices or not self.together():
            return
        a = self.pick(self.scope.matrices)
        growth = 2 if a.component in COMPLEX else 1
        variant = self.pick(("add", "sub", "mul", "div", "neg", "cast"))
        if variant == "cast":
            self.cast_matrix(a)
            return
        if variant == "neg":
            self.same_kind(a, f"arith.neg {a.name}", a.bound)
            return
        b = self.matrix_like(a, LIMIT)
        if variant == "div" and self.safe:
            b = self.constant_matrix(a.component, a.rows, a.columns, a.use, 2)
        sizes = {"add": a.bound + b.bound, "sub": a.bound + b.bound, "mul": growth * a.bound * b.bound}
        bound = sizes.get(variant, growth * a.bound)
        if self.small(a.component, bound):
            self.same_kind(a, f"arith.{variant} {a.name}, {b.name}", bound)

    def small(self, component: str, bound: float) -> bool:
        return not self.safe or component in INTEGERS or bound <= LIMIT

    def cast_matrix(self, a: Matrix) -> None:
        targets = self.castable(a.component, a.bound, False)
        if targets:
            target = self.pick(targets)
            bound = a.bound if target in INTEGERS else a.bound * 1.01
            use, word = a.use, "cast"
            if use == "matrix_acc" and self.chance(70):
                use, word = self.pick(USES[:2]), "xetile.convert"
            self.define_matrix(target, a.rows, a.columns, use, f"{word} {a.name}", bound)

    def scale(self) -> None:
        if self.scope.matrices and self.together():
            a = self.pick(self.scope.matrices)
            factor = self.small_number(a.component, 8.0, SUBGROUP)
            bound = (2 if a.component in COMPLEX else 1) * a.bound * factor.bound
            if factor.type == a.component and self.small(a.component, bound):
                self.same_kind(a, f"cooperative_matrix_scale {factor.name}, {a.name}", bound)

    def mul_add(self) -> None:
        if not self.together():
            return
        known = [m for m in self.scope.matrices if m.use in ("matrix_a", "matrix_b")]
        if known and self.chance(80):
            given = self.pick(known)
        else:
            given = self.constant_matrix(
                self.pick(self.elements), self.pick(MODES), self.pick(MODES), self.pick(USES[:2])
            )
        a = given if given.use == "matrix_a" else self.factor_matrix(given, "matrix_a")
        b = given if given.use == "matrix_b" else self.factor_matrix(given, "matrix_b")
        product = promote(a.component, b.component)
        if product is None:
            return
        components = [t for t in PROMOTABLE[product] if t in self.elements]
        sums = [
            m
            for m in self.scope.matrices
            if m.use == "matrix_acc" and (m.rows, m.columns) == (a.rows, b.columns) and m.component in components
        ]
        if sums and self.chance(75):
            c = self.pick(sums)
        else:
            c = self.constant_matrix(self.pick(components or [product]), a.rows, b.columns, "matrix_acc")
        growth = 2 if product in COMPLEX else 1
        bound = growth * a.columns * a.bound * b.bound + c.bound
        if not self.small(c.component, bound):
            return
        bound = min(bound, type_bound(c.component))
        targets = [c.component] if self.chance(60) else self.castable(c.component, bound, False)
        if targets:
            right = f"cooperative_matrix_mul_add {a.name}, {b.name}, {c.name}"
            self.define_matrix(self.pick(targets), a.rows, b.columns, "matrix_acc", right, bound * 1.01)

    def factor_matrix(self, other: Matrix, use: str) -> Matrix:
        """The factor that fits the other one of a product."""
        inner = other.rows if use == "matrix_a" else other.columns
        fitting = [
            m
            for m in self.scope.matrices
            if m.use == use
            and (m.columns if use == "matrix_a" else m.rows) == inner
            and promote(m.component, other.component)
        ]
        if fitting and self.chance(75):
            return self.pick(fitting)
        components = [t for t in ELEMENTS if t in self.elements and promote(t, other.component)]
        outer = self.pick(MODES)
        rows, columns = (outer, inner) if use == "matrix_a" else (inner, outer)
        return self.constant_matrix(self.pick(components or [other.component]), rows, columns, use)

    # Memory.

    def load_matrix(self) -> None:
        tensors = [t for t in self.readable() if len(t.shape) == 2 and (t.spread <= SUBGROUP or not self.safe)]
        if not tensors or not self.together():
            return
        tensor, transpose = self.pick(tensors), self.pick("nt")
        rows, columns = self.mode_near(tensor.shape[0]), self.mode_near(tensor.shape[1])
        # the modes of memory that rows and columns lie along
        along = (columns, rows) if transpose == "t" else (rows, columns)
        checked, place = self.position(tensor, along, transpose)
        self.reading(tensor)
        right = f"cooperative_matrix_load.{transpose}{checked} {tensor.name}[{place}]"
        self.define_matrix(tensor.element, rows, columns, self.pick(USES), right, tensor.root.bound)

    def mode_near(self, extent: Extent) -> int:
        """A size of a matrix that often fits into a mode."""
        size = known_size(extent)
        fitting = [n for n in MODES if size is not None and n <= size]
        return self.pick(fitting) if fitting and self.chance(60) else self.pick(MODES)

    def position(self, tensor: Tensor, lengths: tuple[int, int], transpose: str = "n") -> tuple[str, str]:
        """The checked flag and the indices of a matrix that takes lengths along the modes of a tensor."""
        places, needed = [], []
        for length, extent in zip(lengths, tensor.shape, strict=True):
            size = known_size(extent)
            fits = size is not None and length <= size
            if fits and self.chance(60):
                number = self.index_below(size - length + 1, SUBGROUP)
                needed.append(self.chance(20))
            elif self.safe or self.chance(50):
                number = self.constant("index", self.pick((-2, -1, 0, 1, 3)))
                needed.append(True)
            else:
                number = self.number("index")
                # where it is known to leave the memref, the verifier wants the check
                first = number.low if number.low == number.high and number.low is not None else 0
                leaves = first < 0 or (isinstance(size, int) and first + length > size)
                needed.append(leaves or self.chance(50))
            places.append(number.name)
        # rows of a transposed matrix lie along the second mode
        rows, columns = reversed(needed) if transpose == "t" else needed
        flag = {(True, True): ".both_checked", (True, False): ".rows_checked", (False, True): ".cols_checked"}
        return flag.get((rows, columns), ""), ", ".join(places)

    def store_matrix(self) -> None:
        if not self.scope.matrices or not self.together():
            return
        a = self.pick(self.scope.matrices)
        if not self.safe:
            tensors = [t for t in self.scope.tensors if len(t.shape) == 2 and t.element == a.component]
            if tensors:
                tensor = self.pick(tensors)
                if self.chance(40):
                    self.access_atomically(a, tensor)
                    return
                head, checked, place = self.stored_at(a, tensor)
                flag = self.pick(("", ".atomic", ".atomic_add"))
                self.line(f"{head}{checked}{flag} {a.name}, {tensor.name}[{place}]")
            return
        if self.loops == self.spmd.loops and self.divergence == UNIFORM:
            self.store_apart(a)

    def access_atomically(self, a: Matrix, tensor: Tensor) -> None:
        """An atomic access of any scope and order, transposed or not."""
        turned = self.pick(("", ".n", ".t"))
        along = (a.columns, a.rows) if turned == ".t" else (a.rows, a.columns)
        checked, place = self.position(tensor, along, "t" if turned == ".t" else "n")
        word = self.pick(
            ("load", "store", "add", "min", "max") if a.component not in COMPLEX else ("load", "store", "add")
        )
        orders = {"load": ("acquire",), "store": ("release",)}.get(word, ("acquire", "release", "acquire_release"))
        order = self.pick(("", ".relaxed", ".sequentially_consistent", *(f".{each}" for each in orders)))
        scope = self.pick(("", ".subgroup", ".work_group", ".device", ".cross_device"))
        head = f"v04.cooperative_matrix_atomic_{word}{turned}{checked}{scope}{order}"
        if word == "store":
            self.line(f"{head} {a.name}, {tensor.name}[{place}]")
        else:
            self.same_kind(a, f"{head} {'' if word == 'load' else f'{a.name}, '}{tensor.name}[{place}]", math.inf)

    def stored_at(self, a: Matrix, tensor: Tensor) -> tuple[str, str, str]:
        """The word of a store, transposed or not, the checked flag, and the indices."""
        if self.chance(20):
            return "v04.cooperative_matrix_store.t", *self.position(tensor, (a.columns, a.rows), "t")
        return "cooperative_matrix_store", *self.position(tensor, (a.rows, a.columns))

    def store_apart(self, a: Matrix) -> None:
        """Store where no other sub-group does, and nothing else is stored until the next barrier."""
        tensors = [t for t in self.writable() if len(t.shape) == 2 and t.element == a.component]
        shared = [t for t in self.scope.tensors if t.root.shared and t.spread <= SUBGROUP]
        tensors += [t for t in shared if len(t.shape) == 2 and t.element == a.component]
        if not tensors:
            return
        tensor = self.pick(tensors)
        flags = ["", ".atomic"] if a.component in ("i32", "i64", "f32", "f64") else [""]
        if a.component in ("i32", "i64") and tensor.root.initialised:
            flags += 2 * [".atomic_add"]
        flag = ".atomic_add" if tensor.root.shared else self.pick(flags)
        if a.component not in INTEGERS and not self.may_hold(tensor.root, a.bound):
            return
        name = tensor.name
        way = self.pick(("one", "apart", "apart"))
        self.spmd.written.add(tensor.root)
        if flag == ".atomic_add":
            head, checked, place = self.stored_at(a, tensor)
            self.line(f"{head}{checked}{flag} {a.name}, {name}[{place}]")
        elif way == "one" or self.subgroups == 1:
            head, checked, place = self.stored_at(a, tensor)
            known = {"spread": SUBGROUP, "low": 0, "high": self.subgroups - 1}
            which = self.define("i32", "builtin.subgroup_id : i32", self.subgroups, **known)
            other = self.constant("i32", self.rng.randrange(self.subgroups))
            condition = self.define("bool", f"cmp.eq {which.name}, {other.name} : bool", spread=SUBGROUP)
            self.line(f"if {condition.name} {{")
            self.line(f"  {head}{checked}{flag} {a.name}, {name}[{place}]")
            self.line("}")
        else:
            column = self.own_column(a)
            row = self.constant("index", self.pick((0, 0, 1)))
            self.line(f"cooperative_matrix_store.both_checked{flag} {a.name}, {name}[{row.name}, {column.name}]")

    def own_column(self, a: Matrix) -> Number:
        """Where the columns of a sub-group begin."""
        known = {"spread": SUBGROUP, "low": 0, "high": self.subgroups - 1}
        which = self.define("i32", "builtin.subgroup_id : i32", self.subgroups, **known)
        wide = self.define("index", f"cast {which.name} : index", self.subgroups, **known)
        columns = self.constant("index", a.columns)
        return self.define("index", f"arith.mul {wide.name}, {columns.name} : index", spread=SUBGROUP)
