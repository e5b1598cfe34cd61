"""insert-barrier on random straight lines: no conflict without a barrier, and no barrier without a conflict."""

from itertools import pairwise
from random import Random

import pytest
from passes_kit import after

from pytl.ops import Barrier
from pytl.passes import InsertBarrier

pytestmark = pytest.mark.at_most(24)

SIZE = 8
LOCAL, GLOBAL = ("t", "u", "v"), ("a", "b")


class Line:
    """An instruction on slices, with the elements that it touches: (memory, element) -> whether it is written."""

    def __init__(self, rng, names):
        self.touched = {}
        self.text = getattr(self, rng.choice(["axpby", "foreach", "load", "store", "matrix", "total"]))(rng, names)

    def slice(self, rng, names, size, writes):
        memory = rng.choice(LOCAL + GLOBAL)
        begin = rng.choice(range(0, SIZE - size + 1, size))
        space = "local" if memory in LOCAL else "global"
        for element in range(begin, begin + size):
            place = (space, memory, element)
            self.touched[place] = self.touched.get(place, False) or writes
        name = f"%s{next(names)}"
        suffix = ",local" if space == "local" else ""
        view = f"{name} = subview %{memory}[{begin}:{size}] : memref<f32x{size}{suffix}>"
        return name, view

    def axpby(self, rng, names):
        size = rng.choice([2, 4])
        factor = rng.choice(["%zero", "%x"])
        (a, first), (b, second) = self.slice(rng, names, size, False), self.slice(rng, names, size, True)
        return f"{first}\n{second}\naxpby.n %x, {a}, {factor}, {b}"

    def total(self, rng, names):
        (a, first), (b, second) = self.slice(rng, names, 4, False), self.slice(rng, names, 1, True)
        at = f"%s{next(names)}"
        space = "local" if "local" in second else "global"
        view = f"{at} = subview {b}[0] : memref<f32{',local' if space == 'local' else ''}>"
        return f"{first}\n{second}\n{view}\nsum.n %x, {a}, %zero, {at}"

    def foreach(self, rng, names):
        (a, first), (b, second) = self.slice(rng, names, 2, False), self.slice(rng, names, 2, True)
        return f"""{first}\n{second}
          foreach (%i) = (%0), (%2) {{ %y = load {a}[%i] : f32 store %y, {b}[%i] }}"""

    def load(self, rng, names):
        a, view = self.slice(rng, names, 2, False)
        return f"{view}\n%y{next(names)} = load {a}[%0] : f32"

    def store(self, rng, names):
        a, view = self.slice(rng, names, 2, True)
        return f"{view}\nstore.atomic_add %x, {a}[%0]"

    def matrix(self, rng, names):
        (a, first), (b, second) = self.slice(rng, names, 4, False), self.slice(rng, names, 4, True)
        m, n = f"%s{next(names)}", f"%s{next(names)}"
        types = ["memref<f32x2x2,local>" if "local" in view else "memref<f32x2x2>" for view in (first, second)]
        return f"""{first}\n{second}
          {m} = expand {a}[0 -> 2 x 2] : {types[0]}
          {n} = expand {b}[0 -> 2 x 2] : {types[1]}
          parallel {{
            %c = cooperative_matrix_load.n {m}[%0, %0] : coopmatrix<f32x2x2,matrix_acc>
            cooperative_matrix_store %c, {n}[%0, %0]
          }}"""


def conflicts(a, b):
    """The address spaces in which two instructions have to be kept in order."""
    found = set()
    for (space, memory, element), writes in a.touched.items():
        for (other_space, other, other_element), other_writes in b.touched.items():
            # parameters may be the same memory, whatever the element
            same = element == other_element if memory == other else space == other_space == "global"
            if same and (writes or other_writes):
                found.add(space)
    return found


def ordered(lines, fences):
    """Whether every conflicting pair has a barrier with the fence in between; `fences[i]` is in front of line i."""
    for i, a in enumerate(lines):
        fenced = set()
        for j in range(i + 1, len(lines)):
            fenced |= fences[j]
            if not conflicts(a, lines[j]) <= fenced:
                return False
    return True


@pytest.mark.parametrize("seed", range(120))
def test_as_few_barriers_as_there_can_be(seed):
    rng = Random(seed)
    names = iter(range(1000))
    program = [Line(rng, names) for _ in range(rng.randrange(2, 9))]
    text = f"""func @f(%a: memref<f32x{SIZE}>, %b: memref<f32x{SIZE}>, %x: f32) {{
      %zero = constant 0.0 : f32 %0 = constant 0 : index %2 = constant 2 : index
      {" ".join(f"%{name} = alloca : memref<f32x{SIZE},local>" for name in LOCAL)}
      {chr(10).join(line.text for line in program)}
    }}"""
    fences = [set() for _ in program]
    position = 0
    operations = after(text, InsertBarrier()).functions[0].body.operations
    for op, following in pairwise(operations):
        if isinstance(op, Barrier):
            assert not isinstance(following, Barrier)
            fences[position] |= {"global"} if op.global_fence else set()
            fences[position] |= {"local"} if op.local_fence else set()
        elif op.reads or op.writes or op.regions:
            position += 1
    assert ordered(program, fences), text
    for fence in fences:
        for space in sorted(fence):
            fence.remove(space)
            assert not ordered(program, fences), f"{space} is not needed\n{text}"
            fence.add(space)


DEPTH = 24


def test_deep_loops_take_no_longer_than_they_are_deep():
    body = "axpby.n %x, %t, %zero, %u axpby.n %x, %u, %zero, %t"
    for i in range(DEPTH):
        body = f"for %i{i} = %n, %n {{ axpby.n %x, %a, %zero, %v {body} }}"
    text = f"""func @f(%a: memref<f32x4>, %x: f32, %n: index) {{ %zero = constant 0.0 : f32
      %t = alloca : memref<f32x4> %u = alloca : memref<f32x4> %v = alloca : memref<f32x4> {body} }}"""
    words = [op.word for op in after(text, InsertBarrier()).functions[0].walk()]
    assert words.count("barrier") == DEPTH + 1


def test_what_both_branches_end_is_not_pending_behind_them():
    text = """func @f(%a: memref<f32x4>, %x: f32, %p: bool) { %zero = constant 0.0 : f32
      %t = alloca : memref<f32x4> %u = alloca : memref<f32x4> %v = alloca : memref<f32x4>
      axpby.n %x, %a, %zero, %t
      if %p { axpby.n %x, %t, %zero, %u } else { axpby.n %x, %t, %zero, %v }
      axpby.n %x, %t, %zero, %a
    }"""
    words = [op.word for op in after(text, InsertBarrier()).functions[0].walk()]
    # the last axpby reads %t, which was written in front of the branches, and writes %a, which was read there
    assert words == ["constant", *["alloca"] * 3, "axpby", "if", *["barrier", "axpby"] * 2, "barrier", "axpby"]
    text = text.replace("axpby.n %x, %a, %zero, %t\n", "axpby.n %x, %u, %zero, %t\n")
    words = [op.word for op in after(text, InsertBarrier()).functions[0].walk()]
    assert words == ["constant", *["alloca"] * 3, "axpby", "if", *["barrier", "axpby"] * 2, "axpby"]
