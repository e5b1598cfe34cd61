"""Branches, loops and SPMD regions: what is yielded, what is carried, and what folds."""

# ruff: noqa: E501 (a mistake and its message stand on one line)

import pytest
from tracing_kit import body, dedented, findings, function, text


def test_names_bound_on_both_sides_are_yielded():
    assert body("if x > 0:\n    y = x\nelse:\n    y = -x\nA[i, j] = y") == dedented("""
        %0 = constant 0x0p+0 : f32
        %1 = cmp.gt %x, %0 : bool
        %y = if %1 -> (f32) {
          yield (%x)
        } else {
          %y = arith.neg %x : f32
          yield (%y)
        }
        store %y, %A[%i, %j]""")


def test_a_name_of_before_keeps_its_value_where_a_branch_does_not_bind_it():
    assert body("y = x * x\nif x > 0: y = x\nA[i, j] = y") == dedented("""
        %y = arith.mul %x, %x : f32
        %0 = constant 0x0p+0 : f32
        %1 = cmp.gt %x, %0 : bool
        %y_1 = if %1 -> (f32) {
          yield (%x)
        } else {
          yield (%y)
        }
        store %y_1, %A[%i, %j]""")


def test_names_that_nobody_reads_are_not_yielded():
    assert body("if i < j:\n    t = x\n    A[i, j] = t\nelse:\n    t = A\n") == dedented("""
        %0 = cmp.lt %i, %j : bool
        if %0 {
          store %x, %A[%i, %j]
        }""")
    assert body("if i < j: pass\nelse: A[i, j] = x") == dedented("""
        %0 = cmp.lt %i, %j : bool
        if %0 {
        } else {
          store %x, %A[%i, %j]
        }""")


def test_elif():
    assert body("""
        if i == 0:
            y = x
        elif i == 1:
            y = 2.0
        else:
            y = x * x
        A[i, j] = y
    """) == dedented("""
        %0 = constant 0 : index
        %1 = cmp.eq %i, %0 : bool
        %y = if %1 -> (f32) {
          yield (%x)
        } else {
          %2 = constant 1 : index
          %3 = cmp.eq %i, %2 : bool
          %y = if %3 -> (f32) {
            %4 = constant 0x1p+1 : f32
            yield (%4)
          } else {
            %y = arith.mul %x, %x : f32
            yield (%y)
          }
          yield (%y)
        }
        store %y, %A[%i, %j]""")


def test_tuples_and_truth_values_are_yielded_too():
    assert body("""
        if i == j:
            p, f = (x, 1.0), True
        else:
            p, f = (0.0, x), False
        if f: A[i, j] = p[0] * p[1]
    """) == dedented("""
        %0 = cmp.eq %i, %j : bool
        %p, %p_1, %f = if %0 -> (f32, f32, bool) {
          %1 = constant 0x0p+0 : f32
          %2 = constant true : bool
          yield (%x, %1, %2)
        } else {
          %3 = constant 0x0p+0 : f32
          %4 = constant false : bool
          yield (%3, %x, %4)
        }
        if %f {
          %5 = arith.mul %p, %p_1 : f32
          store %5, %A[%i, %j]
        }""").replace("%1 = constant 0x0p+0", "%1 = constant 0x1p+0")


def test_a_constant_condition_traces_one_branch():
    kernel = function("""
        def f(n: constexpr, A: Memref[f32, 8]):
            if n > 4:
                B, k = A[0:4], 1
            else:
                B, k = A, no_such_name
            B[k] = 1.0 if n else "nonsense"
    """)
    assert text(kernel, constexprs={"n": 5}) == dedented("""
        func @f(%A: memref<f32x8>) {
          %B = subview %A[0:4] : memref<f32x4>
          %0 = constant 1 : index
          %1 = constant 0x1p+0 : f32
          store %1, %B[%0]
        }""")


def test_a_loop_without_carried_names():
    assert body("for k in range(8): A[i, k] = x") == dedented("""
        %0 = constant 0 : index
        %1 = constant 8 : index
        for %k = %0, %1 {
          store %x, %A[%i, %k]
        }""")
    assert body("for k in range(i, j, 2): A[i, k] = x") == dedented("""
        %0 = constant 2 : index
        for %k = %i, %j, %0 {
          store %x, %A[%i, %k]
        }""")
    assert body("for _ in range(i): A[0, 0] += x").splitlines()[1] == "for %1 = %0, %i {"


def test_a_loops_type_is_that_of_a_typed_bound():
    assert body("for k in range(n): A[index(k)] = x", "A: Memref[f32, 8], n: i32, x: f32") == dedented("""
        %0 = constant 0 : i32
        for %k: i32 = %0, %n {
          %1 = cast %k : index
          store %x, %A[%1]
        }""")
    assert "for %k: i8 = %0, %1 {" in body("for k in range(0, i8(5)): pass").replace("%1, %0", "%0, %1")


def test_fibonacci_as_the_manual_has_it():
    assert body(
        """
        fn_2, fn_1 = i64(0), i64(1)
        for n in range(2, i32(6)):
            fn_2, fn_1 = fn_1, fn_2 + fn_1
        A[0] = fn_1
        """,
        "A: Memref[i64, 1]",
    ) == dedented("""
        %fn_2 = constant 0 : i64
        %fn_1 = constant 1 : i64
        %0 = constant 6 : i32
        %1 = constant 2 : i32
        %fn_2_1, %fn_1_1 = for %n: i32 = %1, %0 init(%fn_2_1=%fn_2, %fn_1_1=%fn_1) -> (i64, i64) {
          %fn_1_2 = arith.add %fn_2_1, %fn_1_1 : i64
          yield (%fn_1_1, %fn_1_2)
        }
        %2 = constant 0 : index
        store %fn_1_1, %A[%2]""")


def test_only_names_that_somebody_reads_are_carried():
    lines = body("""
        t = x
        for k in range(4):
            t = A[k, 0]
            u = t * t
            A[k, 0] = u
        t = x
        A[0, 0] = t
    """)
    assert "init" not in lines
    kept = body("t = x\nfor k in range(4): t = A[k, 0]\nA[0, 0] = t")
    assert "%t = for %k = %0, %1 init(%t=%x) -> (f32) {" in kept


def test_nested_loops_carry_through():
    assert body("""
        s = f32(0)
        for k in range(4):
            for l in range(4):
                if k != l:
                    s += A[k, l]
        A[0, 0] = s
    """) == dedented("""
        %s = constant 0x0p+0 : f32
        %0 = constant 0 : index
        %1 = constant 4 : index
        %s_1 = for %k = %0, %1 init(%s_1=%s) -> (f32) {
          %2 = constant 0 : index
          %3 = constant 4 : index
          %s_2 = for %l = %2, %3 init(%s_2=%s_1) -> (f32) {
            %4 = cmp.ne %k, %l : bool
            %s_3 = if %4 -> (f32) {
              %5 = load %A[%k, %l] : f32
              %s_3 = arith.add %s_2, %5 : f32
              yield (%s_3)
            } else {
              yield (%s_2)
            }
            yield (%s_3)
          }
          yield (%s_2)
        }
        %6 = constant 0 : index
        %7 = constant 0 : index
        store %s_1, %A[%6, %7]""")


def test_a_truth_value_is_carried_without_a_type():
    lines = body("f = False\nfor k in range(4): f = f or A[k, 0] > x\nif f: A[0, 0] = x")
    assert "init(%f=%2) -> (bool)" in lines


def test_a_literal_in_the_body_takes_the_carried_type():
    assert "constant 0x1p+0 : f32" in body("t = x\nfor k in range(4):\n    A[k, 0] = t\n    t = 1")


@pytest.mark.parametrize(
    "head",
    [
        "while x > 0:",
        "for k in A:",
        "for k in range(1, 2, 3, 4):",
        "for k, l in range(4):",
        "for k in foreach((0, 0), (4, 4)):",
        "for k, l in foreach(nothing):",
        "for k in nothing(4):",
        "if 1.5 if x > 0 else 2.5:",
        "if nothing:",
        "with nothing():",
        "with parallel(3):",
        "try:",
    ],
)
def test_bodies_are_looked_over_where_the_head_is_wrong(head):
    end = "    except Exception: pass\n" if head == "try:" else ""
    kernel = f"def kernel(A: Memref[f32, 4], x: f32):\n    {head}\n        A[missing] = x\n{end}"
    first, second = findings(kernel)
    assert first.location is not None and first.location.line == 2
    assert second.message == "missing is not defined"


def test_foreach():
    assert body("for k, l in foreach((0, 1), (16, j)): A[k, l] = x") == dedented("""
        %0 = constant 0 : index
        %1 = constant 1 : index
        %2 = constant 16 : index
        foreach (%k, %l) = (%0, %1), (%2, %j) {
          store %x, %A[%k, %l]
        }""")
    assert body("for k in foreach(16): A[k, j] = x").splitlines()[2] == "foreach (%k) = (%0), (%1) {"
    assert body("for k in foreach(i, j): A[k, j] = x").splitlines()[0] == "foreach (%k) = (%i), (%j) {"
    assert body("for k, l in foreach((i, j)): A[k, l] = x").splitlines()[2] == "foreach (%k, %l) = (%0, %1), (%i, %j) {"
    assert body("for k, l in foreach(A.shape): A[k, l] = x").splitlines()[4].startswith("foreach (%k, %l)")
    assert "foreach (%k): i32 = (%0), (%n) {" in body("for k in foreach(n): pass", "n: i32")


def test_parallel():
    assert body("with parallel():\n    atomic.add(A[i, j], x)") == dedented("""
        parallel {
          store.atomic_add %x, %A[%i, %j]
        }""")


def test_loops_and_branches_in_spmd_regions():
    assert body("""
        for k in foreach(16):
            s = A[k, 0]
            for l in range(1, 8):
                s = max(s, A[k, l])
            if s > x:
                A[k, 0] = s
    """) == dedented("""
        %0 = constant 0 : index
        %1 = constant 16 : index
        foreach (%k) = (%0), (%1) {
          %2 = constant 0 : index
          %s = load %A[%k, %2] : f32
          %3 = constant 1 : index
          %4 = constant 8 : index
          %s_1 = for %l = %3, %4 init(%s_1=%s) -> (f32) {
            %5 = load %A[%k, %l] : f32
            %s_2 = arith.max %s_1, %5 : f32
            yield (%s_2)
          }
          %6 = cmp.gt %s_1, %x : bool
          if %6 {
            store %s_1, %A[%k, %0]
          }
        }""").replace("store %s_1, %A[%k, %0]", "%7 = constant 0 : index\n    store %s_1, %A[%k, %7]")


def test_regions_one_after_the_other_may_use_the_same_names():
    lines = body("for k in foreach(4): t = A[k, 0]; A[k, 1] = t\nfor k in foreach(4): t = A[k, 1]; A[k, 0] = t")
    assert lines.count("foreach (%k)") == 2 and lines.count("%t = load") == 2


@pytest.mark.parametrize(
    ("statements", "code", "line", "wrong"),
    [
        ("if x > 0: y = x\nA[0, 0] = y", "PYTL-1021", 3, "y is bound in one branch of an if only"),
        ("for k in range(i): y = x\nA[0, 0] = y", "PYTL-1021", 3, "y is bound inside the loop only"),
        ("for k in range(i): pass\nA[k, 0] = x", "PYTL-1021", 3, "k is the variable of a loop that may have no iteration"),
        ("for k in foreach(4): y = x\nA[0, 0] = y", "PYTL-1021", 3, "y is bound inside the foreach only"),
        ("with parallel(): y = x\nA[0, 0] = y", "PYTL-1021", 3, "y is bound inside the parallel region only"),
        ("A[0, 0] = y\ny = x", "PYTL-1020", 2, "y is used before it is assigned"),
        ("if i < j: y = x\nelse: y = i\nA[0, 0] = y", "PYTL-1022", 2, "y is f32 if the condition holds, else index"),
        ("y = x if i < j else i\nA[0, 0] = y", "PYTL-1022", 2, "this is f32 if the condition holds, else index"),
        ("if i < j: B = A[0:2, 0]\nelse: B = A[2:4, 0]\nB[0] = x", "PYTL-1023", 2, "B is a different memref<f32x2> in either branch"),
        ("if i < j: B = A[0:2, 0]\nelse: B = None\nB[0] = x", "PYTL-1022", 2, "B is memref<f32x2> if the condition holds, else None"),
        ("y = x\nfor k in range(4): y = k\nA[0, 0] = y", "PYTL-1022", 3, "y is f32 before the loop, but index after an iteration"),
        ("B = A\nfor k in range(4):\n    B[0, 0] = x\n    B = A[:, 0:8]", "PYTL-1023", 3, "the loop rebinds B, which is memref<f32x16x8>"),
        ("y = x\nfor k in range(4):\n    A[0, 0] = y\n    for y in range(3): pass", "PYTL-1022", 5, "y is f32 before the loop, but index after an iteration"),
        ("y = x\nfor k in foreach(4): y = x * x", "PYTL-1024", 3, "y is bound again inside the foreach"),
        ("for k in range(4):\n    for k in foreach(4): pass", "PYTL-1024", 3, "k is bound again inside the foreach"),
        ("y = x\nwith parallel(): y += 1", "PYTL-1024", 3, "y is bound again inside the parallel region"),
        ("if x: A[0, 0] = x", "PYTL-1052", 2, "the condition is f32"),
        ("if A: A[0, 0] = x", "PYTL-1052", 2, "the condition is memref<f32x16x8>"),
        ("for k in A: pass", "PYTL-1033", 2, "A can't be looped over"),
        ("for k in zip(A): pass", "PYTL-1033", 2, "A can't be looped over"),
        ("for k, l in range(4): pass", "PYTL-1033", 2, "a loop over a range has one variable"),
        ("for k in range(1.5): pass", "PYTL-1033", 2, "a bound is the Python float 1.5, not an integer"),
        ("for k in range(x): pass", "PYTL-1033", 2, "a bound is f32, but the loop's variable is index"),
        ("for k in range(i32(1), j): pass", "PYTL-1033", 2, "a bound is index, but the loop's variable is i32"),
        ("for k in range(): pass", "PYTL-1041", 2, "range takes one to three arguments: start, stop, step"),
        ("for k in range(8, 0, 0): pass", "PYTL-0431", 2, "for: the step is 0"),
        ("for k in foreach((0, 0), (4, 4)): pass", "PYTL-1033", 2, "foreach has 1 variables, 2 first and 2 last bounds"),
        ("for k in foreach(): pass", "PYTL-1041", 2, "foreach takes one or two arguments: start, stop"),
        ("for k in foreach(4):\n    for l in foreach(4): pass", "PYTL-0201", 3, "foreach is collective, but is in an SPMD region"),
        ("with open('x'): pass", "PYTL-1030", 2, "with is used with parallel() only"),
        ("with parallel() as p: pass", "PYTL-1030", 2, "with is used with parallel() only"),
        ("with parallel(3): pass", "PYTL-1041", 2, "parallel takes no arguments"),
        ("parallel()", "PYTL-1042", 2, "parallel is used at the head of a statement"),
        ("foreach(3)", "PYTL-1042", 2, "foreach is used at the head of a statement"),
        ("y = range(i)", "PYTL-1042", 2, "range is used in a for statement"),
    ],
)  # fmt: skip
def test_mistakes(statements, code, line, wrong):
    indented = "\n".join(f"    {piece}" for piece in statements.splitlines())
    kernel = f"def kernel(A: Memref[f32, 16, 8], i: index, j: index, x: f32):\n{indented}\n"
    (found,) = findings(kernel)
    assert (found.code, found.message) == (code, wrong)
    assert found.location is not None and found.location.line == line


def test_a_loop_is_unrolled_by_a_count() -> None:
    assert "} {unroll=4}" in body("for i in unroll(range(8), 4):\n    A[i, i] = x")
