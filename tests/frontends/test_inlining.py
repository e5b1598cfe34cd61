"""Plain functions that a kernel calls."""

import pytest
from tracing_kit import dedented, findings, function, functions, message, text


def test_positional_named_and_default_arguments():
    assert text("""
        def scaled(v, factor=2, *, shift=0.0):
            '''Any docstring.'''
            t = v * factor
            return t + shift

        def kernel(A: Memref[f32, 4], x: f32):
            A[0] = scaled(x)
            A[1] = scaled(factor=x, v=x, shift=1)
    """) == dedented("""
        func @kernel(%A: memref<f32x4>,
                     %x: f32) {
          %0 = constant 0x1p+1 : f32
          %t = arith.mul %x, %0 : f32
          %1 = constant 0x0p+0 : f32
          %2 = arith.add %t, %1 : f32
          %3 = constant 0 : index
          store %2, %A[%3]
          %t_1 = arith.mul %x, %x : f32
          %4 = constant 0x1p+0 : f32
          %5 = arith.add %t_1, %4 : f32
          %6 = constant 1 : index
          store %5, %A[%6]
        }""")


def test_memrefs_collectives_and_nothing_returned():
    assert text("""
        def product(A, B, C, transposed=False):
            if transposed:
                gemm(1.0, A, B.T, 0.0, C)
            else:
                gemm(1.0, A, B, 0.0, C)

        def kernel(A: Memref[f32, 4, 4]):
            B = alloca(f32, 4, 4)
            product(A, A, B, transposed=True)
            nothing = product(B, B, A)
    """) == dedented("""
        func @kernel(%A: memref<f32x4x4>) {
          %B = alloca : memref<f32x4x4,local>
          %0 = constant 0x1p+0 : f32
          %1 = constant 0x0p+0 : f32
          gemm.n.t %0, %A, %A, %1, %B
          %2 = constant 0x1p+0 : f32
          %3 = constant 0x0p+0 : f32
          gemm.n.n %2, %B, %B, %3, %A
        }""")


def test_tuples_are_returned_and_unpacked():
    assert text("""
        def both(x): return x + 1, -x

        def kernel(A: Memref[f32, 4], x: f32):
            a, b = both(x)
            A[0] = a * b
    """) == dedented("""
        func @kernel(%A: memref<f32x4>,
                     %x: f32) {
          %0 = constant 0x1p+0 : f32
          %a = arith.add %x, %0 : f32
          %b = arith.neg %x : f32
          %1 = arith.mul %a, %b : f32
          %2 = constant 0 : index
          store %1, %A[%2]
        }""")


def test_returns_from_branches():
    clamp = """
        def clamp(x, low, high):
            if x < low:
                return low
            {}if x > high:
                y = high
                return y
            {}return x

        def kernel(A: Memref[f32, 4], x: f32):
            A[0] = clamp(x, 0, 1)
    """
    expected = dedented("""
        func @kernel(%A: memref<f32x4>,
                     %x: f32) {
          %0 = constant 0x0p+0 : f32
          %1 = cmp.lt %x, %0 : bool
          %2 = if %1 -> (f32) {
            %3 = constant 0x0p+0 : f32
            yield (%3)
          } else {
            %4 = constant 0x1p+0 : f32
            %5 = cmp.gt %x, %4 : bool
            %6 = if %5 -> (f32) {
              %7 = constant 0x1p+0 : f32
              yield (%7)
            } else {
              yield (%x)
            }
            yield (%6)
          }
          %8 = constant 0 : index
          store %2, %A[%8]
        }""")
    assert text(clamp.format("", "")) == expected
    assert text(clamp.format("el", "else: ")) == expected


def test_a_branch_that_goes_on():
    traced = text("""
        def f(x):
            if x < 0:
                y = -x
            else:
                return x
            return y * y

        def kernel(A: Memref[f32, 4], x: f32):
            A[0] = f(x)
    """)
    assert "%y = arith.neg %x : f32\n    %3 = arith.mul %y, %y : f32\n    yield (%3)" in traced


def test_recursion_over_constants_ends():
    assert (
        text("""
        def power(x, n):
            return x if n == 1 else x * power(x, n - 1)

        def kernel(A: Memref[f32, 4], x: f32):
            A[0] = power(x, 3)
    """).count("arith.mul")
        == 2
    )


def test_annotated_parameters_give_literals_their_type():
    assert text("""
        def f(x: f32, n: constexpr, A: Memref[f32, ...], other: "anything", more: int = 3) -> float:
            return x + n + more

        def kernel(A: Memref[f32, 4]):
            A[0] = f(1, 2, A, None)
    """) == dedented("""
        func @kernel(%A: memref<f32x4>) {
          %0 = constant 0x1p+0 : f32
          %1 = constant 0x1p+1 : f32
          %2 = arith.add %0, %1 : f32
          %3 = constant 0x1.8p+1 : f32
          %4 = arith.add %2, %3 : f32
          %5 = constant 0 : index
          store %4, %A[%5]
        }""")


@pytest.mark.parametrize(
    ("call", "code", "wrong"),
    [
        ("f(x)", "PYTL-1043", "v of f is f64, but f32 is passed"),
        ("f('a')", "PYTL-1043", "v of f is f64, but the Python string 'a' is passed"),
        ("g(A)", "PYTL-1043", "B of g is memref<f32x8>, but memref<f32x4> is passed"),
        ("h(x)", "PYTL-1013", "n of h is constexpr, but f32 is passed"),
        ("f()", "PYTL-1041", "f: missing a required argument: 'v'"),
        ("f(1, 2)", "PYTL-1041", "f: too many positional arguments"),
        ("f(w=1)", "PYTL-1041", "f: missing a required argument: 'v'"),
        ("h(n=1, w=2)", "PYTL-1041", "h: got an unexpected keyword argument 'w'"),
        ("f(*x)", "PYTL-1033", "x can't be looped over"),
        ("f(**x)", "PYTL-1041", "** takes a dictionary of names, not f32"),
        ("f(v=1, **{'v': 2})", "PYTL-1041", "v is passed twice"),
        ("square(x, x)", "PYTL-1041", "<lambda>: too many positional arguments"),
        ("nested(x)", "PYTL-1010", "the source of nested can't be found: its code comes from <string>"),
        ("middle(x)", "PYTL-1088", "return would leave the parallel region, whose work-items go on together"),
    ],
)
def test_mistakes_in_calls(call, code, wrong):
    space = {}
    exec("def nested(x): return x", space)
    kernel = function(
        f"""
        def f(v: f64): return 1.0
        def g(B: Memref[f32, 8]): return 1.0
        def h(n: constexpr): return 1.0
        square = lambda x: x * x
        def middle(x):
            with parallel():
                return x
            return x

        def kernel(A: Memref[f32, 4], x: f32):
            A[0] = {call}
        """,
        nested=space["nested"],
    )
    (found,) = findings(kernel)
    assert (found.code, found.message) == (code, wrong)


def test_a_functions_frame_is_shown():
    assert message("""
        def inner(A, x):
            return A + x

        def outer(A, x):
            y = inner(A, x)
            return y

        def kernel(A: Memref[f32, 4], x: f32):
            A[0] = outer(A, x)
    """) == dedented("""
        error[PYTL-1051]: + is not defined on memref<f32x4>
          --> <kernel>:2:12 in inner
           |
         2 |     return A + x
           |            ^^^^^
          ::: called at <kernel>:5:9 in outer
         5 |     y = inner(A, x)
           |         -----------
          ::: called at <kernel>:9:12 in kernel
         9 |     A[0] = outer(A, x)
           |            -----------
           = rule: an operator is applied to the numbers that it is defined on
           = help: assign to a view one term after the other: C[:] = A, then C[:] += B""")


def test_rules_of_the_language_are_reported_in_the_function():
    assert message("""
        def product(A, B, C):
            gemm(1.0, A, B, 0.0, C)

        def kernel(A: Memref[f32, 16, 8], C: Memref[f32, 16, 8]):
            product(A, A, C)
    """) == dedented("""
        error[PYTL-0330]: gemm: columns(op1(A)) = 8, but rows(op2(B)) = 16
          --> <kernel>:2:5 in product
           |
         2 |     gemm(1.0, A, B, 0.0, C)
           |     ^^^^^^^^^^^^^^^^^^^^^^^
         4 | def kernel(A: Memref[f32, 16, 8], C: Memref[f32, 16, 8]):
           |            - A is memref<f32x16x8>
          ::: called at <kernel>:5:5 in kernel
         5 |     product(A, A, C)
           |     ----------------
           = rule: columns(op1(A)) = rows(op2(B))""")


def test_an_endless_recursion():
    assert message("""
        def f(x): return g(x)
        def g(x): return f(x)

        def kernel(A: Memref[f32, 4]):
            A[0] = f(A[0])
    """) == dedented("""
        error[PYTL-1014]: f is inlined more than 32 calls deep
          --> <kernel>:2:18 in g
           |
         2 | def g(x): return f(x)
           |                  ^^^^
          ::: called at <kernel>:5:12 in kernel
         5 |     A[0] = f(A[0])
           |            -------
           = rule: a called function is inlined, so that every recursion ends
           = help: a recursion must end at a condition on Python constants; write a loop""")


def test_functions_of_other_modules_and_of_classes():
    helpers = functions("def twice(x): return x + FACTOR * x\nclass Tools:\n    @staticmethod\n    def id(x): return x")
    helpers["FACTOR"] = 3

    class Module:
        twice = staticmethod(helpers["twice"])
        Tools = helpers["Tools"]

    kernel = function("def kernel(A: Memref[f32, 4], x: f32):\n    A[0] = m.twice(m.Tools.id(x))\n", m=Module)
    assert "constant 0x1.8p+1 : f32" in text(kernel)


def test_closures_are_read_where_the_function_was_defined():
    space = functions("""
        def make(n):
            size = 2 * n
            def helper(x):
                return x * n
            def kernel(A: Memref[f32, size]):
                A[n] = helper(A[0])
            return kernel
    """)
    traced = text(space["make"](3))
    assert "memref<f32x6>" in traced
    assert "constant 0x1.8p+1 : f32" in traced and "constant 3 : index" in traced


def test_functions_that_cache_are_inlined_as_what_they_wrap():
    import functools

    kernel = function(
        "@cache\ndef f(x): return x * 2.0\ndef kernel(A: Memref[f32, 4]):\n    A[0] = f(A[0])\n",
        cache=functools.cache,
    )
    assert "arith.mul" in text(kernel)
